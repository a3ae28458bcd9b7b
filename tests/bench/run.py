"""`make bench`: the speed targets of the design, measured here and now. Figures of one machine, never a test.

python tests/bench/run.py                    # everything, in one table
python tests/bench/run.py large_comparison   # one part
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "workflow"), str(ROOT / "tests" / "study"), str(ROOT / "scripts")]

from project import Project, copy_of  # noqa: E402

from idpbench.files.canonical import read_json  # noqa: E402
from idpbench.files.tables import terminal  # noqa: E402
from idpbench.gate.verdict import make_comparison  # noqa: E402
from idpbench.pricing.card import load_rate_card  # noqa: E402
from idpbench.scoring.row import score_record  # noqa: E402
from idpbench.scoring.truth import read_truth  # noqa: E402
from idpbench.settings.load import load  # noqa: E402
from idpbench.settings.yamlfile import load_yaml  # noqa: E402

RELEASE = ("release", "--config", "version=0.6.9", "prev=0.6.8")
LARGE_PLAN = ("suite", "--config", "suite=full", "version=0.6.9", "repeats=11")


@dataclass(frozen=True)
class Figure:
    """What was measured, how much of it, and what it should be at most; `cpu`: processor time, beside wall time."""

    work: str
    measured: float
    target: float
    unit: str = "s"
    cpu: float | None = None

    @property
    def cells(self) -> list[str]:
        """A line of the table."""
        beside = "" if self.cpu is None else f" ({_short(self.cpu)} CPU)"
        return [self.work, f"{_short(self.measured)} {self.unit}{beside}", f"{self.target:g} {self.unit}", self.met]

    @property
    def met(self) -> str:
        """Is it within the target? On a machine that is busy with other things, at least by processor time?"""
        if self.measured <= self.target:
            return "yes"
        return "by CPU" if self.cpu is not None and self.cpu <= self.target and busy() else "NO"


def _short(number: float) -> str:
    return f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2}f}"


def busy() -> bool:
    """Do others want the processors, too? By the load of the last minute, to which the bench adds one or two."""
    return os.getloadavg()[0] > (os.cpu_count() or 1) + 1


def used() -> float:
    """Processor time of this process and of those that it has waited for, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def timed(work: str, target: float, action: Callable[[], Any]) -> Figure:
    """Wall and processor time of an action."""
    start, cpu = time.perf_counter(), used()
    action()
    return Figure(work, time.perf_counter() - start, target, cpu=used() - cpu)


def command(work: str, target: float, project: Project, *words: str) -> Figure:
    """A snakemake command, which must succeed. Processor time is without that of the local stack, which is detached."""

    def run() -> None:
        ended = project.snakemake(*words, seconds=3000)
        assert ended.code == 0, ended.text

    return timed(work, target, run)


def workflow(folder: Path) -> list[Figure]:
    """From nothing to the page, then again, then with one metric edited; and a plan of 10,000 runs."""
    project = copy_of(ROOT, folder / "project", work=False)
    try:
        first = command("first command, no results, to the page", 300, project, *RELEASE)
        launched = len(project.invokes())
        figures = [
            replace(first, work=f"{first.work}: {launched} runs"),
            command("the same again, nothing stale", 5, project, *RELEASE),
            command("dry run of it", 5, project, "-n", *RELEASE),
        ]
        project.edit("scripts/idpbench/scoring/completeness.py", "from __future__", "# an edit\nfrom __future__")
        edited = command("a metric edited, everything scored again", 20, project, *RELEASE)
        again = sum(project.invokes().values()) - launched
        return [
            *figures,
            replace(edited, work=f"{edited.work}: {again} launched"),
            command("dry run of a plan of 10,000 runs", 10, project, "-n", *LARGE_PLAN),
            Figure("scoring one 100-row record (CPU)", score_time(project), 3, "ms"),
            compare_both(project, launched),
        ]
    finally:
        project.stop_stack()


