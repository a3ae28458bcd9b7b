"""Results on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.claims.calibrate.fit import Fit
from idpbench.claims.estimate import Estimate
from idpbench.files.tables import MISSING, count, number, terminal


def report_text(aggregate: Mapping[str, Any]) -> str:
    """One extractor on one suite: the figures, and for a single pass what was missed, spurious or too timid."""
    first, runs = aggregate["passes"][0], aggregate["runs"]
    passes = "" if runs == 1 else f" ({runs} passes)"
    lines = [
        f"{aggregate['extractor_id']} {aggregate['extractor_version']} on {aggregate['suite_id']} "
        f"{aggregate['suite_version']}{passes}",
        f"cases {first['cases_run']} of {first['cases_total']}, claims stated "
        f"{_range([result['emitted'] for result in aggregate['passes']])}, required {first['required_total']}",
        f"judge {_judge(aggregate['judge'])}",
        "",
        _figures(aggregate),
    ]
    if runs == 1:
        lines += _details(first)
    lines += [f"note: {note}" for result in aggregate["passes"] for note in result["quality_notes"]]
    return "\n".join(lines)


def estimate_text(found: Estimate) -> str:
    """What the passes would take."""
    return (
        f"{found.cases} cases, {count(found.total_bytes)} bytes, {found.runs} runs: "
        f"up to {count(found.calls)} calls, about {count(found.tokens)} tokens of input "
        "(an extractor that asks no model takes none of them)"
    )


def comparison_text(comparison: Mapping[str, Any]) -> str:
    """A table a suite: a metric a line, an extractor a column; 95 % intervals in brackets, the support behind `of`."""
    parts = []
    for suite in comparison["suites"]:
        rows = [
            [metric, *(_cell(cells[name]) for name in comparison["extractor_ids"])]
            for metric, cells in suite["metrics"].items()
        ]
        head = f"{suite['suite_id']} {suite['suite_version']}"
        parts.append(f"{head}\n{terminal(['metric', *comparison['extractor_ids']], rows)}")
    return "\n\n".join(parts)


def _cell(cell: Mapping[str, Any]) -> str:
    if cell["mean"] is None:
        return MISSING
    interval = "" if cell["low"] is None else f" [{number(cell['low'])}, {number(cell['high'])}]"
    spread = "" if cell["minimum"] == cell["maximum"] else f" ({number(cell['minimum'])}..{number(cell['maximum'])})"
    return f"{number(cell['mean'])}{interval}{spread} of {count(cell['support'])}"


def _figures(aggregate: Mapping[str, Any]) -> str:
    names = list(aggregate["figures"])
    supports = {
        name: _range([result["figures"].get(name, {"support": 0})["support"] for result in aggregate["passes"]])
        for name in names
    }
    if aggregate["runs"] == 1:
        return terminal(
            ["metric", "value", "of"],
            [[name, number(aggregate["figures"][name]["mean"]), supports[name]] for name in names],
        )
    columns = ("mean", "spread", "minimum", "maximum", "stdev")
    return terminal(
        ["metric", *columns, "of"],
        [[name, *(number(aggregate["figures"][name][key]) for key in columns), supports[name]] for name in names],
    )


def _details(result: Mapping[str, Any]) -> list[str]:
    lines = []
    for case in result["per_case"]:
        claims = case["emitted_claims"]
        found = [f"  missed:   {case['expected'][gold]}" for gold in case["missed_required"]]
        found += [f"  spurious: {claims[index]['content'] or f'claim {index}'}" for index in case["spurious"]]
        found += [
            f"  timid:    {case['expected'][gold]} (stated at {stated:g}, floor {floor:g})"
            for gold, stated, floor in case["under_confidence"]
        ]
        if found:
            lines += ["", case["case_id"], *found]
    return lines


def _judge(judge: Mapping[str, Any]) -> str:
    return f"{judge['kind']} at {judge['threshold']:g}: {judge['id']}"


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def harness_text(report: Mapping[str, Any]) -> str:
    """One extractor on one harness suite: the figures, those of each class, and what was taken for what."""
    lines = [
        f"{report['extractor_id']} {report['extractor_version']} on {report['suite_id']} {report['suite_version']}",
        f"cases {report['cases_run']} of {report['cases_total']}, labels that found a claim {report['aligned']}, "
        f"that found none {report['unaligned']}",
        "",
        terminal(
            ["metric", "value", "of"],
            [[name, number(figure["value"]), figure["support"]] for name, figure in report["figures"].items()],
        ),
    ]
    if "confusion" in report:
        classes = [
            [
                name,
                number(report["precision"][name]["value"]),
                report["precision"][name]["support"],
                number(report["recall"][name]["value"]),
                report["recall"][name]["support"],
            ]
            for name in report["precision"]
        ]
        lines += ["", terminal(["class", "precision", "of", "recall", "of"], classes)]
        lines += ["", terminal(["expected", "emitted", "claims"], report["confusion"])]
    return "\n".join([*lines, *(f"note: {note}" for note in report["quality_notes"])])


def fit_text(found: Fit, heldout_suites: Sequence[str]) -> str:
    """A fitted map, what it would change, and on which recorded passes that was checked."""
    held = found.heldout
    rows = [["calibration suites", found.n, number(found.ece_before), number(found.ece_after)]]
    if held is not None:
        errors = [number(held.ece_before), number(held.ece_after)] if held.n else [MISSING, MISSING]
        rows.append([", ".join(heldout_suites) or "no kept pass", held.n, *errors])
    fitted = (
        f"temperature {found.calibration.temperature:.4f}"
        if found.calibration.method == "temperature"
        else f"isotonic, {len(found.calibration.breakpoints)} blocks"
    )
    return (
        f"{fitted}, fitted on {found.n_fitted} of {found.n} claims, {100 * found.positive_rate:.0f} % of them right\n"
        f"{terminal(['claims of', 'n', 'calibration error', 'after'], rows)}"
    )


def conformance_text(report: Mapping[str, Any]) -> str:
    """A line for each fixture, its failures under it, and the digest of the fixtures."""
    rows = [
        [
            row["fixture_id"],
            row["source_type"],
            row["extractor_id"] or MISSING,
            row["claims"],
            number(row["recommended"]["with_subjects"], 2),
            number(row["recommended"]["well_spelt"], 2),
            "in form" if not row["failures"] else "; ".join(row["failures"]),
        ]
        for row in report["fixtures"]
    ]
    headers = ["fixture", "source type", "extractor", "claims", "with subjects", "well spelt", "finding"]
    return f"{terminal(headers, rows)}\nfixtures {report['corpus_digest']}\n"
