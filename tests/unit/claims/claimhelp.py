"""Small suites, claims and judges for the tests of room claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.judge.given import GivenJudge
from idpbench.claims.matching.scores import MILLION, Scores
from idpbench.claims.score import Judging
from idpbench.claims.suite.model import Case, Expected, Suite

SUITE_YAML = """\
suite_id: acme-001
name: Acme
version: 0.10
domain: banking
source_types: [WEB_PAGE]
cases:
  - case_id: c-1
    fixture: f-1
    expected:
      - {content: Acme was founded in 1990., confidence_min: 0.5, uncertainty_nature: EPISTEMIC}
      - {content: Acme has 12 branches., confidence_min: 0, uncertainty_nature: ALEATORY, required: false}
"""


class Vectors:
    """An embedder whose vectors are given by text, and counts what it was asked for."""

    id = "vectors"

    def __init__(self, table: dict[str, Sequence[float]]) -> None:
        self.table = {text: np.array(values, dtype=np.float64) for text, values in table.items()}
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        rows = np.array([self.table[text] for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class Model:
    """A language model whose verdicts a function gives; remembers what it was asked."""

    id = "model"

    def __init__(self, verdict: Callable[[str, str], bool]) -> None:
        self.verdict = verdict
        self.calls: list[tuple[str, str]] = []

    def aligned(self, rendering: str, gold: str) -> bool:
        self.calls.append((rendering, gold))
        return self.verdict(rendering, gold)


def given(*rows: tuple[str, str, float], default: float = 0.0) -> GivenJudge:
    return GivenJudge({(rendering, gold): value for rendering, gold, value in rows}, "given", default)


def golds(*entries: str | tuple[str, float] | tuple[str, float, bool]) -> tuple[Expected, ...]:
    """Gold claims from `text`, `(text, floor)` or `(text, floor, required)`."""
    made = []
    for entry in entries:
        text, floor, required = ((entry,) if isinstance(entry, str) else entry) + ("", 0.0, True)[
            1 if isinstance(entry, str) else len(entry) :
        ]
        made.append(Expected(text, floor, "EPISTEMIC", required))
    return tuple(made)


def one_case(gold: tuple[Expected, ...], claims: Iterable[Claim]) -> tuple[Suite, Emissions]:
    suite = Suite("s", "S", "1", "d", ("T",), (Case("c", gold, fixture="f"),), digest="0" * 64)
    return suite, Emissions("x", "1", "s", (CaseEmission("c", "ok", tuple(claims)),))


def judging(similarity: Any, **settings: Any) -> Judging:
    return Judging(similarity, **settings)


def scores_from(matrix: NDArray[Any], unit: int = MILLION) -> Scores:
    """Scores of a plain matrix [emitted, gold], in millionths or as doubles."""
    rows, columns = matrix.shape
    values = np.ascontiguousarray(matrix[:, ::-1]).astype(np.int32 if unit == MILLION else np.float64)
    names = tuple(f"e{row}" for row in range(rows)), tuple(f"g{column}" for column in range(columns))
    bits = np.zeros((rows, (columns + 7) // 8), dtype=np.uint8)
    return Scores(values, unit, bits, names[0], (None,) * rows, names[1])
