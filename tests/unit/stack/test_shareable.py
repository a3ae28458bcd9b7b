"""Records leave the vault without what identifies an account; what documents say is not touched."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from fakes import make_side, prepared

from idpbench.files import redact
from idpbench.files.canonical import canonical
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launcher import Options
from idpbench.stack.records import adopt_committed, joined, write_cells
from idpbench.stack.shareable import shareable
from idpbench.stack.vault import Vault

NUMBER = "111122223333"
PAPER = f"Account 9876{NUMBER[:8]} and arn:aws:iam::{NUMBER}:role/on-paper"


def told(folder: Path) -> tuple[Any, Vault, dict[str, Any]]:
    """A side of one landed run whose record says more than it should."""
    side = make_side(1)
    stack = prepared(side)
    vault = Vault(folder / "vault")
    land(
        side,
        stack.target(),
        vault,
        Journal(folder / "journal.jsonl", stack.clock().now),
        Options(interval=1.0),
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
    )
    record = vault.get(side.runs[0].key)
    record["stack"]["account"] = NUMBER
    record["status_reason"] = f"not allowed in {NUMBER}"
    [document] = record["documents"]
    row = document["tracking"]["row"]
    row["WorkflowExecutionArn"] = f"arn:aws:states:us-west-2:{NUMBER}:execution:IDP:1"
    row["Sections"] = [{"OutputJSONUri": f"s3://idp-output-{NUMBER}/run/sections/1/result.json"}]
    document["pages"][0]["text"] = PAPER
    section = document["sections"][0]["value"]
    section["inference_result"] = {"Account Number": NUMBER, "Note": PAPER}
    section["explainability_info"] = [{PAPER: {"confidence": 0.5}}]
    section["processing_report"] = f"hook arn:aws:lambda:us-west-2:{NUMBER}:function:hook was asked"
    document["evaluation"] = {"state": "present", "reason": None, "value": {"expected": NUMBER}}
    vault.path(record["key"]).write_bytes(canonical(record) + b"\n")
    return side, vault, record


def test_the_account_goes_and_the_paper_stays(tmp_path: Path) -> None:
    _, _, record = told(tmp_path)
    kept = copy.deepcopy(record)
    shown = shareable(record)
    assert record == kept, "the record itself is not changed"
    assert shown["stack"]["account"] == redact.account(NUMBER)
    assert shown["status_reason"] == f"not allowed in {redact.account(NUMBER)}"
    [document], [before] = shown["documents"], record["documents"]
    assert document["pages"] == before["pages"]
    assert document["evaluation"] == before["evaluation"]
    section, was = document["sections"][0]["value"], before["sections"][0]["value"]
    for name in ("inference_result", "explainability_info", "document_class"):
        assert section[name] == was[name]
    assert section["processing_report"] == "hook [redacted lambda ARN] was asked"
    left = json.dumps([shown["stack"], document["tracking"], section["processing_report"], shown["status_reason"]])
    assert NUMBER not in left and "arn:" not in left
    assert shareable(shown) == shown


def test_what_a_side_is_scored_from_is_what_it_may_publish(tmp_path: Path) -> None:
    side, vault, record = told(tmp_path)
    write_cells(side, vault, tmp_path / "records")
    [line] = (tmp_path / "records" / "core-a.jsonl").read_bytes().splitlines()
    assert json.loads(line) == shareable(record)
    assert vault.get(record["key"]) == record, "the vault keeps what was read"


def test_a_clone_that_starts_from_published_records_writes_the_same_bytes(tmp_path: Path) -> None:
    side, vault, record = told(tmp_path)
    write_cells(side, vault, tmp_path / "records")
    published = tmp_path / "runs.jsonl.gz"
    published.write_bytes(joined([shareable(record)]))
    other = Vault(tmp_path / "other")
    assert adopt_committed(side, published, other) == 1
    write_cells(side, other, tmp_path / "again")
    assert (tmp_path / "again" / "core-a.jsonl").read_bytes() == (tmp_path / "records" / "core-a.jsonl").read_bytes()
