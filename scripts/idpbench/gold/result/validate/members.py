"""A member of a result against itself and against the suite: status, recipe, production, counts, metrics, sample."""

from __future__ import annotations

from collections.abc import Iterator

from idpbench.gold.issues import Issue, Unusable
from idpbench.gold.jcs import jcs
from idpbench.gold.mismatches import MOST_ROWS, TEXT_SHOWN, no_mismatches
from idpbench.gold.recipe.parse import read_recipe
from idpbench.gold.recipe.schema import Recipe
from idpbench.gold.result.document import as_numbers, member_score
from idpbench.gold.result.schema import (
    EXECUTED,
    MOST_RECIPE,
    NO_RESPONSE,
    Counts,
    Member,
    Mismatches,
    MismatchRow,
    Produced,
)
from idpbench.gold.result.validate.found import differs, unless
from idpbench.gold.suite.manifest import Member as Described
from idpbench.gold.tidy import prefixed

SKIPS = ("workbook_not_staged", "call_cap_reached")


def check_member(member: Member, described: Described, path: str) -> Iterator[Issue]:
    """Everything about one member but its attempts' order."""
    yield from _presence(member, path)
    yield from _reason(member, described, path)
    for name, value in as_numbers(member_score(member).published).items():
        yield from differs(f"{path}.metrics.{name}", "METRIC", getattr(member.metrics, name), value)
    if member.status not in EXECUTED or None in (member.recipe, member.produced, member.counts):
        return
    yield from _executed(member, described, path)


def _presence(member: Member, path: str) -> Iterator[Issue]:
    """Which fields a status has and which it cannot have."""
    executed = member.status in EXECUTED
    wanted = {
        "recipe": executed,
        "produced": executed,
        "counts": executed,
        "failure": member.status == "failed",
        "skip": member.status == "skipped",
    }
    for name, present in wanted.items():
        words = f"{'no value' if present else 'a value'} beside status {member.status}"
        yield from unless((getattr(member, name) is not None) == present, f"{path}.{name}", "STATUS", words)
    yield from unless(executed or not member.warnings, f"{path}.warnings", "STATUS", "warnings without an execution")
    if member.status != "partial":
        found = member.mismatches.model_dump()
        yield from differs(f"{path}.mismatches", "MISMATCHES", found, no_mismatches())
    asked = member.status != "skipped"
    yield from unless(
        bool(member.attempts) == asked, f"{path}.attempts", "STATUS", f"{len(member.attempts)} beside {member.status}"
    )


def _reason(member: Member, described: Described, path: str) -> Iterator[Issue]:
    """The status follows from the attempts; a skip has one of the known reasons."""
    endings = [attempt.outcome for attempt in member.attempts]
    if member.skip is not None:
        code = member.skip.code
        staged = described.workbook.storage == "staged"
        known = code in SKIPS and (staged or code != "workbook_not_staged")
        yield from unless(known, f"{path}.skip.code", "SKIP", f"{code} is no reason to leave this member out")
    if member.status in EXECUTED and endings:
        usable = endings[-1] == "executed" or ("empty_output" in endings and endings[-1] not in NO_RESPONSE)
        yield from unless(usable, f"{path}.status", "STATUS", f"no attempt gave a recipe that counts: {endings}")
        if endings[-1] != "executed" and member.produced is not None:
            yield from differs(f"{path}.produced.rows", "STATUS", member.produced.rows, 0)
        if endings[-1] == "executed" and member.produced is not None:
            yield from unless(member.produced.rows > 0, f"{path}.produced.rows", "STATUS", "executed without rows")
    if member.failure is not None and endings:
        yield from differs(f"{path}.failure.code", "STATUS", member.failure.code, endings[-1])
        lost = endings[-1] in NO_RESPONSE or not {"executed", "empty_output"} & set(endings)
        yield from unless(lost, f"{path}.status", "STATUS", f"an attempt gave a recipe that counts: {endings}")


def _executed(member: Member, described: Described, path: str) -> Iterator[Issue]:
    recipe, produced, counts = member.recipe, member.produced, member.counts
    if recipe is None or produced is None or counts is None:
        return
    try:
        form = jcs(recipe.document)
        names = columns_of(read_recipe(recipe.document))
    except (ValueError, Unusable) as error:
        yield Issue("RECIPE", f"{path}.recipe.document", str(error)[:300])
        return
    yield from differs(f"{path}.recipe.sha256", "RECIPE", recipe.sha256, prefixed(form))
    yield from unless(len(form) <= MOST_RECIPE, f"{path}.recipe.document", "RECIPE", f"{len(form)} bytes")
    yield from differs(f"{path}.produced.columns", "PRODUCED", produced.columns, len(names))
    wanted = {column.name for column in described.task.columns}
    shared = len(names & wanted)
    exact = produced.table_sha256 == described.reference.table.sha256
    yield from differs(f"{path}.status", "STATUS", member.status, "passed" if exact else "partial")
    yield from _counts(counts, produced, described, shared, exact, f"{path}.counts")
    if exact:
        yield from differs(f"{path}.produced.rows", "PRODUCED", produced.rows, described.reference.table.rows)
    if not exact:
        sample = member.mismatches
        yield from differs(
            f"{path}.mismatches.columns_missing", "MISMATCHES", sample.columns_missing, sorted(wanted - names)
        )
        yield from differs(
            f"{path}.mismatches.columns_extra", "MISMATCHES", sample.columns_extra, sorted(names - wanted)
        )
        yield from _sample(sample, produced, described, f"{path}.mismatches")
        for index, row in enumerate(sample.rows):
            yield from _row(row, wanted, names, f"{path}.mismatches.rows[{index}]")


