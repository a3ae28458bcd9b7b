"""Retention: what stays in results/, what may go, and that whatever goes can be had back."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import ROOT, line, publish_side, repeats, settings, sides

from idpbench.cli import main
from idpbench.files.canonical import write_json
from idpbench.report import landing, models
from idpbench.report.guidance import page as guidance_page
from idpbench.report.retention.decide import UNRECORDED, PublishedSet, decide, tells_of
from idpbench.report.retention.history import page_lines, recorded
from idpbench.report.retention.page import render
from idpbench.report.retention.remove import listing
from idpbench.report.retention.uses import comparison_pages, made_from
from idpbench.report.studies.definition import load_studies
from idpbench.report.studies.page import render_study
from idpbench.report.studies.result import answer

SIMPLE, ADVANCED = "core-tt-simple-sep", "core-tt-adv-sep"
OLD_GRID, OLD_SMOKE = "local/v0.6.8/coresynth", "local/v0.6.8/smoke"


def a_set(address: str, backend: str = "local") -> PublishedSet:
    return PublishedSet(backend, address, (("summary.json", 10), ("runs.jsonl.gz", 90)))


def publish_both(results: Path) -> None:
    """Two releases: the newer has a grid and a smoke set of its own, so nothing reads the older one's any more."""
    for version in ("0.6.8", "0.6.9"):
        for suite in ("corefast", "coresynth", "smoke"):
            rows = [*repeats(2, SIMPLE, "tiny_form"), *repeats(2, ADVANCED, "small_narrow")]
            publish_side(results, version, suite, rows)
    publish_side(results, "0.6.8", "intconf", repeats(2, "core-tt-simple-int", "small_narrow"))


def unused(results: Path) -> list[str]:
    used = made_from(results, settings(), load_studies(settings()), sides(results))
    return [s.name for s in listing(results.parent, results.name) if not s.of_release and s.address not in used]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with results/ as above, and a page of an earlier day that told of the older release's grid."""
    results = tmp_path / "results"
    publish_both(results / "local")
    page = results / "local" / "guidance" / "README.md"
    page.parent.mkdir()
    git(tmp_path, "init", "-q")
    page.write_text("0.6.8, coresynth: 4 runs, 0 failed, 2026-11-09\n", encoding="utf-8")
    commit(tmp_path, "guidance of 0.6.8")
    page.write_text("0.6.9, coresynth: 4 runs, 0 failed, 2026-11-10\n", encoding="utf-8")
    commit(tmp_path, "guidance of 0.6.9")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def retention(folder: Path, *words: str) -> int:
    return main(["retention", "--root", str(ROOT), "--results", str(folder / "results"), *words])


def test_the_set_of_a_release_stays_even_if_nothing_is_made_from_it() -> None:
    [decision] = decide([a_set("v0.6.8/corefast")], {}, {"local/v0.6.8/corefast": "a page"})
    assert decision.keep and decision.reasons == ("the set of release 0.6.8",)


def test_a_set_that_a_page_is_made_from_stays_although_a_page_recorded_it() -> None:
    name = "local/v0.6.8/scaling"
    [decision] = decide([a_set("v0.6.8/scaling")], {name: ["a study shows it"]}, {name: "a page"})
    assert decision.keep and decision.reasons == ("a study shows it",)


def test_a_set_that_no_page_has_recorded_stays() -> None:
    [decision] = decide([a_set("v0.6.8/scaling")], {}, {})
    assert decision.keep and decision.reasons == (UNRECORDED,)


def test_a_recorded_set_that_nothing_reads_goes_and_says_where_it_is_recorded() -> None:
    [decision] = decide([a_set("v0.6.8/scaling")], {}, {"local/v0.6.8/scaling": "guidance/README.md at 1a2b3c4"})
    assert not decision.keep
    assert "guidance/README.md at 1a2b3c4" in decision.reasons[0]
    assert decision.found.size == 100


