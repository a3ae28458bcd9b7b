"""A test set says READY only when the stack really has its documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fakes import RESOURCES, FakeStack

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal
from idpbench.stack.testsets import TestDocument, TestSet, register

PDF = b"%PDF-1.4 a document"


def one(folder: Path, *, digest: str = "d1", sha256: str | None = None) -> TestSet:
    path = folder / "a.pdf"
    path.write_bytes(PDF)
    (folder / "result.json").write_text('{"inference_result": {}}')
    document = TestDocument("a.pdf", path, sha256 or bytes_digest(PDF), (("1", folder / "result.json"),))
    return TestSet("bench-core-a-x", digest, (document,))


def test_document_baseline_and_row_are_where_the_runner_looks(tmp_path: Path) -> None:
    stack = FakeStack()
    assert register(stack, RESOURCES, [one(tmp_path)]) == 1
    assert set(stack.objects) == {
        ("testsets", "bench-core-a-x/input/a.pdf"),
        ("testsets", "bench-core-a-x/baseline/a.pdf/sections/1/result.json"),
    }
    row = stack.rows["testset#bench-core-a-x", "metadata"]
    assert (row["status"], row["fileCount"]) == ({"S": "READY"}, {"N": "1"})
    assert (row["name"], row["id"]) == ({"S": "bench-core-a-x"}, {"S": "bench-core-a-x"})
    assert row["filePattern"] == {"S": "bench-core-a-x/input/"}


def test_a_set_that_is_there_is_not_sent_again(tmp_path: Path) -> None:
    stack = FakeStack()
    register(stack, RESOURCES, [one(tmp_path)])
    stack.calls.clear()
    assert register(stack, RESOURCES, [one(tmp_path)]) == 0
    assert stack.calls["s3.put_object"] == 0


def test_an_upload_that_did_not_arrive_is_never_ready(tmp_path: Path) -> None:
    stack = FakeStack()

    def swallow(**_: Any) -> dict[str, Any]:
        return {}

    stack.steps["s3.put_object"] = swallow
    with pytest.raises(Refusal, match="found None bytes after writing 19"):
        register(stack, RESOURCES, [one(tmp_path)])
    assert stack.rows == {}


def test_a_set_whose_document_was_lost_is_sent_again(tmp_path: Path) -> None:
    stack = FakeStack()
    register(stack, RESOURCES, [one(tmp_path)])
    stack.objects.clear()
    assert register(stack, RESOURCES, [one(tmp_path)]) == 1


def test_a_document_that_is_not_the_plans_is_refused(tmp_path: Path) -> None:
    stack = FakeStack()
    with pytest.raises(Refusal, match=r"a\.pdf: sha256"):
        register(stack, RESOURCES, [one(tmp_path, sha256="0" * 64)])
    assert stack.calls["s3.put_object"] == 0


def test_a_missing_document_is_refused_by_name(tmp_path: Path) -> None:
    wanted = one(tmp_path)
    (tmp_path / "a.pdf").unlink()
    with pytest.raises(Refusal, match=r"a\.pdf.*generate the corpus"):
        register(FakeStack(), RESOURCES, [wanted])


def test_somebody_elses_set_of_the_name_is_left_alone(tmp_path: Path) -> None:
    stack = FakeStack()
    register(stack, RESOURCES, [one(tmp_path, digest="theirs")])
    before = dict(stack.objects)
    with pytest.raises(Refusal, match="not ours"):
        register(stack, RESOURCES, [one(tmp_path)])
    assert stack.objects == before
