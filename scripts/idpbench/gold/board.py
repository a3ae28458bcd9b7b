"""Which results are shown, and which of them may be ranked against each other. Pages and feed ask here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from idpbench.gold.metrics import as_number, composite, millionths
from idpbench.gold.result.document import as_numbers, member_score, published
from idpbench.gold.result.schema import Member, Result

NOT_STAGED = "workbook_not_staged"


@dataclass(frozen=True)
class Standing:
    """A result with its place among those that it may be compared with: same suite, same mode, same members present."""

    result: Result
    rank: int
    ranked: int


def latest(results: Iterable[Result]) -> list[Result]:
    """The newest result per model, suite and prompt mode, by the time it finished; ties by document digest."""
    found: dict[tuple[str, str, str], Result] = {}
    for result in results:
        key = (result.model.requested_id, result.suite.suite_id, result.prompt.mode)
        if key not in found or _age(result) > _age(found[key]):
            found[key] = result
    return list(found.values())


def present(result: Result) -> frozenset[str]:
    """The members whose workbook was at hand."""
    return frozenset(member.member_id for member in result.members if not absent(member))


def absent(member: Member) -> bool:
    """Whether a member was skipped because its workbook was not staged."""
    return member.skip is not None and member.skip.code == NOT_STAGED


def standings(results: Iterable[Result]) -> list[Standing]:
    """Results with their ranks: composite descending, ties by model id; each group of equals counts from 1 to n.

    Groups stand in the order suite (newest first), mode, most members present.
    """
    groups: dict[tuple[str, str, frozenset[str]], list[Result]] = {}
    for result in results:
        groups.setdefault((result.suite.suite_id, result.prompt.mode, present(result)), []).append(result)
    order = sorted(groups, key=lambda key: (-len(key[2]), sorted(key[2])))
    order.sort(key=lambda key: key[1] != "contract")
    order.sort(key=lambda key: key[0], reverse=True)
    found = []
    for key in order:
        group = sorted(groups[key], key=lambda result: (-result.composite, result.model.requested_id))
        found += [Standing(result, place, len(group)) for place, result in enumerate(group, start=1)]
    return found


@dataclass(frozen=True)
class Averages:
    """Five macro averages and their composite over some members, as documents spell numbers."""

    metrics: dict[str, float]
    composite: float
    members: int


def over(result: Result, members: Collection[str]) -> Averages | None:
    """The averages over some of the members; None over none."""
    scores = [member_score(member) for member in result.members if member.member_id in members]
    if not scores:
        return None
    found = published(scores)
    return Averages(as_numbers(found), as_number(composite(found)), len(scores))


def over_present(result: Result) -> Averages | None:
    """The averages over the members whose workbook was at hand."""
    return over(result, present(result))


def cost_per_solved(result: Result) -> float | None:
    """US dollars per passed member, to the sixth decimal, halves up; None where a cost is unknown or nothing passed."""
    passed = sum(member.status == "passed" for member in result.members)
    if not result.totals.cost.complete or not passed:
        return None
    return as_number(millionths(Fraction(repr(result.totals.cost.total)) / passed))


def newest_suite(suites: Sequence[str]) -> str:
    """The latest of some suite ids."""
    return max(suites)


def _age(result: Result) -> tuple[str, str]:
    return result.time.finished_at, result.digest
