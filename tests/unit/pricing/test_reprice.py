"""`idpbench price --results`: a published side priced again from its run records, with nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from idpbench.cli import main
from idpbench.files.atomic import write_bytes, write_text
from idpbench.files.canonical import gzip_lines, write_json
from idpbench.pricing.card import load_rate_card
from idpbench.summary.reprice import reprice, totals

CARD = """
pricing:
  - name: bedrock/plain
    units: [{name: inputTokens, price: 1.0E-6}]
  - name: bedrock/plain
    from: "2026-11-01"
    units: [{name: inputTokens, price: 2.0E-6}]
"""


def record(cell: str, repeat: int, metering: Any = None, *, state: str = "present") -> dict[str, Any]:
    """A run of one document; 1,000,000 input tokens unless said otherwise."""
    value = {"Extraction/bedrock/plain": {"inputTokens": 1_000_000}} if metering is None else metering
    document = {
        "name": "a.pdf",
        "sub_document": None,
        "tracking": {"state": state, "reason": None, "row": {"ObjectStatus": "COMPLETED"}},
        "metering": {"state": "present", "reason": None, "value": value},
        "sections_listing": {"state": "present", "reason": None},
        "sections": [],
        "pages": [],
    }
    return {"key": f"{cell}{repeat}", "cell": cell, "document": "a", "repeat": repeat, "status": "COMPLETED",
            "documents": [document]}  # fmt: skip


def row(cell: str, repeat: int, cost: float | None = 1.0) -> dict[str, Any]:
    return {
        "key": f"{cell}{repeat}",
        "cell": cell,
        "doc": "a.pdf",
        "sub_doc": None,
        "status": "COMPLETED",
        "cost": cost,
    }


@pytest.fixture
def card(tmp_path: Path) -> Path:
    write_text(tmp_path / "pricing.yaml", CARD)
    return tmp_path / "pricing.yaml"


def side(folder: Path, records: list[dict[str, Any]], rows: list[dict[str, Any]]) -> Path:
    write_bytes(folder / "runs.jsonl.gz", gzip_lines(records))
    write_json(folder / "summary.json", {"meta": {"pricing_sha256": "ab" * 32}, "rows": rows, "cell_stats": {}})
    return folder


def test_sums_are_over_the_documents_whose_cost_is_known_both_times(card: Path) -> None:
    records = [record("x", 0), record("x", 1), record("y", 0)]
    found = reprice(records, [row("x", 0), row("x", 1, None), row("y", 0, 3.0)], load_rate_card(card))
    assert [(t.cell, t.both, t.documents, t.old, t.new) for t in totals(found)] == [
        ("x", 1, 2, 1.0, 2.0), ("y", 1, 1, 3.0, 2.0), (None, 2, 3, 4.0, 4.0),
    ]  # fmt: skip


def test_a_day_chooses_the_rates_that_were_in_force(card: Path) -> None:
    costs = [
        reprice([record("x", 0)], [], load_rate_card(card), at)[0].new for at in ("2026-10-31", "2026-11-01", None)
    ]
    assert costs == [1.0, 2.0, 2.0]


def test_what_the_card_does_not_price_and_what_was_not_recorded_are_told_apart(card: Path) -> None:
    records = [record("x", 0, {"Extraction/bedrock/other": {"inputTokens": 1}}), record("x", 1, state="absent")]
    unpriced, unread = reprice(records, [], load_rate_card(card))
    assert (unpriced.new, unpriced.recorded) == (None, True) and "no rate" in str(unpriced.reason)
    assert (unread.new, unread.recorded) == (None, False) and "no tracking row" in str(unread.reason)


def test_a_run_without_documents_is_counted_and_has_no_cost(card: Path) -> None:
    [found] = reprice([{**record("x", 0), "documents": []}], [], load_rate_card(card))
    assert found.new is None and found.reason == "the run produced no document"


def test_the_table_has_old_new_and_change_and_writes_nothing(
    card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = side(tmp_path / "side", [record("x", 0), record("x", 1)], [row("x", 0), row("x", 1)])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["price", "--results", str(folder), "--pricing", str(card)]) == 0
    lines = [text.split() for text in capsys.readouterr().out.splitlines()]
    assert ["x", "2", "/", "2", "$2.0000", "$4.0000", "+100.0", "%"] in lines
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_json_names_the_day_and_the_card(card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = side(tmp_path / "side", [record("x", 0)], [row("x", 0)])
    main(["price", "--results", str(folder), "--pricing", str(card), "--at", "2026-10-01", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["at"] == "2026-10-01" and answer["pricing"] == load_rate_card(card).digest
    assert answer["totals"][-1] == {"cell": None, "documents": 1, "both": 1, "old": 1.0, "new": 1.0}


def test_a_metering_without_a_rate_ends_with_3_and_its_reason(
    card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = side(tmp_path / "side", [record("x", 0, {"OCR/textract/t": {"pages": 1}})], [row("x", 0)])
    assert main(["price", "--results", str(folder), "--pricing", str(card)]) == 3
    out = capsys.readouterr().out
    assert "1 without a cost: 1 unpriceable metering entry: OCR/textract/t: no rate" in out
    assert "1 with a cost before only" in out


def test_a_folder_that_is_no_side_is_refused(card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["price", "--results", str(tmp_path), "--pricing", str(card)]) == 2
    assert "summary.json" in capsys.readouterr().err
