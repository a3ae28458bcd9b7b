"""Flags that several subcommands share."""

from __future__ import annotations

import argparse
from pathlib import Path

RESULTS = Path("results", "gold")


def root_flag(parser: argparse.ArgumentParser) -> None:
    """Where the repository is."""
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (this folder)")


def staged_flag(parser: argparse.ArgumentParser) -> None:
    """Where publishers' workbooks are."""
    parser.add_argument(
        "--staged",
        type=folder,
        metavar="FOLDER",
        help="publishers' workbooks, taken only with the pinned digest; any may be absent (default: config/gold.yaml)",
    )


def results_flag(parser: argparse.ArgumentParser) -> None:
    """Where committed results are."""
    parser.add_argument("--results", type=folder, metavar="FOLDER", help=f"committed results (default: {RESULTS})")


def folder(text: str) -> Path:
    """A folder that is there: one that is named by mistake would look like one without files."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"expected a folder, found {text!r}")
    return Path(text)


def positive(text: str) -> int:
    """A whole number from 1."""
    return _at_least(text, 1)


def whole(text: str) -> int:
    """A whole number from 0."""
    return _at_least(text, 0)


def _at_least(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}, found {text!r}")
    return int(text)
