"""What the workflow puts into results/gold: one document per finding, pages and feed of all of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from gold_case import Case
from gold_small import STAGED, SUITE, FakeClock, make_repository, recipe, right, run_scripted

from idpbench.files.canonical import pretty
from idpbench.files.errors import Refusal
from idpbench.gold.publish import derived, documents
from idpbench.gold.result.document import document_digest, file_name, stored
from idpbench.gold.result.same import nothing_new
from idpbench.gold.result.schema import Result
from idpbench.gold.shelf import shelf
from idpbench.gold.workflow import GoldCommand

NAME = f"gold/{SUITE}/maker-model-1--2026-11-30.json"


@pytest.fixture
def root(case: Case, tmp_path: Path) -> Path:
    return Path(shutil.copytree(case.root, tmp_path / "repository"))


def later(data: bytes) -> bytes:
    """The same finding, made on another day and another machine."""
    document = json.loads(data.replace(b"2026-11-30T", b"2026-12-02T"))
    document["runner"]["environment"]["python"] = "3.14.0"
    for member in document["members"]:
        for attempt in member["attempts"]:
            attempt["duration_ms"] += 1
    return pretty({**document, "digest": document_digest(document)}).encode()


def test_a_new_finding_is_a_new_document_and_an_old_one_stays_as_it_is(case: Case, root: Path) -> None:
    data = stored(case.ran.result)
    assert documents(data, shelf(root / "results/gold", root)) == {NAME: data}
    (root / "results" / NAME).parent.mkdir(parents=True)
    (root / "results" / NAME).write_bytes(data)
    found = shelf(root / "results/gold", root)
    assert documents(later(data), found) == {NAME: data}
    other = run_scripted(root, right, FakeClock(), run_id="r2")
    assert not nothing_new(other.result, case.ran.result)
    assert documents(stored(other.result), found) == {NAME: stored(other.result)}


def test_a_run_with_fewer_workbooks_does_not_displace_a_fuller_result(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    full = run_scripted(root, right, FakeClock(), run_id="full")
    (root / "corpus/gold/staged" / STAGED).unlink()
    fewer = run_scripted(root, right, FakeClock(), run_id="fewer")
    assert nothing_new(fewer.result, full.result) and not nothing_new(full.result, fewer.result)
    (root / "results" / NAME).parent.mkdir(parents=True)
    (root / "results" / NAME).write_bytes(stored(full.result))
    found = shelf(root / "results/gold", root)
    assert documents(later(stored(fewer.result)), found) == {NAME: stored(full.result)}
    worse = run_scripted(root, lambda member, n: recipe(member, years="R1C2"), FakeClock(), run_id="worse")
    assert list(documents(later(stored(worse.result)), found)) == [NAME.replace("11-30", "12-02")]


def test_a_finding_that_returns_after_another_is_published_again(root: Path) -> None:
    place = (root / "results" / NAME).parent
    place.mkdir(parents=True)
    first = stored(run_scripted(root, right, FakeClock(), run_id="first").result)
    second = run_scripted(root, lambda member, n: recipe(member, years="R1C2"), FakeClock(), run_id="second")
    for data in (first, later(stored(second.result))):
        (place / file_name(Result.model_validate_json(data))).write_bytes(data)
    third = later(first).replace(b"2026-12-02T", b"2026-12-03T")
    document = json.loads(third)
    third = pretty({**document, "digest": document_digest(document)}).encode()
    found = shelf(root / "results/gold", root)
    assert documents(third, found) == {NAME.replace("11-30", "12-03"): third}


def test_a_result_that_is_not_valid_is_not_published(case: Case, root: Path) -> None:
    broken = stored(case.ran.result).replace(b'"passed"', b'"partial"', 1)
    with pytest.raises(Refusal, match="the result of this run is not valid"):
        documents(broken, shelf(root / "results/gold", root))


def test_pages_and_feed_are_made_from_everything_that_is_committed(case: Case, root: Path) -> None:
    (root / "results" / NAME).parent.mkdir(parents=True)
    (root / "results" / NAME).write_bytes(stored(case.ran.result))
    made = derived(root / "results", root)
    assert set(made) == {"gold/README.md", f"gold/{SUITE}/README.md", "gold/feed.json"}
    assert b"`maker/model-1`" in made["gold/README.md"] and made == derived(root / "results", root)


def test_the_workflow_sees_workbooks_that_come_and_go(root: Path) -> None:
    command = GoldCommand(root, None)
    assert command.workbook("alpha-table") == [f"corpus/gold/{SUITE}/workbooks/two.xlsx"]
    assert command.workbook("gamma-staged") == []
    assert command.reference("gamma-staged") == [f"corpus/gold/{SUITE}/recipes/gamma-staged.json"]
    assert len(command.reference("alpha-table")) == 3
    before = command.pin("gamma-staged"), command.pin("alpha-table")
    staged = GoldCommand(root, str(root / "books"))
    with pytest.raises(Refusal, match="staged: found .*books, expected a folder"):
        staged.workbook("gamma-staged")
    (root / "books").mkdir()
    (root / "books" / "publisher_book.xlsx").write_bytes(b"x")
    assert staged.workbook("gamma-staged") == [str(root / "books" / "publisher_book.xlsx")]
    assert staged.staged_for("gamma-staged") == str(root / "books") != command.staged_for("gamma-staged")
    assert staged.staged_for("alpha-table") == command.staged_for("alpha-table")
    assert staged.pin("gamma-staged") != before[0] and staged.pin("alpha-table") == before[1]
    with pytest.raises(Refusal, match="no entry"):
        command.pin("nobody")


def test_a_suite_that_was_frozen_again_is_asked_again(root: Path) -> None:
    before = GoldCommand(root, None).pin("alpha-table")
    manifest = root / "corpus/gold" / SUITE / "manifest.json"
    manifest.write_text(pretty({**json.loads(manifest.read_text()), "digest": f"sha256:{'1' * 64}"}))
    assert GoldCommand(root, None).pin("alpha-table") != before


def test_results_of_local_models_are_no_input_of_their_own_publication(case: Case, root: Path) -> None:
    place = root / "results" / "gold" / SUITE
    place.mkdir(parents=True)
    for name in ("local-heuristic-1--2026-11-30.json", "maker-model-1--2026-11-30.json"):
        (place / name).write_text("{}")
    (place.parent / "feed.json").write_text("{}")
    assert GoldCommand(root, None).committed() == [f"results/gold/{SUITE}/maker-model-1--2026-11-30.json"]
