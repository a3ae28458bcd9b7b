"""Which value matches which, for every comparator: the golden table says it, metric by metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scoring_runs import CARD, document_of, record_of, section, truth_of

from idpbench.scoring import score_record

GOLDEN = Path(__file__).with_name("comparators.json")
VALUES: dict[str, Any] = {"null": None, '""': "", "0": 0, '"0"': "0", "false": False}
METRICS = ("scalar_accuracy", "typed_accuracy", "cell_accuracy")
WORDS = {1.0: "match", 0.0: "miss", None: "not counted"}


def put(name: str, label: str) -> dict[str, Any]:
    return {} if label == "absent" else {name: VALUES[label]}


def verdict(metric: str, expected: str, got: str) -> str:
    truth = truth_of([], fields={}, fields_typed=None, list_key="Transactions")
    row = {"Description": "SEQ00000", **put("Cell", got)}
    value = section([row], fields=put("Label", got))
    if metric == "cell_accuracy":
        truth |= {"seq_ids": ["SEQ00000"], "rows_typed": {"SEQ00000": put("Cell", expected)}}
    else:
        truth["fields" if metric == "scalar_accuracy" else "fields_typed"] = put("Label", expected)
    [scored] = score_record(record_of(document_of(value)), truth, CARD)
    return WORDS[scored[metric]]


@pytest.mark.parametrize("metric", METRICS)
def test_every_pair_of_values_is_judged_as_the_golden_table_says(metric: str) -> None:
    labels = ["absent", *VALUES]
    table = {expected: {got: verdict(metric, expected, got) for got in labels} for expected in labels}
    assert table == json.loads(GOLDEN.read_text(encoding="utf-8"))[metric]
