"""Index, landing page, baseline and whole publications: derived from what lies in results/."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sides import comparison, finding, row, write_side

from idpbench.files.atomic import write_text
from idpbench.files.canonical import bytes_digest, read_json, write_json
from idpbench.files.errors import Refusal
from idpbench.report import altered, index, landing
from idpbench.report.bundle import derived, pair_files, side_only
from idpbench.report.evidence import claims, page_pair, side_pair
from idpbench.report.inputs import load
from idpbench.report.ownership import Pair, decide
from idpbench.report.promote import baseline, promoted
from idpbench.report.publish import publish
from idpbench.report.release_page import entry, pair_of, render

LINES = [row("a-cell", doc, 0) for doc in ("tiny_form", "small_narrow")]


class Workshop:
    """results/ and work/ of a project in a temporary folder, with the steps of a release in one call."""

    def __init__(self, root: Path) -> None:
        self.results, self.work = root / "results", root / "work"

    def render(self, version: str, prev: str, *, cost: float = 0.1, series: str = "a", content: object = None) -> Path:
        """Make sides, verdict and page of a pair below work/ and return its folder."""
        folder = self.work / f"{version}-{prev}~{series}"
        start = {"start": _start(version)}
        lines = [line | {"cost": cost} for line in LINES]
        write_side(folder / "new", version, lines, meta={"series": series}, **start)  # type: ignore[arg-type]
        write_side(folder / "base", prev, LINES, start=_start(prev))
        write_json(folder / "comparison.json", content or comparison())
        inputs = load(folder / "new", folder / "base", folder / "comparison.json")
        root = self.results / "local"
        addresses = decide(pair_of(inputs), claims(root, pair_of(inputs), folder / "new", folder / "base"))
        write_json(folder / "release.json", entry(inputs, addresses))
        write_text(folder / "page.md", render(inputs, addresses, folder / "figures"))
        return folder

    def publish(self, folder: Path) -> dict[str, str]:
        """Publish a rendered pair."""
        files, backend, owned = pair_files(
            results=self.results, page=folder / "page.md", entry=folder / "release.json", figures=folder / "figures",
            comparison=folder / "comparison.json", new=folder / "new", base=folder / "base",
        )  # fmt: skip
        return publish(
            files, results=self.results, state=folder / "publish-state.json", stamp=folder / "published.json",
            owned=owned, shared=lambda: derived(self.results, backend), head=lambda path: None,
        )  # fmt: skip

    def release(self, version: str, prev: str, **more: object) -> dict[str, str]:
        return self.publish(self.render(version, prev, **more))  # type: ignore[arg-type]


def _start(version: str):  # type: ignore[no-untyped-def]
    from datetime import UTC, datetime, timedelta

    return datetime(2026, 11, 2, tzinfo=UTC) + timedelta(days=sum(int(part) for part in version.split(".")))


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_the_index_has_the_newest_version_first(shop: Workshop) -> None:
    for version, prev in (("0.6.9", "0.6.8"), ("0.10.0", "0.6.9"), ("0.6.10", "0.6.9")):
        shop.release(version, prev)
    text = index.render(shop.results / "local", "local")
    assert [line.split("[")[1].split("]")[0] for line in text.splitlines() if line.startswith("| [")] == [
        "0.10.0", "0.6.10", "0.6.9",
    ]  # fmt: skip
    assert (shop.results / "local/releases/README.md").read_text(encoding="utf-8") == text


def test_an_index_line_names_accuracy_cost_and_what_is_notable(shop: Workshop) -> None:
    lost = finding("a-cell|tiny_form.pdf", "completeness_recall", 1.0, 0.5)
    shop.release("0.6.9", "0.6.8", cost=0.12, content=comparison("regression", rows={"regressions": [lost]}))
    line = next(line for line in index.render(shop.results / "local", "local").splitlines() if "[0.6.9]" in line)
    assert "regression" in line
    assert "1.000" in line
    assert "$0.1000 → $0.1200 (+20.0 %)" in line
    assert "recall of a-cell\\|tiny_form 1.000 → 0.500" in line


def test_a_pair_that_owns_nothing_has_no_index_line_and_promotes_nothing(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    before = (shop.results / "local/releases/README.md").read_bytes()
    digests = shop.release("0.6.9", "0.6.9", series="b")
    assert {name.split("/")[3] for name in digests} == {"0.6.9-0.6.9-corefast~b"}
    assert (shop.results / "local/releases/README.md").read_bytes() == before
    assert "0.6.9-0.6.9-corefast~b" in landing.render(shop.results)


def test_the_baseline_is_the_previous_side_of_the_newest_promoted_release(shop: Workshop) -> None:
    shop.release("0.10.0", "0.6.9")
    shop.release("0.6.9", "0.6.8")
    found = read_json(shop.results / "local/baseline.json", "baseline")
    summary = (shop.results / "local/v0.6.9/corefast/summary.json").read_bytes()
    assert found["baseline"] == {"source": "local/v0.6.9/corefast/summary.json", "sha256": bytes_digest(summary)}
    assert found["rows"] == read_json(shop.results / "local/v0.6.9/corefast/summary.json")["rows"]


def test_an_incomparable_release_keeps_the_baseline_of_the_one_before(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    shop.release("0.10.0", "0.6.9", content=comparison("incomparable"))
    found = promoted(shop.results / "local", "local")
    assert found is not None
    assert found["baseline"]["source"] == "local/v0.6.8/corefast/summary.json"


def test_a_baseline_names_its_source_and_digest() -> None:
    assert baseline(b'{"rows": [], "meta": {}}', "local/v0.6.8/corefast/summary.json")["baseline"] == {
        "source": "local/v0.6.8/corefast/summary.json",
        "sha256": bytes_digest(b'{"rows": [], "meta": {}}'),
    }
    with pytest.raises(Refusal, match="rows"):
        baseline(b'{"cells": []}', "x/summary.json")


def test_page_and_sides_name_the_pair_that_published_them(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    root = shop.results / "local"
    assert page_pair(root / "releases/v0.6.9.md") == "0.6.9-0.6.8-corefast"
    assert side_pair(root / "v0.6.9/corefast") == side_pair(root / "v0.6.8/corefast") == "0.6.9-0.6.8-corefast"


def test_a_second_pair_of_the_same_version_leaves_the_first_untouched(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    first = {path: path.read_bytes() for path in (shop.results / "local/v0.6.9").rglob("*") if path.is_file()}
    page = (shop.results / "local/releases/v0.6.9.md").read_bytes()
    digests = shop.release("0.6.9", "0.6.7", cost=0.2)
    assert all(name.startswith("local/releases/other/0.6.9-0.6.7-corefast/") for name in digests)
    assert first == {path: path.read_bytes() for path in first}
    assert (shop.results / "local/releases/v0.6.9.md").read_bytes() == page


def test_the_next_release_links_the_side_that_the_one_before_published(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    digests = shop.release("0.6.10", "0.6.9")
    assert not [name for name in digests if "v0.6.9" in name]
    assert "(../v0.6.9/corefast/summary.json)" in (shop.results / "local/releases/v0.6.10.md").read_text(
        encoding="utf-8"
    )


def test_publishing_again_changes_nothing_even_without_work(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    before = {path: path.read_bytes() for path in shop.results.rglob("*") if path.is_file()}
    shutil.rmtree(shop.work)
    shop.release("0.6.9", "0.6.8")
    assert before == {path: path.read_bytes() for path in shop.results.rglob("*") if path.is_file()}


def test_a_page_rendered_before_somebody_else_took_the_address_is_not_published(shop: Workshop) -> None:
    folder = shop.render("0.6.9", "0.6.8")
    shop.release("0.6.9", "0.6.7")
    with pytest.raises(Refusal, match="render it again"):
        shop.publish(folder)


def test_the_address_param_is_empty_for_an_owner_and_names_whoever_came_first(shop: Workshop) -> None:
    root = shop.results / "local"
    assert altered.address(root, Pair("0.6.9", "0.6.8")) == ""
    shop.release("0.6.9", "0.6.8")
    assert altered.address(root, Pair("0.6.9", "0.6.8")) == ""
    assert "0.6.9-0.6.8-corefast" in altered.address(root, Pair("0.6.9", "0.6.7"))
    aside = altered.address(root, Pair("0.6.9", "0.6.9", series="b"))
    assert aside == altered.address(root, Pair("0.6.9", "0.6.9", series="b"))
    shop.release("0.6.9", "0.6.8", cost=0.3)
    assert altered.address(root, Pair("0.6.9", "0.6.9", series="b")) != aside


def test_a_suite_of_one_version_never_writes_over_a_side_that_a_pair_owns(shop: Workshop, tmp_path: Path) -> None:
    side = write_side(tmp_path / "side", "0.6.9", LINES)
    files, backend = side_only(results=shop.results, side=side)
    assert backend == "local"
    assert set(files) == {
        f"local/v0.6.9/corefast/{name}"
        for name in ("summary.json", "summary.csv", "cell_stats.csv", "meta.json", "runs.jsonl.gz")
    }
    shop.release("0.6.9", "0.6.8", cost=0.2)
    assert side_only(results=shop.results, side=side) == ({}, "local")


def test_the_landing_page_lists_the_pages_that_exist(shop: Workshop) -> None:
    shop.release("0.6.9", "0.6.8")
    write_text(shop.results / "local/guidance/README.md", "guidance")
    text = landing.render(shop.results)
    for page in ("local/releases/README.md", "local/guidance/README.md", "local/baseline.json"):
        assert f"[{page}]({page})" in text
    assert "models.md" not in text
    assert "aws" not in text
