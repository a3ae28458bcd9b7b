"""Flags that several subcommands share, and what they mean."""

from __future__ import annotations

import argparse
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idpbench.claims.estimate import Estimate
    from idpbench.claims.score import Judging
    from idpbench.claims.suite.model import Suite
    from idpbench.settings.claims import ClaimsSettings

EXIT_CODES = """\
exit codes: 0 done; 1 a suite fails --fail-on, or the work was not confirmed; 2 wrong use or input; 3 no judge, or the
extractor cannot work (the pass under way is not saved)
"""


def root_flag(parser: argparse.ArgumentParser) -> None:
    """Where the repository is."""
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (this folder)")


def suite_flags(parser: argparse.ArgumentParser, which: str = "suites") -> None:
    """Which suites, and where their sources are."""
    parser.add_argument("--suite", metavar="ID", help="this suite, whichever extractor it is meant for")
    parser.add_argument("--suites-dir", type=Path, help=f"folder of suites (default: `{which}` of config/claims.yaml)")
    parser.add_argument("--fixtures", type=Path, help="folder of fixtures (default: `fixtures` of config/claims.yaml)")


def judge_flags(parser: argparse.ArgumentParser, threshold: float | None = None) -> None:
    """How claims are compared; with `threshold` the similarity is fixed."""
    parser.add_argument("--judge", choices=("embedding", "llm"), help="who compares (default: config/claims.yaml)")
    if threshold is None:
        parser.add_argument("--threshold", type=share, help="similarity from which two claims are one fact (0.80)")
    else:
        parser.set_defaults(threshold=threshold)
    parser.add_argument(
        "--mode",
        choices=("default", "reference"),
        default="default",
        help="reference: figures as the reference implementation defines them (no n/a, its bins)",
    )


def run_flags(parser: argparse.ArgumentParser) -> None:
    """How often, and what is asked before it costs something."""
    parser.add_argument("--runs", type=positive, default=1, metavar="N", help="independent passes (1)")
    parser.add_argument("--yes", action="store_true", help="go on without asking, however many calls are projected")


def share(text: str) -> float:
    """A number above 0 and at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a number above 0 and at most 1, found {text!r}")
    return value


def limit(text: str) -> float:
    """A number within [0, 1]; `nan` would never fail."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a number within [0, 1], found {text!r}")
    return value


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)


def settings_of(arguments: argparse.Namespace) -> ClaimsSettings:
    """The configuration; warnings of the library go to stderr from here on."""
    from idpbench.settings.claims import load_claims

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s: %(message)s")
    return load_claims(arguments.root)


def fixtures_of(arguments: argparse.Namespace, settings: ClaimsSettings) -> Path:
    """Folder of fixtures."""
    return arguments.fixtures or Path(arguments.root, settings.fixtures)


def suites_of(arguments: argparse.Namespace, settings: ClaimsSettings, which: str = "suites") -> list[Suite]:
    """All suites of the folder; a file that cannot be used has been logged."""
    from idpbench.claims.suite.discover import discover
    from idpbench.files.errors import bad_input

    folder = arguments.suites_dir or Path(arguments.root, getattr(settings, which))
    if not folder.is_dir():
        raise bad_input(
            folder, "", "no such folder", "a folder of suites", "correct --suites-dir or config/claims.yaml"
        )
    return list(discover(folder, getattr(arguments, "mode", "default")).suites)


def judging_of(arguments: argparse.Namespace, settings: ClaimsSettings, similarity: Path | None = None) -> Judging:
    """The judge, loaded: a command that cannot judge ends here, before anything is extracted."""
    from idpbench.claims.bench.judging import Wanted, judging

    wanted = Wanted(arguments.judge, arguments.threshold, similarity, arguments.mode)
    return judging(settings, arguments.root, wanted)


def confirmed(found: Estimate, arguments: argparse.Namespace, settings: ClaimsSettings) -> bool:
    """Whether the passes may be made: said at the terminal, by --yes, or because they are few."""
    if not found.needs_confirmation(settings.benchmark.confirm_call_threshold) or arguments.yes:
        return True
    if not sys.stdin.isatty():
        print(
            f"{found.calls} calls are more than benchmark.confirm_call_threshold "
            f"({settings.benchmark.confirm_call_threshold}) of config/claims.yaml: confirm with --yes",
            file=sys.stderr,
        )
        return False
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)
