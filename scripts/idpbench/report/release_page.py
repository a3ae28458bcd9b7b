"""One release page: everything on it comes from comparison.json and the two side folders, nothing from the host."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import fsum
from pathlib import Path
from typing import Any

from idpbench.files.canonical import file_digest
from idpbench.files.tables import markdown
from idpbench.files.tables import money as money_text
from idpbench.report import (
    blind,
    cells,
    census,
    changed,
    coverage,
    headline,
    lines,
    money,
    provenance,
    reliability,
    spelling,
)
from idpbench.report.evidence import SIDE_FILES
from idpbench.report.figures.catalogue import FIGURES
from idpbench.report.inputs import NOT_RECORDED, Inputs, Side, utc
from idpbench.report.ownership import Addresses, Pair, promotion
from idpbench.report.strata import Pairing
from idpbench.report.templating import fill
from idpbench.report.verdict import KINDS, LEVELS, Finding, findings

MOST_CHANGES = 40
SPREADS = {
    "paired": "The spread is the pooled standard deviation between runs of one document.",
    "classic": "The spread is the range between runs of one document.",
}
KIND_TITLES = {"regressions": "Regressions", "improvements": "Improvements", "inconclusive": "Inconclusive"}


def pair_of(inputs: Inputs) -> Pair:
    """The pair as both summaries state it: versions, suite, overrides, VERSION's series."""
    meta = inputs.new.meta
    return Pair(
        version=inputs.new.version,
        prev=inputs.base.version,
        suite=str(meta.get("suite", "unknown")),
        slug=str(meta.get("slug") or ""),
        series=str(meta.get("series") or "a"),
    )


def render(inputs: Inputs, addresses: Addresses, figures: Path, notes: str | None = None) -> str:
    """The page as Markdown. `figures` is the folder whose files say which figures exist; `notes` go in verbatim."""
    text = fill("release", **context(inputs, addresses, figures, notes))
    return text.rstrip("\n") + "\n"


def entry(inputs: Inputs, addresses: Addresses) -> dict[str, Any]:
    """release.json: what the index, the landing page, the promotion and publishing need to know of a page."""
    pair = pair_of(inputs)
    promoted, reason = decide_promotion(inputs, addresses)
    correct = cells.per_correct(inputs)
    stated = inputs.comparison.get("headline") or {}
    cost = cells.cost_pairing(inputs)
    launched = [run.launched for run in inputs.new.runs if run.launched]
    return {
        "schema": "idpbench/release/1",
        "pair": {**asdict(pair), "name": pair.name},
        "backend": inputs.new.backend,
        "addresses": asdict(addresses),
        "verdict": inputs.comparison["verdict"],
        "exploratory": bool(inputs.comparison.get("exploratory")),
        "date": max(launched, default="")[:10] or None,
        "cells": len({row["cell"] for row in inputs.new.rows}),
        "rows": {"base": len(inputs.base.rows), "new": len(inputs.new.rows)},
        "failed": {side: _failed(rows) for side, rows in (("base", inputs.base.rows), ("new", inputs.new.rows))},
        "recall": headline.grid_pair(inputs, "completeness_recall"),
        "accuracy": headline.grid_pair(inputs, "scalar_accuracy"),
        "cost": {"base": cost.base, "new": cost.new, "keys": cost.strata},
        "cost_per_correct": {
            "base": stated.get("base", correct.base),
            "new": stated.get("new", correct.new),
            "keys": stated.get("keys", correct.keys),
        },
        "notable": headline.notable(inputs),
        "promotion": {"promoted": promoted, "reason": reason},
    }


def decide_promotion(inputs: Inputs, addresses: Addresses) -> tuple[bool, str]:
    """Whether PREV's summary becomes baseline.json, and why (or why not)."""
    return promotion(owner=addresses.owner, base_partial=inputs.base.partial, verdict=str(inputs.comparison["verdict"]))


