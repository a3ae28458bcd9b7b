"""The block `gold_subjects`: names, the references they should resolve to, and the sentence that mentions them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from idpbench.claims.subjects.refs import normalised, split_ref
from idpbench.claims.suite.entries import Entry, entries_of
from idpbench.claims.suite.model import Case, GoldSubject
from idpbench.claims.suite.problems import Wrong
from idpbench.claims.suite.values import Values, show

KEYS = ("case_id", "name", "ref", "mention", "note")


def read_gold_subjects(root: Entry, cases: Sequence[Case], values: Values) -> tuple[GoldSubject, ...]:
    """The gold subjects without a problem; an absent or null block is none."""
    block = root.value.get("gold_subjects")
    if block is None:
        return ()
    golds: list[GoldSubject] = []
    seen: set[tuple[str, str]] = set()
    for _, entry in entries_of(root.findings, "", "gold_subjects", block, KEYS):
        gold = _gold(entry, cases, values)
        if gold is None:
            continue
        key = (gold.case_id, gold.name.casefold())
        if key in seen:
            entry.add("name", f"{gold.name} a second time in {gold.case_id}", "a name once a case", "remove one")
        seen.add(key)
        golds.append(gold)
    return tuple(golds)


def _gold(entry: Entry, cases: Sequence[Case], values: Values) -> GoldSubject | None:
    case_id = entry.required("case_id", values.text)
    name = entry.required("name", lambda value: _name(value, values))
    problems = len(entry.findings.problems)
    ref = entry.required("ref", _ref)
    ref_is_wrong = len(entry.findings.problems) > problems
    mention = entry.optional("mention", values.text)
    note = entry.optional("note", values.text, "")
    if case_id is None or name is None or ref_is_wrong:
        return None
    own = [case for case in cases if case.case_id == case_id]
    if not own:
        known = ", ".join(case.case_id for case in cases)
        entry.add("case_id", case_id, f"a case of this file ({known})", "correct it")
        return None
    if mention is None:
        mention = next((gold.content for case in own for gold in case.expected if names(gold.content, name)), None)
    if mention is None:
        entry.add("mention", f"no gold claim of {case_id} that names {name}", "a mention", "add mention: a sentence")
        return None
    return GoldSubject(case_id, name, ref, mention, note or "")


def names(text: str, name: str) -> bool:
    """Whether `name` stands in `text` as a whole word: no word character before or after it, case ignored.

    Not `\\b`, which finds no end after a name such as C++.
    """
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags=re.IGNORECASE) is not None


def _name(value: Any, values: Values) -> str:
    name = values.text(value).strip()
    if not name:
        raise Wrong("an empty text", "a name", "write the name as the source has it")
    return name


def _ref(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or split_ref(value) is None:
        raise Wrong(show(value), "namespace:id, or null", "write for instance wikidata:Q64, in quotes")
    return normalised(value)
