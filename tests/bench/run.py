"""`make bench`: the speed targets of the design, measured here and now. Figures of one machine, never a test."""

from __future__ import annotations

import gzip
import json
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
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


def seconds(action: Callable[[], Any]) -> float:
    """Wall time of an action."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def command(project: Project, *words: str) -> float:
    """Wall time of a snakemake command that must succeed."""

    def run() -> None:
        ended = project.snakemake(*words, seconds=1500)
        assert ended.code == 0, ended.text

    return seconds(run)


def workflow(folder: Path) -> list[list[str]]:
    """From nothing to the page, then again, then with one metric edited."""
    project = copy_of(ROOT, folder / "project", work=False)
    first = command(project, *RELEASE)
    launched = len(project.invokes())
    again = command(project, *RELEASE)
    dry = command(project, "-n", *RELEASE)
    project.edit("scripts/idpbench/scoring/completeness.py", "from __future__", "# an edit\nfrom __future__")
    edited = command(project, *RELEASE)
    launched_again = sum(project.invokes().values()) - launched
    rows = [
        [f"first command, no results: {launched} runs to the page", f"{first:.0f} s", "300 s"],
        ["the same again", f"{again:.1f} s", "5 s"],
        ["dry run of it", f"{dry:.1f} s", "5 s"],
        [f"a metric edited: 342 runs scored again, {launched_again} launched", f"{edited:.1f} s", "20 s"],
        ["scoring one 100-row record (CPU)", f"{score_time(project):.2f} ms", "3 ms"],
        ["the gate over both sides, 342 runs", f"{compare_time(project):.2f} s", "2 s"],
    ]
    project.stop_stack()
    return rows


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


def compare_time(project: Project) -> float:
    """Seconds to read and compare the two published summaries."""
    new, base = (project.folder / f"results/local/v{version}/corefast/summary.json" for version in ("0.6.9", "0.6.8"))
    rules = load_yaml(ROOT / "config" / "gate.yaml")
    return seconds(lambda: make_comparison(read_json(new), read_json(base), rules))


def large_comparison() -> list[list[str]]:
    """The gate over 100,000 rows: 21 cells, three repeats a side, scattering costs, one run in a hundred fails."""
    from gate_study import GRIDS, run

    chance, grid = random.Random(1), GRIDS["rare failures"]

    def side() -> dict[str, Any]:
        names = (
            (f"c{cell}", f"d{document}", repeat) for cell in range(21) for document in range(794) for repeat in range(3)
        )
        return {
            "rows": [
                {"cell": cell, "doc": document, "repeat": repeat, **run(grid, 0.1, False, chance)}
                for cell, document, repeat in names
            ]
        }

    new, base = side(), side()
    took = seconds(lambda: make_comparison(new, base))
    return [[f"the gate over {len(new['rows']) + len(base['rows']):,} rows", f"{took:.1f} s", "30 s"]]


def documents(folder: Path) -> list[list[str]]:
    """Generating documents, without reading them back."""
    from idpbench.corpus.generate import generate

    settings = load(ROOT)
    every = list(settings.documents.values())
    large = seconds(lambda: generate([settings.documents["scale_3200"]], folder / "large"))
    whole = seconds(lambda: generate(every, folder / "docs"))
    return [
        ["3,200-row PDF generated", f"{large:.2f} s", "1 s"],
        [f"corpus of {len(every)} documents generated", f"{whole:.1f} s", "15 s"],
    ]


def main() -> None:
    """Measure and print the table."""
    folder = Path(tempfile.mkdtemp(prefix="idpbench-"))
    try:
        rows = documents(folder) + workflow(folder) + large_comparison()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(terminal(["work", "measured", "target"], rows))
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
