"""Step: a test set for the classification benchmark, as a labelled set in a folder of its own, with its stamp."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.corpus.packetkinds import KINDS
from idpbench.corpus.packetset import update_packets, write_packets
from idpbench.files.step import run_step
from idpbench.settings.load import load
from idpbench.settings.packets import load_packets
from idpbench.stack.testfolder import copy_own, empty, stamp


def main() -> None:
    """Generate the first `--sample` packets, or copy the first documents of `--source`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", help="folder of the user's (default: generated packets)")
    parser.add_argument("--sample", type=int, help="documents taken, in the order of their names (default: all)")
    parser.add_argument("--class", dest="doc_class", default="packets", help="class configuration of generated packets")
    parser.add_argument("--manifest", type=Path, default=Path("corpus/packets.json"), help="digests of the packets")
    parser.add_argument("--output", type=Path, help="the stamp; the set is assembled in its folder")
    parser.add_argument("--update-manifest", action="store_true", help="check and enter all packets (maintainers)")
    given = parser.parse_args()
    settings = load(Path())
    if given.update_manifest:
        print(f"{update_packets(load_packets(settings.config, KINDS), given.manifest)} pages")
        return
    folder = given.output.parent
    empty(folder)
    if given.source is not None:
        copy_own(Path(given.source), folder, settings, given.sample)
    else:
        packets = load_packets(settings.config, KINDS)
        write_packets(
            [packets[name] for name in sorted(packets)[: given.sample]], folder, given.manifest, given.doc_class
        )
    stamp(given.output)


if __name__ == "__main__":
    run_step(main)
