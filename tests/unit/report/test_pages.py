"""Publishing pages that are made from results/: the same bytes again, nothing left over, nothing foreign touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from published import line, publish_side, repeats, settings, sides

from idpbench.files.atomic import write_text
from idpbench.files.canonical import write_json
from idpbench.report import landing
from idpbench.report.altered import altered
from idpbench.report.bundle import derived
from idpbench.report.guidance.page import write as write_guidance
from idpbench.report.models import render as render_models
from idpbench.report.pages import page_files, with_landing
from idpbench.report.publish import publish
from idpbench.report.studies.definition import load_missing, load_studies
from idpbench.report.studies.page import write as write_studies
from idpbench.report.trend import figure_files, points


class Desk:
    """results/ of a project, and its pages' steps in one call."""

    def __init__(self, root: Path) -> None:
        self.root, self.results = root, root / "results"

    def side(self, version: str, suite: str = "corefast") -> None:
        rows = [*repeats(3, "core-tt-simple-sep", "tiny_form"), line("core-tt-adv-sep", "tiny_form", cost=0.3)]
        publish_side(self.results / "local", version, suite, rows)

    def page(self, name: str) -> Path:
        """Make one page and publish it; the stamp."""
        made = self.root / "work" / name / "made"
        shelf = sides(self.results / "local")
        if name == "models":
            write_text(made / "models.md", render_models(settings(), shelf, "local"))
        elif name == "guidance":
            write_guidance(settings(), shelf, "local", made)
        else:
            write_studies(settings(), load_studies(settings()), load_missing(settings()), shelf, "local", made)
        files, stamp = page_files(made, "local", name), made.parent / "published.json"
        publish(
            {}, results=self.results, state=made.parent / "publish-state.json", stamp=stamp,
            shared=lambda: with_landing(self.results, files),
        )  # fmt: skip
        return stamp

    def content(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.results)): p.read_bytes() for p in self.results.rglob("*") if p.is_file()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(tmp_path)
    found.side("0.6.9")
    return found


def test_pages_are_the_same_bytes_from_the_same_results(desk: Desk, tmp_path: Path) -> None:
    for name in ("models", "guidance", "studies"):
        desk.page(name)
    before = desk.content()
    other = Desk(tmp_path / "clone")
    other.side("0.6.9")
    for name in ("models", "studies", "guidance"):
        other.page(name)
    assert before == other.content()
    assert {"local/models.md", "local/guidance/README.md", "local/studies/README.md", "README.md"} <= set(before)


def test_the_landing_page_links_each_page_once_it_exists(desk: Desk) -> None:
    desk.page("models")
    text = (desk.results / "README.md").read_text(encoding="utf-8")
    assert "(local/models.md)" in text and "guidance" not in text.split("## Local")[1]
    desk.page("guidance")
    assert "(local/guidance/README.md)" in (desk.results / "README.md").read_text(encoding="utf-8")


def test_the_landing_page_links_a_sibling_benchmark_once_it_has_a_page(tmp_path: Path) -> None:
    assert "sibling" not in landing.render(tmp_path)
    write_text(tmp_path / "gold/README.md", "the board")
    text = landing.render(tmp_path)
    assert "(gold/README.md)" in text and "claims/" not in text


def test_a_page_that_was_changed_by_hand_is_made_again_and_only_a_missing_one_is_asked_for(desk: Desk) -> None:
    stamp = desk.page("models")
    path = desk.results / "local" / "models.md"
    write_text(path, "by hand")
    assert altered(stamp, desk.results) == ""
    path.unlink()
    assert altered(stamp, desk.results) != ""
    desk.page("models")
    assert altered(stamp, desk.results) == "" and path.read_text(encoding="utf-8").startswith("---")


def test_a_study_and_a_figure_that_are_not_made_any_more_go_and_what_is_not_ours_stays(desk: Desk) -> None:
    desk.page("studies")
    desk.page("guidance")
    studies, guidance = desk.results / "local" / "studies", desk.results / "local" / "guidance"
    write_text(studies / "withdrawn.md", '---\ntitle: "x"\nstudy: withdrawn\n---\n')
    write_text(studies / "notes.md", "somebody's own")
    for suffix in (".png", ".svg", ".csv"):
        write_text(guidance / f"old_figure{suffix}", "x")
    write_text(guidance / "picture.svg", "x")
    desk.page("studies")
    desk.page("guidance")
    assert not (studies / "withdrawn.md").exists() and not list(guidance.glob("old_figure.*"))
    assert (studies / "notes.md").exists() and (guidance / "picture.svg").exists()


def test_what_a_workflow_leaves_in_a_folder_is_not_published(desk: Desk) -> None:
    made = desk.page("models").parent / "made"
    write_text(made / ".snakemake_timestamp", "")
    assert set(page_files(made, "local", "models")) == {"local/models.md"}


def test_the_three_kinds_of_page_do_not_mix(desk: Desk) -> None:
    for name in ("models", "guidance", "studies"):
        desk.page(name)
    guidance = (desk.results / "local" / "guidance" / "README.md").read_text(encoding="utf-8")
    studies = (desk.results / "local" / "studies" / "README.md").read_text(encoding="utf-8")
    assert "Verdict" not in guidance and "PREV" not in guidance and "regression" not in guidance
    assert "Recommendations" not in studies and "PREV" not in studies


def test_releases_are_a_table_and_from_the_third_on_a_figure(desk: Desk) -> None:
    write_text(desk.results / "local" / "models.md", "models")
    desk.side("0.6.8")
    text = landing.render(desk.results)
    assert [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| 0.6.")] == ["0.6.9", "0.6.8"]
    assert figure_files(desk.results / "local") == {} and "trend" not in text
    desk.side("0.6.10")
    files = derived(desk.results, "local")
    assert {f"local/releases/trend{suffix}" for suffix in (".png", ".svg", ".csv")} <= set(files)
    assert b"![The release grid over releases" in files["README.md"]
    assert [point.version for point in points(sides(desk.results / "local"))] == ["0.6.8", "0.6.9", "0.6.10"]
    assert files == derived(desk.results, "local")


def test_a_release_with_a_page_has_its_verdict_in_the_table(desk: Desk) -> None:
    folder = desk.results / "local" / "releases"
    write_text(folder / "v0.6.9.md", "page")
    entry = {
        "schema": "idpbench/release/1", "pair": {"version": "0.6.9", "prev": "0.6.8"}, "verdict": "pass",
        "notable": "no difference found", "addresses": {"page": "releases/v0.6.9.md"},
    }  # fmt: skip
    write_json(folder / "v0.6.9" / "release.json", entry)
    write_text(desk.results / "local" / "models.md", "models")
    assert "| [0.6.9](local/releases/v0.6.9.md) | pass (against 0.6.8) |" in landing.render(desk.results)
