"""What the workflow puts into results/gold: one document per finding, pages and feed of all of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from gold_case import Case
from gold_small import SUITE, FakeClock, right, run_scripted

from idpbench.files.canonical import pretty
from idpbench.files.errors import Refusal
from idpbench.gold.publish import derived, documents
from idpbench.gold.result.document import document_digest, stored
from idpbench.gold.result.same import same_findings
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
    assert not same_findings(other.result, case.ran.result)
    assert documents(stored(other.result), found) == {NAME: stored(other.result)}


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
    assert staged.pin("gamma-staged") != before[0] and staged.pin("alpha-table") == before[1]
    with pytest.raises(Refusal, match="no entry"):
        command.pin("nobody")


def test_results_of_local_models_are_no_input_of_their_own_publication(case: Case, root: Path) -> None:
    place = root / "results" / "gold" / SUITE
    place.mkdir(parents=True)
    for name in ("local-heuristic-1--2026-11-30.json", "maker-model-1--2026-11-30.json"):
        (place / name).write_text("{}")
    (place.parent / "feed.json").write_text("{}")
    assert GoldCommand(root, None).committed() == [f"results/gold/{SUITE}/maker-model-1--2026-11-30.json"]
