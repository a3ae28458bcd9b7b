"""The loader against the worked files of the reference, in reference mode."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.harness.load import read_harness_suite
from idpbench.claims.suite.discover import discover
from idpbench.claims.suite.load import read_suite

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "claims.json").read_text(encoding="utf-8"))
BY_ID = {vector["id"]: vector for vector in VECTORS["loader_vectors"]}
SUITES = [name for name, vector in BY_ID.items() if vector["format"] == "suite"]
HARNESSES = [name for name, vector in BY_ID.items() if vector["format"] != "suite"]
MINIMAL = BY_ID["ok-minimal"]["yaml"]


def seen(suite: Any) -> dict[str, Any]:
    """A suite in the spelling of the vectors."""
    return {
        "suite_id": suite.suite_id,
        "version": suite.version,
        "source_types": list(suite.source_types),
        "published_at": suite.published_at.isoformat() if suite.published_at else None,
        "metrics": [[metric.name, metric.definition] for metric in suite.metrics],
        "cases": [
            {
                "case_id": case.case_id,
                "fixture": case.fixture,
                "inline_content": case.inline_content,
                "has_snapshot": case.snapshot is not None,
                "expected": [
                    {
                        "content": gold.content,
                        "confidence_min": "nan" if gold.confidence_min != gold.confidence_min else gold.confidence_min,
                        "uncertainty_nature": gold.uncertainty_nature,
                        "required": gold.required,
                    }
                    for gold in case.expected
                ],
            }
            for case in suite.cases
        ],
        "gold_subjects": [
            {"case_id": gold.case_id, "name": gold.name, "ref": gold.ref, "mention": gold.mention, "note": gold.note}
            for gold in suite.gold_subjects
        ],
    }


def agrees(vector: dict[str, Any], outcome: Any) -> None:
    """Loads where the reference loads; where it rejects or crashes, an ordinary error that names the same place."""
    if vector["result"] == "loads":
        assert outcome.problems == ()
        assert bool(outcome.warnings) == vector["warned_unknown_root"]
        return
    assert outcome.value is None
    if vector["result"] == "rejected":
        assert outcome.problems[0].path == vector["error_names_path"]


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_file_reads_as_the_reference_reads_it(name: str) -> None:
    vector = BY_ID[name]
    outcome = read_suite(vector["yaml"].encode(), "x.yaml", "reference")
    agrees(vector, outcome)
    if vector.get("parsed") is not None:
        assert seen(outcome.get()) == vector["parsed"]


@pytest.mark.parametrize("name", HARNESSES)
def test_a_harness_file_reads_as_the_reference_reads_it(name: str) -> None:
    vector = BY_ID[name]
    outcome = read_harness_suite(vector["yaml"].encode(), "x.yaml", vector["format"], "reference")
    agrees(vector, outcome)
    if vector.get("parsed") is None:
        return
    suite = outcome.get()
    labels = [label for case in suite.cases for label in case.labels]
    if vector["format"] == "validity":
        found: dict[str, Any] = {
            "date_tolerance_days": suite.date_tolerance_days,
            "labels": [
                [label.content, label.expected_valid_until, label.expected_valid_until is None] for label in labels
            ],
        }
    else:
        found = {"labels": [[label.content, label.value] for label in labels]}
    if vector["format"] == "modality":
        found["narrative_expected"] = [case.narrative_expected for case in suite.cases]
    assert found == vector["parsed"]


def test_discovery_takes_files_in_order_and_goes_on_after_a_bad_one(tmp_path: Path, caplog: Any) -> None:
    expected = VECTORS["discovery"]
    for file, suite_id in [("b.yaml", "b"), ("a.yml", "a"), ("c.YAML", "c"), (".hidden.yaml", "h"), ("__x.yaml", "x")]:
        (tmp_path / file).write_text(MINIMAL.replace("s-1", suite_id))
    (tmp_path / "bad.yaml").write_text("- a")
    (tmp_path / "note.txt").write_text(MINIMAL)
    (tmp_path / "z.yaml").write_text(MINIMAL.replace("s-1", "a"))
    (tmp_path / "folder.yaml").mkdir()
    with caplog.at_level(logging.ERROR):
        found = discover(tmp_path, "reference")
    assert [suite.suite_id for suite in found.suites] == expected["order"]
    assert len(caplog.records) == expected["errors_logged"] == len(found.refused)
    assert discover(tmp_path / "gone", "reference").suites == tuple(expected["missing_dir"])
