"""What scoring asks of a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from idpbench.files.errors import INCOMPLETE, Refusal


class JudgeUnavailable(Refusal):
    """A judge that cannot be loaded or reached. Nothing is scored then: exit code 3."""

    def __init__(self, message: str) -> None:
        super().__init__(message, INCOMPLETE)


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors; the similarity of two texts is the cosine of theirs."""

    @property
    def id(self) -> str:
        """Model, tokenizer and their digests: results of two ids are never mixed."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of `texts` in order, shape [len(texts), dimensions], each of length 1 (L2).

        Raises JudgeUnavailable where the model cannot be had; never a zero vector in its place.
        """


@runtime_checkable
class GivenSimilarity(Protocol):
    """Similarities that were measured before and are read from a file."""

    @property
    def id(self) -> str:
        """Where they come from, with the file's digest."""

    def similarities(self, renderings: Sequence[str], golds: Sequence[str]) -> NDArray[np.float64]:
        """Shape [len(renderings), len(golds)], as given; a pair that is absent is a Refusal."""


@runtime_checkable
class Asked(Protocol):
    """A language model that is asked about the pairs in the band below the threshold."""

    @property
    def id(self) -> str:
        """Provider, model and the digest of the prompt."""

    def aligned(self, rendering: str, gold: str) -> bool:
        """Whether both state one fact; `reads_as_aligned` says how a reply is read.

        Raises JudgeUnavailable where it cannot work at all (no key, no such model); any other exception rejects this
        one pair, and the report counts it.
        """


Similarity = Embedder | GivenSimilarity


def reads_as_aligned(reply: str) -> bool:
    """Whether a model's reply accepts the pair: it starts with `aligned`, whatever the case and the space before."""
    return reply.strip().casefold().startswith("aligned")
