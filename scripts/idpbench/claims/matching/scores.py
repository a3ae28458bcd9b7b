"""How alike each stated claim and each gold claim are, as one matrix that takes little room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idpbench.claims.emitted import Claim
from idpbench.claims.judge.base import Embedder, GivenSimilarity, JudgeUnavailable, Similarity
from idpbench.claims.matching.renderings import qualified

BLOCK = 512  # rows at a time: a block of products, not a second matrix
MILLION = 1_000_000
_LENGTH_TOLERANCE = 1e-3

Blocks = Callable[[Sequence[str]], Iterator[tuple[slice, NDArray[Any]]]]


@dataclass(frozen=True)
class Scores:
    """Similarities of one case, the larger of the two renderings for each pair.

    `reversed_values` has shape [emitted, gold] with the gold claims in reversed order, so that the first maximum of a
    row is the last gold of a tie: int32 millionths where similarities are computed, doubles where they are given.
    `unit` is the value of similarity 1. `second` holds, a bit a pair in gold order, where the qualified rendering won.
    """

    reversed_values: NDArray[Any]
    unit: int
    second: NDArray[np.uint8]
    bare: tuple[str, ...]
    qualified: tuple[str | None, ...]
    golds: tuple[str, ...]

    def at(self, emitted: int, gold: int) -> float:
        """Similarity of a pair, within [0, 1] where it was computed."""
        return float(self.reversed_values[emitted, len(self.golds) - 1 - gold]) / self.unit

    def rendering(self, emitted: int, gold: int) -> str:
        """The rendering whose similarity won; the bare one on a tie."""
        second = self.qualified[emitted]
        bit = self.second[emitted, gold >> 3] >> (7 - (gold & 7)) & 1
        return second if second is not None and bit else self.bare[emitted]

    def floor(self, similarity: float) -> float:
        """A threshold in the unit of the values."""
        return round(similarity * MILLION) if self.unit == MILLION else similarity


def scores_of(
    claims: Sequence[Claim], golds: Sequence[str], similarity: Similarity, subject_aware: bool = True
) -> Scores:
    """Compare the claims of a case with its gold claims.

    Computed similarities are cosines, clamped to [0, 1] and rounded to six decimals before anything is compared, and 1
    for the same text; given ones stay as they are. Memory: four bytes a pair (eight where given), and a block of rows.
    """
    bare = tuple(claim.content for claim in claims)
    second = tuple(qualified(claim, subject_aware) for claim in claims)
    computed = isinstance(similarity, Embedder)
    values = np.zeros((len(bare), len(golds)), dtype=np.int32 if computed else np.float64)
    won = np.zeros((len(bare), (len(golds) + 7) // 8), dtype=np.uint8)
    if bare and golds:
        blocks = _embedded(golds, similarity) if isinstance(similarity, Embedder) else _given(golds, similarity)
        for rows, block in blocks(bare):
            values[rows] = block[:, ::-1]
        picked = [index for index, text in enumerate(second) if text is not None]
        for rows, block in blocks([text for text in second if text is not None]):
            places = picked[rows]
            before = values[places][:, ::-1]
            larger = block > before
            won[places] = np.packbits(larger, axis=1)
            values[places] = np.where(larger, block, before)[:, ::-1]
    return Scores(values, MILLION if computed else 1, won, bare, second, tuple(golds))


def noise(golds_by_case: Sequence[Sequence[str]], similarity: Embedder, cut: float) -> tuple[int, int]:
    """Gold pairs of one case that are at or above the cut, and all pairs: claims that should not be taken for alike."""
    above = pairs = 0
    for golds in golds_by_case:
        pairs += len(golds) * (len(golds) - 1) // 2
        if len(golds) < 2:
            continue
        for rows, block in _embedded(golds, similarity)(golds):
            later = np.arange(len(golds))[None, :] > np.arange(rows.start, rows.start + len(block))[:, None]
            above += int(((block >= round(cut * MILLION)) & later).sum())
    return above, pairs


def _embedded(golds: Sequence[str], similarity: Embedder) -> Blocks:
    """Blocks of computed similarities, int32 millionths, shape [rows, golds]."""
    right = _unit_vectors(golds, similarity).T
    places: dict[str, list[int]] = {}
    for column, text in enumerate(golds):
        places.setdefault(text, []).append(column)

    def blocks(renderings: Sequence[str]) -> Iterator[tuple[slice, NDArray[Any]]]:
        left = _unit_vectors(renderings, similarity) if renderings else right.T[:0]
        for rows in _slices(len(renderings)):
            product = left[rows] @ right
            np.clip(product, 0.0, 1.0, out=product)
            product *= np.float32(MILLION)
            np.rint(product, out=product)
            block = product.astype(np.int32)
            for row, text in enumerate(renderings[rows]):
                block[row, places.get(text, [])] = MILLION  # a float32 product may miss 1 by a millionth
            yield rows, block

    return blocks


def _given(golds: Sequence[str], similarity: GivenSimilarity) -> Blocks:
    """Blocks of given similarities, doubles as they are."""

    def blocks(renderings: Sequence[str]) -> Iterator[tuple[slice, NDArray[Any]]]:
        for rows in _slices(len(renderings)):
            yield rows, np.asarray(similarity.similarities(renderings[rows], golds), dtype=np.float64)

    return blocks


def _slices(count: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK))


def _unit_vectors(texts: Sequence[str], similarity: Embedder) -> NDArray[np.float32]:
    """Vectors of a judge that are what it promises; a judge that gives nothing must not read as `nothing alike`."""
    vectors = np.asarray(similarity.embed(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise JudgeUnavailable(f"{similarity.id}: found vectors of shape {vectors.shape} for {len(texts)} texts")
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.all(np.abs(lengths - 1) <= _LENGTH_TOLERANCE):
        raise JudgeUnavailable(f"{similarity.id}: found a vector whose length is not 1; the model is not usable")
    return vectors
