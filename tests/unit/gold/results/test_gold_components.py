"""Every module that stands between a reply and its score is bound by a digest in the result."""

from __future__ import annotations

import ast
from pathlib import Path

from idpbench.files.provenance import PACKAGE, sources
from idpbench.gold.run.plan import COMPONENTS

ROOTS = ("gold.execute", "gold.xlsx", "gold.metrics", "gold.run.context")
WORDS = {"gold/issues.py"}  # how a fault is told


def imported(path: Path) -> set[Path]:
    """The modules of room gold that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("idpbench.gold"):
            parts = (node.module or "").split(".")[1:]
            for names in (parts, *([*parts, alias.name] for alias in node.names)):
                module = PACKAGE.joinpath(*names).with_suffix(".py")
                if module.is_file():
                    found.add(module)
    return found


def test_the_components_of_a_result_name_every_module_that_decides_a_score() -> None:
    reached = set(sources(*ROOTS))
    while more := {new for path in reached for new in imported(path)} - reached:
        reached |= more
    bound = {path for _, modules in COMPONENTS.values() for path in sources(*modules)}
    assert {path.relative_to(PACKAGE).as_posix() for path in reached - bound} == WORDS
