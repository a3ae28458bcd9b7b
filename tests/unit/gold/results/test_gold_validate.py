"""Strictness of validation: whatever is changed in a result is refused with `path: code: message`."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from gold_case import Case
from gold_small import KEY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idpbench.files.canonical import pretty
from idpbench.gold.issues import Issue
from idpbench.gold.result.document import document_digest, file_name
from idpbench.gold.result.schema import Result
from idpbench.gold.result.validate.document import read_result
from idpbench.gold.result.validate.rescore import rescore

Place = tuple[str | int, ...]

# What only the run itself can know: a lie here is told by no other part of the document, only by its digest.
FREE = re.compile(
    r"digest|declarations\.contamination|limits\..*|model\.(requested_id|returned_ids\..*)|prompt\.mode|request\..*"
    r"|runner\.(deterministic_components\.\d+\.sha256|environment\..*|invocation\.\d+|transport\.(base|client)|version)"
    r"|time\..*|members\.\d+\.(failure|skip)\.message"
    r"|members\.\d+\.attempts\.\d+\.(duration_ms|finish_reason|response_sha256|issues\.\d+\..*)"
)
# What --rescore finds, where the workbook is at hand.
BY_EXECUTION = re.compile(
    r"members\.\d+\.(produced\.(trace|table)_sha256|warnings.*|mismatches\.rows\.\d+\.(row|source_.*|(reference|produced)\..*))"
)
SWAPS = {
    "passed": "partial",
    "partial": "passed",
    "failed": "skipped",
    "skipped": "failed",
    "initial": "revision",
    "revision": "initial",
    "executed": "empty_output",
    "invalid_json": "executed",
    "transport_error": "interrupted",
    "openrouter": "replay",
    "contract": "blind",
    "different": "missing",
}


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """Every place of a document that holds no further place."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    places = [found for key, item in inner for found in leaves(item, (*place, key))]
    yield from places or [place]


def one_of_a_kind(places: Iterator[Place]) -> list[Place]:
    """The first of the places that differ only by a number, and not by the number of a member."""
    found: dict[Place, Place] = {}
    for place in places:
        kind = tuple("n" if isinstance(key, int) and depth != 1 else key for depth, key in enumerate(place))
        found.setdefault(kind, place)
    return list(found.values())


