"""The verdict object as JUnit XML: one case per judged test and finding, one for the verdict, one per coverage gap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from idpbench.gate.render_text import headline, line

LEVELS = ("rows", "cells", "grid")
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-�\U00010000-\U0010ffff]")

Case = tuple[str, str, str, str]  # class, name, kind ("" = passed, failure, skipped, error), message


def render(comparison: Mapping[str, Any]) -> str:
    """JUnit XML. Regressions are failures, what is undecided is skipped, gaps in coverage are errors."""
    suites = [("verdict", [_verdict(comparison)]), ("coverage", list(_coverage(comparison)))]
    suites += [(level, list(_level(comparison, level))) for level in LEVELS]
    cases = [case for _, listed in suites for case in listed]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="idpbench compare" {_counts(cases)}>']
    for name, listed in suites:
        lines.append(f"  <testsuite name={_attribute(name)} {_counts(listed)}>")
        lines += [text for case in listed for text in _case(case)]
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _counts(cases: list[Case]) -> str:
    kinds = [kind for _, _, kind, _ in cases]
    totals = {"failures": kinds.count("failure"), "errors": kinds.count("error"), "skipped": kinds.count("skipped")}
    return " ".join(f'{name}="{count}"' for name, count in {"tests": len(cases), **totals}.items())


def _case(case: Case) -> list[str]:
    group, name, kind, message = case
    head = f"    <testcase classname={_attribute(group)} name={_attribute(name)}"
    if not kind:
        return [f"{head}/>"]
    body = (
        f"<{kind} message={_attribute(message)}/>"
        if kind == "skipped"
        else (f"<{kind} message={_attribute(message)}>{escape(_clean(message))}</{kind}>")
    )
    return [f"{head}>", f"      {body}", "    </testcase>"]


def _clean(text: str) -> str:
    return NOT_XML.sub("?", text)


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _verdict(comparison: Mapping[str, Any]) -> Case:
    kind = {"pass": "", "regression": "failure", "inconclusive": "skipped"}.get(comparison["verdict"], "error")
    message = "\n".join([headline(comparison), *comparison["reasons"]])
    return "verdict", comparison["verdict"], kind, message


def _coverage(comparison: Mapping[str, Any]) -> Iterator[Case]:
    coverage = comparison["coverage"]
    waived = {(item["key"], item["metric"]) for item in coverage["waived"]}
    for key in coverage["missing"]:
        yield _gap(key, "present", (key, None) in waived, "missing on the new side")
    for item in coverage["unfinished"]:
        yield _gap(item["key"], f"finished ({item['side']})", (item["key"], None) in waived, ", ".join(item["states"]))
    for item in coverage["vanished"]:
        name = (item["key"], item["metric"])
        yield _gap(item["key"], f"{item['metric']} measured", name in waived, "measured by the baseline only")


def _gap(key: str, name: str, waived: bool, message: str) -> Case:
    return key, name, "skipped" if waived else "error", f"waived: {message}" if waived else message


def _level(comparison: Mapping[str, Any], level: str) -> Iterator[Case]:
    told = set()
    for name, kind in (("regressions", "failure"), ("inconclusive", "skipped"), ("improvements", "")):
        for finding in comparison[level][name]:
            told.add((finding["key"], finding["metric"]))
            yield finding["key"], finding["metric"], kind, line(finding)
    for test in comparison["tests"]:
        here = level in (test["level"], f"{test['level']}s")
        if here and test["judged"] and (test["key"], test["metric"]) not in told:
            yield test["key"], test["metric"], "", ""
