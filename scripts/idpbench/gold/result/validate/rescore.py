"""Scoring a result again from its inline recipes: no call is made, and every number must come out as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from idpbench.gold.execute import execute
from idpbench.gold.issues import Issue, Unusable
from idpbench.gold.recipe.parse import read_recipe
from idpbench.gold.result.schema import EXECUTED, Member, Result
from idpbench.gold.result.validate.found import differs
from idpbench.gold.run.attempts import Answered
from idpbench.gold.run.judge import Judged
from idpbench.gold.run.score import scored_member
from idpbench.gold.suite.load import Suite
from idpbench.gold.suite.manifest import Member as Described

FIELDS = ("status", "produced", "counts", "metrics", "warnings", "mismatches")


def rescore(result: Result, suite: Suite) -> Iterator[Issue]:
    """Issues of every executed member whose workbook is at hand; others are left as they are."""
    for index, (member, described) in enumerate(zip(result.members, suite.manifest.members, strict=False)):
        if member.status in EXECUTED and member.recipe is not None and member.member_id == described.member_id:
            yield from _again(member, described, suite, f"$.members[{index}]")


def rescored(result: Result, suite: Suite) -> int:
    """How many members can be scored again here."""
    at_hand = {one.member_id for one in suite.manifest.members if suite.workbook(one) is not None}
    return sum(member.status in EXECUTED and member.member_id in at_hand for member in result.members)


def _again(member: Member, described: Described, suite: Suite, path: str) -> Iterator[Issue]:
    workbook = suite.parsed(described)
    if workbook is None or member.recipe is None:
        return
    document = member.recipe.document
    try:
        production = execute(read_recipe(document), workbook)
    except Unusable as error:
        yield Issue("RESCORE", f"{path}.recipe.document", f"it does not execute: {error}"[:500])
        return
    judged = Judged("executed", (), document, production)
    answered = Answered(tuple(member.attempts), judged)
    again = scored_member(member.member_id, answered, judged, suite.reference(described)).model_dump()
    for name, value in member.model_dump(include=set(FIELDS)).items():
        yield from differs(f"{path}.{name}", "RESCORE", value, again[name])
