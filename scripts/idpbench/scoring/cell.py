"""All run records of one cell become its scores file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from idpbench.files.canonical import expect_kind, read_json
from idpbench.files.errors import bad_input
from idpbench.files.provenance import source_digest
from idpbench.pricing.card import RateCard
from idpbench.scoring.provenance import Provenance
from idpbench.scoring.row import score_record
from idpbench.scoring.truth import Truth, read_truth


def scorer_digest() -> str:
    """Digest of the code that decides a row."""
    return source_digest("scoring", "pricing")


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a cell's JSON-lines file, one at a time; a broken line or another schema is a Refusal."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise bad_input(path, "", "no such file", "run records", "run the step that lands them") from None
    with stream:
        for number, line in enumerate(stream, start=1):
            source = f"{path}:{number}"
            try:
                record = json.loads(line)  # our own canonical line: its keys are known to be unique
            except ValueError as error:
                raise bad_input(source, "", str(error), "a JSON run record", "land the cell again") from None
            expect_kind(record, "record", source)
            yield record


def score_cell(cell: str, records: Iterable[Mapping[str, Any]], truths: Truths, card: RateCard) -> dict[str, Any]:
    """The scores file of a cell: its rows in the order of document, sub-document and repeat."""
    rows: list[dict[str, Any]] = []
    facts = Provenance()
    for record in records:
        facts.note(record)
        rows += score_record(record, truths.of(record), card)
    return {
        "schema": "idpbench/scores/1",
        "cell": cell,
        "scorer": scorer_digest(),
        "pricing": card.digest,
        "provenance": facts.content(),
        "rows": sorted(rows, key=row_order),
    }


def row_order(row: Mapping[str, Any]) -> tuple[str, str, str, int, str]:
    """Where a row stands in every file of ours, whatever order it was scored in."""
    return (
        str(row.get("cell") or ""),
        str(row.get("doc") or ""),
        str(row.get("sub_doc") or ""),
        int(row.get("repeat") or 0),
        str(row.get("key") or ""),
    )


class Truths:
    """Truth files of a folder, each read once."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._read: dict[str, Truth] = {}

    def of(self, record: Mapping[str, Any]) -> Truth | None:
        """The truth of a record's document; None for a labelled set. A synthetic document without one is a Refusal."""
        if record.get("reference"):
            return None
        document = str(record.get("document"))
        if document not in self._read:
            if self.folder is None:
                raise bad_input(document, "", "no truth folder", "a truth file", "name the folder of the corpus")
            path = self.folder / f"{document}.truth.json"
            self._read[document] = read_truth(read_json(path, "truth"), path)
        return self._read[document]
