"""results/gold/<suite>/README.md: what a frozen suite is made of, and how each model did on each part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idpbench.files.tables import MISSING, markdown, number
from idpbench.gold.board import absent, latest, over, present
from idpbench.gold.metrics import as_number
from idpbench.gold.pages.render import fill, rates
from idpbench.gold.pages.words import DIFFICULTY_WORDS, METRIC_WORDS, SOURCE_WORDS
from idpbench.gold.result.document import member_score
from idpbench.gold.result.schema import Member, Result
from idpbench.gold.suite.manifest import Manifest
from idpbench.gold.suite.manifest import Member as Described

SHORT = [short for short, _ in METRIC_WORDS.values()]


def render(manifest: Manifest, features: Mapping[str, str], results: Sequence[Result]) -> str:
    """The page. `features`: tag -> meaning; `results`: valid ones, of any suite."""
    shown = sorted(
        (one for one in latest(results) if one.suite.suite_id == manifest.suite_id),
        key=lambda one: (one.model.requested_id, one.prompt.mode),
    )
    summary = manifest.summary
    return fill(
        "suite",
        suite=manifest,
        summary=summary,
        by_kind=markdown(
            ["source kind", "meaning", "members"],
            [[f"`{kind}`", SOURCE_WORDS[kind], n] for kind, n in summary.source_kind.items()],
        ),
        by_difficulty=markdown(
            ["difficulty", "meaning", "members"],
            [[f"`{level}`", words, summary.difficulty.get(level, 0)] for level, words in DIFFICULTY_WORDS.items()],
        ),
        by_publisher=markdown(["publisher", "members"], [[f"`{name}`", n] for name, n in summary.publisher.items()]),
        by_tag=markdown(
            ["tag", "meaning", "members"],
            [[f"`{tag}`", words, summary.feature.get(tag, 0)] for tag, words in features.items()],
        ),
        members=markdown(
            ["member", "what it is", "difficulty", "publisher", "rows", "tags"],
            [_described(member) for member in manifest.members],
        ),
        terms=markdown(["workbooks", "licence", "attribution"], _terms(manifest)),
        staged=sum(member.workbook.storage == "staged" for member in manifest.members),
        models=[_model(result, manifest) for result in shown],
    )


def _described(member: Described) -> list[str]:
    tags = ", ".join(member.features)
    kind = "" if member.workbook.storage == "committed" else " (staged)"
    rows = f"{member.reference.table.rows:,}"
    return [f"`{member.member_id}`{kind}", member.title, member.difficulty, member.publisher, rows, tags]


def _terms(manifest: Manifest) -> list[list[str]]:
    """One line for each licence and attribution, with the number of distinct workbooks under it."""
    found: dict[tuple[str, str], set[str]] = {}
    for member in manifest.members:
        book = member.workbook
        found.setdefault((book.licence, book.attribution), set()).add(book.sha256)
    return [[str(len(books)), licence, source] for (licence, source), books in sorted(found.items())]


def _model(result: Result, manifest: Manifest) -> dict[str, object]:
    """One model's findings by difficulty, source kind, publisher and tag, over the members that were at hand."""
    here = present(result)
    parts: list[tuple[str, list[str]]] = []
    for level in DIFFICULTY_WORDS:
        parts.append((f"difficulty `{level}`", [one.member_id for one in manifest.members if one.difficulty == level]))
    for kind in manifest.summary.source_kind:
        parts.append((f"source `{kind}`", [one.member_id for one in manifest.members if one.source_kind == kind]))
    for name in manifest.summary.publisher:
        parts.append((f"publisher `{name}`", [one.member_id for one in manifest.members if one.publisher == name]))
    for tag in manifest.summary.feature:
        parts.append((f"tag `{tag}`", [one.member_id for one in manifest.members if tag in one.features]))
    rows = []
    for label, names in parts:
        at_hand = set(names) & here
        rows.append([label, f"{len(at_hand)} of {len(names)}", *rates(over(result, at_hand))])
    return {
        "id": result.model.requested_id,
        "mode": result.prompt.mode,
        "finished": result.time.finished_at[:10],
        "parts": markdown(["members", "present", "composite", *SHORT], rows),
        "members": markdown(["member", "status", "composite", *SHORT], [_member(one) for one in result.members]),
    }


def _member(member: Member) -> list[str]:
    if absent(member):
        return [f"`{member.member_id}`", "skipped: workbook not staged", *[MISSING] * 6]
    reason = member.failure or member.skip
    status = member.status if reason is None else f"{member.status}: {reason.code}"
    return [f"`{member.member_id}`", status, *_own(member)]


def _own(member: Member) -> list[str]:
    found = member_score(member)
    return list(map(number, (as_number(found.composite), *member.metrics.model_dump().values())))
