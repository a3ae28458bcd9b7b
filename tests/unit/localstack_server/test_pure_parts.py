"""The server's pure parts: names, configurations, rows, typed attributes."""

from __future__ import annotations

import gzip
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.localstack import configuration, documents, template
from idpbench.localstack.attributes import decode, encode, wire
from idpbench.localstack.capture import S3Request, s3_changes, s3_request

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_typed_attributes_come_back_as_they_went(value: Any) -> None:
    assert decode(wire(encode(value))) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_their_value(value: float) -> None:
    assert decode(encode(value)) == value


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,100}", fullmatch=True), st.sampled_from(template.BUCKETS))
def test_bucket_names_are_bucket_names_however_long_the_stack(stack: str, logical: str) -> None:
    name = template.physical_name("AWS::S3::Bucket", stack, logical, "seed")
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]", name) and f"-{logical.lower()}-" in name


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,100}", fullmatch=True))
def test_function_names_keep_their_logical_part_within_64_characters(stack: str) -> None:
    name = template.physical_name("AWS::Lambda::Function", stack, "TestSetResolverFunction", "seed")
    assert len(name) <= 64 and "-TestSetResolverFunction-" in name


def test_names_differ_between_stacks_and_stay_for_one() -> None:
    one, other = (template.physical_name("AWS::S3::Bucket", "IDP", "InputBucket", seed) for seed in ("a", "b"))
    assert one != other
    assert one == template.physical_name("AWS::S3::Bucket", "IDP", "InputBucket", "a")


@pytest.mark.parametrize(
    ("url", "version"),
    [
        ("https://s3.us-west-2.amazonaws.com/b/idp-main_0.6.9.yaml", "0.6.9"),
        ("https://b/idp-main_v0.6.10.json?versionId=1", "0.6.10"),
        ("https://b/idp-main_0.7.0-rc.1.yaml", "0.7.0-rc.1"),
        ("https://b/idp-main.yaml", None),
    ],
)
def test_a_template_address_states_a_version(url: str, version: str | None) -> None:
    assert template.version_of_url(url) == version


@given(st.from_regex(r"[0-9]\.[0-9]{1,2}\.[0-9]{1,2}", fullmatch=True))
def test_a_description_states_its_version(version: str) -> None:
    assert template.version_of(template.description(version)) == version


def rows(**held: dict[str, Any]) -> Any:
    return lambda version: held.get(version)


FULL = {"ocr": 1, "classification": 2, "extraction": 3, "classes": 4}


def test_the_version_asked_for_is_taken() -> None:
    found = configuration.resolve("v", rows(v={"Configuration": "Config#v", **FULL}), lambda: "default")
    assert found == configuration.Resolved("v", FULL, None)


def test_an_unknown_version_is_replaced_by_the_active_one_with_a_warning() -> None:
    found = configuration.resolve("nowhere", rows(live=FULL), lambda: "live")
    assert found.version == "live" and found.configuration == FULL
    assert found.warning is not None and "nowhere" in found.warning


def test_no_version_at_all_is_the_active_one_without_a_warning() -> None:
    assert configuration.resolve(None, rows(live=FULL), lambda: "live").warning is None


def test_nothing_to_fall_back_to_is_an_error() -> None:
    with pytest.raises(configuration.Unresolvable):
        configuration.resolve("v", rows(), lambda: "default")


def test_a_sparse_row_is_read_on_top_of_the_default() -> None:
    default = FULL | {"extraction": {"model": "a", "mode": "simple"}}
    found = configuration.resolve("v", rows(v={"extraction": {"model": "b"}}, default=default), lambda: "default")
    assert found.configuration == default | {"extraction": {"model": "b", "mode": "simple"}}


@given(st.dictionaries(st.sampled_from(["ocr", "classes", "notes"]), st.integers() | st.none() | st.text(), max_size=3))
def test_a_compressed_row_is_read_as_it_was_written(content: dict[str, Any]) -> None:
    row = configuration.encode("v", content, created="now", active=False, text="mine")
    assert configuration.decode(row) == (content, True)


def test_a_compressed_part_that_is_damaged_is_an_error_that_names_the_row() -> None:
    row = {"Configuration": "Config#v", "_config_storage": "compressed"}
    for damaged in (None, b"no gzip", gzip.compress(b"no json"), gzip.compress(json.dumps({}).encode())[:9]):
        with pytest.raises(configuration.Unresolvable, match="Config#v"):
            configuration.decode(row | {"_compressed_config": damaged})


def test_alerts_are_the_leaves_below_their_threshold() -> None:
    leaf = {"confidence": 0.5, "confidence_threshold": 0.8}
    sure = {"confidence": 0.9, "confidence_threshold": 0.8}
    unknown = {"confidence": None, "confidence_threshold": 0.8}
    tree = [{"a": leaf, "b": sure, "group": {"c": leaf}, "rows": [{"d": sure}, {"d": leaf}, {"d": unknown}]}]
    assert [one["attributeName"] for one in documents.alerts(tree)] == ["a", "group.c", "rows[1].d"]
    assert list(documents.alerts(None)) == []


def test_a_field_that_is_called_confidence_is_a_field() -> None:
    leaf = {"confidence": 0.1, "confidence_threshold": 0.8}
    assert [one["attributeName"] for one in documents.alerts({"confidence": leaf})] == ["confidence"]


def test_a_document_without_test_metadata_is_an_ordinary_one() -> None:
    row = documents.queued_row("p/a.pdf", {"config-version": "v"}, datetime(2026, 1, 1, tzinfo=UTC))
    assert row["ItemType"] == "document" and row["ConfigVersion"] == "v" and row["ObjectStatus"] == "QUEUED"


@given(st.text(min_size=1).filter(lambda key: "\ud800" not in key))
def test_odd_keys_are_read_whole(key: str) -> None:
    from urllib.parse import quote

    environ = {"REQUEST_METHOD": "PUT", "RAW_URI": f"/bucket/{quote(key)}?x-id=PutObject"}
    request = s3_request(environ)
    assert (request.bucket, request.key, request.operation) == ("bucket", key, "PutObject")


def test_what_a_request_may_have_changed() -> None:
    def changed(method: str, key: str, query: dict[str, list[str]], body: bytes = b"") -> list[str]:
        return [name for _, name in s3_changes(S3Request(method, "b", key, query), body)]

    deletion = b"<Delete><Object><Key>a&amp;b</Key></Object><Object><Key>c</Key></Object></Delete>"
    assert changed("PUT", "k", {}) == ["k"]
    assert changed("GET", "k", {}) == []
    assert changed("PUT", "k", {"partNumber": ["1"], "uploadId": ["u"]}) == []
    assert changed("POST", "k", {"uploads": [""]}) == []
    assert changed("POST", "k", {"uploadId": ["u"]}) == ["k"]
    assert changed("POST", "", {"delete": [""]}, deletion) == ["a&b", "c"]
