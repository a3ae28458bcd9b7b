"""Similarities from a file: as given, and none invented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.judge.base import GivenSimilarity
from idpbench.claims.judge.given import GivenJudge, read_given
from idpbench.files.canonical import write_json
from idpbench.files.errors import Refusal


def given(tmp_path: Path, rows: Any, default: float | None = None) -> GivenJudge:
    write_json(tmp_path / "m.json", rows)
    return read_given(tmp_path / "m.json", default)


def test_doubles_come_back_as_they_were_given(tmp_path: Path) -> None:
    judge = given(tmp_path, [["a", "g", 0.7999999999999999], ["b", "g", 1]])
    assert isinstance(judge, GivenSimilarity)
    assert judge.similarities(["a", "b"], ["g"]).tolist() == [[0.7999999999999999], [1.0]]
    assert judge.id.startswith("given:")


def test_an_absent_pair_is_an_error_that_names_it(tmp_path: Path) -> None:
    judge = given(tmp_path, [["a", "g", 0.5]])
    with pytest.raises(Refusal, match="'a' and 'other'"):
        judge.similarities(["a"], ["g", "other"])


def test_a_default_stands_for_absent_pairs_where_one_is_stated(tmp_path: Path) -> None:
    assert given(tmp_path, [], default=0.0).similarities(["a"], ["g"]).tolist() == [[0.0]]


@pytest.mark.parametrize(
    "row", [["a", "g"], ["a", "g", "0.5"], ["a", 1, 0.5], ["a", "g", 1.5], ["a", "g", -0.1], ["a", "g", True], {}, None]
)
def test_a_row_that_is_none_is_named(tmp_path: Path, row: Any) -> None:
    with pytest.raises(Refusal, match=r"m\.json: \[1\]"):
        given(tmp_path, [["a", "g", 0.5], row])


def test_a_pair_with_two_similarities_is_refused_and_one_given_twice_is_not(tmp_path: Path) -> None:
    assert given(tmp_path, [["a", "g", 0.5], ["a", "g", 0.5]]).similarities(["a"], ["g"])[0, 0] == 0.5
    with pytest.raises(Refusal, match="one similarity a pair"):
        given(tmp_path, [["a", "g", 0.5], ["a", "g", 0.6]])


def test_a_file_that_is_no_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="expected a list"):
        given(tmp_path, {"a": 1})
