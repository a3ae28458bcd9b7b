"""Similarities that somebody measured before, read from a file: scoring without a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idpbench.files.canonical import file_digest, read_json
from idpbench.files.errors import bad_input

EXPECTED = "[emitted rendering, gold text, similarity in 0..1]"


class GivenJudge:
    """`GivenSimilarity` over a table of pairs; `default` stands for pairs that are absent, None refuses them."""

    def __init__(self, pairs: dict[tuple[str, str], float], identity: str, default: float | None = None) -> None:
        self._pairs = pairs
        self._identity = identity
        self._default = default

    @property
    def id(self) -> str:
        """`given:` and the digest of the file."""
        return self._identity

    def similarities(self, renderings: Sequence[str], golds: Sequence[str]) -> NDArray[np.float64]:
        """Shape [len(renderings), len(golds)], doubles as given; a pair that is absent is a Refusal."""
        found = np.empty((len(renderings), len(golds)), dtype=np.float64)
        for row, rendering in enumerate(renderings):
            for column, gold in enumerate(golds):
                value = self._pairs.get((rendering, gold), self._default)
                if value is None:
                    raise bad_input(
                        self._identity,
                        "",
                        f"no similarity of {rendering!r} and {gold!r}",
                        "one for every rendering of an emitted claim and every gold claim of its case",
                        f"add a row {EXPECTED}, or score with a judge that measures",
                    )
                found[row, column] = value
        return found


def read_given(path: Path | str, default: float | None = None) -> GivenJudge:
    """Read `[[emitted rendering, gold text, similarity], ...]`; a Refusal names the first row that is none."""
    rows = read_json(path)
    if not isinstance(rows, list):
        raise bad_input(path, "", type(rows).__name__, f"a list of {EXPECTED}", "write one row per pair")
    pairs: dict[tuple[str, str], float] = {}
    for number, row in enumerate(rows):
        if not _is_row(row):
            raise bad_input(path, f"[{number}]", repr(row)[:120], EXPECTED, "correct the row")
        key, value = (row[0], row[1]), float(row[2])
        if pairs.setdefault(key, value) != value:
            raise bad_input(
                path, f"[{number}]", f"{value} for a pair that has {pairs[key]}", "one similarity a pair", "keep one"
            )
    return GivenJudge(pairs, f"given:{file_digest(path)[:16]}", default)


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 3
        and isinstance(row[0], str)
        and isinstance(row[1], str)
        and isinstance(row[2], (int, float))
        and not isinstance(row[2], bool)
        and 0.0 <= row[2] <= 1.0
    )