def context(inputs: Inputs, addresses: Addresses, figures: Path, notes: str | None) -> dict[str, Any]:
    """Everything that the template prints."""
    link = partial(_link, addresses.page)
    runs = (link(f"{addresses.base}/runs.jsonl.gz"), link(f"{addresses.new}/runs.jsonl.gz"))
    windows = provenance.windows(inputs)
    partial_grid = inputs.base.partial or inputs.new.partial or inputs.comparison["verdict"] == "incomplete"
    return {
        "pair": pair_of(inputs),
        "old": inputs.base.version,
        "new": inputs.new.version,
        "backend": inputs.new.backend,
        "local": inputs.new.backend == "local",
        "local_note": headline.LOCAL_NOTE,
        "exploratory": bool(inputs.comparison.get("exploratory")),
        "verdict": inputs.comparison["verdict"],
        "decision": headline.decision(inputs),
        "reasons": headline.reasons(inputs),
        "sentences": headline.sentences(inputs),
        "finding_sentence": headline.finding_sentence(inputs),
        "promotion_sentence": headline.promotion_sentence(*decide_promotion(inputs, addresses)),
        "partial": "PARTIAL. " if partial_grid else "",
        "facts": _facts(inputs),
        "windows": windows,
        "upgrades": provenance.upgrades(windows),
        "unproved": [len(provenance.unproved(side)) for side in inputs.sides],
        "sides": inputs.sides,
        "utc": utc,
        "outcomes": census.outcomes(inputs),
        "stages": coverage.stage_table(inputs),
        "statements": coverage.statements(inputs),
        "quality": cells.quality_table(inputs),
        "costs": cells.cost_table(inputs),
        "confidence": reliability.table(inputs),
        "not_drawn": reliability.abstentions(inputs),
        "phases": _phases(inputs),
        "priced": [money.priced(side) for side in inputs.sides],
        "tokens": _tokens(inputs),
        "cache": _cache(inputs),
        "findings": _findings(inputs, runs),
        "changes": changed.changes(inputs),
        "most_changes": MOST_CHANGES,
        "spelled": changed.spelled,
        "detectable": blind.detectable_table(inputs),
        "settled": "; ".join(spelling.text(item) for item in inputs.comparison.get("settled") or []),
        "classic": [] if _classic(inputs) else lines.classic_lines(inputs.comparison),
        "price_notes": money.price_notes(inputs),
        "spread_meaning": SPREADS["classic" if _classic(inputs) else "paired"],
        "words": blind.word_sentence(inputs),
        "certificate": blind.certificate_sentence(inputs.certificate),
        "aliases": blind.alias_table(inputs),
        "scope": blind.scope_sentences(inputs),
        "command": command(pair_of(inputs), inputs.new),
        "compare_command": _compare_command(inputs.new.backend, addresses),
        "data": _data(inputs, addresses, link),
        "figures": [
            (figure, link(f"{addresses.assets}/{figure.stem}"))
            for figure in FIGURES
            if (figures / f"{figure.stem}.png").exists()
        ],
        "link": link,
        "addresses": addresses,
        "notes": notes.rstrip("\n") if notes else None,
        "window_rows": _window_rows,
        "change_rows": _change_rows,
        "md": markdown,
        "spell": spelling,
    }


def command(pair: Pair, side: Side) -> str:
    """The command that makes this page."""
    parts = [f"snakemake release --config version={pair.version} prev={pair.prev} backend={side.backend}"]
    if pair.suite != "corefast":
        parts.append(f"suite={pair.suite}")
    if pair.slug:
        stated = side.meta.get("overrides")
        chosen = (
            ",".join(f"{axis}={stated[axis]}" for axis in sorted(stated)) if isinstance(stated, dict) else pair.slug
        )
        parts.append(f"set={chosen}")
    if pair.series != "a":
        parts.append(f"series={pair.series}")
    return " ".join(parts)


def _compare_command(backend: str, addresses: Addresses) -> str:
    root = f"results/{backend}"
    return f"idpbench compare {root}/{addresses.new}/summary.json {root}/{addresses.base}/summary.json"


def _link(page: str, target: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(page))


