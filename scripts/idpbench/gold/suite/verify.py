"""Is a frozen suite still what was frozen: every file, every re-execution, every rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idpbench.files.errors import Refusal
from idpbench.gold.execute import execute
from idpbench.gold.issues import Issue, Unusable
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.suite.load import Suite
from idpbench.gold.suite.manifest import Member
from idpbench.gold.suite.rules import formula_issues, member_issues
from idpbench.gold.tidy import csv_bytes, prefixed
from idpbench.gold.trace import trace_bytes


@dataclass(frozen=True)
class Verification:
    """What is wrong (paths are member ids or files), and which members could not be executed for want of a workbook."""

    issues: tuple[Issue, ...]
    absent: tuple[str, ...]


def verify_suite(suite: Suite) -> Verification:
    """Check every file against its pin and execute every reference again. An absent staged workbook is no issue."""
    issues: list[Issue] = []
    try:
        tags = suite.vocabulary()
    except Refusal as refusal:
        tags = {}
        issues.append(Issue("FILE", suite.manifest.vocabulary.path, str(refusal)))
    absent = []
    for member in suite.manifest.members:
        try:
            found = list(_member_issues(suite, member, tags))
            if suite.parsed(member) is None:
                absent.append(member.member_id)
        except Refusal as refusal:
            found = [Issue("FILE", member.member_id, str(refusal))]
        except Unusable as fault:
            found = [Issue(issue.code, member.member_id, f"{issue.path}: {issue.message}") for issue in fault.issues]
        issues += found
    return Verification(tuple(issues), tuple(absent))


def _member_issues(suite: Suite, member: Member, tags: dict[str, str]) -> Iterator[Issue]:
    recipe = parse_recipe(suite.recipe(member))
    yield from member_issues(member, recipe, tags)
    reference = member.reference
    if reference.table.path is not None and reference.trace.path is not None:
        suite.file(reference.table.path, reference.table.sha256)
        suite.file(reference.trace.path, reference.trace.sha256)
    data, workbook = suite.workbook(member), suite.parsed(member)
    if data is None or workbook is None:
        return
    if len(data) != member.workbook.bytes:
        yield Issue("WORKBOOK_BYTES", member.member_id, f"{len(data)} bytes, expected {member.workbook.bytes}")
    yield from formula_issues(member.member_id, recipe, workbook)
    production = execute(recipe, workbook)
    shape = len(production.table.rows), len(production.table.columns), len(production.trace)
    pinned = reference.table.rows, reference.table.columns, reference.trace.value_cells
    if prefixed(csv_bytes(production.table)) != reference.table.sha256 or shape != pinned:
        yield Issue("TABLE", member.member_id, "the recipe does not produce the pinned table")
    if prefixed(trace_bytes(production.trace)) != reference.trace.sha256:
        yield Issue("TRACE", member.member_id, "the recipe does not produce the pinned trace")
