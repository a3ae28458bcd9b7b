"""Step: all results of the claims benchmark become one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.claims.pages.page import render
from idpbench.claims.suite.load import load_suite
from idpbench.files.atomic import write_text
from idpbench.files.canonical import read_json
from idpbench.files.step import run_step


def main() -> None:
    """Render; the results are shown in the order given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, nargs="+", required=True, help="results of the benchmark suites")
    parser.add_argument("--suites", type=Path, nargs="+", required=True, help="their suite files")
    parser.add_argument("--harness", type=Path, nargs="*", default=[], help="reports of the harnesses")
    parser.add_argument("--conformance", type=Path, required=True, help="report over the fixtures")
    parser.add_argument("--output", type=Path, required=True, help="the page to write")
    given = parser.parse_args()
    names = {suite.suite_id: suite.name for suite in map(load_suite, given.suites)}
    results = [read_json(path) for path in given.results]
    reports = [read_json(path) for path in given.harness]
    write_text(given.output, render(results, names, reports, read_json(given.conformance)))


if __name__ == "__main__":
    run_step(main)