def score_time(project: Project) -> float:
    """CPU milliseconds to score one record of small_narrow (100 rows), best of five rounds of twenty."""
    path = project.folder / "results/local/v0.6.9/corefast/runs.jsonl.gz"
    with gzip.open(path) as stream:
        record = next(r for r in map(json.loads, stream) if r["document"] == "small_narrow")
    raw = json.loads((project.folder / "corpus/docs/small_narrow.truth.json").read_text())
    truth, card = read_truth(raw, "small_narrow"), load_rate_card(ROOT / "config" / "pricing.yaml")
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(20):
            score_record(record, truth, card)
        best = min(best, (time.process_time() - start) / 20)
    return best * 1000


def compare_both(project: Project, runs: int) -> Figure:
    """Read and compare the two published summaries."""
    new, base = (project.folder / f"results/local/v{version}/corefast/summary.json" for version in ("0.6.9", "0.6.8"))
    rules = load_yaml(ROOT / "config" / "gate.yaml")
    return timed(
        f"the gate over both sides, {runs} runs", 2, lambda: make_comparison(read_json(new), read_json(base), rules)
    )


def large_comparison(folder: Path) -> list[Figure]:
    """The gate over 100,000 rows: 21 cells, three repeats a side; costs that scatter little, or much with failures."""
    from gate_study import GRIDS, run

    def side(name: str, chance: random.Random) -> dict[str, Any]:
        names = (
            (f"c{cell}", f"d{document}", repeat) for cell in range(21) for document in range(794) for repeat in range(3)
        )
        return {
            "rows": [
                {"cell": cell, "doc": document, "repeat": repeat, **run(GRIDS[name], 0.1, False, chance)}
                for cell, document, repeat in names
            ]
        }

    found = []
    for name in ("quiet", "rare failures"):
        chance = random.Random(1)
        new, base = side(name, chance), side(name, chance)
        work = f"the gate over {len(new['rows']) + len(base['rows']):,} rows, {name}"
        found.append(timed(work, 30, partial(make_comparison, new, base)))
    return found


def documents(folder: Path) -> list[Figure]:
    """Generating documents, without reading them back."""
    from idpbench.corpus.generate import generate

    known, manifest = load(ROOT).documents, ROOT / "corpus" / "manifest.json"
    return [
        timed("3,200-row PDF generated", 1, lambda: generate(known, folder / "large", manifest, ["scale_3200"])),
        timed(f"corpus of {len(known)} documents generated", 15, lambda: generate(known, folder / "docs", manifest)),
    ]


def gold(folder: Path) -> list[Figure]:
    """What tests/bench/gold.py measures: tuples of what, CPU seconds, target."""
    import gold as bench

    return [Figure(f"gold: {what} (CPU)", took, target) for what, took, target in bench.rows()]


def claims(folder: Path) -> list[Figure]:
    """What tests/bench/claims.py measures: lists of what, figure and target, the latter two with their unit."""
    import claims as bench

    return [
        Figure(
            f"claims: {what}", *(float(text.split()[0].replace(",", "")) for text in (took, target)), target.split()[1]
        )
        for what, took, target in bench.matching()
    ]


PARTS = {part.__name__: part for part in (documents, workflow, large_comparison, gold, claims)}


def main() -> None:
    """Measure, all of it or the parts named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)} (default: all)")
    names = parser.parse_args().parts or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"no part named {', '.join(unknown)}; there are {', '.join(PARTS)}")
    figures: list[Figure] = []
    folder = Path(tempfile.mkdtemp(prefix="idpbench-"))
    try:
        for name in names:
            print(f"measuring: {name}", file=sys.stderr, flush=True)
            figures += PARTS[name](folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(terminal(["work", "figure", "target", "ok"], [figure.cells for figure in figures]))
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    if busy():
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors: wall times include waiting")


if __name__ == "__main__":
    main()
