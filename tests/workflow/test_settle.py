"""`snakemake settle`: buys what an undecided comparison needs, once, launches only that, and judges again.

That too small a budget buys nothing is tested on the step itself.
"""

from __future__ import annotations

import pytest
from project import Project

SETTLE = ("settle", "--config", "version=0.6.9", "prev=0.6.8", "suite=smoke", "budget_usd=20")
ADVANCED = "core-tt-adv-sep"


def test_more_repeats_settle_what_one_run_could_not(smoke: Project) -> None:
    """Advanced mode gets dearer; one run a side cannot say so, four can."""
    smoke.edit(
        "config/localstack/0.6.9.yaml",
        "conversations_per_shard:\n    value: 1",
        "conversations_per_shard:\n    value: 4",
    )
    before = sum(smoke.invokes().values())
    settled = smoke.snakemake(*SETTLE)
    assert settled.code == 0, settled.text
    runs = smoke.invokes()
    assert sum(runs.values()) == before + 16, "the changed release, then three more runs of two documents on each side"
    for version in ("0.6.8", "0.6.9"):
        assert sum(cell == ADVANCED for cell in smoke.keys(version).values()) == 8
        assert len(smoke.keys(version)) == 10, "the other cell has what it had"
    verdict = smoke.json("work/local/pairs/0.6.9-0.6.8-smoke/comparison.json")
    assert verdict["settled"] == [[ADVANCED, "small_narrow.pdf"], [ADVANCED, "tiny_form.pdf"]]
    assert [found["key"] for found in verdict["cells"]["regressions"]] == [ADVANCED]
    assert "a second look, judged at half its level" in smoke.page()

    (bought,) = smoke.json("work/local/pairs/0.6.9-0.6.8-smoke/purchase.json")["bought"]
    came = sum(
        row["cost"]
        for version in ("0.6.8", "0.6.9")
        for row in smoke.json(f"work/local/v{version}/smoke/summary/summary.json")["rows"]
        if row["cell"] == ADVANCED and row["repeat"] > 0
    )
    assert bought["runs"] == 12
    assert bought["usd"]["low"] <= came <= bought["usd"]["high"]
    assert bought["usd"]["expected"] == pytest.approx(came, rel=0.1), "priced by the runs of these sides"

    again = smoke.snakemake("-n", *SETTLE)
    assert again.code == 0 and "checkpoint landed" not in again.text, "it settles once"
    assert "settle.py" not in again.text or "--plan" not in again.text
