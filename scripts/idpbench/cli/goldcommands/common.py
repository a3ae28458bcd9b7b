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
        type=Path,
        metavar="FOLDER",
        help="publishers' workbooks, taken only with the pinned digest (default: config/gold.yaml; absent is fine)",
    )


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
