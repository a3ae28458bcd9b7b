"""What more repeats are projected to cost: what the runs of that very side have cost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from idpbench.matrix.estimate import Observation
from idpbench.settings.load import load
from idpbench.stack.invocation import Invocation
from idpbench.stack.request import Request
from idpbench.stack.settling import Price, prices
from idpbench.stack.vault import Vault

ROOT = Path(__file__).resolve().parents[3]
CELL, DOCUMENT = "core-tt-adv-sep", "tiny_form"
WANTED = {(CELL, DOCUMENT): 4}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Configuration and manifest; one published release, whose runs cost 10 cents."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    place = tmp_path / "results" / "local" / "v0.6.8" / "smoke"
    place.mkdir(parents=True)
    row = f'{{"cell": "{CELL}", "doc": "{DOCUMENT}.pdf", "success": true, "cost": 0.1}}'
    (place / "summary.json").write_text(f'{{"rows": [{row}]}}')
    return tmp_path


def observed(*costs: float) -> list[Observation]:
    return [Observation(CELL, DOCUMENT, 1, cost, 1.0, {}) for cost in costs]


def priced(project: Path, new: list[Observation], base: list[Observation]) -> Price:
    command = Invocation(project, {"version": "0.6.9", "prev": "0.6.8", "suite": "smoke"})
    requests = [Request.of(command.options, "smoke", base=older) for older in (False, True)]
    settings = load(project)
    return prices(settings, project, list(zip(requests, (new, base), strict=True)), WANTED)[CELL]


def test_each_side_is_priced_by_its_own_runs(project: Path) -> None:
    """A release that got four times dearer: its repeats cost that, and not what a published run once cost."""
    price = priced(project, observed(0.4, 0.4, 0.4), observed(0.1, 0.1, 0.1))
    assert price.runs == 2 * 4, "nothing is in the vault of this project"
    assert price.usd == pytest.approx(4 * 0.4 + 4 * 0.1)


def test_the_range_says_how_far_those_runs_scatter(project: Path) -> None:
    cost = priced(project, observed(0.2, 0.4, 0.6), observed(0.1, 0.1, 0.1)).cost
    assert cost is not None
    assert (cost.low, cost.expected, cost.high) == (pytest.approx(1.2), pytest.approx(2.0), pytest.approx(2.8))


def test_a_side_without_a_cost_of_its_own_takes_the_published_one(project: Path) -> None:
    assert priced(project, observed(0.4, 0.4, 0.4), []).usd == pytest.approx(4 * 0.4 + 4 * 0.1)


def test_what_the_vault_holds_costs_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Everything(set[str]):
        def __contains__(self, key: object) -> bool:
            return True

    monkeypatch.setattr(Vault, "keys", lambda self: Everything())
    price = priced(project, observed(0.4), observed(0.1))
    assert (price.usd, price.runs) == (0.0, 0)
