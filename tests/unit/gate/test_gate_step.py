"""The step `gate` prints the verdict and ends with its exit code, and leaves the code for the workflow to hand on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from idpbench.gate.verdict import make_comparison

ROOT = Path(__file__).resolve().parents[3]


def rows(*values: float) -> dict[str, object]:
    row = {"cell": "a", "doc": "x", "success": True}
    return {"rows": [row | {"repeat": r, "completeness_recall": value} for r, value in enumerate(values)]}


@pytest.mark.parametrize(
    ("new", "code", "word"),
    [(rows(1, 1, 1), 0, "pass"), (rows(0.5, 0.5, 0.5), 1, "regression"), (rows(0.5), 4, "inconclusive")],
)
def test_the_command_ends_as_the_verdict_says(tmp_path: Path, new: dict[str, object], code: int, word: str) -> None:
    base = rows(*[1.0] * len(new["rows"]))  # type: ignore[arg-type]
    (tmp_path / "comparison.json").write_text(json.dumps(make_comparison(new, base)))
    ended = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "gate.py"), "--comparison", "comparison.json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts"), "IDPBENCH_EXIT_CODE": "left"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert ended.stdout.startswith(f"VERDICT {word} (exit {code}, paired rules)")
    left = tmp_path / "left"
    assert (left.read_text().split()[0] if left.exists() else "0") == str(code)
