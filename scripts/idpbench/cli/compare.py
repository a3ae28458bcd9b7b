"""`idpbench compare NEW.json BASE.json`: the verdict, in four spellings, and its exit code."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from idpbench.cli.rescore import alike, score_again
from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import bad_input
from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison

EPILOG = "exit codes: 0 pass, 1 regression, 2 usage or bad input, 3 incomplete or incomparable, 4 inconclusive"
GATE = Path("config/gate.yaml")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.epilog = EPILOG
    parser.add_argument("new", metavar="NEW.json", help="summary.json to judge (ours or the original harness's)")
    parser.add_argument("base", metavar="BASE.json", help="summary.json or baseline.json to judge it against")
    parser.add_argument(
        "--arms",
        metavar="A=B",
        help="pair cell A of NEW with cell B of BASE, or the sides by their override slugs (`default` without any)",
    )
    parser.add_argument("--rules", choices=("classic", "paired", "both"), default="both", help="default: both")
    parser.add_argument("--format", choices=("text", "json", "junit", "github"), default="text", help="default: text")
    parser.add_argument("--exploratory", action="store_true", help="judge what is not comparable, and stamp it")
    parser.add_argument("--strict", action="store_true", help="any harmful undecided difference gives exit 4")
    parser.add_argument("--gate", metavar="FILE", help=f"thresholds and waivers (default: {GATE}, where it exists)")


def run(arguments: argparse.Namespace) -> int:
    """Compare, print in the format asked for, return the verdict's exit code."""
    options = Options(
        rules=arguments.rules,
        exploratory=arguments.exploratory,
        strict=arguments.strict,
        arms=_arms(arguments.arms),
    )
    with _no_collector():
        comparison = _compare(arguments, options)
    sys.stdout.write(render(comparison, arguments.format))
    return int(comparison["exit_code"])


def _compare(arguments: argparse.Namespace, options: Options) -> dict[str, Any]:
    """Read both sides, with one scorer where that can be had, and judge them."""
    names = (arguments.new, arguments.base)
    sides = _same_scorer(names, read_json(arguments.new), read_json(arguments.base))
    return make_comparison(*sides, _gate(arguments.gate), options, names=names)


@contextlib.contextmanager
def _no_collector() -> Iterator[None]:
    """Many small objects and no cycles among them: looking for cycles would cost a fifth of a large comparison."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def render(comparison: dict[str, Any], form: str) -> str:
    """One verdict object in the spelling asked for."""
    from idpbench.gate import render_github, render_junit, render_text

    if form == "json":
        return pretty(comparison, flat_from=2)
    module: Any = {"text": render_text, "junit": render_junit, "github": render_github}[form]
    return str(module.render(comparison))


def _same_scorer(names: tuple[str, str], new: Any, base: Any) -> tuple[Any, Any]:
    """Both sides as they are; scored again from their run records where scorer or prices differ and both have some."""
    if alike(new, base) or not all(
        isinstance(side, dict) and isinstance(side.get("rows"), list) for side in (new, base)
    ):
        return new, base
    sides = []
    for name, side in zip(names, (new, base), strict=True):
        again, why = score_again(Path(name), side)
        if again is None:
            print(f"idpbench compare: other scorer or prices, and not scored again: {why}", file=sys.stderr)
            return new, base
        sides.append(again)
    print("idpbench compare: both sides scored again from their run records", file=sys.stderr)
    return sides[0], sides[1]


def _arms(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    new, _, base = text.partition("=")
    if not new or not base:
        raise bad_input("--arms", "", repr(text), "A=B", "name the cell of NEW and, after =, the cell of BASE")
    return new, base


def _gate(path: str | None) -> Any:
    """The content of the gate's settings; without the option, of config/gate.yaml here or beside the library."""
    from idpbench.settings.yamlfile import load_yaml

    if path is not None:
        return load_yaml(Path(path))
    root = Path(__file__).resolve().parents[3]
    found = next((place for place in (GATE, root / GATE) if place.is_file()), None)
    return load_yaml(found) if found else None
