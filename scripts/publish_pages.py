"""Step: copy pages that are made from results/ back into it, and stamp what was written."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.report.pages import PLACES, page_files, with_landing
from idpbench.report.publish import publish


def main() -> None:
    """Read the flags; the pages are shared by all releases, so nothing of them is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--made", type=Path, required=True, help="folder that the page's step wrote")
    parser.add_argument("--page", choices=sorted(PLACES), required=True)
    parser.add_argument("--backend", choices=("aws", "local"), required=True)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the stamp; publish-state.json lies beside it")
    given = parser.parse_args()
    files = page_files(given.made, given.backend, given.page)
    publish(
        {}, results=given.results, state=given.output.with_name("publish-state.json"), stamp=given.output,
        shared=lambda: with_landing(given.results, files),
    )  # fmt: skip


if __name__ == "__main__":
    run_step(main)
