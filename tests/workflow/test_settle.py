"""`snakemake settle`: buys what an undecided comparison needs, once, launches only that, and judges again."""

from __future__ import annotations

from project import Project

SETTLE = ("settle", "--config", "version=0.6.9", "prev=0.6.8", "suite=smoke")
ADVANCED = "core-tt-adv-sep"
BOUGHT = "config/settled/local/0.6.9-0.6.8/smoke.yaml"


def test_more_repeats_settle_what_one_run_could_not(smoke: Project) -> None:
    """Advanced mode gets dearer; one run a side cannot say so, four can."""
    smoke.edit(
        "config/localstack/0.6.9.yaml",
        "conversations_per_shard:\n    value: 1",
        "conversations_per_shard:\n    value: 4",
    )
    before = sum(smoke.invokes().values())
    refused = smoke.snakemake(*SETTLE, "budget_usd=1.0")
    assert refused.code == 5 and "Stays open:" in refused.text and "exceed the budget of $1.00" in refused.text
    assert sum(smoke.invokes().values()) == before + 4, "the changed release, and nothing that settles"
    assert not (smoke.folder / BOUGHT).exists()

    settled = smoke.snakemake(*SETTLE, "budget_usd=20")
    assert settled.code == 0, settled.text
    runs = smoke.invokes()
    assert sum(runs.values()) == before + 16, "three more runs of two documents on each side"
    for version in ("0.6.8", "0.6.9"):
        assert sum(cell == ADVANCED for cell in smoke.keys(version).values()) == 8
        assert len(smoke.keys(version)) == 10, "the other cell has what it had"
    verdict = smoke.json("work/local/pairs/0.6.9-0.6.8-smoke/comparison.json")
    assert verdict["settled"] == [[ADVANCED, "small_narrow.pdf"], [ADVANCED, "tiny_form.pdf"]]
    assert [found["key"] for found in verdict["cells"]["regressions"]] == [ADVANCED]
    assert "a second look, judged at half its level" in smoke.page()

    again = smoke.snakemake(*SETTLE, "budget_usd=20")
    assert again.code == 0 and "VERDICT regression" in again.text and "Bought to settle: 12 runs" in again.text
    assert smoke.invokes() == runs, "it settles once"
