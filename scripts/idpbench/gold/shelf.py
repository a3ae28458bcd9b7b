"""The committed results of all suites: read, checked, and what is made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.files.errors import Refusal
from idpbench.gold.feed import FILE, feed, feed_bytes
from idpbench.gold.issues import Issue
from idpbench.gold.pages import leaderboard, suite_page
from idpbench.gold.place import SUITES, open_suite, suite_ids
from idpbench.gold.result.schema import Result
from idpbench.gold.result.validate.document import read_result
from idpbench.gold.result.validate.rescore import rescore, rescored
from idpbench.gold.suite.load import Suite
from idpbench.gold.suite.verify import verify_suite
from idpbench.settings.gold import load_gold

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Shelf:
    """Valid results by path, the suites they may be of, and what is wrong with those that are not valid."""

    suites: Mapping[str, Suite]
    results: Mapping[Path, Result]
    issues: tuple[Issue, ...]

    def demand_valid(self) -> None:
        """Refuse to make anything from results of which one is wrong."""
        if self.issues:
            first = self.issues[0]
            raise Refusal(
                f"{first.path}: {first.code}: {first.message} ({len(self.issues)} in all); "
                "see idpbench gold validate, and restore or remove the document"
            )


def shelf(results: Path, root: Path) -> Shelf:
    """Everything below `results`; a suite that cannot be loaded is a Refusal."""
    settings = load_gold(root)
    suites = {name: open_suite(root, name, root / settings.staged) for name in suite_ids(root)}
    return read_all(committed(results), suites)


def committed(results: Path) -> list[Path]:
    """The result documents: `<suite>/*.json`."""
    return sorted(path for path in results.glob("*/*.json") if path.is_file())


def read_all(paths: Sequence[Path], suites: Mapping[str, Suite]) -> Shelf:
    """Results by path, with their issues; a path of an issue is `<file> $...`."""
    manifests = {name: suite.manifest for name, suite in suites.items()}
    found: dict[Path, Result] = {}
    issues: list[Issue] = []
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            issues.append(Issue("FILE", str(path), str(error.strerror)))
            continue
        result, own = read_result(data, path.name, manifests)
        if result is not None and path.parent.name != result.suite.suite_id:
            own.append(Issue("FOLDER", "$.suite.suite_id", f"it lies in the folder of {path.parent.name}"))
        issues += _placed(own, path)
        if result is not None and not own:
            found[path] = result
    return Shelf(suites, found, tuple(issues))


def feed_of(found: Shelf, root: Path) -> dict[str, Any]:
    """The feed from the valid results."""
    settings = load_gold(root)
    return feed(settings.models, settings.suite, found.results.values())


def pages_of(found: Shelf, root: Path) -> dict[str, bytes]:
    """Destination below results/gold -> bytes: the leaderboard, and one page per suite."""
    settings = load_gold(root)
    results = list(found.results.values())
    manifests = {name: suite.manifest for name, suite in found.suites.items()}
    pages = {"README.md": leaderboard.render(results, manifests, settings.suite, settings.models)}
    for name, suite in found.suites.items():
        pages[f"{name}/README.md"] = suite_page.render(suite.manifest, suite.vocabulary(), results)
    return {name: text.encode("utf-8") for name, text in pages.items()}


def validate(
    root: Path,
    results: Path,
    paths: Sequence[Path] = (),
    *,
    rescore: bool = False,
    staged: Path | None = None,
    tell: Tell = lambda line: None,
) -> list[Issue]:
    """All that is wrong with suites, results and feed; with `paths` only those results, and not the feed."""
    issues: list[Issue] = []
    settings = load_gold(root)
    suites: dict[str, Suite] = {}
    for name in suite_ids(root):
        tell(f"suite {name}: every digest, and every reference executed")
        try:
            suites[name] = open_suite(root, name, staged or root / settings.staged)
        except Refusal as refused:
            issues.append(Issue("SUITE", str(SUITES / name), str(refused)))
            continue
        checked = verify_suite(suites[name])
        issues += [Issue(one.code, f"{SUITES / name}/{one.path}", one.message) for one in checked.issues]
        tell(f"suite {name}: {len(suites[name].manifest.members)} members, {len(checked.absent)} not staged")
    found = read_all(paths or committed(results), suites)
    issues += found.issues
    tell(f"results: {len(found.results)} valid of {len(paths or committed(results))}")
    if rescore:
        for path, result in found.results.items():
            suite = suites[result.suite.suite_id]
            issues += _placed(_rescored(result, suite), path)
            tell(f"{path.name}: {rescored(result, suite)} members scored again")
    if not paths and not found.issues:
        issues += _feed(found, root, results)
    return issues


def _rescored(result: Result, suite: Suite) -> Iterator[Issue]:
    try:
        yield from rescore(result, suite)
    except Refusal as refused:  # the suite itself is broken, and says how
        yield Issue("SUITE", "$.suite", str(refused))


def _feed(found: Shelf, root: Path, results: Path) -> Iterator[Issue]:
    path = results / FILE
    if not found.results and not path.exists():
        return
    if not path.exists() or path.read_bytes() != feed_bytes(feed_of(found, root)):
        yield Issue("FEED", str(path), "out of date; write it by: idpbench gold feed")


def _placed(issues: Iterator[Issue] | list[Issue], path: Path) -> list[Issue]:
    return [Issue(issue.code, f"{path} {issue.path}", issue.message) for issue in issues]
