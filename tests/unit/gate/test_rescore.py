"""Two sides of different scorers are scored again from the run records beside them, or named as not comparable."""

import json

import pytest
from scoring_runs import perfect

from idpbench.cli.main import main
from idpbench.files.canonical import gzip_lines, write_json


@pytest.fixture
def project(tmp_path, monkeypatch):
    record, truth = perfect()
    write_json(tmp_path / "corpus/docs/small_narrow.truth.json", truth)
    for side, scorer in (("new", "1" * 64), ("base", "2" * 64)):
        row = {"cell": record["cell"], "doc": "small_narrow.pdf", "repeat": 0, "status": "COMPLETED", "success": True}
        meta = {"scorer_sha256": scorer, "pricing_sha256": "3" * 64}
        summary = {"schema": "idpbench/summary/1", "meta": meta, "rows": [row | {"completeness_recall": 0.1}]}
        write_json(tmp_path / side / "summary.json", summary)
        (tmp_path / side / "runs.jsonl.gz").write_bytes(gzip_lines([record]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compare(capsys, new="new/summary.json", base="base/summary.json"):
    code = main(["compare", new, base, "--format", "json"])
    out = capsys.readouterr()
    return code, json.loads(out.out), out.err


def test_both_sides_are_scored_again_by_the_present_scorer(project, capsys):
    code, comparison, said = compare(capsys)
    assert (code, comparison["verdict"]) == (0, "pass") and "scored again" in said
    assert comparison["differences"] == []
    (recall,) = [t for t in comparison["tests"] if (t["level"], t["metric"]) == ("row", "completeness_recall")]
    assert recall["new"] == 1.0  # the record's, not the summary's


def test_a_baseline_finds_its_records_beside_the_summary_it_was_copied_from(project, capsys):
    content = json.loads((project / "base/summary.json").read_text())
    write_json(project / "baseline.json", content | {"baseline": {"source": "base/summary.json", "sha256": "0"}})
    code, _, said = compare(capsys, base="baseline.json")
    assert code == 0 and "scored again" in said


@pytest.mark.parametrize("lost", ["base/runs.jsonl.gz", "corpus/docs/small_narrow.truth.json"])
def test_without_records_or_truth_the_metrics_are_not_compared_and_the_reason_is_said(project, capsys, lost):
    (project / lost).unlink()
    code, comparison, said = compare(capsys)
    assert (code, comparison["verdict"]) == (3, "incomplete") and "not scored again" in said
    assert "completeness_recall" in {item["metric"] for item in comparison["not_compared"]}
