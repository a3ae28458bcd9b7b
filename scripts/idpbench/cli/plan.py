"""`idpbench plan`: every run of a suite, what is left out and why, and its sizes."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import pretty
from idpbench.files.errors import bad_input
from idpbench.matrix.plan import Plan, build_plan
from idpbench.matrix.words import plan_text
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.settings.options import parse_overrides


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of this command."""
    add_grid_flags(parser)
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")


def add_grid_flags(parser: argparse.ArgumentParser) -> None:
    """Flags that choose a grid; `estimate` has the same."""
    parser.add_argument("--suite", required=True, help="a suite of config/suites.yaml")
    parser.add_argument(
        "--set", action="append", default=[], metavar="AXIS=VALUE", help="move an axis's default; may be repeated"
    )
    parser.add_argument("--repeats", type=int, help="runs per cell and document, instead of the suite's own number")
    parser.add_argument("--backend", choices=("local", "aws"), default="local", help="where it would run (local)")
    parser.add_argument("--no-reference", action="store_true", help="leave labelled sets out")
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (this folder)")


def planned(arguments: argparse.Namespace) -> tuple[Settings, Plan]:
    """Settings and plan that the flags ask for."""
    settings = load(arguments.root)
    overrides = parse_overrides(",".join(arguments.set), "--set", "")
    repeats = arguments.repeats
    if repeats is not None and repeats < 1:
        raise bad_input("--repeats", "", repeats, "1 or more", "leave it out for the suite's own number")
    plan = build_plan(
        settings,
        arguments.suite,
        overrides,
        repeats,
        backend=arguments.backend,
        no_reference=arguments.no_reference,
    )
    return settings, plan


def run(arguments: argparse.Namespace) -> int:
    """Print the plan."""
    settings, plan = planned(arguments)
    text = pretty(plan.to_json()) if arguments.json else plan_text(settings, plan, repeats=arguments.repeats) + "\n"
    print(text, end="")
    return 0
