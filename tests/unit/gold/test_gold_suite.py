"""A frozen suite, loaded and verified: what is refused, and that no pinned byte can change unseen."""

import copy
import json
import shutil

import pytest
from gold_drafts import (
    SHEETS,
    SUITE,
    member,
    write_draft,
)

from idpbench.files.canonical import pretty
from idpbench.files.errors import Refusal
from idpbench.gold.metrics import score
from idpbench.gold.suite import load as loading
from idpbench.gold.suite.draft import DraftMember
from idpbench.gold.suite.freeze import freeze_suite
from idpbench.gold.suite.load import load_suite
from idpbench.gold.suite.manifest import Summary, suite_digest, summarise
from idpbench.gold.suite.verify import verify_suite
from idpbench.gold.tidy import csv_bytes
from idpbench.gold.trace import trace_bytes


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a frozen suite in `suites` and the staged workbook in `staged`."""
    folder = tmp_path_factory.mktemp("gold")
    freeze_suite(write_draft(folder / "draft"), folder / "suites", folder / "staged")
    return folder


@pytest.fixture
def own(place, tmp_path):
    """A copy of that folder that a test may damage."""
    shutil.copytree(place, tmp_path, dirs_exist_ok=True)
    return tmp_path


def load(folder, **more):
    return load_suite(folder / "suites" / SUITE, folder / "staged", **more)


def rewrite(folder, change):
    """Change the manifest and give it the digest of what it is then, so that only the rules stand in the way."""
    path = folder / "suites" / SUITE / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    content["digest"] = suite_digest(content)
    path.write_text(pretty(content))


def test_a_frozen_suite_loads_verifies_and_gives_references(place):
    suite = load(place)
    assert [one.member_id for one in suite.manifest.members] == ["alpha-staged", "mike-table", "zulu-table"]
    assert verify_suite(suite).issues == verify_suite(suite).absent == ()
    assert suite.manifest.summary == Summary(
        members=3,
        source_kind={"bank_asset": 1, "conformance": 2},
        difficulty={"easy": 3},
        publisher={"abs": 1, "synthetic": 2},
        feature={"single_table": 3, "unit_rows": 3},
        published_in_bank=1,
    )
    for one in suite.manifest.members:
        reference = suite.reference(one)
        zone = "South" if one.member_id == "alpha-staged" else "North"
        assert reference.table.rows == (("2023", zone, "1"), ("2024", zone, "2"))
        assert score(reference, reference).composite == 1_000_000


def test_what_is_derived_from_a_staged_workbook_is_in_no_file_of_the_suite(place):
    files = {
        path.relative_to(place / "suites" / SUITE).as_posix()
        for path in (place / "suites").rglob("*.*")
        if path.is_file()
    }
    assert files == {
        "manifest.json",
        "vocabulary/structure-features.json",
        "workbooks/book.xlsx",
        *(f"recipes/{name}.json" for name in SHEETS),
        *(f"tables/{name}.csv" for name in ("mike-table", "zulu-table")),
        *(f"traces/{name}.jsonl" for name in ("mike-table", "zulu-table")),
    }  # fmt: skip


def test_freezing_again_changes_nothing_and_another_suite_of_that_name_is_refused(own):
    before = {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}
    freeze_suite(write_draft(own / "draft"), own / "suites", own / "staged")
    assert before == {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}
    write_draft(own / "draft", [member("mike-table", title="Another")])
    with pytest.raises(Refusal, match="never changed"):
        freeze_suite(own / "draft", own / "suites", own / "staged")
    assert before == {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}


def pinned(folder):
    stored = sorted(path for path in (folder / "suites" / SUITE).rglob("*") if path.is_file())
    return [*stored, folder / "staged/theirs.xlsx"]


def refused(folder):
    """Is the suite refused, by loading or by verifying?"""
    try:
        found = verify_suite(load(folder))
    except Refusal:
        return True
    return bool(found.issues)


def test_a_changed_byte_of_any_pinned_file_is_refused(own):
    """Three bytes of every file and a few hundred of the manifest, each changed in one bit and to white space."""
    for path in pinned(own):
        data = path.read_bytes()
        step = max(1, len(data) // (150 if path.name == "manifest.json" else 3))
        for index in range(0, len(data), step):
            for byte in {data[index] ^ 1, 0x20 if data[index] == 0x0A else 0x0A}:
                path.write_bytes(data[:index] + bytes([byte]) + data[index + 1 :])
                assert refused(own), (path.name, index, byte)
        path.write_bytes(data)
    assert not refused(own)


def test_a_shortened_lengthened_or_absent_file_is_refused(own):
    for path in pinned(own):
        data = path.read_bytes()
        for other in (data[:-1], data + b"\n", b""):
            path.write_bytes(other)
            assert refused(own), path.name
        path.unlink()
        assert refused(own) is (path.name != "theirs.xlsx")
        path.write_bytes(data)


def test_an_absent_staged_workbook_is_reported_and_its_reference_needs_it(own):
    (own / "staged/theirs.xlsx").unlink()
    suite = load(own)
    found = verify_suite(suite)
    assert (found.issues, found.absent) == ((), ("alpha-staged",))
    one = suite.manifest.member("alpha-staged")
    assert suite.workbook(one) is None
    with pytest.raises(Refusal, match="not staged") as caught:
        suite.reference(one)
    assert caught.value.exit_code == 3
    assert load_suite(own / "suites" / SUITE).workbook(one) is None


def test_a_derived_reference_is_kept_and_used_only_where_it_is_the_pinned_one(own, monkeypatch):
    suite = load(own, cache=own / "kept")
    one = suite.manifest.member("alpha-staged")
    reference = suite.reference(one)
    kept = sorted((own / "kept").iterdir())
    assert [path.read_bytes() for path in kept] == [
        data for _, data in sorted(
            (pin.sha256, data)
            for pin, data in (
                (one.reference.table, csv_bytes(reference.table)), (one.reference.trace, trace_bytes(reference.trace)),
            )
        )
    ]  # fmt: skip
    (own / "staged/theirs.xlsx").rename(own / "staged/aside.xlsx")
    assert load(own, cache=own / "kept").reference(one) == reference
    kept[0].write_bytes(b"changed")
    with pytest.raises(Refusal):
        load(own, cache=own / "kept").reference(one)
    (own / "staged/aside.xlsx").rename(own / "staged/theirs.xlsx")
    assert load(own, cache=own / "kept").reference(one) == reference


def test_a_workbook_is_read_once_for_all_its_members(place, monkeypatch):
    reads = []

    def read(data):
        reads.append(len(data))
        return read_workbook(data)

    read_workbook = loading.read_workbook
    monkeypatch.setattr(loading, "read_workbook", read)
    suite = load(place)
    for _ in range(2):
        for one in suite.manifest.members:
            suite.parsed(one)
    assert len(reads) == 2


CHANGES = {
    "a bank asset that is not published": lambda m: m["members"][0].update(published_in_bank=False),
    "members out of order": lambda m: m["members"].reverse(),
    "a member twice": lambda m: m["members"].append(copy.deepcopy(m["members"][-1])),
    "the same workbook, sheet and table twice": lambda m: m["members"][2].update(
        {**copy.deepcopy(m["members"][1]), "member_id": "zulu-table"}
    ),
    "a wrong summary": lambda m: m["summary"].update(published_in_bank=2),
    "features out of order": lambda m: m["members"][1]["features"].reverse(),
    "a feature twice": lambda m: m["members"][1].update(features=["single_table", "single_table"]),
    "rows and value cells that differ": lambda m: m["members"][1]["reference"]["table"].update(rows=3),
    "a stored table of a staged workbook": lambda m: m["members"][0]["reference"]["table"].update(path="tables/a.csv"),
    "a path that leaves the folder": lambda m: m["members"][1]["workbook"].update(path="../book.xlsx"),
    "an absolute path": lambda m: m["vocabulary"].update(path="/etc/passwd"),
    "an unknown key": lambda m: m.update(note="x"),
    "an unknown contract": lambda m: m["contracts"].update(csv="tidy-csv/2"),
    "another name": lambda m: m.update(suite_id="gold-2026.02"),
    "a suite name of another form": lambda m: m.update(suite_id="gold-2026.13"),
    "no members": lambda m: m.update(members=[]),
    "an empty licence": lambda m: m["members"][0]["workbook"].update(licence=" "),
    "a feature outside the vocabulary": lambda m: (
        m["members"][1]["features"].append("zzz"), m["summary"]["feature"].update(zzz=1)),
    "a tag that the recipe contradicts": lambda m: (
        m["members"][1].update(features=["unit_rows"]), m["summary"]["feature"].update(single_table=2)),
    "columns that the recipe does not make": lambda m: m["members"][1]["task"]["columns"].pop(),
    "a number of bytes that is not the file's": lambda m: m["members"][1]["workbook"].update(bytes=1),
    "another digest of a table": lambda m: m["members"][0]["reference"]["table"].update(sha256="sha256:" + "0" * 64),
    "another digest of a trace": lambda m: m["members"][0]["reference"]["trace"].update(sha256="sha256:" + "0" * 64),
    "another number of columns": lambda m: m["members"][1]["reference"]["table"].update(columns=4),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_manifest_that_is_bound_but_breaks_a_rule_is_refused(own, name):
    rewrite(own, CHANGES[name])
    assert refused(own)


def test_a_manifest_that_is_not_bound_is_refused(own):
    path = own / "suites" / SUITE / "manifest.json"
    content = json.loads(path.read_text())
    content["members"][0]["title"] = "Another title"
    path.write_text(pretty(content))
    with pytest.raises(Refusal, match="digest"):
        load(own)
    path.unlink()
    with pytest.raises(Refusal, match=r"manifest\.json"):
        load(own)


def test_a_message_names_file_key_and_remedy(own):
    rewrite(own, lambda m: m["members"][1]["task"].update(sheet=7))
    with pytest.raises(Refusal, match=r"manifest\.json: members\[1\]\.task\.sheet: found .*; restore it from git"):
        load(own)


def test_the_summary_of_the_published_composition():
    """Thirty members: 12 bank assets and 18 conformance, 14 published, 7 easy, 16 medium, 7 hard."""
    levels = ["easy"] * 7 + ["medium"] * 16 + ["hard"] * 7
    members = [
        member(
            "mike-table",
            difficulty=level,
            source_kind="bank_asset" if number < 12 else "conformance",
            published_in_bank=number < 14,
            features=["single_table"] * (number < 27) + ["unit_rows"] * (number >= 26),
        )
        for number, level in enumerate(levels)
    ]
    summary = summarise(map(DraftMember.model_validate, members))
    assert (summary.members, summary.published_in_bank) == (30, 14)
    assert summary.source_kind == {"bank_asset": 12, "conformance": 18}
    assert summary.difficulty == {"easy": 7, "medium": 16, "hard": 7}
    assert summary.feature == {"single_table": 27, "unit_rows": 4}


def test_problems_name_the_member(own):
    (own / "suites" / SUITE / "tables/zulu-table.csv").write_text("x\n")
    found = verify_suite(load(own)).issues
    assert [issue[:2] for issue in found] == [("FILE", "zulu-table")]
    assert "tables/zulu-table.csv" in found[0].message
