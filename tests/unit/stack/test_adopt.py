"""A grid that the original harness launched is collected and scored without launching anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import SECTION, FakeStack

from idpbench.cli import main
from idpbench.files.canonical import read_gzip_lines
from idpbench.files.schema import check

ROOT = Path(__file__).resolve().parents[3]
TRUTH = {"id": "tiny", "fields": {"Account Number": "1"}, "seq_ids": [], "expected_sections": 1}


def entry(run_id: str | None = "run-1", **more: Any) -> dict[str, Any]:
    return {
        "cell": "core-tt-simple-sep",
        "resolved": {"ocr": "textract_tables"},
        "doc": "tiny",
        "repeat": 0,
        "run_id": run_id,
        "doc_name": "tiny.pdf",
        "truth": "tiny.pdf.truth.json",
        **more,
    }


def finished(stack: FakeStack, run_id: str, name: str = "tiny.pdf", status: str = "COMPLETED") -> None:
    """A document as a run leaves it behind."""
    key = f"doc#{run_id}/{name}"
    stack.rows[key, "none"] = {
        "PK": {"S": key},
        "ObjectStatus": {"S": status},
        "WorkflowStartTime": {"S": "2026-10-01T12:00:00.000000+00:00"},
        "CompletionTime": {"S": "2026-10-01T12:00:30.000000+00:00"},
        "Metering": {"S": json.dumps({"OCR/textract/analyze_document-Tables": {"pages": 1}})},
    }
    stack.objects["output", f"{run_id}/{name}/sections/1/result.json"] = json.dumps(SECTION).encode()


def put_run(stack: FakeStack, run_id: str, **attributes: Any) -> None:
    stack.rows[f"testrun#{run_id}", "metadata"] = {
        "TestRunId": {"S": run_id},
        "CreatedAt": {"S": "2026-10-01T11:59:59+00:00"},
        "ConfigVersion": {"S": "core-tt-simple-sep__bank_statement"},
        **attributes,
    }


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> FakeStack:
    made = FakeStack()
    monkeypatch.setattr("idpbench.cli.adopt.Client", lambda region, profile: made)
    return made


def runmap(folder: Path, *runs: dict[str, Any], **more: Any) -> Path:
    resources = {"tracking_table": "tracking", "output_bucket": "output", "config_table": "config"}
    content = {"stack": "IDP", "suite": "smoke", "class": "bank_statement", "overrides": [], "resources": resources}
    path = folder / "runmap.json"
    path.write_text(json.dumps({**content, "runs": list(runs), **more}))
    (folder / "tiny.pdf.truth.json").write_text(json.dumps(TRUTH))
    return path


def adopt(folder: Path, path: Path, *words: str) -> int:
    card = ["--pricing", str(ROOT / "config" / "pricing.yaml")]
    return main(["adopt", str(path), "--out", str(folder / "out"), *card, *words])


def summary(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "out" / "summary.json").read_text())
    check(value, "summary", "test")
    return value


def test_its_runs_become_rows_and_records(tmp_path: Path, stack: FakeStack) -> None:
    finished(stack, "run-1")
    put_run(stack, "run-1")
    assert adopt(tmp_path, runmap(tmp_path, entry())) == 0
    [row] = summary(tmp_path)["rows"]
    assert (row["cell"], row["doc"], row["status"], row["success"]) == (
        "core-tt-simple-sep",
        "tiny.pdf",
        "COMPLETED",
        True,
    )
    assert (row["scalar_accuracy"], row["wall_s"], row["scored_by"]) == (1.0, 30.0, "truth")
    assert row["cost"] > 0
    [record] = read_gzip_lines(tmp_path / "out" / "runs.jsonl.gz")
    check(record, "record", "test")
    assert record["launch"]["run_id"] == "run-1" and record["launch"]["fingerprint"] is None
    assert not {"lambda.invoke", "s3.put_object", "dynamodb.put_item"} & set(stack.calls)


def test_a_run_that_was_never_launched_is_missed(tmp_path: Path, stack: FakeStack) -> None:
    finished(stack, "run-1")
    assert adopt(tmp_path, runmap(tmp_path, entry(), entry(None, repeat=1))) == 3
    assert [row["status"] for row in summary(tmp_path)["rows"]] == ["COMPLETED", "NOT_LAUNCHED"]


def test_a_labelled_set_is_a_row_per_document(tmp_path: Path, stack: FakeStack) -> None:
    for name in ("b.pdf", "a.pdf"):
        finished(stack, "run-9", name)
    put_run(stack, "run-9", Files={"L": [{"S": name} for name in ("a.pdf", "b.pdf", "never-read.pdf")]})
    run = entry("run-9", doc="realkie", reference=True, n_docs=4, truth=None)
    assert adopt(tmp_path, runmap(tmp_path, run)) == 0
    rows = summary(tmp_path)["rows"]
    assert [(row["doc"], row["sub_doc"], row["success"]) for row in rows] == [
        ("realkie", "a.pdf", True),
        ("realkie", "b.pdf", True),
        ("realkie", "never-read.pdf", False),
    ]
    assert {row["coverage_note"] for row in rows} == {"3 of 4 documents found"}


def test_a_failed_copy_and_an_expired_row_are_told_apart(tmp_path: Path, stack: FakeStack) -> None:
    put_run(stack, "run-1", Status={"S": "FAILED"}, Error={"S": "AccessDenied"})
    path = runmap(tmp_path, entry("run-1"), entry("run-2", repeat=1))
    assert adopt(tmp_path, path) == 0
    rows = summary(tmp_path)["rows"]
    assert [row["status"] for row in rows] == ["COPY_FAILED", "?"]
    assert all(row["cost"] is None and not row["success"] for row in rows)


def test_an_unreadable_section_is_failed_and_not_absent(tmp_path: Path, stack: FakeStack) -> None:
    finished(stack, "run-1")
    from fakes import aws_error

    def denied(**_: Any) -> Any:
        raise aws_error("KMS.KMSInvalidStateException", 400, "pending deletion")

    stack.steps["s3.get_object"] = denied
    assert adopt(tmp_path, runmap(tmp_path, entry())) == 0
    [row] = summary(tmp_path)["rows"]
    assert row["sections_unreadable"] == 1 and row.get("scalar_accuracy") is None
    [record] = read_gzip_lines(tmp_path / "out" / "runs.jsonl.gz")
    assert "KMS.KMSInvalidStateException" in record["documents"][0]["sections"][0]["reason"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"truth": "none.json"}, r"none\.json: found no such file"),
        ({"truth": None}, r"runs\[0\]\.truth: found null, expected the truth file of tiny"),
        ({"run_id": "../../x"}, r"runs\[0\]\.run_id"),
        ({"cell": 3}, r"runs\[0\]\.cell: found 3, expected a value of type str"),
        ({"repeat": True}, r"runs\[0\]\.repeat"),
    ],
)
def test_a_runmap_that_is_wrong_is_refused_before_the_first_call(
    tmp_path: Path, stack: FakeStack, capsys: pytest.CaptureFixture[str], change: dict[str, Any], word: str
) -> None:
    assert adopt(tmp_path, runmap(tmp_path, entry() | change)) == 2
    error = capsys.readouterr().err
    import re

    assert re.search(word, error), error
    assert stack.calls.total() == 0 and not (tmp_path / "out").exists()


def test_a_truth_that_is_not_json_is_refused(
    tmp_path: Path, stack: FakeStack, capsys: pytest.CaptureFixture[str]
) -> None:
    path = runmap(tmp_path, entry())
    (tmp_path / "tiny.pdf.truth.json").write_text("<html>")
    assert adopt(tmp_path, path) == 2
    assert "tiny.pdf.truth.json" in capsys.readouterr().err and stack.calls.total() == 0


def test_the_truth_folder_may_be_ones_own(tmp_path: Path, stack: FakeStack) -> None:
    finished(stack, "run-1")
    path = runmap(tmp_path, entry(truth=None))
    (tmp_path / "mine").mkdir()
    (tmp_path / "tiny.pdf.truth.json").rename(tmp_path / "mine" / "tiny.truth.json")
    assert adopt(tmp_path, path, "--truth-dir", str(tmp_path / "mine")) == 0
    assert summary(tmp_path)["rows"][0]["scored_by"] == "truth"


def test_a_missing_runmap_is_refused(tmp_path: Path, stack: FakeStack, capsys: pytest.CaptureFixture[str]) -> None:
    assert adopt(tmp_path, tmp_path / "runmap.json") == 2
    assert "runmap.json: found no such file" in capsys.readouterr().err
