"""Definitions that both pages print."""

from __future__ import annotations

from idpbench.gold.metrics import WEIGHTS_PERCENT

METRIC_WORDS = {
    "deterministic_pass_rate": (
        "pass",
        "1 where the recipe is valid and executes, whatever it produces; else 0.",
    ),
    "exact_output_match": (
        "exact",
        "1 where the SHA-256 of the canonical CSV equals that of the reference; else 0.",
    ),
    "cell_match_rate": (
        "cells",
        "Cells that both tables have at the same row position and column name with equal text, over the cells that "
        "either table has. Rows are paired by position only.",
    ),
    "value_address_f1": (
        "addresses",
        "F1 of the two sets of value-cell addresses, sheet included; two empty sets score 1.",
    ),
    "header_accuracy": (
        "headers",
        "Share of the reference's value cells whose whole header assignment is equal: every name, direction, source "
        "cell, text and state. Where the reference is empty, 1 if nothing was produced and else 0.",
    ),
}
DIFFICULTY_WORDS = {
    "easy": "one compact table, headers in the value's own row and column",
    "medium": "several dimensions, fills, gaps, or blocks that repeat",
    "hard": "several tables, many dimensions, a large output, or features that act on each other",
}
SOURCE_WORDS = {
    "bank_asset": "a publisher's table, staged from its workbook by digest",
    "conformance": "a sheet that tests one or more structures, made for the suite or staged",
}
MODE_WORDS = {
    "contract": "the model is told the output names and what they mean",
    "blind": "the model chooses the output names itself, so that exact matches are not to be expected",
}


def formula() -> str:
    """The composite, spelled from its weights."""
    return " + ".join(f"0.{weight:02d} {METRIC_WORDS[name][0]}" for name, weight in WEIGHTS_PERCENT.items())
