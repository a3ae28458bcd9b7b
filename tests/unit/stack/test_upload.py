"""Configurations are written once, under names of our own, and never over somebody else's."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from fakes import FakeStack

from idpbench.files.errors import Refusal
from idpbench.stack import upload

NAME = "bench-core-a__bank_statement__12345678"
CONFIG: dict[str, Any] = {"ocr": {"backend": "textract"}, "classes": [{"$id": "A"}], "notes": "ümlaut", "n": 0.5}


def test_a_configuration_is_read_back_as_it_was_meant() -> None:
    stack = FakeStack()
    assert upload.upload(stack, "config", {NAME: CONFIG}) == 1
    assert upload.read_config(stack, "config", NAME) == CONFIG
    assert upload.upload(stack, "config", {NAME: CONFIG}) == 0, "the same again writes nothing"


def test_it_is_stored_as_the_accelerator_stores_it() -> None:
    item = upload.config_item(NAME, CONFIG, "2026-10-01T00:00:00+00:00")
    assert item["Configuration"] == {"S": f"Config#{NAME}"} and item["IsActive"] == {"BOOL": False}
    assert item["_config_storage"] == {"S": "compressed"}
    stored = gzip.decompress(item["_compressed_config"]["B"])
    assert json.loads(stored) == {**CONFIG, "_config_format": "full"} and b", " not in stored


@pytest.mark.parametrize("name", ["default", "core-a", "Config#bench-x", ""])
def test_no_name_but_our_own_is_written(name: str) -> None:
    stack = FakeStack()
    with pytest.raises(Refusal):
        upload.upload(stack, "config", {name: CONFIG})
    assert stack.configs == {}


def test_a_row_that_is_not_ours_is_left_alone() -> None:
    stack = FakeStack()
    theirs = {**upload.config_item(NAME, CONFIG, "x"), "Description": {"S": "my experiment"}}
    stack.configs[f"Config#{NAME}"] = theirs
    with pytest.raises(Refusal, match="not ours.*my experiment"):
        upload.upload(stack, "config", {NAME: CONFIG, "bench-other__x__1": CONFIG})
    assert stack.configs == {f"Config#{NAME}": theirs}


@pytest.mark.parametrize("change", ["edited", "inline", "junk"])
def test_ours_with_other_content_is_refused(change: str) -> None:
    stack = FakeStack()
    good = upload.config_item(NAME, CONFIG, "x")
    edited = upload.config_item(NAME, {**CONFIG, "n": 0.6}, "x")
    inline = {key: value for key, value in good.items() if not key.startswith("_")} | {"n": {"N": "0.6"}}
    rows = {"edited": edited, "inline": inline, "junk": {**good, "_compressed_config": {"B": b"junk"}}}
    stack.configs[f"Config#{NAME}"] = rows[change] | {"Description": good["Description"]}
    with pytest.raises(Refusal, match="edited on the stack"):
        upload.upload(stack, "config", {NAME: CONFIG})
    with pytest.raises(Refusal, match="edited on the stack"):
        upload.verify(stack, "config", {NAME: CONFIG})


def test_a_row_that_is_gone_is_refused_before_a_launch() -> None:
    with pytest.raises(Refusal, match=f"{NAME}: found no row"):
        upload.verify(FakeStack(), "config", {NAME: CONFIG})


def test_a_configuration_that_the_table_cannot_take_is_refused() -> None:
    import random

    noise = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=800_000))
    with pytest.raises(Refusal, match="bytes when compressed"):
        upload.config_item(NAME, {"prompt": noise}, "x")


def test_legacy_rows_with_inline_fields_are_read() -> None:
    stack = FakeStack()
    stack.configs["Config#default"] = {
        "Configuration": {"S": "Config#default"},
        "IsActive": {"BOOL": True},
        "ocr": {"M": {"backend": {"S": "textract"}}},
    }
    assert upload.read_config(stack, "config", "default") == {"ocr": {"backend": "textract"}}
    assert upload.read_config(stack, "config", "none") is None


def test_a_check_of_150_configurations_is_two_calls() -> None:
    stack = FakeStack()
    many = {f"bench-{n}": CONFIG for n in range(150)}
    upload.upload(stack, "config", many)
    stack.calls.clear()
    upload.verify(stack, "config", many)
    assert stack.calls == {"dynamodb.batch_get_item": 2}
