"""Pass 2 from beginning to end: pool, tests, chances, words."""

from __future__ import annotations

from collections.abc import Sequence

from idpbench.gate.options import GateSettings
from idpbench.gate.paired.chances import Memory, fill_in
from idpbench.gate.paired.layout import Labels, Layout, lay_out
from idpbench.gate.paired.pool import Document
from idpbench.gate.paired.words import Runs, speak

Settled = frozenset[tuple[str, str]]


def judge(pool: Sequence[Document], settings: GateSettings, settled: Settled = frozenset()) -> Layout:
    """All tests of a pool, judged, in full detail."""
    layout = lay_out(pool, settings, settled)
    fill_in(layout)
    speak(layout, runs_of(pool))
    return layout


def judge_relabelled(
    pool: Sequence[Document], settings: GateSettings, settled: Settled, labels: Labels, memory: Memory
) -> Layout:
    """The same under other labels, for the words `regression`, `improvement` and the second looks alone."""
    layout = lay_out(pool, settings, settled, labels)
    fill_in(layout, memory)
    speak(layout, runs_of(pool), detail=False)
    return layout


def runs_of(pool: Sequence[Document]) -> dict[str, Runs]:
    """Ended runs of every document by side (relabelling keeps the numbers)."""
    return {d.key: Runs(len(d.labels) - sum(d.labels), sum(d.labels)) for d in pool}
