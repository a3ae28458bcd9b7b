"""The shape of the code itself: rooms in their order, files of a readable length, traps that must not come back."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from idpbench import ROOMS
from idpbench.files.provenance import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(PACKAGE.rglob("*.py"))
WORKFLOW = [ROOT / "Snakefile", *sorted((ROOT / "rules").glob("*.smk"))]


def imported(path: Path) -> set[str]:
    """Full names of the idpbench modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in names if name.startswith("idpbench.")}


def room(module: str) -> str:
    return module.split(".")[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_from_rooms_before_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own not in ROOMS:
        return
    for name in imported(path):
        if room(name) in ROOMS:
            assert ROOMS.index(room(name)) <= ROOMS.index(own), f"{own} imports {name}"


def test_the_local_stack_knows_nothing_of_the_corpus() -> None:
    for path in sorted((PACKAGE / "localstack").rglob("*.py")):
        assert not [name for name in imported(path) if room(name) == "corpus"], path


def test_every_room_says_what_it_is_for() -> None:
    for folder in sorted(PACKAGE.iterdir()):
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert folder.name in ROOMS
            assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))), folder


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_does_one_job_in_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_no_rule_is_ordered_by_ancient() -> None:
    """`ancient()` drops work silently and exits 0 (Snakemake issue 4166): order lives in inputs."""
    for path in WORKFLOW:
        assert not re.search(r"\bancient\s*\(", path.read_text(encoding="utf-8")), path


def test_every_rule_has_a_log_a_message_and_an_environment() -> None:
    for path in WORKFLOW:
        for block in re.split(r"^(?:rule|checkpoint) ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
            name = block.split(":", 1)[0]
            if "shell:" in block:
                for directive in ("log:", "message:", "conda:"):
                    assert directive in block, f"{path.name}: rule {name} has no {directive}"
