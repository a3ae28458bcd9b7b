"""What a labelled set loses is found and named: confidences that no longer tell right from wrong, weighted accuracy.

Packets are classified page by page by the local engine, which evaluates itself against their page truth.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inprocess import ROOT, prices, record_of, settings

from idpbench.corpus.packet import build_packet
from idpbench.corpus.packetkinds import KINDS
from idpbench.gate.verdict import make_comparison
from idpbench.localstack.engine import Cache, Job, load_profile, process
from idpbench.scoring.cell import Truths, score_cell
from idpbench.settings.packets import load_packets
from idpbench.stack import contract
from idpbench.stack.classification import ClassificationRequest, classification_side
from idpbench.stack.decode import present
from idpbench.stack.model import Where
from idpbench.summary.summarize import summarize_side

PACKETS, REPEATS = 3, 4
CELL = "cls-haiku45-topk"
Evaluation = dict[str, Any]


@pytest.fixture(scope="module")
def run() -> Callable[[Callable[[Evaluation], None], str], dict[str, Any]]:
    """The summary of one model's side, of which `edit` changed what each evaluation says."""
    packets = load_packets(settings().config, KINDS)
    made = {f"{name}.pdf": build_packet(packets[name]) for name in sorted(packets)[:PACKETS]}
    profile, cache = load_profile(ROOT / "config", "0.6.9"), Cache()

    def summary(edit: Callable[[Evaluation], None], series: str) -> dict[str, Any]:
        request = ClassificationRequest(
            Where("local", "0.6.9", series), "packets", ("haiku45",), sample=PACKETS, repeats=REPEATS
        )
        side = classification_side(settings(), ROOT, request)
        configuration = dict(side.configurations[side.runs[0].config_name])
        records = []
        for planned in side.runs:
            documents = []
            for name, packet in made.items():
                context = contract.context_of(planned.key, planned.repeat)
                outcome = process(
                    Job(packet.pdf, name, configuration, profile, context, packet.truth["sections"]), cache
                )
                record = record_of(side, planned, outcome)
                assert outcome.evaluation is not None
                edit(outcome.evaluation)
                told = {"name": name, "sub_document": name, "evaluation": present(outcome.evaluation).as_dict()}
                documents.append(record["documents"][0] | told)
            records.append(record | {"documents": documents})
        scores = [score_cell(CELL, records, Truths(Path()), prices())]
        return summarize_side(scores, side.to_json(), prices())

    return summary


def as_it_is(evaluation: Evaluation) -> None:
    """Nothing changes."""


def equally_sure_of_everything(evaluation: Evaluation) -> None:
    """The classes stay as they are; each is stated with the same confidence."""
    for page in evaluation["doc_split_metrics"]["page_details"]:
        page["predicted_confidence"] = 0.9


def valued_at_half(evaluation: Evaluation) -> None:
    """The stack's own evaluation finds half of what it found."""
    evaluation["overall_metrics"]["weighted_overall_score"] *= 0.5


@pytest.fixture(scope="module")
def before(run: Any) -> dict[str, Any]:
    made: dict[str, Any] = run(as_it_is, "a")
    assert len(made["rows"]) == PACKETS * REPEATS
    return made


def test_an_unchanged_classifier_passes(run: Any, before: dict[str, Any]) -> None:
    assert make_comparison(run(as_it_is, "b"), before)["verdict"] == "pass"


@pytest.mark.parametrize(
    ("edit", "metric"),
    [(equally_sure_of_everything, "class_calibration_separation"), (valued_at_half, "weighted_accuracy")],
)
def test_what_a_labelled_set_loses_is_found_and_named(
    run: Any, before: dict[str, Any], edit: Callable[[Evaluation], None], metric: str
) -> None:
    verdict = make_comparison(run(edit, "b"), before)
    assert (verdict["verdict"], verdict["exit_code"]) == ("regression", 1)
    found = {
        (level, one["key"], one["metric"])
        for level in ("rows", "cells", "grid")
        for one in verdict[level]["regressions"]
    }
    assert {named for _, _, named in found} == {metric}
    had = {row["sub_doc"] for row in before["rows"] if row[metric] is not None and abs(row[metric]) > 0.03}
    assert {key for level, key, _ in found if level == "rows"} == {f"{CELL}|packets|{name}" for name in had} != set()
    assert ("cells", CELL, metric) in found