@given(
    st.sets(st.tuples(st.sampled_from(["0.6.8", "0.6.9"]), st.sampled_from(["corefast", "corefast~b", "smoke"]))),
    st.data(),
)
def test_nothing_goes_unless_it_is_recorded_and_unread(found: set[tuple[str, str]], data: st.DataObject) -> None:
    sets = [a_set(f"v{version}/{grid}") for version, grid in found]
    some = st.sets(st.sampled_from([s.name for s in sets])) if sets else st.just(set())
    used, known = data.draw(some), data.draw(some)
    going = {
        d.found.name for d in decide(sets, {name: ["x"] for name in used}, dict.fromkeys(known, "y")) if not d.keep
    }
    assert going == {s.name for s in sets if s.name in known and s.name not in used and s.grid != "corefast"}


@pytest.mark.parametrize(
    "text",
    [
        "[summary.json](../v0.6.9/scaling/summary.json)",
        "Measured on 0.6.9/scaling.",
        "0.6.9, scaling: 14 runs, 1 failed, 2026-11-30",
        "0.6.8 and 0.6.9, cost and scaling: 14 runs, 0 failed",
        "| `sonnet46` | extraction | 0.6.9 | 14 | 1 | 2026-11-30 | cost (9, 0), scaling (14, 1) |",
    ],
)
def test_a_page_tells_of_a_set_by_address_as_evidence_or_among_the_models(text: str) -> None:
    assert tells_of(text, "0.6.9", "scaling")


@pytest.mark.parametrize(
    "text",
    [
        "v0.6.9/scalingsimple",
        "v0.6.9/scaling__ocr-bda",
        "v0.6.9/scaling~b",
        "v10.6.9/scaling",
        "v0.6.9-rc.1/scaling",
        "v0.6.90/scaling",
        "0.6.9.1, scaling: 4 runs",
        "suite scaling has not been run on 0.6.9",
        "0.6.9, cost: 9 runs; scaling is not yet measured",
        "| `sonnet46` | extraction | 0.6.8 | 14 | 1 | 2026-11-30 | scaling (14, 1) |",
    ],
)
def test_another_set_is_not_taken_for_it(text: str) -> None:
    assert not tells_of(text, "0.6.9", "scaling")


def test_a_set_beside_a_comparison_is_recorded_by_that_comparison_s_page_only() -> None:
    beside = a_set("releases/other/0.6.9-0.6.8-smoke/v0.6.9/smoke")
    lines = [
        ("aaa", "local/releases/v0.6.9.md", "v0.6.9/smoke"),
        ("bbb", "aws/releases/other/0.6.9-0.6.8-smoke/README.md", "v0.6.9/smoke"),
    ]
    assert recorded([beside], lines) == {}
    own = ("ccc", "local/releases/other/0.6.9-0.6.8-smoke/README.md", "v0.6.9/smoke")
    assert recorded([beside], [*lines, own]) == {beside.name: f"{own[1]} at ccc"}


def test_a_release_page_and_another_comparison_hold_both_sets_that_they_name(tmp_path: Path) -> None:
    for place, new in (("v0.6.9", "v0.6.9/corefast"), ("other/0.6.9-0.6.8-smoke", "v0.6.9/smoke")):
        addresses = {"page": f"releases/{place}.md", "new": new, "base": new.replace("0.6.9", "0.6.8")}
        entry = {"schema": "idpbench/release/1", "addresses": addresses}
        write_json(tmp_path / "releases" / place / "release.json", entry)
    baseline = {
        "schema": "idpbench/baseline/1",
        "baseline": {"source": f"{tmp_path.name}/v0.6.7/corefast/summary.json"},
    }
    write_json(tmp_path / "baseline.json", baseline)
    found = comparison_pages(tmp_path)
    assert set(found) == {"v0.6.9/corefast", "v0.6.8/corefast", "v0.6.9/smoke", "v0.6.8/smoke", "v0.6.7/corefast"}


def test_only_superseded_sets_of_older_releases_are_unread(tmp_path: Path) -> None:
    publish_both(tmp_path / "local")
    assert unused(tmp_path / "local") == [OLD_GRID, OLD_SMOKE]


