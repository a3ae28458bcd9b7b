"""The numbers in a text: two claims that differ in one are not the same fact, however alike their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from idpbench.claims.matching.scores import Scores

_UNITS = re.findall(
    "[a-z]+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: number for number, word in enumerate(_UNITS)} | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SMALL_WORD = "|".join(sorted(_SMALL, key=len, reverse=True))
_GAP = r"(?:\s+|-)"
_SCALE = rf"(?:{_GAP}(?:{'|'.join(_SCALES)})\b)"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\d)|\d+(?:\.\d+)?|(?<![\w.])\.\d+"
_NUMBER = re.compile(
    rf"(?:(?P<digits>{_DIGITS})|\b(?P<words>(?:{_SMALL_WORD})\b(?:{_GAP}(?:and\s+)?(?:{_SMALL_WORD})\b|{_SCALE})*))"
    rf"(?P<scale>{_SCALE}*)(?P<cent>\s?%|{_GAP}per\s*cent\b)?",
    re.IGNORECASE,
)


def numbers_in(text: str) -> tuple[str, ...]:
    """Sorted numbers of a text, each in one spelling: `1,200`, `1200.0` and `twelve hundred` are 1200, `5 per cent` 5%.

    Number words are read up to billions, a comma groups thousands. Ordinals, fractions in words, signs, and the parts
    of a name such as `A4` are not told apart from plain digits.
    """
    return tuple(sorted(spelt for match in _NUMBER.finditer(text) for spelt in _numbers(match)))


def _numbers(match: re.Match[str]) -> Iterator[str]:
    values = _spoken(match["words"]) if match["words"] else [Decimal(match["digits"].replace(",", ""))]
    for word in re.findall(r"[a-z]+", match["scale"].lower()):
        values[-1] *= _SCALES[word]
    for index, value in enumerate(values):
        cent = "%" if match["cent"] and index == len(values) - 1 else ""
        yield f"{value:f}".rstrip("0").rstrip(".") + cent if "." in f"{value:f}" else f"{value:f}{cent}"


def _spoken(words: str) -> list[Decimal]:
    """The numbers of a run of number words: `two hundred and five thousand` is one, `nineteen eighty` two."""
    values: list[Decimal] = []
    total = current = 0
    last = None
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "and":
            continue
        if word in _SCALES:
            if word == "hundred":
                current *= 100
            else:
                total, current = total + current * _SCALES[word], 0
            last = _SCALES[word]
            continue
        small = _SMALL[word]
        if last is not None and not (last >= 100 or (last in range(20, 100) and 0 < small < 10)):
            values.append(Decimal(total + current))
            total = current = 0
        current += small
        last = small
    return [*values, Decimal(total + current)]


class NumbersVeto:
    """Bars the pairs whose numbers differ: neither rendering of the claim has the numbers of the gold claim."""

    def __init__(self, scores: Scores) -> None:
        ids: dict[tuple[str, ...], int] = {}

        def number(text: str) -> int:
            return ids.setdefault(numbers_in(text), len(ids))

        self.golds = np.array([number(text) for text in scores.golds], dtype=np.int64)
        self.bare = np.array([number(text) for text in scores.bare], dtype=np.int64)
        pairs = zip(scores.bare, scores.qualified, strict=True)
        self.second = np.array([number(bare if text is None else text) for bare, text in pairs], dtype=np.int64)

    def golds_barred(self, emitted: int) -> NDArray[np.bool_]:
        """Per gold claim."""
        barred: NDArray[np.bool_] = (self.golds != self.bare[emitted]) & (self.golds != self.second[emitted])
        return barred

    def emitted_barred(self, gold: int) -> NDArray[np.bool_]:
        """Per stated claim."""
        barred: NDArray[np.bool_] = (self.bare != self.golds[gold]) & (self.second != self.golds[gold])
        return barred
