"""Freezing: a draft becomes a suite that is never changed again.

`freeze` is a pure function of what was read and produced; `freeze_suite` reads, runs and writes around it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import Refusal, bad_input
from idpbench.gold.execute import execute
from idpbench.gold.issues import Issue, Unusable
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.suite.draft import Draft, DraftMember, draft_file, read_draft
from idpbench.gold.suite.load import MANIFEST
from idpbench.gold.suite.manifest import CONTRACTS, SCHEMA, Manifest, suite_digest, summarise
from idpbench.gold.suite.produce import in_own_process
from idpbench.gold.suite.rules import formula_issues, manifest_issues, member_issues, state_issues
from idpbench.gold.suite.vocabulary import read_vocabulary
from idpbench.gold.tidy import csv_bytes, prefixed
from idpbench.gold.trace import trace_bytes
from idpbench.gold.workbook import Workbook, read_workbook

VOCABULARY = "vocabulary/structure-features.json"
_SHOWN = 20


@dataclass(frozen=True)
class Material:
    """What a draft member is made of: bytes of its workbook and recipe, and of the table and trace of two runs."""

    workbook: bytes
    recipe: bytes
    runs: tuple[tuple[bytes, bytes], tuple[bytes, bytes]]


@dataclass(frozen=True)
class Frozen:
    """A suite as files by path within its folder, the manifest among them, and its digest."""

    suite_id: str
    digest: str
    files: Mapping[str, bytes]


def freeze(draft: Draft, material: Mapping[str, Material], vocabulary: bytes) -> Frozen:
    """The suite of a draft, `material` by member id. Refusal with every reason why it cannot be frozen."""
    tags = read_vocabulary(vocabulary, draft.vocabulary)
    files: dict[str, bytes] = {VOCABULARY: vocabulary}
    issues: list[Issue] = []
    members: list[dict[str, Any]] = []
    books: dict[str, Workbook] = {}
    for member in sorted(draft.members, key=lambda member: member.member_id):
        made = material[member.member_id]
        try:
            digest = prefixed(made.workbook)
            if digest not in books:
                books[digest] = read_workbook(made.workbook)
            found = list(_member_issues(member, made, books[digest], tags))
        except Unusable as fault:
            found = [Issue(issue.code, member.member_id, f"{issue.path}: {issue.message}") for issue in fault.issues]
        issues += found
        entry, own = _entry(member, made)
        members.append(entry)
        for path, data in own.items():
            if files.setdefault(path, data) != data:
                issues.append(Issue("FILE_NAME", member.member_id, f"another file of the suite is also {path}"))
    if issues:
        raise _refusal(draft, issues)
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "suite_id": draft.suite_id,
        "frozen_at": draft.frozen_at,
        "contracts": CONTRACTS,
        "vocabulary": {"path": VOCABULARY, "sha256": prefixed(vocabulary)},
        "members": members,
        "summary": summarise(draft.members).model_dump(mode="json"),
    }
    content["digest"] = suite_digest(content)
    if broken := list(manifest_issues(Manifest.model_validate(content))):
        raise _refusal(draft, broken)
    files[MANIFEST] = pretty(content).encode("utf-8")
    return Frozen(draft.suite_id, content["digest"], files)


def freeze_suite(draft_folder: Path, suites: Path, staged: Path | None = None) -> Path:
    """Freeze a draft into `suites/<suite_id>` and return that folder; freezing the same again changes nothing.

    Every reference recipe runs twice, in two processes. Refusal where a workbook is absent, a reference fails or
    breaks a rule, the runs differ, or a suite of that name with another digest exists.
    """
    draft = read_draft(draft_folder)
    with tempfile.TemporaryDirectory(prefix="idpbench-freeze-") as place:
        material = _material(draft, draft_folder, staged, Path(place))
    frozen = freeze(draft, material, draft_file(draft_folder, draft.vocabulary))
    target = suites / frozen.suite_id
    manifest = target / MANIFEST
    if manifest.exists():
        digest = read_json(manifest).get("digest")
        if digest != frozen.digest:
            remedy = "a frozen suite is never changed: give the draft a new suite_id"
            raise bad_input(manifest, "digest", digest, frozen.digest, remedy)
    # The manifest comes last: a suite without one is no suite, so nothing half-written can be taken for it.
    for path, data in sorted(frozen.files.items(), key=lambda item: (item[0] == MANIFEST, item[0])):
        write_bytes(target / path, data)
    return target


def _member_issues(member: DraftMember, made: Material, workbook: Workbook, tags: Mapping[str, str]) -> Iterator[Issue]:
    recipe = parse_recipe(made.recipe)
    yield from member_issues(member, recipe, tags)
    yield from formula_issues(member.member_id, recipe, workbook)
    production = execute(recipe, workbook)
    yield from state_issues(member.member_id, production, member.accepts)
    if not production.table.rows:
        yield Issue("EMPTY_OUTPUT", member.member_id, "the reference has no rows")
    files = csv_bytes(production.table), trace_bytes(production.trace)
    if not made.runs[0] == made.runs[1] == files:
        yield Issue("NOT_DETERMINISTIC", member.member_id, "two runs in two processes gave different bytes")


def _entry(member: DraftMember, made: Material) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The member as the manifest holds it, and the files that it brings into the suite."""
    name = member.member_id
    table, trace = made.runs[0]
    recipe_path, files = f"recipes/{name}.json", {}
    files[recipe_path] = made.recipe
    workbook: dict[str, Any] = member.workbook.model_dump(include={"licence", "attribution", "source_note"})
    workbook |= {"sha256": prefixed(made.workbook), "bytes": len(made.workbook)}
    table_path = trace_path = None
    if member.workbook.path is None:
        workbook |= {"storage": "staged", "ingest_record": member.workbook.staged}
    else:
        path = f"workbooks/{PurePosixPath(member.workbook.path).name}"
        workbook |= {"storage": "committed", "path": path}
        table_path, trace_path = f"tables/{name}.csv", f"traces/{name}.jsonl"
        files |= {path: made.workbook, table_path: table, trace_path: trace}
    rows = trace.count(b"\n")
    columns = len(member.task.columns)
    described = member.model_dump(mode="json", exclude={"workbook", "recipe", "accepts"})
    described["features"] = sorted(member.features)
    described["workbook"] = workbook
    described["reference"] = {
        "recipe": {"path": recipe_path, "sha256": prefixed(made.recipe)},
        "table": {"path": table_path, "sha256": prefixed(table), "rows": rows, "columns": columns},
        "trace": {"path": trace_path, "sha256": prefixed(trace), "value_cells": rows},
    }
    return described, files


