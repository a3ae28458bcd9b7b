"""How sure a deterministic extractor is: by what stands in the source, never by which claim it is.

The levels are prior shares of right claims, set before any suite was scored; `claims calibrate` measures what they are
worth. A claim starts at the level of the place it was read from, and each doubt multiplies what is left.
"""

from __future__ import annotations

import re

FIELD = 0.97  # a typed value in a field of its own
LISTED = 0.94  # one entry of a list of values
TABLE = 0.95  # a cell whose whole column is of one type
DERIVED = 0.88  # the words of the claim are guessed from a key, or it joins two places
SENTENCE = 0.85  # a sentence of running text, taken over whole
HEDGE = 0.65  # the source itself is unsure
INFERRED = 0.8  # something was inferred: what a pronoun stands for, what type a cell has
UNREADABLE = 0.5  # the value does not read as what its place says it is

_HEDGES = re.compile(
    r"\b(?:probabl[ey]|possibl[ey]|perhaps|maybe|likely|presumabl[ey]|apparentl?y?|seem(?:s|ed)?|appears?|appeared|"
    r"circa|approximate(?:ly)?|roughly|around|estimat(?:e|ed|es)|provisional(?:ly)?|preliminary|unconfirmed|uncertain|"
    r"tentative(?:ly)?|attributed|reported(?:ly)?|rumou?red|believed|thought to|assumed|expected to|might|(?-i:may)|"
    r"could|not (?:certain|sure|clear)|disputed|questionable)\b|\bca?\.\s|\(\?\)|\?\s*$",
    re.IGNORECASE,
)


def hedged(text: str) -> bool:
    """Whether the words themselves leave doubt (`c. 1885`, `probably`, `attributed`, a question mark)."""
    return bool(_HEDGES.search(text))


def confidence(level: float, *doubts: float) -> float:
    """The level times every doubt, rounded to two places."""
    for doubt in doubts:
        level *= doubt
    return round(max(0.01, min(0.99, level)), 2)
