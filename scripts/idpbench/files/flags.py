"""Flags that several steps share, each with one name and one meaning."""

from __future__ import annotations

import argparse
from pathlib import Path


def judging(description: str | None) -> argparse.ArgumentParser:
    """A parser with what every step of the gate reads: --new, --base, --gate."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--new", required=True, help="summary.json of the version that is judged")
    parser.add_argument("--base", required=True, help="baseline.json it is judged against")
    parser.add_argument("--gate", required=True, help="config/gate.yaml")
    return parser


def reporting(description: str | None) -> argparse.ArgumentParser:
    """A parser with what every step of a release page reads: --comparison, --new-side, --base-side."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--comparison", type=Path, required=True)
    parser.add_argument("--new-side", type=Path, required=True, help="folder of VERSION's summary")
    parser.add_argument("--base-side", type=Path, required=True, help="folder of PREV's summary")
    return parser


def of_results(description: str | None, output: str) -> argparse.ArgumentParser:
    """A parser with what every page on all sides reads and writes: --results, --output (`output` says what it is)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--results", type=Path, required=True, help="results/<backend>")
    parser.add_argument("--output", type=Path, required=True, help=output)
    return parser


def of_member(description: str | None, output: str) -> argparse.ArgumentParser:
    """A parser with what every step on one member of a gold suite reads: --suite, --member, --staged, --output."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--member", required=True)
    parser.add_argument("--staged", type=Path, required=True, help="folder of publishers' workbooks")
    parser.add_argument("--output", type=Path, required=True, help=output)
    return parser
