"""The verdict object as text for a terminal, the classic findings in their published wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

TITLES = (("regressions", "REGRESSIONS"), ("improvements", "IMPROVEMENTS"), ("inconclusive", "INCONCLUSIVE"))
LEVELS = (("rows", ""), ("cells", "CELL-LEVEL "), ("grid", "GRID-LEVEL "))
# A list longer than this is cut; the JSON has all of it.
LONGEST = 200
COUNTS = re.compile(r"\(n=\d+->\d+\)")


def render(comparison: Mapping[str, Any]) -> str:
    """The whole comparison, verdict first, ending in one newline."""
    lines = [headline(comparison), *(f"  {reason}" for reason in _cut(comparison["reasons"]))]
    lines += _sides(comparison) + _coverage(comparison)
    for level, prefix in LEVELS:
        lines += _findings(comparison[level], prefix)
    if comparison["rules"] == "both":
        lines += _classic(comparison["classic"])
    lines += _not_compared(comparison["not_compared"])
    return "\n".join(lines) + "\n"


def headline(comparison: Mapping[str, Any]) -> str:
    """`VERDICT regression (exit 1, classic rules): 6 regressions, 1 improvement, 0 inconclusive`."""
    tally = [sum(len(comparison[level][name]) for level, _ in LEVELS) for name, _ in TITLES]
    stamp = ", EXPLORATORY" if comparison["exploratory"] else ""
    return (
        f"VERDICT {comparison['verdict']} (exit {comparison['exit_code']}, {comparison['decided_by']} rules{stamp}): "
        f"{plural(tally[0], 'regression')}, {plural(tally[1], 'improvement')}, {tally[2]} inconclusive"
    )


def plural(count: int, word: str) -> str:
    """`1 regression`, `2 regressions`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def value(number: float | None) -> str:
    """A number as the sides state it: short, never rounded to nothing."""
    return "n/a" if number is None else f"{number:.6g}"


def line(finding: Mapping[str, Any]) -> str:
    """`key: text  (old -> new)`; a text that states both sides itself stands alone."""
    text = f"{finding['key']}: {finding['text']}"
    if "->" in COUNTS.sub("", finding["text"]):
        return text
    return f"{text}  ({value(finding['base'])} -> {value(finding['new'])})"


def _cut(lines: Iterable[str]) -> list[str]:
    listed = list(lines)
    more = [f"  ... and {len(listed) - LONGEST} more (--format json lists all)"] if len(listed) > LONGEST else []
    return listed[:LONGEST] + more


def _sides(comparison: Mapping[str, Any]) -> list[str]:
    arms = comparison["arms"]
    lines = [f"  arms: {arms[0]} (new) against {arms[1]} (base)"] if arms else []
    for name in ("base", "new"):
        side = comparison["sides"][name]
        version = side.get("stack_version") or side.get("version") or "version not recorded"
        lines.append(f"  {name}: {version}, {side['rows']} rows, {side['failures']} failed  ({side['source']})")
    return lines


def _coverage(comparison: Mapping[str, Any]) -> list[str]:
    coverage = comparison["coverage"]
    lines = ["", "=== COVERAGE ==="]
    lines.append(
        f"  {coverage['keys_shared']} keys on both sides ({coverage['keys_succeeded_on_both']} succeeded on both), "
        f"{len(coverage['missing'])} missing, {len(coverage['added'])} added"
    )
    lines += _cut(f"  missing: {key}" for key in coverage["missing"])
    lines += _cut(f"  added: {a['key']} ({a['failures']} of {a['runs']} failed)" for a in coverage["added"])
    lines += [f"  renamed? {r['base']} -> {r['new']} (same {r['same']})" for r in coverage["renamed"]]
    for item in coverage["unfinished"]:
        states = ", ".join(item["states"])
        lines.append(f"  never finished: {item['key']} ({item['side']}: {item['runs']} of {item['of']}, {states})")
    lines += [f"  vanished: {v['key']} {v['metric']} (n={v['n_base']}->0)" for v in coverage["vanished"]]
    lines += [f"  {one['key']}: {one['text']}" for one in coverage["expected_fail"]]
    lines += [f"  {waiver_text(one)}" for one in (*coverage["waived"], *coverage.get("idle_waivers", ()))]
    if coverage["fewer"]:
        lines += ["", "=== MEASURED OVER FEWER RUNS THAN IT LOOKS ==="]
        lines += [f"  {f['cell']} ({f['side']}): {f['what']} in {f['runs']} runs" for f in coverage["fewer"]]
    return lines


def waiver_text(one: Mapping[str, Any]) -> str:
    """A waiver at work, or one that waives nothing, with its reason and last day."""
    what = one["key"] + (f" {one['metric']}" if one["metric"] else "")
    idle = f"; {one['why']}" if "why" in one else ""
    return f"{'waives nothing' if idle else 'waived'}: {what}: {one['reason']} (until {one['until']}{idle})"


def _findings(level: Mapping[str, Any], prefix: str) -> list[str]:
    lines = []
    for name, title in TITLES:
        items = level[name]
        if not items and prefix:
            continue
        mark = "~ " if name == "inconclusive" else ""
        lines += ["", f"=== {prefix}{title} ({len(items)}) ===", *_cut(f"  {mark}{line(item)}" for item in items)]
    if level.get("cheaper"):
        lines += [
            "",
            f"=== {prefix}CHEAPER ({len(level['cheaper'])}) ===",
            *_cut(f"  {line(i)}" for i in level["cheaper"]),
        ]
    return lines


def _classic(classic: Mapping[str, Any]) -> list[str]:
    lines = ["", "--- classic rules, beside the verdict and without a say in it ---"]
    for level, prefix in LEVELS[:2]:
        lines += _findings(classic[level], f"CLASSIC {prefix}")
    return lines


def _not_compared(items: list[Mapping[str, Any]]) -> list[str]:
    if not items:
        return []
    lines = (f"  {item['key']} {item['metric']}: {item['reason']}" for item in items)
    return ["", f"=== NOT COMPARED ({len(items)}) ===", *_cut(lines)]
