"""A side from its scores files and its plan: the steps, run for real, and what they refuse."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scoring_runs import CARD, METERING, ROOT, document_of, evaluation_of, list_rows, perfect, record_of

from idpbench.cli import main
from idpbench.files.canonical import canonical, read_json, write_json
from idpbench.files.errors import Refusal
from idpbench.files.schema import check
from idpbench.pricing.card import RateCard
from idpbench.scoring.cell import Truths, score_cell
from idpbench.scoring.truth import read_truth
from idpbench.summary.files import join_records
from idpbench.summary.summarize import summarize, summarize_side

PRICING = ROOT / "config" / "pricing.yaml"


def runs() -> list[dict[str, Any]]:
    """Two cells, two repeats each, keys in no order; one run of the second failed."""
    records: list[dict[str, Any]] = []
    for cell in ("cell-b", "cell-a"):
        for repeat in (1, 0):
            record, _ = perfect()
            record |= {"cell": cell, "repeat": repeat, "key": f"{len(records) + 1:040x}"}
            records.append(record)
    records[0] |= {"status": "FAILED", "status_reason": "SomeException: in OCR"}
    records[0]["documents"] = [document_of(status="FAILED")]
    records[1]["launch"] = {**records[1]["launch"], "at": "2026-11-02T09:00:00Z"}
    return records


def plan_of(records: list[dict[str, Any]]) -> dict[str, Any]:
    names = ("key", "cell", "document", "repeat", "config_name", "config_digest", "reference")
    planned = [{**{name: record[name] for name in names}, "doc_class": record["class"]} for record in records]
    about = {"suite": "corefast", "overrides": {}, "skipped": [{"cell": "x", "reason": "no such model"}]}
    return {"schema": "idpbench/plan/1", "backend": "local", "version": "0.6.9", "about": about, "runs": planned}


class OneTruth(Truths):
    """The same truth for every document."""

    def __init__(self) -> None:
        super().__init__(None)

    def of(self, record: Any) -> Any:
        return None if record.get("reference") else read_truth(perfect()[1])


def scores_of(records: list[dict[str, Any]], card: RateCard = CARD) -> list[dict[str, Any]]:
    cells = sorted({record["cell"] for record in records})
    return [score_cell(cell, [r for r in records if r["cell"] == cell], OneTruth(), card) for cell in cells]


def test_a_side_is_summarized_with_what_its_numbers_rest_on() -> None:
    records = runs()
    scores = scores_of(records)
    summary = summarize_side(scores, plan_of(records), CARD)
    check(summary, "summary", "summary")
    for cell in scores:
        check(cell, "scores", "scores")
    meta = summary["meta"]
    assert [meta[name] for name in ("planned", "launched", "finished", "scored", "partial")] == [4, 4, 4, 4, False]
    assert (meta["suite"], meta["version"], meta["backend"], meta["overrides"]) == ("corefast", "0.6.9", "local", {})
    assert meta["skipped"] == [{"cell": "x", "reason": "no such model"}] and meta["docs_other_class"] is None
    assert (meta["stack"], meta["stack_version"], meta["region"]) == ("idpbench", "0.6.9", "us-west-2")
    assert (meta["date"], meta["launched_first"]) == ("2026-11-02", "2026-11-01T10:00:00Z")
    assert meta["scorer_sha256"] == scores[0]["scorer"] and meta["pricing_sha256"] == CARD.digest
    assert meta["documents"] == {"small_narrow.pdf": "d" * 64}
    assert meta["configurations"] == {"cell-a|bank_statement": "c" * 64, "cell-b|bank_statement": "c" * 64}
    assert (meta["docs_run"], meta["docs_reference"], meta["docs_missing_truth"]) == (["small_narrow.pdf"], [], [])
    assert meta["extraction_model"] == "sonnet46"


def test_the_same_runs_in_any_order_are_the_same_summary() -> None:
    records = runs()
    backwards = list(reversed(records))
    one = summarize_side(scores_of(records), plan_of(records), CARD)
    other = summarize_side(list(reversed(scores_of(backwards))), plan_of(backwards), CARD)
    assert canonical(one) == canonical(other)


def test_a_planned_run_without_a_record_stands_in_the_rows() -> None:
    records = runs()
    summary = summarize_side(scores_of(records[1:]), plan_of(records), CARD)
    check(summary, "summary", "summary")
    [row] = [row for row in summary["rows"] if row["status"] == "NOT_LAUNCHED"]
    assert (row["cell"], row["doc"], row["repeat"]) == ("cell-b", "small_narrow.pdf", 1)
    assert (row["success"], row["cost"]) == (False, None)
    meta = summary["meta"]
    assert [meta[name] for name in ("planned", "launched", "finished", "scored", "partial")] == [4, 3, 3, 3, True]


def test_scores_made_with_other_code_or_prices_are_not_mixed() -> None:
    records = runs()
    scores = scores_of(records)
    with pytest.raises(Refusal, match="scores of cell-"):
        summarize_side([scores[0], scores[1] | {"scorer": "f" * 64}], plan_of(records), CARD)
    with pytest.raises(Refusal, match="pricing"):
        summarize_side(scores, plan_of(records), RateCard({}))


def test_bare_rows_are_summarized_without_a_plan() -> None:
    rows = [row for cell in scores_of(runs()) for row in cell["rows"]]
    summary = summarize(rows)
    assert summary["schema"] == "idpbench/summary/1" and summary["meta"] == {}
    assert list(summary["cell_stats"]) == ["cell-a", "cell-b"]


def step(folder: Path, name: str, *options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    words = [sys.executable, str(ROOT / "scripts" / f"{name}.py"), *map(str, options)]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment, check=False)


def laid_out(folder: Path) -> dict[str, Path]:
    """Record files of two cells, their truth, plan and landed."""
    records = runs()
    cells: dict[str, Any] = {}
    for cell in ("cell-a", "cell-b"):
        path = folder / "records" / f"{cell}.jsonl"
        path.parent.mkdir(exist_ok=True)
        own = [record for record in records if record["cell"] == cell]
        path.write_bytes(b"".join(canonical(record) + b"\n" for record in own))
        cells[cell] = {"records": str(path), "keys": [record["key"] for record in own], "runs": 2, "completed": 2}
    write_json(folder / "landed.json", {"schema": "idpbench/landed/1", "cells": cells})
    write_json(folder / "plan.json", plan_of(records))
    write_json(folder / "truth" / "small_narrow.truth.json", perfect()[1])
    return {cell: folder / "records" / f"{cell}.jsonl" for cell in cells}


def test_the_two_steps_make_the_five_files_and_make_them_again_alike(tmp_path: Path) -> None:
    files = laid_out(tmp_path)
    for attempt in ("first", "second"):
        for cell, records in files.items():
            where = ["--records", records, "--truth-dir", tmp_path / "truth", "--pricing", PRICING]
            done = step(tmp_path, "score", *where, "--output", tmp_path / "scores" / f"{cell}.json")
            assert done.returncode == 0, done.stderr
        inputs = ["--plan", tmp_path / "plan.json", "--landed", tmp_path / "landed.json", "--pricing", PRICING]
        scores = sorted((tmp_path / "scores").glob("*.json"))
        done = step(tmp_path, "summarize", *inputs, "--scores", *scores, "--output", tmp_path / attempt)
        assert done.returncode == 0, done.stderr
    names = ["cell_stats.csv", "meta.json", "runs.jsonl.gz", "summary.csv", "summary.json"]
    assert sorted(path.name for path in (tmp_path / "first").iterdir()) == names
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    summary = read_json(tmp_path / "first" / "summary.json", "summary")
    check(summary, "summary", "summary")
    assert read_json(tmp_path / "first" / "meta.json") == {"schema": "idpbench/meta/1", **summary["meta"]}
    lines = gzip.decompress((tmp_path / "first" / "runs.jsonl.gz").read_bytes()).splitlines()
    assert [json.loads(line)["key"][-1] for line in lines] == ["3", "4", "1", "2"]
    assert b"".join(line + b"\n" for line in lines[:2]) == files["cell-a"].read_bytes()


def test_a_synthetic_document_without_its_truth_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    files = laid_out(tmp_path)
    output = tmp_path / "scores" / "cell-a.json"
    where = ["--records", files["cell-a"], "--truth-dir", tmp_path / "elsewhere", "--pricing", PRICING]
    done = step(tmp_path, "score", *where, "--output", output)
    assert done.returncode == 2 and "small_narrow.truth.json" in done.stderr and "Traceback" not in done.stderr
    assert not output.exists()


def test_a_damaged_record_file_is_refused_by_line(tmp_path: Path) -> None:
    files = laid_out(tmp_path)
    files["cell-a"].write_bytes(files["cell-a"].read_bytes()[:-20])
    where = ["--records", files["cell-a"], "--truth-dir", tmp_path / "truth", "--pricing", PRICING]
    done = step(tmp_path, "score", *where, "--output", tmp_path / "out.json")
    assert done.returncode == 2 and "cell-a.jsonl:2" in done.stderr
    with pytest.raises(Refusal, match="line 2"):
        join_records([files["cell-a"]])


def test_the_scoring_step_starts_without_the_heavy_packages() -> None:
    probe = "import sys, idpbench.scoring.cell, idpbench.pricing.card, idpbench.files.step; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert not {"pydantic", "pandas", "boto3", "jsonschema", "scipy", "numpy"} & set(done.stdout.split())


def test_the_command_prints_one_row_or_one_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, truth = perfect()
    write_json(tmp_path / "record.json", record)
    write_json(tmp_path / "truth.json", truth)
    assert main(["score", "--record", str(tmp_path / "record.json"), "--truth", str(tmp_path / "truth.json")]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["completeness_recall"], row["scored_by"]) == (1.0, "truth")
    pair = [document_of(sub_document=name, evaluation=evaluation_of([])) for name in ("x.pdf", "y.pdf")]
    write_json(tmp_path / "record.json", record_of(*pair, reference=True, n_docs=2))
    assert main(["score", "--record", str(tmp_path / "record.json")]) == 0
    assert [row["sub_doc"] for row in json.loads(capsys.readouterr().out)] == ["x.pdf", "y.pdf"]


def test_the_command_refuses_what_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json(tmp_path / "record.json", {"metering": METERING, "rows": list_rows(1)})
    assert main(["score", "--record", str(tmp_path / "record.json")]) == 2
    assert "idpbench/record/1" in capsys.readouterr().err
