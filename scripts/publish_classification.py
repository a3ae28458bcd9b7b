"""Step: copy a classification side, its summary with the pooled pages and its page, into results/ with a stamp."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.report.bundle import derived
from idpbench.report.evidence import side_files
from idpbench.report.publish import publish


def main() -> None:
    """Read the flags; `--side` holds what every side has, the summary of this benchmark has its page beside it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--summary", type=Path, required=True, help="summary; its page README.md lies beside it")
    parser.add_argument("--side", type=Path, required=True, help="folder of the side's files, as every side has them")
    parser.add_argument("--address", required=True, help="folder below results/")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the stamp; publish-state.json lies beside it")
    given = parser.parse_args()
    files = side_files(given.side, None)
    files |= {path.name: path.read_bytes() for path in (given.summary, given.summary.with_name("README.md"))}
    files = {f"{given.address}/{name}": data for name, data in files.items()}
    backend = given.address.partition("/")[0]
    publish(
        files, results=given.results, state=given.output.with_name("publish-state.json"), stamp=given.output,
        shared=lambda: derived(given.results, backend),
    )  # fmt: skip


if __name__ == "__main__":
    run_step(main)
