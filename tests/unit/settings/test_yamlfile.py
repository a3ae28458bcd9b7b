"""The YAML reader says what is wrong and where, and reads words as words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files.errors import Refusal
from idpbench.settings.yamlfile import load_yaml, parse_yaml


@pytest.mark.parametrize(
    "word", ["on", "off", "yes", "no", "Yes", "True", "2026-10-08", "0.6.9", "012", "12:30", "0x1f", ".inf", "nan"]
)
def test_words_that_yaml_would_turn_into_something_else_stay_words(word: str) -> None:
    assert parse_yaml(f"key: {word}", "x")["key"] == word


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("12", 12),
        ("-3", -3),
        ("1_000", 1000),
        ("0.30", 0.3),
        ("3.3E-6", 3.3e-6),
        ("1e3", 1000.0),
        ("~", None),
        ("null", None),
        ("", None),
    ],
)
def test_plain_values_are_read(text: str, value: Any) -> None:
    assert parse_yaml(f"key: {text}", "x")["key"] == value


def test_keys_are_text_as_written() -> None:
    assert parse_yaml("{150: 1, off: 2, true: 3}", "x") == {"150": 1, "off": 2, "true": 3}


def test_a_key_that_stands_twice_is_refused_with_file_line_and_key(tmp_path: Path) -> None:
    path = tmp_path / "axes.yaml"
    path.write_text("axes:\n  ocr: {a: 1}\n  ocr: {b: 2}\n")
    with pytest.raises(Refusal, match=r"axes\.yaml:3: ocr: found the key twice"):
        load_yaml(path)


def test_a_key_twice_in_one_line_and_deep_down_is_refused_too() -> None:
    with pytest.raises(Refusal, match=r"x:2: a: found the key twice"):
        parse_yaml("top:\n  - {b: [{a: 1, a: 2}]}\n", "x")


@pytest.mark.parametrize(
    "text",
    ["a: [1, 2", "a: 'open", "a: b: c", "\ta: 1", "a: &x 1\nb: *y", "!!python/object:os.system {}", "a: !mine 1"],
)
def test_broken_yaml_is_refused_with_file_and_line(text: str) -> None:
    with pytest.raises(Refusal, match=r"^cells\.yaml:\d+: found "):
        parse_yaml(text, "cells.yaml")


def test_a_merge_key_is_no_magic() -> None:
    assert parse_yaml("<<: {a: 1}", "x") == {"<<": {"a": 1}}


def test_a_missing_file_and_a_file_of_other_bytes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no such file"):
        load_yaml(tmp_path / "gone.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: caf\xe9")
    with pytest.raises(Refusal, match="UTF-8"):
        load_yaml(tmp_path / "latin.yaml")


plain = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("abcdefgh =:-#'\"{}[]\n", max_size=12)
trees = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(trees)
def test_what_a_writer_writes_is_read_back(tree: Any) -> None:
    assert parse_yaml(yaml.safe_dump(tree), "x") == tree
