"""Copy a finished set (a pair's page, figures and sides, or one side) into results/ and stamp what was written."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.report.bundle import derived, pair_files, side_only
from idpbench.report.publish import publish


def main() -> None:
    """Read the flags, assemble the set, publish it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new-side", type=Path, required=True, help="folder of VERSION's summary, or of the only side")
    for name in ("--base-side", "--comparison", "--page", "--figures", "--certificate"):
        parser.add_argument(name, type=Path, help="of the pair; without --page the side is published alone")
    parser.add_argument(
        "--baseline", type=Path, help="the pair's baseline.json; the promoted one is made from results/"
    )
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the stamp; publish-state.json lies beside it")
    given = parser.parse_args()
    owned: list[str] = []
    if given.page:
        files, backend, owned = pair_files(
            results=given.results, page=given.page, entry=given.page.with_name("release.json"), figures=given.figures,
            comparison=given.comparison, new=given.new_side, base=given.base_side, certificate=given.certificate,
        )  # fmt: skip
    else:
        files, backend = side_only(results=given.results, side=given.new_side)
    publish(
        files, results=given.results, state=given.output.with_name("publish-state.json"), stamp=given.output,
        owned=owned, shared=lambda: derived(given.results, backend),
    )  # fmt: skip


if __name__ == "__main__":
    run_step(main)