def columns_of(recipe: Recipe) -> set[str]:
    """Names of the columns that a recipe makes."""
    headers = {header.name for table in recipe.tables for header in table.headers}
    return headers | {table.values.name for table in recipe.tables}


def _counts(
    counts: Counts, produced: Produced, described: Described, shared: int, exact: bool, path: str
) -> Iterator[Issue]:
    """The eight counts as far as sizes and digests of both sides decide them."""
    table, trace = described.reference.table, described.reference.trace
    common = min(table.rows, produced.rows) * shared
    union = table.rows * table.columns + produced.rows * produced.columns - common
    equal_traces = produced.trace_sha256 == trace.sha256
    expected = {"cells_union": union, "headers_reference": trace.value_cells, "headers_produced": produced.rows}
    if exact:
        expected["cells_matched"] = union
    if equal_traces:
        expected["headers_matched"] = trace.value_cells
        expected["addresses_produced"] = expected["addresses_shared"] = counts.addresses_reference
    for name, value in expected.items():
        yield from differs(f"{path}.{name}", "COUNT", getattr(counts, name), value)
    most = {
        "cells_matched": common,
        "addresses_reference": trace.value_cells,
        "addresses_produced": produced.rows,
        "addresses_shared": min(counts.addresses_reference, counts.addresses_produced),
        "headers_matched": min(trace.value_cells, produced.rows),
    }
    for name, value in most.items():
        found = getattr(counts, name)
        yield from unless(found <= value, f"{path}.{name}", "COUNT", f"found {found}, at most {value} is possible")
    for name, rows in (("addresses_reference", trace.value_cells), ("addresses_produced", produced.rows)):
        yield from unless((getattr(counts, name) > 0) == (rows > 0), f"{path}.{name}", "COUNT", f"{rows} rows")


def _sample(sample: Mismatches, produced: Produced, described: Described, path: str) -> Iterator[Issue]:
    """The sample against its own total, and against the rows that there are on either side."""
    reference = described.reference.table.rows
    yield from differs(f"{path}.rows", "MISMATCHES", len(sample.rows), min(MOST_ROWS, sample.mismatch_total))
    most = max(reference, produced.rows)
    yield from unless(
        sample.mismatch_total <= most, f"{path}.mismatch_total", "MISMATCHES", f"there are {most} rows at most"
    )
    before = 0
    for index, row in enumerate(sample.rows):
        place = f"{path}.rows[{index}]"
        yield from unless(before < row.row <= most, f"{place}.row", "MISMATCHES", f"row {row.row} after row {before}")
        before = row.row
        in_both = row.row <= min(reference, produced.rows)
        kind = "different" if in_both else "missing" if row.row <= reference else "extra"
        yield from differs(f"{place}.kind", "MISMATCHES", row.kind, kind)
        for side, absent in (("reference", "extra"), ("produced", "missing")):
            for name in (side, f"source_{side}"):
                words = f"{row.kind} rows have {'nothing' if row.kind == absent else 'a value'} here"
                there = getattr(row, name) is not None
                yield from unless(there == (row.kind != absent), f"{place}.{name}", "MISMATCHES", words)


def _row(row: MismatchRow, wanted: set[str], names: set[str], path: str) -> Iterator[Issue]:
    """The texts of a sampled row have the columns of their side, and `columns` are those that differ."""
    for side, columns in (("reference", wanted), ("produced", names)):
        texts: dict[str, str] | None = getattr(row, side)
        if texts is not None:
            yield from differs(f"{path}.{side}", "MISMATCHES", sorted(texts), sorted(columns))
            yield from unless(
                all(len(text) <= TEXT_SHOWN + 3 for text in texts.values()),
                f"{path}.{side}",
                "MISMATCHES",
                "long texts",
            )
    if row.reference is None or row.produced is None:
        yield from differs(f"{path}.columns", "MISMATCHES", row.columns, [])
        return
    ours, theirs = row.reference, row.produced
    shared = set(ours) & set(theirs)
    apart = {name for name in shared if ours[name] != theirs[name]} | (wanted ^ names)
    beyond = {name for name in shared if ours[name] == theirs[name] and len(ours[name]) == TEXT_SHOWN + 3}
    fits = apart <= set(row.columns) <= apart | beyond and row.columns == sorted(set(row.columns)) != []
    yield from unless(fits, f"{path}.columns", "MISMATCHES", f"the columns that differ are {sorted(apart)}")