def test_the_older_set_is_read_while_it_alone_has_a_model_and_so_are_its_controls(tmp_path: Path) -> None:
    publish_both(tmp_path / "local")
    rows = [line(SIMPLE, "tiny_form", axes={"extraction_model": "sonnet5"})]
    publish_side(tmp_path / "local", "0.6.8", "coresynth", rows, slug="extraction-model-sonnet5")
    assert unused(tmp_path / "local") == []


def test_without_the_sets_that_nothing_reads_every_page_keeps_its_bytes(tmp_path: Path) -> None:
    results = tmp_path / "local"
    publish_both(results)

    def pages() -> list[str]:
        lying = sides(results)
        made = [guidance_page.render(settings(), lying, "local"), models.render(settings(), lying, "local")]
        made += [render_study(settings(), answer(study, lying), "local") for study in load_studies(settings())]
        return [*made, landing.render(tmp_path), render(tmp_path, ("local",))]

    before = pages()
    for name in unused(results):
        shutil.rmtree(tmp_path / name)
    assert pages() == before


def test_a_dry_run_says_what_may_go_and_removes_nothing(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(repository.rglob("*"))
    assert retention(repository) == 0
    out = capsys.readouterr().out
    assert "1 set may go" in out
    assert re.search(rf"{OLD_GRID}\s+\d+\.\d\d MB\s+recorded by local/guidance/README.md at [0-9a-f]+", out)
    assert re.search(rf"{OLD_SMOKE}\s+\d+\.\d\d MB\s+{UNRECORDED}", out)
    assert sorted(repository.rglob("*")) == before


def test_what_was_removed_comes_back_by_the_command_of_the_page(repository: Path) -> None:
    lost = repository / "results" / OLD_GRID
    held = {path.name: path.read_bytes() for path in lost.iterdir()}
    assert retention(repository, "--apply") == 0
    assert not lost.exists() and (repository / "results" / OLD_SMOKE).is_dir()
    commit(repository, "retention")
    assert retention(repository, "--apply") == 0
    page = render(repository / "results", ("local",))
    command = next(line for line in page.splitlines() if "git checkout" in line).strip()
    subprocess.run(["bash", "-ec", f"SET=results/{OLD_GRID}; {command}"], cwd=repository, check=True)
    assert {path.name: path.read_bytes() for path in lost.iterdir()} == held


@pytest.mark.parametrize("file", ["summary.json", "a_note.txt"])
def test_what_git_does_not_hold_as_it_is_is_refused_by_name(
    repository: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = repository / "results" / OLD_GRID / file
    place.write_bytes((place.read_bytes() if place.exists() else b"") + b"\n")
    assert retention(repository, "--apply") == 2
    error = capsys.readouterr().err
    assert str(place) in error and "runs.jsonl.gz" not in error
    assert (place.parent / "runs.jsonl.gz").exists()


def test_nothing_is_removed_while_a_committed_page_is_missing(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "results/local/guidance/README.md").unlink()
    assert retention(repository, "--apply") == 2
    assert "guidance/README.md: a committed page that is missing" in capsys.readouterr().err
    assert (repository / "results" / OLD_GRID).is_dir()


def test_outside_a_repository_nothing_counts_as_recorded(tmp_path: Path) -> None:
    publish_both(tmp_path / "results" / "local")
    assert list(page_lines(tmp_path / "results")) == []
    assert retention(tmp_path, "--apply") == 0
    assert (tmp_path / "results" / OLD_GRID).is_dir()


def test_the_page_lists_one_set_a_release_newest_first_and_says_how_whole_it_is(tmp_path: Path) -> None:
    publish_both(tmp_path / "local")
    publish_side(tmp_path / "local", "0.6.10", "corefast", [line(SIMPLE, "tiny_form")], planned=9, scored=1)
    rows = [text for text in render(tmp_path, ("aws", "local")).splitlines() if text.startswith("| local")]
    assert [row.split("|")[2].strip() for row in rows] == ["0.6.10", "0.6.9", "0.6.8"]
    assert "1 / 9 PARTIAL" in rows[0] and "none of its own" in rows[0]
    assert not any("coresynth" in row for row in rows)
