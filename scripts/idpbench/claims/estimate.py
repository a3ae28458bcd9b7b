"""What a benchmark would cost in calls of a language model, before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CHUNK_BYTES = 15_000
MOST_CALLS = 8  # of one source, however long
CONFIRM_CALLS = 50
BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Estimate:
    """`total_bytes` of one pass; calls and tokens of all passes together."""

    cases: int
    total_bytes: int
    runs: int
    calls: int
    tokens: int

    def needs_confirmation(self, threshold: int = CONFIRM_CALLS) -> bool:
        """Whether a yes is asked for first: more calls than the threshold, and more than one pass."""
        return self.runs > 1 and self.calls > threshold


def estimate(
    sizes: Sequence[int], runs: int = 1, chunk_bytes: int = CHUNK_BYTES, most_calls: int = MOST_CALLS
) -> Estimate:
    """From the sizes in bytes of the cases that can be resolved and are accepted.

    A source takes a call for each `chunk_bytes`, at most `most_calls`, none if it is empty. Deterministic extractors
    are counted as if they asked a model: the estimate is of the suite.
    """
    calls = sum(min(-(-size // chunk_bytes), most_calls) for size in sizes)
    total = sum(sizes)
    return Estimate(len(sizes), total, runs, calls * runs, total * runs // BYTES_PER_TOKEN)
