"""The step `settle` buys within the budget or not at all, and buys once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from idpbench.gate.settle import plan_settle
from idpbench.gate.verdict import make_comparison
from idpbench.stack.invocation import Invocation

ROOT = Path(__file__).resolve().parents[3]
CELL = "core-tt-adv-sep"


def summary(cost: float) -> dict[str, object]:
    """One run of two documents that cost this."""
    rows = [
        {"cell": CELL, "doc": f"{doc}.pdf", "repeat": 0, "success": True, "cost": cost}
        for doc in ("tiny_form", "small_narrow")
    ]
    return {"schema": "idpbench/summary/1", "rows": rows}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compared pair whose newer side got five times dearer, with one run of each document."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "config", folder / "config")
    (folder / "corpus").symlink_to(ROOT / "corpus")
    command = Invocation(folder, {"version": "0.6.9", "prev": "0.6.8", "suite": "smoke"})
    new, base = summary(0.5), summary(0.1)
    requests = []
    for side, content in zip(command.pair(), (new, base), strict=True):
        place = folder / "work" / side.address / "summary" / "summary.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(content))
        requests.append(json.loads(command.request_text(side)))
    (folder / "requests.json").write_text(json.dumps(requests))
    (folder / "comparison.json").write_text(
        json.dumps({"schema": "idpbench/comparison/1"} | make_comparison(new, base))
    )
    (folder / "settle.json").write_text(json.dumps(plan_settle(new, base)))
    return folder


def settle(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    given = ["--comparison", "comparison.json", "--record", "purchase.json", *words]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "settle.py"), *given],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_too_small_a_budget_buys_nothing_and_a_larger_one_what_is_needed_once(project: Path) -> None:
    asked = ["--plan", "settle.json", "--requests", (project / "requests.json").read_text(), "--settled", "bought.yaml"]
    refused = settle(project, *asked, "--budget", "1.0")
    assert refused.returncode == 5, refused.stderr
    assert "Stays open:" in refused.stdout and "exceed the budget of $1.00" in refused.stdout
    assert not (project / "bought.yaml").exists() and not (project / "purchase.json").exists()

    bought = settle(project, *asked, "--budget", "20")
    assert bought.returncode == 0, bought.stderr
    assert f"{CELL}: small_narrow to 4 repeats a side, tiny_form to 4 repeats a side" in bought.stdout
    record = json.loads((project / "purchase.json").read_text())
    # nothing is in the vault of this folder: eight runs of each document, by what a run of each side has cost
    assert (record["bought"][0]["runs"], record["bought"][0]["usd"]["expected"]) == (16, 8 * 0.5 + 8 * 0.1)
    kept = (project / "bought.yaml").read_text()

    again = settle(project)
    assert again.returncode == 0, again.stderr
    assert "Bought to settle: 16 runs, $4.80 expected" in again.stdout and "VERDICT" in again.stdout
    assert (project / "bought.yaml").read_text() == kept
