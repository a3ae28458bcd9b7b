"""Suite files that YAML reads but nobody can use: a load error each, whatever tags and nesting they hold."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from claimhelp import SUITE_YAML

from idpbench.claims.suite.discover import discover, validate
from idpbench.claims.suite.load import read_suite

TAGS = ["!!bool perhaps", "!!bool ''", "!!int ''", "!!int x", "!!float ''", "!!timestamp x", "!!null x", "!!binary x"]
PLACES = ["confidence_min: 0.5", "uncertainty_nature: EPISTEMIC", "version: 0.10"]


@pytest.mark.parametrize("mode", ["default", "reference"])
@pytest.mark.parametrize("depth", [300, 400, 900, 2_000, 50_000])
def test_nesting_is_refused_and_never_raised(depth: int, mode: Any) -> None:
    deep = "[" * depth + "]" * depth
    outcome = read_suite(f"{SUITE_YAML}further: {deep}\ncases: {deep}\n".encode(), "x.yaml", mode)
    assert outcome.value is None and outcome.problems


@pytest.mark.parametrize("mode", ["default", "reference"])
@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_on_a_value_that_is_none_of_it_never_raises(tag: str, mode: Any) -> None:
    place = next(line for line in PLACES if line in SUITE_YAML)
    for text in (
        SUITE_YAML.replace(place, f"{place.partition(':')[0]}: {tag}", 1),
        SUITE_YAML.replace(place, f"{place}, required: {tag}", 1),
        f"{SUITE_YAML}published_at: {tag}\n",
    ):
        outcome = read_suite(text.encode(), "x.yaml", mode)
        assert (outcome.value is None) == bool(outcome.problems)


def test_a_boolean_by_its_tag_alone_is_no_boolean() -> None:
    text = SUITE_YAML.replace("confidence_min: 0.5", "confidence_min: 0.5, required: !!bool perhaps", 1)
    assert [problem.key for problem in read_suite(text.encode(), "x.yaml").problems] == ["required"]


def test_discovery_and_validation_go_on_past_such_files(tmp_path: Path, caplog: Any) -> None:
    (tmp_path / "a.yaml").write_text("cases: " + "[" * 400 + "]" * 400)
    (tmp_path / "b.yaml").write_text(
        SUITE_YAML.replace("confidence_min: 0.5", "confidence_min: 0.5, required: !!bool perhaps", 1)
    )
    (tmp_path / "c.yaml").write_text(SUITE_YAML)
    with caplog.at_level(logging.ERROR):
        found = discover(tmp_path)
    assert [Path(suite.source).name for suite in found.suites] == ["c.yaml"]
    assert [Path(name).name for name, _ in found.refused] == ["a.yaml", "b.yaml"]
    assert {Path(problem.source).name for problem in validate([tmp_path])} == {"a.yaml", "b.yaml"}