def _facts(inputs: Inputs) -> tuple[list[list[str]], list[str]]:
    """(lines of the Sides table, labels that neither side recorded)."""
    base, new = (provenance.facts(side) for side in inputs.sides)
    for label in ("First launch", "Last completion"):
        base[label], new[label] = utc(base[label]), utc(new[label])
    unknown = [label for label in base if base[label] == new[label] == NOT_RECORDED]
    return [[label, base[label], new[label]] for label in base if label not in unknown], unknown


def _window_rows(windows: Sequence[provenance.Window]) -> list[list[str]]:
    return [
        [
            str(number),
            window.version,
            utc(window.first_launch),
            utc(window.last_launch),
            utc(window.last_completion),
            str(window.runs),
            f"{window.right_at_launch} of {window.runs}",
            f"{window.right_at_completion} of {window.runs}",
        ]
        for number, window in enumerate(windows, start=1)
    ]


def _change_rows(found: Sequence[changed.Change]) -> list[list[str]]:
    return [
        [
            f"`{change.key}`",
            change.field,
            spelling.code(change.truth),
            changed.spelled(change.base),
            changed.spelled(change.new),
            spelling.code(change.line) if change.line else "none holds it",
        ]
        for change in found
    ]


def _phases(inputs: Inputs) -> list[list[str]]:
    found = money.phases(inputs)
    shown = [
        [phase.name, money_text(phase.base), money_text(phase.new), *_per_run("cost", phase.per_run)] for phase in found
    ]
    sums = [fsum(value for phase in found if (value := getattr(phase, side)) is not None) for side in ("base", "new")]
    return [
        *shown,
        ["all phases", money_text(sums[0]), money_text(sums[1]), *_per_run("cost", cells.cost_pairing(inputs))],
    ]


def _tokens(inputs: Inputs) -> list[list[str]]:
    return [
        [name, spelling.whole(base), spelling.whole(new), *_per_run("tokens", means)]
        for name, base, new, means in money.tokens(inputs)
    ]


def _per_run(metric: str, means: Pairing) -> list[str]:
    """Mean per run of both sides, and its change."""
    return [spelling.pair(metric, means.base, means.new), spelling.difference(means.base, means.new)]


def _cache(inputs: Inputs) -> list[list[str]]:
    return [[str(repeat), spelling.share(base), spelling.share(new)] for repeat, base, new in money.cache_share(inputs)]


def _findings(inputs: Inputs, runs: tuple[str, str]) -> list[tuple[str, int, list[tuple[str, int, Any]]]]:
    """(title, number, [(level, number, table)]) for regressions, improvements and inconclusives."""
    shown = []
    for kind in KINDS:
        levels = []
        for level in LEVELS.values():
            found: Sequence[Finding] = findings(inputs.comparison, kind, level)
            if found:
                levels.append((level, len(found), lines.finding_table(inputs, found, runs)))
        shown.append((KIND_TITLES[kind], sum(number for _, number, _ in levels), levels))
    return shown


def _data(inputs: Inputs, addresses: Addresses, link: Any) -> list[list[str]]:
    """Label, link and digest of every file behind the page."""
    verdict = link(f"{addresses.assets}/comparison.json")
    found = [["verdict", f"[comparison.json]({verdict})", inputs.comparison_sha256]]
    for side, address in zip(inputs.sides, (addresses.base, addresses.new), strict=True):
        digests = {name: file_digest(side.folder / name) for name in ("summary.json", "summary.csv", "cell_stats.csv")}
        digests |= {"runs.jsonl.gz": f"{side.unpacked} (unpacked)", "meta.json": "holds the pair that owns the folder"}
        found += [[side.version, f"[{name}]({link(f'{address}/{name}')})", digests[name]] for name in SIDE_FILES]
    return found


def _classic(inputs: Inputs) -> bool:
    return str(inputs.comparison.get("decided_by") or inputs.comparison.get("rules")) == "classic"


def _failed(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(1 for row in rows if not row.get("success"))
