"""Repeats that a settling bought are planned on both sides of that very pair, and nowhere else."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from idpbench.settings.settled import settled_text
from idpbench.stack.invocation import Invocation
from idpbench.stack.model import Side
from idpbench.stack.request import Request, side_of

ROOT = Path(__file__).resolve().parents[3]
CELL = "core-tt-adv-sep"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Configuration and manifest, with a settled pair."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    place = tmp_path / "config" / "settled" / "local" / "0.6.9-0.6.8" / "smoke.yaml"
    place.parent.mkdir(parents=True)
    place.write_text(settled_text({(CELL, "tiny_form"): 4}))
    return tmp_path


def command(project: Path, **more: Any) -> Invocation:
    return Invocation(project, {"version": "0.6.9", "prev": "0.6.8", "suite": "smoke", **more})


def runs(side: Side) -> Counter[tuple[str, str]]:
    return Counter((run.cell, run.document) for run in side.runs)


def test_both_sides_of_the_pair_have_what_was_bought_and_keep_what_they_had(project: Path) -> None:
    for side in command(project).pair():
        assert runs(side)[CELL, "tiny_form"] == 4
        assert sum(runs(side).values()) == 3 + 4
    shutil.rmtree(project / "config" / "settled")
    assert {run.key for run in command(project).new_side().runs} < {run.key for run in side_of_pair(project)}


def side_of_pair(project: Path) -> tuple[Any, ...]:
    plain = command(project)
    request = Request.of(plain.options, "smoke", settled={(CELL, "tiny_form"): 4})
    assert Request.from_json(request.to_json()) == request
    return side_of(plain.settings, project, request).runs


@pytest.mark.parametrize(
    "other",
    [
        {"prev": "0.6.5"},
        {"version": "0.6.8", "prev": "0.6.5"},
        {"series": "b"},
        {"set": "reasoning_effort=low"},
        {"backend": "aws", "account": "111122223333", "build": "b1"},
    ],
)
def test_no_other_pair_has_it(project: Path, other: dict[str, Any]) -> None:
    for side in command(project, **other).pair():
        assert set(runs(side).values()) == {1}


def test_more_repeats_than_were_bought_stay_more(project: Path) -> None:
    assert set(runs(command(project, repeats=5).new_side()).values()) == {5}
