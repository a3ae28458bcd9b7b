"""Step: copy the page and the results of the claims benchmark into results/claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.claims.bench.published import address
from idpbench.files.canonical import read_json
from idpbench.files.step import run_step
from idpbench.report.pages import with_landing
from idpbench.report.publish import publish


def main() -> None:
    """Publish; a file there that somebody else changed is refused by name, and results of dropped suites go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--results-made", type=Path, nargs="+", required=True, help="results of the benchmark suites")
    parser.add_argument("--harness", type=Path, nargs="*", default=[], help="reports of the harnesses")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the stamp; publish-state.json lies beside it")
    given = parser.parse_args()
    files = {"claims/README.md": given.page.read_bytes()}
    for path in [*given.results_made, *given.harness]:
        files[f"claims/{address(read_json(path)).as_posix()}"] = path.read_bytes()
    publish(
        files, results=given.results, state=given.output.with_name("publish-state.json"), stamp=given.output,
        owned=["claims/"], shared=lambda: with_landing(given.results, {}),
    )  # fmt: skip


if __name__ == "__main__":
    run_step(main)
