"""The commands on a small repository: what they write, print and return."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from gold_case import Case
from gold_small import MEMBERS, SUITE

from idpbench.cli.main import main
from idpbench.files.canonical import pretty
from idpbench.gold.result.document import document_digest, file_name

NAME = "maker-model-1--2026-11-30.json"


@pytest.fixture
def root(case: Case, tmp_path: Path) -> Path:
    """A repository in which the run was published by hand."""
    root = Path(shutil.copytree(case.root, tmp_path / "repository"))
    place = root / "results/gold" / SUITE
    place.mkdir(parents=True)
    assert file_name(case.ran.result) == NAME
    shutil.copy(case.ran.folder.result, place / NAME)
    return root


def gold(root: Path, *words: str) -> int:
    return main(["gold", *words, "--root", str(root)])


def rewrite(root: Path, **changes: object) -> None:
    """Change the committed result, and seal it again."""
    path = root / "results/gold" / SUITE / NAME
    document = json.loads(path.read_text())
    document |= changes
    path.write_text(pretty({**document, "digest": document_digest(document)}))


def test_feed_and_pages_are_written_once_and_then_up_to_date(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gold(root, "feed", "--check") == 1
    assert gold(root, "feed") == 0 and gold(root, "feed", "--check") == 0
    assert json.loads((root / "results/gold/feed.json").read_text())["suite_id"] == SUITE
    capsys.readouterr()
    assert gold(root, "report") == 0
    assert re.findall(r"README.md: (\w+)", capsys.readouterr().out) == ["written", "written"]
    assert gold(root, "report") == 0
    assert re.findall(r"README.md: (\w+)", capsys.readouterr().out) == ["unchanged", "unchanged"]


def test_validate_prints_one_line_per_problem(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold(root, "feed")
    capsys.readouterr()
    assert gold(root, "validate", "--rescore") == 0
    spoken = capsys.readouterr()
    assert spoken.out == ""
    assert "results: 1 valid of 1" in spoken.err and f"{NAME}: 2 members scored again" in spoken.err
    rewrite(root, composite=0.9)
    assert gold(root, "validate") == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch(rf"\S+/{SUITE}/{NAME} \$\.composite: COMPOSITE: found 0.9, expected 0\.\d+", line)


def test_validate_sees_an_old_feed_a_wrong_folder_and_a_broken_suite(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold(root, "feed")
    feed = root / "results/gold/feed.json"
    feed.write_text(feed.read_text().replace('"rank": 1', '"rank": 2') + " ")
    other = root / "results/gold/gold-2026.02"
    other.mkdir()
    assert gold(root, "validate") == 1 and ": FEED: out of date" in capsys.readouterr().out
    shutil.move(root / "results/gold" / SUITE / NAME, other / NAME)
    assert gold(root, "validate") == 1
    assert "FOLDER: it lies in the folder of gold-2026.02" in capsys.readouterr().out
    table = root / "corpus/gold" / SUITE / "tables" / "omega-table.csv"
    table.write_bytes(table.read_bytes().replace(b"4011", b"4012"))
    assert gold(root, "validate") == 1
    assert re.search(r"^corpus/gold/gold-2026.01/omega-table: FILE: ", capsys.readouterr().out, re.M)


def test_rescore_finds_a_score_that_the_recipe_does_not_earn(
    root: Path, case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    members = case.document["members"]
    members[1]["warnings"] = {"MISSING_ASSIGNMENT": 1}
    rewrite(root, members=members)
    gold(root, "feed")
    capsys.readouterr()
    assert gold(root, "validate") == 0
    assert gold(root, "validate", "--rescore") == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert " $.members[1].warnings: RESCORE: found {'MISSING_ASSIGNMENT': 1}, expected " in line


def test_nothing_is_made_from_a_result_that_is_not_valid(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(root, composite=0.9)
    assert gold(root, "report") == 2 and gold(root, "feed") == 2
    assert "COMPOSITE" in capsys.readouterr().err
    assert not (root / "results/gold/README.md").exists()


def test_without_results_feed_and_pages_say_so(root: Path) -> None:
    (root / "results/gold" / SUITE / NAME).unlink()
    assert gold(root, "validate") == 0
    assert gold(root, "feed") == 0 and gold(root, "report") == 0
    assert all(
        "benchmark" not in entry for entry in json.loads((root / "results/gold/feed.json").read_text())["models"]
    )
    assert "No result has been committed.\n\n## " in (root / "results/gold/README.md").read_text()


def test_verify_says_what_is_not_staged_and_what_is_wrong(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gold(root, "verify") == 0
    assert "4 members, 1 not staged (gamma-staged); 0 problems" in capsys.readouterr().out
    recipe = root / "corpus/gold" / SUITE / "recipes" / "beta-table.json"
    recipe.write_bytes(recipe.read_bytes() + b" ")
    assert gold(root, "verify") == 1
    assert capsys.readouterr().out.startswith("beta-table: FILE: ")
    assert gold(root, "verify", "--suite", "gold-2026.03") == 2
    assert "did you mean gold-2026.01?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    (
        ("feed", "--results"),
        ("report", "--results"),
        ("validate", "--results"),
        ("validate", "--staged"),
        ("verify", "--staged"),
        ("run", "--model", "local/heuristic-1", "--staged"),
    ),
)
def test_a_folder_that_is_named_must_be_there(
    words: tuple[str, ...], root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        gold(root, *words, str(root / "nowhere"))
    assert ended.value.code == 2 and "expected a folder, found" in capsys.readouterr().err
    assert not (root / "nowhere").exists()


def test_freeze_refuses_a_draft_that_is_not_there(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gold(root, "freeze", str(root / "nowhere")) == 2
    assert "draft.json" in capsys.readouterr().err


def test_run_prints_both_composites_and_where_the_result_lies(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gold(root, "run", "--model", "local/heuristic-1", "--run-id", "h1") == 0
    spoken = capsys.readouterr()
    assert re.search(r"all 4 members +0\.\d{3} ", spoken.out) and re.search(r"3 present +0\.\d{3} ", spoken.out)
    assert "work/gold/runs/h1/result.json" in spoken.out
    assert [line.split("]")[0] for line in spoken.err.splitlines()[2:]] == [f"[{n}/4" for n in (1, 2, 3, 4)]
    assert gold(root, "run", "--model", "local/heuristic-1", "--attempts", "1", "--max-calls", "2") == 3
    assert gold(root, "run", "--model", "local/heuristic-1", "--member", "beta-table", "--run-id", "h2") == 0
    assert re.search(r"\n1 present and asked for +0\.\d{3} ", capsys.readouterr().out)


def test_pages_show_composition_both_composites_and_no_rank_across_presence(root: Path, case: Case) -> None:
    document = case.document
    document["model"]["requested_id"] = "maker/model-2"
    for member in document["members"]:
        if member["member_id"] == "gamma-staged":
            attempt = {**document["members"][3]["attempts"][1], "n": 1, "kind": "initial"}
            member |= {"status": "failed", "skip": None, "attempts": [attempt]}
            member["failure"] = {"code": "transport_error", "message": "HTTP_500: down"}
    totals = document["totals"]
    totals["calls"], totals["attempts"]["transport_error"] = 6, 2
    document["by_status"] |= {"failed": 2, "skipped": 0}
    path = root / "results/gold" / SUITE / NAME.replace("-1--", "-2--")
    path.write_text(pretty({**document, "digest": document_digest(document)}))
    assert gold(root, "report") == 0
    board = (root / "results/gold/README.md").read_text()
    assert board.index("4 of 4 members present") < board.index("3 of 4 members present")
    assert board.count("| 1      |") == 2 and "| 2      |" not in board
    assert "composite over present" in board and "0.30 pass + 0.30 exact + 0.15 cells + 0.15 addresses" in board
    page = (root / "results/gold" / SUITE / "README.md").read_text()
    for part in ("`bank_asset`", "`hard`", "`abs`", "`filled_spans`", "marked as published in a data bank", *MEMBERS):
        assert part in page
    assert "skipped: workbook not staged" in page and "failed: transport_error" in page
