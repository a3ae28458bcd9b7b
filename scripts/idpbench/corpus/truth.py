"""What a generated document truly says (schema `idpbench/truth/1`), written beside its PDF."""

from __future__ import annotations

from typing import Any

from idpbench.corpus import form
from idpbench.corpus.content import COLUMNS, LIST_KEY, Shape, statements

SCHEMA = "idpbench/truth/1"


def statement_truth(name: str, doc_class: str, shape: Shape) -> dict[str, Any]:
    """Truth of a bank statement file.

    `fields` are those of the first statement in the file. `rows_typed` declares the cells that can be judged:
    a description that noise has touched is exempt, since the page does not say it any more.
    `rows_rendered` holds every cell as printed.
    """
    made = statements(shape)
    entries = [entry for statement in made for entry in statement.entries]
    exempt = ["Description"] if shape.ocr_noise else []
    fields = {"Account Number": made[0].account, "Statement Period": made[0].period}
    return {
        "schema": SCHEMA,
        "id": name,
        "class": doc_class,
        "fields": fields,
        "fields_typed": dict(fields),
        "seq_ids": [entry.seq for entry in entries],
        "rows_typed": {
            entry.seq: {cell: value for cell, value in entry.typed.items() if cell not in exempt} for entry in entries
        },
        "rows_rendered": {entry.seq: dict(entry.printed) for entry in entries},
        "list_key": LIST_KEY,
        "expected_sections": shape.documents,
        "per_list": [
            sum(entry.group == group for entry in statement.entries)
            for statement in made
            for group in range(shape.lists)
        ],
        "rows": len(entries),
        "cols": len(COLUMNS[shape.cols]),
        "lists": shape.lists,
        "documents": shape.documents,
        "exempt": exempt,
    }


def form_truth(name: str, doc_class: str) -> dict[str, Any]:
    """Truth of the form: no list, so nothing about rows."""
    fields = form.fields()
    return {
        "schema": SCHEMA,
        "id": name,
        "class": doc_class,
        "fields": {label: printed for label, _, printed in fields},
        "fields_typed": {label: value for label, value, _ in fields},
        "seq_ids": [],
        "rows_typed": None,
        "rows_rendered": None,
        "list_key": None,
        "expected_sections": 1,
        "per_list": [],
        "rows": 0,
        "cols": 0,
        "lists": 0,
        "documents": 1,
        "exempt": [],
    }