def _material(draft: Draft, folder: Path, staged: Path | None, place: Path) -> dict[str, Material]:
    """Read every member's files and run every reference recipe twice."""
    books: dict[str, bytes] = {}
    recipes: dict[str, bytes] = {}
    jobs = []
    for member in draft.members:
        name = member.member_id
        if name in books:
            raise bad_input(folder / "draft.json", "members", f"{name} twice", "each member once", "rename one")
        books[name], recipes[name] = _workbook_bytes(member, folder, staged), draft_file(folder, member.recipe)
        book = place / f"{prefixed(books[name]).removeprefix('sha256:')}.xlsx"
        write_bytes(book, books[name])
        write_bytes(place / f"{name}.json", recipes[name])
        jobs.append({"name": name, "workbook": str(book), "recipe": str(place / f"{name}.json")})
    write_bytes(place / "jobs", pretty(jobs).encode("utf-8"))
    for seed in (1, 2):
        in_own_process(place / "jobs", place / str(seed), seed)

    def run(seed: int, name: str) -> tuple[bytes, bytes]:
        return (place / f"{seed}/{name}.csv").read_bytes(), (place / f"{seed}/{name}.jsonl").read_bytes()

    return {name: Material(books[name], recipes[name], (run(1, name), run(2, name))) for name in books}


def _workbook_bytes(member: DraftMember, folder: Path, staged: Path | None) -> bytes:
    pin = member.workbook
    if pin.path is not None:
        data = draft_file(folder, pin.path)
    else:
        path = (staged or folder / "staged") / str(pin.staged)
        try:
            data = path.read_bytes()
        except OSError as error:
            remedy = "stage the publisher's file: freezing needs every workbook"
            raise bad_input(path, "", error.strerror, f"the workbook of {member.member_id}", remedy) from None
    if pin.sha256 is not None and prefixed(data) != pin.sha256:
        found = f"a workbook of digest {prefixed(data)}"
        raise bad_input(folder / "draft.json", member.member_id, found, pin.sha256, "find the file that was meant")
    return data


def _refusal(draft: Draft, issues: list[Issue]) -> Refusal:
    told = "\n".join(f"  {issue.path}: {issue.code}: {issue.message}" for issue in issues[:_SHOWN])
    more = f"\n  and {len(issues) - _SHOWN} more" if len(issues) > _SHOWN else ""
    return Refusal(f"the draft of {draft.suite_id} cannot be frozen:\n{told}{more}")
