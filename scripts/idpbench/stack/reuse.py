"""Whose runs a side is made of: the PREV side of an A/B is measured in that A/B, or its reuse is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.files.errors import Refusal
from idpbench.stack.journal import Journal
from idpbench.stack.model import Side


def refuse_silent_reuse(side: Side, held: set[str], journal: Journal, pair: str, committed: Mapping[str, Any]) -> None:
    """Refuse (exit 2) where every run of this aws side was launched for another comparison than `pair`.

    `committed`: meta.json beside the side's committed records, {} where there is none. A side of which anything is
    missing, or of which anything was launched for this pair, passes.
    """
    if side.backend != "aws" or not side.keys <= held:
        return
    if committed.get("pair") == pair:
        return
    for key in side.keys:
        intent = journal.intent_of(key)
        if intent is not None and intent.get("pair") == pair:
            return
    raise Refusal(
        f"{side.address}: all {len(side.runs)} runs of the earlier release were launched in another comparison; pass"
        " reuse=true to compare with them (the page then says when and where they were measured), or a new build="
        " label to measure again"
    )
