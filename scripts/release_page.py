"""Render a release page as Markdown, and release.json beside it: what the index and publishing need to know of it."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.atomic import write_text
from idpbench.files.canonical import write_json
from idpbench.files.flags import reporting
from idpbench.files.step import run_step
from idpbench.report.evidence import claims
from idpbench.report.inputs import load
from idpbench.report.ownership import decide
from idpbench.report.release_page import entry, pair_of, render


def main() -> None:
    """Read the flags and both sides, ask results/ who owns which address, write page and entry."""
    parser = reporting(__doc__)
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--certificate", type=Path, help="certificate.json of these runs, if there is one")
    parser.add_argument("--notes", type=Path, help="text to include verbatim under Analysis")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the page; release.json is written beside it")
    arguments = parser.parse_args()
    inputs = load(arguments.new_side, arguments.base_side, arguments.comparison, arguments.certificate)
    pair, root = pair_of(inputs), arguments.results / inputs.new.backend
    addresses = decide(pair, claims(root, pair, arguments.new_side, arguments.base_side))
    notes = arguments.notes.read_text(encoding="utf-8") if arguments.notes else None
    write_json(arguments.output.with_name("release.json"), entry(inputs, addresses))
    write_text(arguments.output, render(inputs, addresses, arguments.figures, notes))


if __name__ == "__main__":
    run_step(main)
