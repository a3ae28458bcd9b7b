"""The loader by default: strict where silence would lose gold data, all mistakes listed, one bad file stops nothing."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from claimhelp import SUITE_YAML
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.claims.harness.load import read_harness_suite
from idpbench.claims.suite.discover import discover, validate
from idpbench.claims.suite.fixtures import corpus_digest, fixture_ids, load_fixture
from idpbench.claims.suite.load import load_suite, read_suite
from idpbench.claims.suite.problems import FileRefused
from idpbench.files.canonical import bytes_digest, write_json
from idpbench.files.errors import Refusal

EXPECTED = "{content: Acme was founded in 1990., confidence_min: 0.5, uncertainty_nature: EPISTEMIC}"
INLINE = """\
  - case_id: c-2
    source_snapshot: {content_hash: %s}
    inline_content: |
      hello
    expected: []
"""


def read(text: str, mode: Any = "default") -> Any:
    return read_suite(text.encode(), "x.yaml", mode)


def edited(old: str, new: str) -> str:
    assert old in SUITE_YAML
    return SUITE_YAML.replace(old, new, 1)


def test_a_good_suite_loads_with_its_version_as_written() -> None:
    suite = read(SUITE_YAML).get()
    assert (suite.suite_id, suite.version, suite.source_types) == ("acme-001", "0.10", ("WEB_PAGE",))
    assert [gold.required for gold in suite.cases[0].expected] == [True, False]
    assert suite.digest == bytes_digest(SUITE_YAML.encode())
    assert read(SUITE_YAML, "reference").get().version == "0.1"


def test_ids_that_look_like_numbers_are_read_as_written() -> None:
    suite = read(edited("case_id: c-1", "case_id: 007").replace("domain: banking", "domain: no")).get()
    assert (suite.cases[0].case_id, suite.domain) == ("007", "no")


STRICT = {
    "unknown snapshot key": (
        SUITE_YAML + INLINE % bytes_digest(b"hello\n").join(["", ", zzz: 1"]),
        "x.yaml#cases[1]: source_snapshot.zzz: found an unknown key",
    ),
    "duplicate YAML key": (SUITE_YAML + "domain: other\n", "x.yaml: domain (line 12): found the key twice"),
    "duplicate key in an entry": (
        edited("    fixture: f-1\n", "    fixture: f-1\n    fixture: f-2\n"),
        "x.yaml#cases[0]: fixture (line 9): found the key twice",
    ),
    "duplicate case_id": (
        SUITE_YAML + "  - {case_id: c-1, fixture: f-2, expected: []}\n",
        "x.yaml#cases[1]: case_id: found c-1 a second time",
    ),
    "suite_id no kebab": (edited("acme-001", "Acme_001"), "x.yaml: suite_id: found 'Acme_001', expected lower-case"),
    "case_id no kebab": (edited("c-1", "C 1"), "x.yaml#cases[0]: case_id: found 'C 1'"),
    "fixture that leaves its folder": (edited("f-1", "../f-1"), "x.yaml#cases[0]: fixture: found '../f-1'"),
    "content_hash of other bytes": (
        SUITE_YAML + INLINE % ("0" * 64),
        f"x.yaml#cases[1]: content_hash: found {'0' * 64}, expected the SHA-256 of inline_content; "
        f"write {bytes_digest(b'hello' + bytes([10]))}",
    ),
    "confidence_min text": (
        edited("0.5", "high"),
        "cases[0].expected[0]: confidence_min: found 'high', expected a numb",
    ),
    "confidence_min in quotes": (edited("0.5", "'0.5'"), "expected[0]: confidence_min: found '0.5', expected a number"),
    "confidence_min null": (edited("0.5", "null"), "expected[0]: confidence_min: found null, expected a number"),
    "confidence_min NaN": (edited("0.5", ".nan"), "expected[0]: confidence_min: found '.nan', expected a number"),
    "confidence_min above 1": (
        edited("0.5", "1.5"),
        "expected[0]: confidence_min: found 1.5, expected a number within",
    ),
    "confidence_min below 0": (edited("0.5", "-0.1"), "expected[0]: confidence_min: found -0.1, expected a number"),
    "required is text": (
        edited("required: false", "required: 'false'"),
        "expected[1]: required: found 'false', expected",
    ),
    "required is null": (
        edited("required: false", "required: null"),
        "expected[1]: required: found null, expected true",
    ),
    "content null": (edited("content: Acme was founded in 1990.", "content: null"), "expected[0]: content: found null"),
    "content empty": (
        edited("content: Acme was founded in 1990.", "content: ' '"),
        "expected[0]: content: found an emp",
    ),
    "inline_content a number": (
        SUITE_YAML + INLINE.replace("|\n      hello", "3") % ("0" * 64),
        "x.yaml#cases[1]: inline_content: found the int 3, expected text",
    ),
    "null case": (SUITE_YAML + "  - null\n", "x.yaml#cases[1]: found null, expected a mapping"),
    "null gold": (
        edited("    expected:\n", "    expected:\n      - null\n"),
        "cases[0].expected[0]: found null, expect",
    ),
    "text as a case": (SUITE_YAML + "  - abc\n", "x.yaml#cases[1]: found 'abc', expected a mapping"),
}


@pytest.mark.parametrize("name", STRICT)
def test_each_is_an_ordinary_error_that_says_where_and_what_to_do(name: str) -> None:
    text, message = STRICT[name]
    outcome = read(text)
    assert outcome.value is None
    problem = next(problem for problem in outcome.problems if message in str(problem))
    assert problem.expected and problem.remedy
    with pytest.raises(FileRefused) as caught:
        outcome.get()
    assert caught.value.exit_code == 2


ACCEPTED_BY_THE_REFERENCE = set(STRICT) - {
    "confidence_min text",
    "confidence_min null",
    "null case",
    "null gold",
    "text as a case",
}


@pytest.mark.parametrize("name", sorted(ACCEPTED_BY_THE_REFERENCE))
def test_reference_mode_takes_what_the_reference_takes(name: str) -> None:
    assert read(STRICT[name][0], "reference").problems == ()


def test_a_file_that_is_not_utf8_is_an_ordinary_error_in_both_modes() -> None:
    for mode in ("default", "reference"):
        outcome = read_suite(SUITE_YAML.encode("utf-16"), "x.yaml", mode)  # type: ignore[arg-type]
        assert "bytes that are not UTF-8" in str(outcome.problems[0])


@pytest.mark.parametrize(
    "line", ["domain: 2026-13-45", "domain: !!int abc", "domain: !!timestamp soon", "domain: !!x y"]
)
def test_values_at_which_a_yaml_library_gives_up_are_ordinary_errors(line: str) -> None:
    text = edited("domain: banking", line)
    assert read(text, "reference").problems
    assert bool(read(text).problems) == (line == "domain: !!x y")  # the others are taken as the text they are


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-05-28", datetime(2026, 5, 28, tzinfo=UTC)),
        ("'2026-05-28'", datetime(2026, 5, 28)),
        ("2026-05-28T09:30:00Z", datetime(2026, 5, 28, 9, 30, tzinfo=UTC)),
        ("2026-05-28 09:30:00+02:00", datetime(2026, 5, 28, 9, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("null", None),
    ],
)
def test_published_at_is_a_moment_and_a_bare_date_its_midnight_in_utc(written: str, moment: Any) -> None:
    assert read(f"{SUITE_YAML}published_at: {written}\n").get().published_at == moment


def test_published_at_that_is_no_date_is_refused() -> None:
    for written in ("yesterday", "2026-13-45", "[2026]"):
        assert "published_at" in str(read(f"{SUITE_YAML}published_at: {written}\n").problems[0])


@pytest.mark.parametrize("written", ["true", "yes", "True", "on"])
def test_required_takes_every_spelling_of_true(written: str) -> None:
    suite = read(edited("required: false", f"required: {written}")).get()
    assert suite.cases[0].expected[1].required is True


@pytest.mark.parametrize(("written", "value"), [("1", 1.0), (".5", 0.5), ("1e-1", 0.1), ("0.30", 0.3), ("+0.5", 0.5)])
def test_a_floor_is_any_plain_number(written: str, value: float) -> None:
    assert read(edited("0.5", written)).get().cases[0].expected[0].confidence_min == value


def test_all_mistakes_of_a_file_are_listed_in_reading_order() -> None:
    text = (
        edited("confidence_min: 0.5", "confidence_min: high, modality: X")
        .replace("    fixture: f-1\n", "")
        .replace("suite_id: acme-001", "suite_id: Acme")
        .replace("domain: banking\n", "")
    )
    places = [(problem.place, problem.key) for problem in read(text).problems]
    assert places == [
        ("cases[0].expected[0]", "modality"),
        ("cases[0].expected[0]", "confidence_min"),
        ("cases[0]", ""),
        ("", "suite_id"),
        ("", "domain"),
    ]
    with pytest.raises(FileRefused) as caught:
        read(text).get()
    assert str(caught.value).count("\n") == 4


def test_an_unknown_root_key_warns_and_names_the_nearest() -> None:
    outcome = read(SUITE_YAML + "metric: []\n")
    assert outcome.problems == ()
    assert outcome.warnings == ("x.yaml: unknown key metric at the root is ignored; did you mean metrics?",)


def test_an_alias_to_itself_and_a_hundred_nested_ones_end() -> None:
    assert "an alias to what it is part of" in str(read(edited("domain: banking", "domain: &a [*a]")).problems[0])
    bomb = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9) if n else 'y'}]\n" for n in range(30))
    assert read(SUITE_YAML + bomb).problems == ()


GOLD = "gold_subjects:\n  - {case_id: c-1, name: %s, ref: %s%s}\n"


@pytest.mark.parametrize(
    ("name", "ref", "rest", "expected"),
    [
        ("acme", "'wikidata:12'", "", ("wikidata:Q12", "Acme was founded in 1990.")),
        ("Acme", "' Wikidata : q12 '", "", ("wikidata:Q12", "Acme was founded in 1990.")),
        ("Acme", "'isin:US:1'", "", ("isin:US:1", "Acme was founded in 1990.")),
        ("branches", "null", "", (None, "Acme has 12 branches.")),
        ("Beta", "null", ", mention: Beta is elsewhere.", (None, "Beta is elsewhere.")),
    ],
)
def test_a_gold_subject_with_its_reference_and_mention(name: str, ref: str, rest: str, expected: Any) -> None:
    gold = read(SUITE_YAML + GOLD % (name, ref, rest)).get().gold_subjects[0]
    assert (gold.ref, gold.mention) == expected


def test_a_name_that_ends_in_a_sign_is_found_as_a_whole_word() -> None:
    text = edited("Acme was founded in 1990.", "It is in C++ now.")
    assert read(text + GOLD % ("c++", "null", "")).get().gold_subjects[0].mention == "It is in C++ now."
    assert read(text + GOLD % ("'C'", "null", "")).get().gold_subjects[0].mention == "It is in C++ now."
    assert read(text + GOLD % ("'t i'", "null", "")).problems
    assert read(text + GOLD % ("ow", "null", "")).problems
    assert read(text + GOLD % ("no", "null", "")).problems


def test_one_wrong_gold_subject_refuses_the_suite() -> None:
    two = GOLD % ("Acme", "null", "") + "  - {case_id: nowhere, name: Acme, ref: null}\n"
    assert "cases" not in str(read(SUITE_YAML + two).problems[0].place)
    assert read(SUITE_YAML + two).problems[0].place == "gold_subjects[1]"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(SUITE_YAML)), st.sampled_from(["default", "reference"]))
def test_no_bytes_make_reading_raise(noise: bytes, place: int, mode: Any) -> None:
    data = SUITE_YAML.encode()
    outcome = read_suite(data[:place] + noise + data[place:], "x.yaml", mode)
    assert (outcome.value is None) == bool(outcome.problems)
    for kind in ("modality", "validity"):
        read_harness_suite(data[:place] + noise + data[place:], "x.yaml", kind, mode)  # type: ignore[arg-type]


def test_discovery_goes_on_whatever_one_file_holds(tmp_path: Path, caplog: Any) -> None:
    (tmp_path / "z.yaml").write_text(SUITE_YAML)
    for name, (text, _) in STRICT.items():
        (tmp_path / f"{name.replace(' ', '-')}.yaml").write_text(text)
    (tmp_path / "latin.yaml").write_bytes(b"a: caf\xe9")
    (tmp_path / "empty.yaml").write_text("")
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "secret.yml").write_text(SUITE_YAML)
    (tmp_path / "secret.yml").chmod(0)
    with caplog.at_level(logging.ERROR):
        found = discover(tmp_path)
    assert [suite.suite_id for suite in found.suites][-1] == "acme-001"
    readable_as_root = len(found.suites) - 1
    assert len(found.refused) == len(STRICT) + 2 + (1 - readable_as_root) == len(caplog.records)


def test_two_files_of_one_name_are_both_run_with_a_warning_and_are_a_problem_to_validate(
    tmp_path: Path, caplog: Any
) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(SUITE_YAML)
    with caplog.at_level(logging.WARNING):
        assert len(discover(tmp_path).suites) == 2
    assert "acme-001, as in" in caplog.text
    assert [problem.key for problem in validate([tmp_path])] == ["suite_id"]


def test_validate_lists_what_is_wrong_with_each_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(edited("0.5", "high").replace("f-1", "F 1"))
    (tmp_path / "b.yaml").write_text(SUITE_YAML)
    found = validate([tmp_path, tmp_path / "gone.yaml"])
    assert [(Path(problem.source).name, problem.key) for problem in found] == [
        ("a.yaml", "confidence_min"),
        ("a.yaml", "fixture"),
        ("gone.yaml", ""),
    ]
    assert validate([tmp_path / "b.yaml"]) == []


def test_validate_knows_the_suites_of_the_harnesses(tmp_path: Path) -> None:
    head = "suite_id: m\nname: N\nversion: 1\ndomain: d\nsource_type: T\ncases:\n"
    label = {
        "modality": "{case_id: c, entry: t, labels: [{content: a, modality: CONSTITUTIVE}]}",
        "polarity": "{case_id: c, document: t, labels: [{content: a, polarity: DECLINED}]}",
        "validity": "{case_id: c, document: t, reference_date: 2026-01-01, labels: [{content: a, is_durable: true}]}",
    }
    for kind, case in label.items():
        (tmp_path / f"{kind}.yaml").write_text(head.replace("suite_id: m", f"suite_id: {kind}") + f"  - {case}\n")
    assert validate([tmp_path]) == []
    (tmp_path / "validity.yaml").write_text(head + f"  - {label['validity'].replace('true', 'perhaps')}\n")
    assert [problem.key for problem in validate([tmp_path])] == ["is_durable"]


def fixture(folder: Path, name: str = "f-1", **manifest: str) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    text = "".join(
        f"{key}: {value}\n" for key, value in ({"fixture_id": name, "source_type": "PDF"} | manifest).items()
    )
    (place / "manifest.yaml").write_text(text)
    (place / "content.bin").write_bytes(b"\x00hello")
    write_json(place / "snapshot.json", {"content_hash": bytes_digest(b"\x00hello"), "etag": None})
    return place


def test_a_fixture_gives_bytes_snapshot_and_source_type(tmp_path: Path) -> None:
    fixture(tmp_path)
    found = load_fixture(tmp_path, "f-1")
    assert (found.source_type, found.data, found.snapshot.etag) == ("PDF", b"\x00hello", None)
    assert fixture_ids(tmp_path) == ["f-1"]
    assert fixture_ids(tmp_path / "gone") == []


@pytest.mark.parametrize("name", ["f-2", "..", "../f-1", "f-1/../f-1", ".hidden", ""])
def test_an_unknown_fixture_is_a_refusal_and_none_lies_outside_its_folder(tmp_path: Path, name: str) -> None:
    fixture(tmp_path)
    with pytest.raises(Refusal, match="no such folder"):
        load_fixture(tmp_path, name)


def test_a_damaged_fixture_is_refused_with_every_reason(tmp_path: Path) -> None:
    place = fixture(tmp_path, fixture_id="f-9")
    (place / "content.bin").write_bytes(b"other")
    with pytest.raises(FileRefused) as caught:
        load_fixture(tmp_path, "f-1")
    assert [problem.key for problem in caught.value.problems] == ["fixture_id", "content_hash"]


def test_the_digest_of_the_fixtures_changes_with_any_of_them(tmp_path: Path) -> None:
    fixture(tmp_path, "f-1")
    one = corpus_digest(tmp_path)
    place = fixture(tmp_path, "f-2")
    two = corpus_digest(tmp_path)
    (place / "content.bin").write_bytes(b"other")
    assert len({one, two, corpus_digest(tmp_path)}) == 3
    assert len(one) == 64


def test_a_suite_on_disk_is_read_with_its_warnings_logged(tmp_path: Path, caplog: Any) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(SUITE_YAML + "later: 1\n")
    with caplog.at_level(logging.WARNING):
        assert load_suite(path).source == str(path)
    assert "unknown key later" in caplog.text


def test_harness_suites_are_read_as_strictly() -> None:
    text = (
        "suite_id: m\nname: N\nversion: 1.10\ndomain: d\nsource_type: JOURNAL\ncases:\n"
        "  - {case_id: c, entry: t, narrative_expected: 'no', labels: [{content: '', modality: X}, null]}\n"
        "  - {case_id: c, entry: t, labels: [{content: a, modality: evaluative}]}\n"
    )
    outcome = read_harness_suite(text.encode(), "x.yaml", "modality")
    assert [(problem.place, problem.key) for problem in outcome.problems] == [
        ("cases[0]", "narrative_expected"),
        ("cases[0].labels[0]", "content"),
        ("cases[0].labels[0]", "modality"),
        ("cases[0].labels[1]", ""),
    ]


def test_a_validity_suite_takes_bare_dates_and_its_tolerance() -> None:
    text = (
        "suite_id: v\nname: N\nversion: 1.10\ndomain: d\nsource_type: TEXT\ndate_tolerance_days: 10\ncases:\n"
        "  - {case_id: c, document: t, reference_date: 2026-01-01, labels: ["
        "{content: a, is_durable: false, expected_valid_until: 2026-06-30}, {content: b, is_durable: true}]}\n"
    )
    suite = read_harness_suite(text.encode(), "x.yaml", "validity").get()
    assert (suite.version, suite.date_tolerance_days) == ("1.10", 10)
    assert [label.expected_valid_until for label in suite.cases[0].labels] == ["2026-06-30", None]
    assert suite.cases[0].reference_date == "2026-01-01"
