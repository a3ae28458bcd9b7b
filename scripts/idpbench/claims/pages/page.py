"""results/claims/README.md: every published result, suite by suite, with what its figures can and cannot tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.claims.compare import cell
from idpbench.files.tables import MISSING, count, markdown, number

SHOWN = (
    ("precision", "precision"),
    ("recall", "recall"),
    ("calibration_error", "calibration error"),
    ("calibration_error_semantic", "semantic calibration error"),
)
MOST_LISTED = 12
LONGEST_CLAIM = 160
READING = (
    "Precision is the share of stated claims that match a gold claim at a confidence not below its floor, recall the "
    "share of required gold claims matched that way. Brackets hold Wilson's 95 % interval, `n` the number of claims or "
    "gold claims behind a figure. The calibration error compares stated confidence with how often claims match; the "
    "semantic one lets a claim below the floor count as right. A figure with nothing to measure is n/a, never 1."
)
NUMBERS = (
    "No threshold on similarity tells a wrong number or a negation from a right one: such pairs score 0.79 to 0.99. "
    "The columns *equal numbers* refuse a pair whose numbers differ; they are no headline, since they also refuse "
    "rightly paraphrased numbers. They stand on the same claims and gold claims as the headline."
)
LENIENT = (
    "*At 0.65* is a second cut for prose, on the same claims and gold claims, shown only where at most 5 % of the "
    "pairs of gold claims of one case reach it: they are different facts, so that share, its noise, should be 0. `n` "
    "is the number of those pairs."
)
PROPERTIES = (
    "Modality: can a claim be checked (FALSIFIABLE), does it judge, tell an experience, or hold because it is said; "
    "polarity: does the source assert, deny or suppose it; validity: until when does it hold."
)
MEANING = {
    "false_non_falsifiable_rate": "of what can be checked, taken for something else",
    "narrative_emission_rate": "of the entries that tell a story, those with a claim that says so",
    "wrong_declined_rate": "of what is asserted, taken for denied",
    "wrong_hidden_rate": "of what is asserted, taken for denied or supposed",
    "wrong_expiry_rate": "of what is durable, given an end",
    "expiry_precision": "of what was given an end, what has one",
    "expiry_recall": "of what has an end, what was given one",
    "date_accuracy": "of what has both ends, those within the suite's tolerance in days",
}


def render(
    results: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    harness: Sequence[Mapping[str, Any]],
    conformance: Mapping[str, Any],
) -> str:
    """The page. `results` are aggregates in the order shown, `names` suite id -> name, the others reports."""
    parts = [
        "# Claims: does an extractor state the right facts?",
        _abstract(results),
        READING,
        markdown(*_overview(results, names)),
        NUMBERS,
        markdown(*_beside(results)),
        LENIENT,
        *_subjects(results),
        *_harness(harness),
        *_conformance(conformance),
        "## What was missed, and what was stated beyond the gold",
        f"At most {MOST_LISTED} of a kind. *Too timid*: a gold claim that was found, but stated below its floor.",
        "\n\n".join(_details(result, names) for result in results),
        "## How it was measured",
        _how(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _abstract(results: Sequence[Mapping[str, Any]]) -> str:
    stated = sum(result["emitted"] for aggregate in results for result in aggregate["passes"])
    cases = sum(aggregate["passes"][0]["cases_run"] for aggregate in results)
    extractors = {aggregate["extractor_id"] for aggregate in results}
    return (
        f"{len(extractors)} extractors on {len(results)} suites with {cases} cases stated {count(stated)} claims. Gold "
        "claims were written from the sources, not from what an extractor states; docs/claims.md says where they were "
        "revised later."
    )


def _overview(
    results: Iterable[Mapping[str, Any]], names: Mapping[str, str]
) -> tuple[list[str], list[list[str]], list[str]]:
    headers = ["suite", "extractor", "runs", "cases", "claims"]
    for _, label in SHOWN:
        headers += [label, "n"]
    rows = []
    for aggregate in results:
        first = aggregate["passes"][0]
        row = [
            f"{names.get(aggregate['suite_id'], aggregate['suite_id'])} (`{aggregate['suite_id']}`)",
            _extractor(aggregate),
            str(aggregate["runs"]),
            f"{first['cases_run']} of {first['cases_total']}",
            count(first["emitted"]),
        ]
        for metric, _ in SHOWN:
            row += _figure(aggregate, metric)
        rows.append(row)
    return headers, rows, ["left", "left", *["right"] * (len(headers) - 2)]


def _figure(aggregate: Mapping[str, Any], metric: str) -> list[str]:
    found = cell(aggregate, metric)
    interval = "" if found.low is None else f" [{number(found.low, 2)}, {number(found.high, 2)}]"
    return [number(found.mean) + interval, count(found.support)]


def _beside(results: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[list[str]], list[str]]:
    metrics = (
        "precision_exact_numbers",
        "recall_exact_numbers",
        "precision_lenient",
        "recall_lenient",
        "lenient_noise",
    )
    headers = [
        "suite",
        "precision, equal numbers",
        "recall, equal numbers",
        "precision at 0.65",
        "recall at 0.65",
        "noise at 0.65",
        "n",
    ]
    rows = []
    for aggregate in results:
        figures = aggregate["figures"]
        rows.append(
            [
                f"`{aggregate['suite_id']}`",
                *(number(figures[name]["mean"]) if name in figures else MISSING for name in metrics),
                count(cell(aggregate, "lenient_noise").support),
            ]
        )
    return headers, rows, ["left", *["right"] * (len(headers) - 1)]


def _subjects(results: Iterable[Mapping[str, Any]]) -> list[str]:
    rows = []
    resolvers = set()
    for aggregate in results:
        first = aggregate["passes"][0]
        if first["subject_resolution"] is None:
            continue
        resolvers.add(first["subject_resolution"]["resolver"])
        for suffix, label in (("", "all"), ("_linked", "with a reference"), ("_null", "without one")):
            figures = [
                first["figures"].get(f"resolution_{kind}{suffix}") for kind in ("accuracy", "wrong_ref", "bare_local")
            ]
            if figures[0] is not None:
                values = [number(figure["value"]) if figure else MISSING for figure in figures]
                rows.append([f"`{aggregate['suite_id']}`", label, *values, count(figures[0]["support"])])
    if not rows:
        return []
    return [
        "## Names and the entries they reach",
        "Each gold subject is resolved from its own mention, whatever the extractor stated. A resolver that links "
        "nothing is right about every name without a reference: read the split. *Left bare* is a name without any "
        "reference though it has one. "
        f"Resolver: {', '.join(sorted(resolvers))}.",
        markdown(
            ["suite", "names", "right", "wrong reference", "left bare", "n"],
            rows,
            ["left", "left", *["right"] * 4],
        ),
    ]


def _harness(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    if not reports:
        return []
    rows = [
        [
            report["kind"],
            f"`{report['suite_id']}`",
            _extractor(report),
            name,
            MEANING[name],
            number(figure["value"]),
            figure["support"],
        ]
        for report in reports
        for name, figure in report["figures"].items()
    ]
    found = ", ".join(
        f"{report['aligned']} of {report['aligned'] + report['unaligned']} ({report['kind']})" for report in reports
    )
    classes = [
        [
            report["kind"],
            name,
            number(report["precision"][name]["value"]),
            report["precision"][name]["support"],
            number(report["recall"][name]["value"]),
            report["recall"][name]["support"],
        ]
        for report in reports
        for name in report.get("precision", {})
    ]
    return [
        "## Modality, polarity, validity",
        f"{PROPERTIES} Only claims that align with a label at 0.65 are measured. Labels that found a claim: {found}.",
        markdown(
            ["property", "suite", "extractor", "figure", "share", "value", "n"],
            rows,
            ["left", "left", "left", "left", "left", "right", "right"],
        ),
        markdown(
            ["property", "class", "precision", "n", "recall", "n"],
            classes,
            ["left", "left", "right", "right", "right", "right"],
        ),
    ]


def _conformance(report: Mapping[str, Any]) -> list[str]:
    rows = [
        [
            f"`{row['fixture_id']}`",
            row["source_type"],
            row["extractor_id"] or MISSING,
            row["claims"],
            number(row["recommended"]["with_subjects"], 2),
            "in form" if not row["failures"] else "; ".join(row["failures"]),
        ]
        for row in report["fixtures"]
    ]
    return [
        "## Conformance",
        "Whether every extractor states claims in form for a source of its type; not whether they are right. *With "
        "subjects* is the share of claims that name what they are about, which is not required. Fixtures: "
        f"`{report['corpus_digest'][:16]}`; reports over other fixtures are not comparable.",
        markdown(
            ["fixture", "source type", "extractor", "claims", "with subjects", "finding"],
            rows,
            ["left", "left", "left", "right", "right", "left"],
        ),
    ]


def _details(aggregate: Mapping[str, Any], names: Mapping[str, str]) -> str:
    result = aggregate["passes"][0]
    missed = [case["expected"][gold] for case in result["per_case"] for gold in case["missed_required"]]
    beyond = [
        claim["content"] or "(text not recorded)"
        for case in result["per_case"]
        for claim in case["emitted_claims"]
        if claim["outcome"] == "spurious"
    ]
    timid = [
        f"{case['expected'][gold]} (stated at {stated:g}, floor {floor:g})"
        for case in result["per_case"]
        for gold, stated, floor in case["under_confidence"]
    ]
    lines = [f"**{names.get(aggregate['suite_id'], aggregate['suite_id'])}**, {_extractor(aggregate)}"]
    lines += _listed("missed", missed) + _listed("beyond the gold", beyond) + _listed("too timid", timid)
    lines += [f"- note: {note}" for note in result["quality_notes"]]
    return "\n".join([lines[0], "", *lines[1:]]) if len(lines) > 1 else f"{lines[0]}: nothing."


def _listed(label: str, texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    shown = [f"- {label}: {_cut(text)}" for text in texts[:MOST_LISTED]]
    return shown + ([f"- {label}: {len(texts) - MOST_LISTED} more"] if len(texts) > MOST_LISTED else [])


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_CLAIM else f"{flat[:LONGEST_CLAIM]}..."


def _extractor(document: Mapping[str, Any]) -> str:
    return f"{document['extractor_id']} {document['extractor_version']}"


def _how(results: Sequence[Mapping[str, Any]]) -> str:
    judges = sorted({aggregate["judge"]["id"] for aggregate in results})
    thresholds = sorted({aggregate["judge"]["threshold"] for aggregate in results})
    scorers = sorted({aggregate["scorer"][:16] for aggregate in results})
    return "\n".join(
        [
            f"- judge: {'; '.join(judges)}, two claims are one fact from similarity "
            f"{', '.join(f'{threshold:g}' for threshold in thresholds)}",
            f"- scorer: {', '.join(scorers)}; the extractors are deterministic and ask no model",
            "- files: `<suite>/<extractor>-<version>.json` beside this page hold every claim with its outcome, so that "
            "anyone can score them again: `idpbench claims score --suite SUITE.yaml --emitted FILE`",
        ]
    )