def nodes(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every place with its value."""
    yield place, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from nodes(item, (*place, key))


def at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def changed(document: Any, place: Place, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(document)
    at(copied, place[:-1])[place[-1]] = value
    result: dict[str, Any] = copied
    return result


def others(value: Any) -> list[Any]:
    """Other values that could stand at a leaf's place."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value - 0.25, value + 0.000001]
    if isinstance(value, str):
        if value.startswith("sha256:"):
            return ["sha256:" + "0" * 64]
        return [SWAPS.get(value, f"{value}x"), value.replace("2026-", "2025-")][: 1 + value.startswith("2026-")]
    return ["x", 1, {"code": "abc", "message": "x"}]


def checked(document: dict[str, Any], case: Case, name: str | None = None) -> tuple[Result | None, list[Issue]]:
    data = pretty(document).encode("utf-8")
    manifests = {case.suite.manifest.suite_id: case.suite.manifest}
    return read_result(data, name or file_name(case.ran.result), manifests)


def sealed(document: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The document with the digest and the file name that its content asks for, where it still has such."""
    try:
        document = {**document, "digest": document_digest(document)}
        return document, file_name(Result.model_validate(document))
    except ValueError:
        return document, "x.json"


def test_the_document_of_a_run_is_valid_and_scores_again_as_it_did(case: Case) -> None:
    result, issues = checked(case.document, case)
    assert issues == [] and result is not None
    assert [member.status for member in result.members] == ["passed", "partial", "skipped", "failed"]
    assert list(rescore(result, case.suite)) == []


def test_any_change_of_any_field_is_refused(case: Case) -> None:
    document = case.document
    places = list(leaves(document))
    for place in places:
        for value in others(at(document, place))[:1]:
            _, issues = checked(changed(document, place, value), case)
            assert issues and all(re.fullmatch(r"[A-Z_]+", issue.code) and issue.path[0] == "$" for issue in issues)
    assert len(places) > 250


@pytest.mark.parametrize("value", [None, "x", 7, -1.5, [], {}, True])
def test_a_value_of_another_type_is_no_result(case: Case, value: object) -> None:
    """The first level and a member: types are strict all the way down."""
    document = case.document
    for place in [(key,) for key in document] + [("members", 0, key) for key in document["members"][0]]:
        if type(at(document, place)) is not type(value) and not (value is None and place[-1] in ("failure", "skip")):
            assert checked(changed(document, place, value), case)[1], place


def test_a_change_is_refused_by_what_contradicts_it_even_under_a_new_digest(case: Case) -> None:
    document = case.document
    for place in one_of_a_kind(leaves(document)):
        name = ".".join(map(str, place))
        for value in others(at(document, place)):
            result, issues = checked(*_with_case(sealed(changed(document, place, value)), case))
            if issues or FREE.fullmatch(name):
                continue
            assert BY_EXECUTION.fullmatch(name), (name, value)
            assert result is not None and list(rescore(result, case.suite)), (name, value)


def _with_case(made: tuple[dict[str, Any], str], case: Case) -> tuple[dict[str, Any], Case, str]:
    return made[0], case, made[1]


def test_no_key_may_be_missing_and_none_added(case: Case) -> None:
    document = case.document
    open_maps = re.compile(
        r".*(request|response_format|provider_options|packages|warnings|document|reference|produced).*"
    )
    for place, value in nodes(document):
        if isinstance(value, dict) and not open_maps.fullmatch(".".join(map(str, place))):
            more = copy.deepcopy(document)
            at(more, place)["more"] = 1
            assert [issue.code for issue in checked(more, case)[1]][:1] == ["SCHEMA"], place
            for key in value if len(place) < 5 and place[1:2] != (2,) else ():
                if (place, key) == ((), "digest"):
                    continue  # the sealing puts it back
                less = copy.deepcopy(document)
                del at(less, place)[key]
                assert checked(*_with_case(sealed(less), case))[1], (place, key)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data.replace(b"\n  ", b"\n   ", 1), "STORED_FORM"),
        (lambda data: data.rstrip(b"\n"), "STORED_FORM"),
        (lambda data: b"\xef\xbb\xbf" + data, "JSON"),
        (lambda data: data[:-50], "JSON"),
        (lambda data: data.replace(b'"composite": ', b'"composite": NaN, "other": ', 1), "JSON"),
        (lambda data: data.replace(b'"totals"', b'"composite": 1.0, "totals"', 1), "JSON"),
        (lambda data: b"[" * 100_000, "JSON"),
        (lambda data: b"[]", "SCHEMA"),
        (lambda data: data.replace(b'"idpbench"', f'"{KEY}"'.encode(), 1), "SECRET"),
    ],
)
def test_the_bytes_of_the_file_count_too(case: Case, change: Any, code: str) -> None:
    data = change(case.ran.folder.result.read_bytes())
    manifests = {case.suite.manifest.suite_id: case.suite.manifest}
    _, issues = read_result(data, file_name(case.ran.result), manifests)
    assert code in [issue.code for issue in issues]
    assert not any(KEY in issue.message for issue in issues)


def test_a_file_has_the_name_of_its_model_and_day(case: Case) -> None:
    assert file_name(case.ran.result) == "maker-model-1--2026-11-30.json"
    assert [issue.code for issue in checked(case.document, case, "other.json")[1]] == ["FILE_NAME"]


def test_another_suite_or_another_digest_of_it_is_refused(case: Case) -> None:
    for change in ({"suite_id": "gold-2026.02"}, {"digest": "sha256:" + "0" * 64}):
        document = case.document
        document["suite"] |= change
        assert "SUITE" in [issue.code for issue in checked(document, case)[1]]


def test_members_are_all_there_and_in_order(case: Case) -> None:
    document = case.document
    for members in (document["members"][:-1], document["members"][::-1]):
        broken, name = sealed({**document, "members": members})
        assert [issue.code for issue in checked(broken, case, name)[1]] == ["MEMBERS"]


HOSTILE = [
    "1e999",
    "9" * 5000,
    str(2**60),
    "-1e-999",
    '"\\ud800"',
    '"\\u0000"',
    "{}",
    "[]",
    "null",
    "true",
    '"2026-99-99T00:00:00.000Z"',
]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_value_anywhere_makes_the_reading_itself_fail(case: Case, data: st.DataObject) -> None:
    document = case.document
    place = data.draw(st.sampled_from([place for place, _ in nodes(document) if place]))
    written = pretty(changed(document, place, "@@@")).replace('"@@@"', data.draw(st.sampled_from(HOSTILE)))
    manifests = {case.suite.manifest.suite_id: case.suite.manifest}
    result, issues = read_result(written.encode("utf-8"), file_name(case.ran.result), manifests)
    assert issues or written == pretty(document)
    assert result is not None or {issue.code for issue in issues} <= {"JSON", "SCHEMA"}
