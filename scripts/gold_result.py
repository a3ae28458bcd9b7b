"""Step: the result document of the embedded model, from the scores of all members of a gold suite."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.atomic import write_bytes
from idpbench.files.step import run_step
from idpbench.gold.place import open_suite
from idpbench.gold.result.document import stored
from idpbench.gold.run.state import read_final
from idpbench.gold.run.steps import result_of
from idpbench.gold.transport.local import MODEL, heuristic


def main() -> None:
    """Read the flags, write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--scores", type=Path, nargs="+", required=True, help="scored members, in any order")
    parser.add_argument("--output", type=Path, required=True, help="the result")
    given = parser.parse_args()
    suite = open_suite(Path(), given.suite, None)
    finals = [read_final(path, suite.manifest.digest) for path in given.scores]
    result = result_of(suite, finals, MODEL, heuristic(), ["snakemake", "gold"])
    write_bytes(given.output, stored(result))


if __name__ == "__main__":
    run_step(main)
