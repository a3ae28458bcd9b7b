"""The verdict object as Markdown for a job summary, which the host cuts at 1 MiB: it stays below 900 KiB."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.files.tables import markdown
from idpbench.gate.render_text import LEVELS, TITLES, headline, value, waiver_text

LARGEST = 900 * 1024
# Room kept for the closing lines that say what was left out.
RESERVE = 4096
MARKS = {"pass": "✅", "regression": "❌", "incomplete": "⚠️", "incomparable": "⚠️", "inconclusive": "❔"}


def render(comparison: Mapping[str, Any]) -> str:
    """Markdown, verdict first, then findings by weight; what does not fit is counted, never dropped in silence."""
    blocks = [f"## {MARKS[comparison['verdict']]} {headline(comparison)}\n"]
    blocks += ["".join(f"- {_inline(reason)}\n" for reason in comparison["reasons"][:50])]
    blocks.append(_coverage(comparison["coverage"]))
    left_out = 0
    size = sum(len(block.encode()) for block in blocks)
    for title, items in _lists(comparison):
        kept = list(items)
        while kept and size + len((block := _table(title, kept, len(items))).encode()) > LARGEST - RESERVE:
            kept = kept[: len(kept) // 2]
        left_out += len(items) - len(kept)
        if kept:
            blocks.append(block)
            size += len(block.encode())
    if left_out:
        blocks.append(f"\n{left_out} findings are left out here; `--format json` lists all of them.\n")
    return "\n".join(blocks)


def _lists(comparison: Mapping[str, Any]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    found = []
    for name, title in TITLES:
        for level, _ in LEVELS:
            found.append((f"{title.capitalize()}, {level}", comparison[level][name]))
    if comparison["rules"] == "both":
        for level in ("rows", "cells"):
            for name, title in TITLES:
                found.append((f"Classic {title.lower()}, {level}", comparison["classic"][level][name]))
    return [(title, items) for title, items in found if items]


def _table(title: str, items: list[Mapping[str, Any]], total: int) -> str:
    rows = [
        [
            item["key"],
            item["metric"],
            value(item["base"]),
            value(item["new"]),
            f"{item['n_base']}→{item['n_new']}",
            item["text"],
        ]
        for item in items
    ]
    count = str(total) if len(items) == total else f"{len(items)} of {total}"
    return f"### {title} ({count})\n\n" + markdown(["key", "metric", "base", "new", "n", "finding"], rows) + "\n"


def _coverage(coverage: Mapping[str, Any]) -> str:
    text = (
        f"{coverage['keys_shared']} keys on both sides, {len(coverage['missing'])} missing, "
        f"{len(coverage['added'])} added, {len(coverage['vanished'])} vanished metrics, "
        f"{len(coverage['waived'])} waived.\n"
    )
    names = [f"`{key}`" for key in coverage["missing"][:20]]
    waivers = [f"- {_inline(waiver_text(one))}" for one in (*coverage["waived"], *coverage.get("idle_waivers", ()))]
    cut = [f"- and {len(waivers) - 20} more"] if len(waivers) > 20 else []
    told = ("\n" + "\n".join([*waivers[:20], *cut]) + "\n") if waivers else ""
    return text + (f"\nMissing: {', '.join(names)}\n" if names else "") + told


def _inline(text: str) -> str:
    return text.replace("\n", " ")
