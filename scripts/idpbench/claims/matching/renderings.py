"""A claim as it is compared: bare, and with the subjects that it does not name put before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from idpbench.claims.emitted import Claim

_ITEM = re.compile(r"Q\d+")  # an id of wikidata is no name


def subject_qualified(content: str, subjects: Sequence[str]) -> str:
    """`A, B: content` with the subjects that do not occur in it, in order; the bare content if all do.

    Absent means: no plain substring, case ignored (`Go` occurs in `category`). A name given twice stands twice.
    """
    text = content.casefold()
    trimmed = (subject.strip() for subject in subjects)
    absent = [name for name in trimmed if name and not _ITEM.fullmatch(name) and name.casefold() not in text]
    return f"{', '.join(absent)}: {content}" if absent else content


def qualified(claim: Claim, subject_aware: bool) -> str | None:
    """The second rendering of a claim, None where it has none."""
    if not subject_aware:
        return None
    text = subject_qualified(claim.content, claim.subjects)
    return None if text == claim.content else text
