"""The classification benchmark's summary: the pages of each model's runs pooled, beside the rows of their documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.pricing.card import RateCard
from idpbench.scoring.classification import pool_classification

NOT_ASKED = "the classifier was not asked for a confidence (mode=off)"
FROM_PLAN = ("testset", "asked", "kind", "note", "sample", "mode")


def summarize_classification(
    summary: Mapping[str, Any],
    about: Mapping[str, Any],
    records: Mapping[str, Sequence[Mapping[str, Any]]],
    card: RateCard,
    labels: Mapping[str, tuple[str, str]],
) -> dict[str, Any]:
    """The summary of a side with one part more: `classification` = {testset, ..., models: [pooled pages of each]}.

    `about`: what the plan says of the test set; `records`: by cell; `labels`: model -> (model id, name). Documents of
    several repeats are pooled like documents of one.
    """
    models = []
    for cell, model in about["models"].items():
        runs = records.get(cell) or ()
        pooled = pool_classification((document for run in runs for document in run.get("documents") or ()), card)
        if about["mode"] == "off" and not pooled["pages_scored"]:
            pooled["separation_reason"] = NOT_ASKED
        model_id, label = labels[model]
        states = [str(run.get("status")) for run in runs]
        models.append({"model": model, "model_id": model_id, "label": label, "cell": cell, "runs": states, **pooled})
    return {**summary, "classification": {**{name: about[name] for name in FROM_PLAN}, "models": models}}
