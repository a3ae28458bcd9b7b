"""JSON is written one way, read strictly, and digested by content alone."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files import canonical
from idpbench.files.errors import Refusal

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_both_spellings_read_back_to_the_same_value(value: object) -> None:
    assert canonical.loads(canonical.pretty(value), "a test") == value
    assert canonical.loads(canonical.canonical(value), "a test") == value


@given(values, st.integers(0, 3))
def test_a_file_with_flat_parts_reads_back_to_the_same_value(value: object, levels: int) -> None:
    assert canonical.loads(canonical.pretty(value, levels), "a test") == value


def test_parts_below_the_given_level_stand_on_one_line() -> None:
    value = {"rows": [{"cell": "a", "tokens": {"in": 1, "out": [2, 3]}}], "meta": {}}
    lines = canonical.pretty(value, 3).splitlines()
    assert '      "tokens": {"in": 1, "out": [2, 3]}' in lines
    assert canonical.pretty([1, {"a": 2}], 9) == canonical.pretty([1, {"a": 2}])


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_a_digest_does_not_depend_on_the_order_of_keys(value: dict[str, int]) -> None:
    assert canonical.digest(value) == canonical.digest(dict(reversed(value.items())))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_never_written(value: float) -> None:
    with pytest.raises(ValueError):
        canonical.pretty({"x": value})
    with pytest.raises(ValueError):
        canonical.canonical([value])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1, "a": 2}', "the key twice"),
        ('{"a": NaN}', "found NaN"),
        ('{"a": 1', "line 1 column"),
        ("", "line 1 column 1"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_file_that_is_not_strict_json_is_refused_by_name(tmp_path: Path, text: str | bytes, says: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Refusal) as refusal:
        canonical.read_json(path)
    assert "broken.json" in str(refusal.value) and says in str(refusal.value)
    assert refusal.value.exit_code == 2


def test_a_file_of_another_schema_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    canonical.write_json(path, {"schema": "idpbench/summary/9"})
    with pytest.raises(Refusal, match=r"schema: found 'idpbench/summary/9', expected 'idpbench/summary/1'"):
        canonical.read_json(path, "summary")


@given(st.lists(st.dictionaries(st.text(), st.integers(), max_size=3), max_size=5))
def test_gzipped_lines_are_the_same_bytes_each_time_and_hold_no_clock(rows: list[dict[str, int]]) -> None:
    data = canonical.gzip_lines(rows)
    assert data == canonical.gzip_lines(rows)
    assert data[4:8] == b"\0\0\0\0"  # the time field of the gzip header
    assert [json.loads(line) for line in gzip.decompress(data).splitlines()] == rows


@given(st.integers(min_value=1, max_value=40))
def test_a_truncated_gzip_file_is_refused_and_never_read_in_part(cut: int) -> None:
    import tempfile

    data = canonical.gzip_lines([{"row": n} for n in range(20)])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.jsonl.gz")
        path.write_bytes(data[:-cut])
        with pytest.raises(Refusal, match="runs.jsonl.gz"):
            list(canonical.read_gzip_lines(path))
