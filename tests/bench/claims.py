"""Speed of the claims benchmark's matching at size, measured here and now: rows of what, seconds or MiB, target."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts")]

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from idpbench.claims.emitted import CaseEmission, Claim, Emissions  # noqa: E402
from idpbench.claims.matching.greedy import assign  # noqa: E402
from idpbench.claims.matching.scores import scores_of  # noqa: E402
from idpbench.claims.score import Judging, score_pass  # noqa: E402
from idpbench.claims.suite.model import Case, Expected, Suite  # noqa: E402

CLAIMS, DIMENSIONS = 10_000, 384
KINDS = {
    "paraphrases": "each claim near its own gold claim",
    "one topic": "all claims and gold claims around one direction",
    "hub": "all claims alike, gold claims near them to very different degrees",
}


class Table:
    """An embedder that has every vector already."""

    id = "table"

    def __init__(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        self.vectors = vectors

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.vectors[texts[0].split()[0]]


def unit(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Rows of length one."""
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def vectors(kind: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Vectors of the stated and of the gold claims."""
    chance = np.random.default_rng(7)
    shape = CLAIMS, DIMENSIONS
    if kind == "paraphrases":
        stated = unit(chance.normal(size=shape))
        return stated, unit(stated + 0.03 * chance.normal(size=shape))
    middle = chance.normal(size=(1, DIMENSIONS))
    if kind == "one topic":
        return unit(middle + 0.4 * chance.normal(size=shape)), unit(middle + 0.4 * chance.normal(size=shape))
    reach = chance.uniform(0, 0.6, size=(CLAIMS, 1))
    return unit(middle + 0.02 * chance.normal(size=shape)), unit(middle + reach * chance.normal(size=shape))


def match(kind: str, whole: bool = False) -> tuple[float, float, float, int]:
    """Seconds, CPU seconds, peak MiB of this process and pairs.

    10,000 claims in two renderings are matched with 10,000 gold claims; `whole` scores them as a pass: matched at the
    headline threshold, with equal numbers only and at the lenient one, and the gold claims compared with each other.
    """
    stated, gold = vectors(kind)
    chance = np.random.default_rng(8)
    named = unit(stated + 0.01 * chance.normal(size=stated.shape))
    judge = Table({"bare": stated, "Acme:": named, "gold": gold})
    claims = [Claim(f"bare {index}", 0.9, ("Acme",)) for index in range(CLAIMS)]
    golds = [f"gold {index}" for index in range(CLAIMS)]
    expected = tuple(Expected(text, 0.0, "EPISTEMIC") for text in golds)
    suite = Suite("s", "S", "1", "d", (), (Case("c", expected, fixture="f"),))
    emissions = Emissions("x", "1", "s", (CaseEmission("c", "ok", tuple(claims)),))
    start, cpu = time.perf_counter(), time.process_time()
    if whole:
        pairs = score_pass(suite, emissions, Judging(judge)).cases[0].matched_count
    else:
        pairs = len(assign(scores_of(claims, golds, judge), 0.8))
    took, used = time.perf_counter() - start, time.process_time() - cpu
    return took, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, pairs


def matching() -> list[list[str]]:
    """A row for the time and one for the memory of each kind, each in a process of its own."""
    rows = []
    plans = [([kind], f"matched, {meaning}") for kind, meaning in KINDS.items()]
    plans.append((["one topic", "whole"], "scored as a pass, one topic"))
    for words, what in plans:
        command = [sys.executable, str(Path(__file__).resolve()), *words]
        ended = subprocess.run(command, check=True, capture_output=True, text=True)
        took, used, peak, pairs = map(float, ended.stdout.split())
        rows.append([f"10,000 x 10,000 claims {what}: {pairs:.0f} pairs", f"{took:.1f} s ({used:.1f} s CPU)", "60 s"])
        rows.append(["its peak memory, embeddings included", f"{peak:.0f} MiB", "2048 MiB"])
    return rows


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(*match(sys.argv[1], whole="whole" in sys.argv))
    else:
        for row in matching():
            print(*row, sep=" | ")
