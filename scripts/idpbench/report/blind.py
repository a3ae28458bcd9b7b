"""What a grid cannot see: its smallest detectable effects, its A/A rate, and the spread of cells that are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.report import spelling
from idpbench.report.inputs import Inputs, document_of
from idpbench.report.strata import is_number, paired
from idpbench.report.verdict import blindness, metric_name, words

REPEATS_FOR_BOTH_WAYS = 4
CONTROL_METRICS = ("completeness_recall", "scalar_accuracy", "cell_accuracy", "cost")


def detectable_table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """Level, metric, number of tests, and the smallest true effect found in 80 % of repetitions: median and largest."""
    headers = ["level", "metric", "tests", "median", "largest"]
    lines = [
        [
            found.level,
            metric_name(found.metric),
            str(found.tests),
            spelling.spread(found.metric, found.middle),
            spelling.spread(found.metric, found.worst),
        ]
        for found in blindness(inputs.comparison)
    ]
    return headers, lines


def word_sentence(inputs: Inputs) -> str:
    """How many judged tests ended with which word."""
    found = words(inputs.comparison)
    if not found:
        return "comparison.json lists no tests."
    parts = [f"{word} {found[word]}" for word in sorted(found)]
    return f"Tests by their word: {spelling.listed(parts)}."


def certificate_sentence(found: Mapping[str, Any] | None) -> str:
    """The share of random relabellings of these runs that gives a regression although nothing changed."""
    if found is None or found.get("regression_share") is None:
        return "A/A rate: not yet computed for these runs."
    loose = f" Loose here: {spelling.text(found['loose'])}." if found.get("loose") else ""
    return (
        f"A/A rate: with both sides relabelled at random, {spelling.share(found['regression_share'])} of "
        f"{found['relabellings']} relabellings give a regression (95 % interval {spelling.share(found['low'])} to "
        f"{spelling.share(found['high'])}), {spelling.share(found['exit4_share'])} ask for a second look.{loose}"
    )


def alias_table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """Cells that resolve alike, on VERSION: their difference is the grid's own noise, an A/A control inside it."""
    groups = alias_groups(inputs)
    headers = ["cell", "same as", *(metric_name(metric) for metric in CONTROL_METRICS)]
    lines = []
    for first, others in groups.items():
        for other in others:
            line = [f"`{other}`", f"`{first}`"]
            for metric in CONTROL_METRICS:
                base, new = (_mean(inputs, metric, cell) for cell in (first, other))
                line.append(spelling.pair(metric, base, new))
            lines.append(line)
    return headers, lines


def alias_groups(inputs: Inputs) -> dict[str, list[str]]:
    """First cell -> the cells that resolve to the same axis values, over the rows of VERSION."""
    by_values: dict[str, list[str]] = {}
    for row in inputs.new.rows:
        key = spelling.text(row.get("resolved"))
        cells = by_values.setdefault(key, [])
        if row.get("resolved") and row["cell"] not in cells:
            cells.append(row["cell"])
    return {cells[0]: cells[1:] for cells in by_values.values() if len(cells) > 1}


def scope_sentences(inputs: Inputs) -> list[str]:
    """What was run, so that what was not is plain."""
    rows = inputs.new.rows
    documents = sorted({document_of(row).split("|")[0] for row in rows})
    repeats = sorted({row["repeat"] for row in rows})
    pages = [int(row["page_count"]) for row in rows if is_number(row.get("page_count"))]
    truth = [int(row["rows_truth"]) for row in rows if is_number(row.get("rows_truth"))]
    suite = inputs.new.meta.get("suite", "unknown")
    found = [
        f"Only suite {suite} was run: {spelling.counted(len({row['cell'] for row in rows}), 'cell')}, "
        f"{spelling.counted(len(documents), 'document')} ({', '.join(documents)}), "
        f"{spelling.counted(len(repeats), 'repeat')}."
    ]
    if pages:
        found.append(f"The longest document has {spelling.counted(max(pages), 'page')}; longer ones were not measured.")
    if truth:
        found.append(f"The largest list has {spelling.counted(max(truth), 'row')}; larger ones were not measured.")
    planned = inputs.comparison.get("planned_repeats")
    if isinstance(planned, int | float) and 0 < planned < REPEATS_FOR_BOTH_WAYS:
        least = f"{planned:g} {'repeat' if planned == 1 else 'repeats'}"
        found.append(
            f"At {least} a document whose metrics move both ways cannot be decided; that needs {REPEATS_FOR_BOTH_WAYS}."
        )
    return found


def _mean(inputs: Inputs, metric: str, cell: str) -> float | None:
    return paired(inputs.new, inputs.new, metric, cell).new
