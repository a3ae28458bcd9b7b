"""Tables of findings: key, old -> new, n, spread, p and q, repeats that would decide, and the run records behind it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.report import spelling
from idpbench.report.inputs import Inputs, Side, document_of
from idpbench.report.verdict import Finding, metric_name

HEADERS = ("key", "metric", "old → new", "change", "95 % interval", "n")
TAIL = ("p", "q", "notes", "run records")
MOST_LINES = 9
# The gate's notes that stand in the place of a number of repeats.
NO_REPEATS = ("no repeats, spread unknown", "more than 40", "on the threshold")


def finding_table(
    inputs: Inputs, found: Sequence[Finding], links: tuple[str, str]
) -> tuple[list[str], list[list[str]]]:
    """Headers and lines of a list of findings; `links` are the addresses of PREV's and VERSION's run records."""
    spread = "simulated spread" if inputs.new.backend == "local" else "spread"
    places = [record_lines(side) for side in inputs.sides]
    lines = []
    for finding in sorted(found, key=urgency):
        content = finding.content
        lines.append(
            [
                "grid" if finding.level == "grid" else f"`{finding.key}`",
                metric_name(finding.metric) + (", geometric mean" if finding.metric == "cost" else ""),
                spelling.pair(finding.metric, content.get("base"), content.get("new")),
                spelling.delta(finding.metric, content.get("delta")),
                spelling.interval(finding.metric, content.get("low"), content.get("high")),
                f"{content.get('n_base')} {spelling.ARROW} {content.get('n_new')}",
                spelling.spread(finding.metric, content.get("spread")),
                spelling.probability(content.get("p")),
                "out of reach"
                if content.get("q") is None and content.get("p")
                else spelling.probability(content.get("q")),
                notes(finding),
                " ".join(_records(finding, place, link) for place, link in zip(places, links, strict=True)),
            ]
        )
    return [*HEADERS, spread, *TAIL], lines


def classic_lines(comparison: Mapping[str, Any]) -> list[str]:
    """The other pass in its own words: regressions and improvements one a line, inconclusives as a number."""
    found = comparison.get("classic") or {}
    shown = []
    for plural, level in (("cells", "cell"), ("rows", "row")):
        lists = found.get(plural) or {}
        for kind, noun in (("regressions", "regression"), ("improvements", "improvement")):
            shown += [f"{level} {noun}: `{item['key']}`: {item['text']}" for item in lists.get(kind, [])]
        if lists:
            shown.append(f"{level} level, inconclusive: {len(lists.get('inconclusive', []))}")
    return shown


def urgency(finding: Finding) -> tuple[bool, bool, float]:
    """Order of a list: what asks for a second look first, then other harm, then the rest; large effects first."""
    harmful = finding.harmful
    return not finding.second_look, not harmful, -abs(float(finding.content.get("delta") or 0.0))


def notes(finding: Finding) -> str:
    """What the gate adds to a finding: second look, repeats that would decide it, its own notes."""
    own = [str(note) for note in finding.content.get("notes") or []]
    parts = ["asks for a second look"] if finding.second_look else []
    if finding.kind == "inconclusive" and finding.metric != "bill":
        why = next((note for note in own if note in NO_REPEATS), "unknown")
        own = [note for note in own if note not in NO_REPEATS]
        needed = finding.content.get("repeats_needed")
        parts.append(f"repeats that would decide it: {why if needed is None else f'at least {needed:g} a side'}")
    return "; ".join([*parts, *own])


def record_lines(side: Side) -> dict[str, list[int]]:
    """Finding key -> lines of runs.jsonl.gz: for a row's key, for its document, for its cell."""
    by_run = {run.key: run.line for run in side.runs}
    by_place = {(run.cell, run.document, run.repeat): run.line for run in side.runs}
    found: dict[str, set[int]] = defaultdict(set)
    for row in side.rows:
        document = document_of(row)
        line = by_run.get(str(row.get("key"))) or by_place.get((row["cell"], document.split("|")[0], row["repeat"]))
        if line is not None:
            for key in (row["cell"], f"{row['cell']}|{document}", row_key(row["cell"], row["doc"], row.get("sub_doc"))):
                found[key].add(line)
    return {key: sorted(numbers) for key, numbers in found.items()}


def row_key(cell: str, doc: str, sub_doc: str | None) -> str:
    """A row's key as the gate spells it."""
    return "|".join(part for part in (cell, doc, sub_doc) if part)


def _records(finding: Finding, places: dict[str, list[int]], link: str) -> str:
    version = link.split("/v")[-1].split("/")[0]
    if finding.level == "grid":
        return f"[{version}: all]({link})"
    numbers = places.get(finding.key, [])
    return f"[{version}: {_ranges(numbers)}]({link})" if numbers else f"{version}: none"


def _ranges(numbers: Iterable[int]) -> str:
    """`3, 5-7, 9`; long lists are cut after nine lines and say so."""
    every = sorted(numbers)
    parts: list[list[int]] = []
    for number in every[:MOST_LINES]:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    shown = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in parts)
    return shown if len(every) <= MOST_LINES else f"{shown} and {len(every) - MOST_LINES} more"
