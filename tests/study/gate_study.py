"""Simulation study of the gate: how often it convicts an unchanged release, and how often it finds what was planted.

    python tests/study/gate_study.py                 # writes docs/gate-study.md, .csv, .png; about 20 minutes of CPU
    python tests/study/gate_study.py --repeats 10    # simulates that number of repeats, takes the others from the CSV

Both sides are drawn from one model of a release's runs; the seeds are texts, so that every number can be made again.
Nothing here is measured on a stack. What the number of simulated releases leaves uncertain is printed.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from idpbench.gate.certificate import wilson  # noqa: E402
from idpbench.gate.options import Options  # noqa: E402
from idpbench.gate.paired import chances, drawing, units  # noqa: E402
from idpbench.gate.paired.relabel import DRAWS, Draws  # noqa: E402
from idpbench.gate.verdict import make_comparison  # noqa: E402

REPEATS = (1, 3, 5, 10, 40)
RELEASES = {1: 100, 3: 100, 5: 60, 10: 40, 40: 40}  # simulated releases of each kind, by repeats
MANY_REPEATS, FEWER = 10, 9_999  # from so many repeats on, so many draws in place of 99,999
CELLS, DOCUMENTS = 3, {"form": 0.03, "list": 0.2, "long": 0.7}  # documents of unlike cost, in dollars
Row = dict[str, Any]
Key = tuple[str, str, str]  # level, key, metric


@contextmanager
def fewer_draws(repeats: int) -> Iterator[None]:
    """While this lasts, the gate keeps its draws from release to release, and makes a tenth of them at many repeats.

    Draws depend on a document's name and number of runs alone, so that keeping them changes nothing.
    """
    kept: dict[tuple[Any, ...], Draws] = {}

    def draws(*name: Any) -> Draws:
        if name not in kept:
            kept[name] = Draws(*name)
        return kept[name]

    plain = [(module, "Draws", module.Draws) for module in (drawing, units)]
    plain += [(module, "DRAWS", module.DRAWS) for module in (chances, units)]
    count = FEWER if repeats >= MANY_REPEATS else DRAWS
    for module, name, _ in plain:
        setattr(module, name, draws if name == "Draws" else count)
    try:
        yield
    finally:
        for module, name, value in plain:
            setattr(module, name, value)


@dataclass(frozen=True)
class Grid:
    """How runs of an unchanged stack scatter. `cv`: of cost; `drop`: chance that a run loses a part of its rows."""

    cv: float = 0.05
    fail: float = 0.0
    drop: float = 0.0
    noisy_cells: int = CELLS  # the first so many; the others have a CV of 0.05 and nothing else
    heavy: bool = False  # one run in twenty costs three to ten times as much
    flips: float = 0.0  # chance that scalar accuracy is lower by 0.02
    bimodal: int = 0  # documents of the first cell that give 0.1 or 1.0 of their rows, by the toss of a coin
    gaussian: float = 0.0  # standard deviation of every quality metric


GRIDS = {
    "exact": Grid(cv=0.0),
    "quiet": Grid(),
    "a third noisy": Grid(cv=0.5, fail=0.02, noisy_cells=CELLS // 3),
    "rare failures": Grid(cv=0.35, fail=0.01, drop=0.01),
    "heavy tails": Grid(cv=0.1, heavy=True),
    "a flipping metric": Grid(flips=0.3),
    "two bimodal documents": Grid(bimodal=2),
    "Gaussian metrics": Grid(gaussian=0.03),
}
QUALITY = (
    "completeness_recall", "scalar_accuracy", "weighted_accuracy", "typed_accuracy", "cell_accuracy", "conf_coverage",
)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """A change of the new side: `edit(row, cell, document, chance)`; found when one of `where` is a regression."""

    edit: Callable[[Row, int, str, random.Random], None]
    where: tuple[Key, ...]


def _fails(row: Row, cell: int, document: str, chance: random.Random) -> None:
    if (cell, document) == (0, "list"):
        row.update(success=False, cost=None, **dict.fromkeys(QUALITY))


def _loses(row: Row, amount: float) -> None:
    if row["success"]:
        row["completeness_recall"] = max(0.0, row["completeness_recall"] - amount)


def _document_loses(row: Row, cell: int, document: str, chance: random.Random) -> None:
    if (cell, document) == (0, "list"):
        _loses(row, 0.3)


def _cell_loses(row: Row, cell: int, document: str, chance: random.Random) -> None:
    if cell == 0:
        _loses(row, 0.3)


def _half_lose(row: Row, cell: int, document: str, chance: random.Random) -> None:
    if cell == 0 and chance.random() < 0.5:
        _loses(row, 0.9)


def _dearer(factor: float, cell_only: bool, document_only: str | None = None) -> Callable[..., None]:
    def edit(row: Row, cell: int, document: str, chance: random.Random) -> None:
        if row["cost"] is not None and (cell == 0 or not cell_only) and document_only in (None, document):
            row["cost"] *= factor

    return edit


RECALL = "completeness_recall"
CHANGES = {
    "a document fails always": Planted(_fails, (("rows", "c0|list", "failures"), ("cells", "c0", "failures"))),
    "a document loses 0.3 recall": Planted(_document_loses, (("rows", "c0|list", RECALL), ("cells", "c0", RECALL))),
    "a cell loses 0.3 recall": Planted(_cell_loses, (("cells", "c0", RECALL),)),
    "a cell loses 0.9 in half its runs": Planted(_half_lose, (("cells", "c0", RECALL),)),
    "cost +25 % in one cell": Planted(_dearer(1.25, True), (("cells", "c0", "cost"),)),
    "cost x3 in one document": Planted(_dearer(3.0, True, "list"), (("rows", "c0|list", "cost"),)),
    "cost +17 % everywhere": Planted(_dearer(1.17, False), (("grid", "*", "bill"),)),
    "cost +8 % everywhere": Planted(_dearer(1.08, False), (("grid", "*", "bill"),)),
}
POWER_GRIDS = ("quiet", "rare failures")


def side(grid: Grid, repeats: int, seed: str, planted: Planted | None = None) -> dict[str, list[Row]]:
    """A summary of one release: every cell and document, so many repeats."""
    chance = random.Random(seed)
    rows = []
    for cell in range(CELLS):
        own = grid if cell < grid.noisy_cells else Grid()
        for place, (document, price) in enumerate(DOCUMENTS.items()):
            for repeat in range(repeats):
                row = run(own, price * (1 + cell / 5), own.bimodal > place and cell == 0, chance)
                if planted is not None:
                    planted.edit(row, cell, document, chance)
                rows.append({"cell": f"c{cell}", "doc": document, "repeat": repeat, **row})
    return {"rows": rows}


def run(grid: Grid, price: float, bimodal: bool, chance: random.Random) -> Row:
    """One run of a document of this price; `bimodal`: one that gives 0.1 or 1.0 of its rows."""
    if chance.random() < grid.fail:
        return {"success": False, "cost": None, **dict.fromkeys(QUALITY)}
    cost = price * chance.lognormvariate(0, grid.cv)
    if grid.heavy and chance.random() < 0.05:
        cost *= chance.uniform(3, 10)
    noise = {metric: 1 - min(1.0, abs(chance.gauss(0, grid.gaussian))) if grid.gaussian else 1.0 for metric in QUALITY}
    row: Row = {"success": True, "cost": cost, **noise}
    if chance.random() < grid.drop:
        row["completeness_recall"] *= chance.uniform(0.3, 0.9)
    if chance.random() < grid.flips:
        row["scalar_accuracy"] -= 0.02
    if bimodal and chance.random() < 0.5:
        row["completeness_recall"] = 0.1
    return row


@dataclass
class Rate:
    """Hits among simulated releases."""

    hits: int = 0
    of: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.of += 1

    @property
    def share(self) -> float:
        return self.hits / self.of

    def __str__(self) -> str:
        return f"{self.share:.2f}"


def unchanged(name: str, repeats: int, releases: int) -> dict[str, Rate]:
    """Of releases in which nothing changed: any regression, exit 4, and any regression of the classic rules."""
    rates = {"regression": Rate(), "exit 4": Rate(), "classic": Rate()}
    for number in range(releases):
        sides = (side(GRIDS[name], repeats, f"{name}|{repeats}|{number}|{which}") for which in ("new", "base"))
        verdict = make_comparison(*sides)
        rates["regression"].add(verdict["verdict"] == "regression")
        rates["exit 4"].add(verdict["exit_code"] == 4)
        rates["classic"].add(any(verdict["classic"][level]["regressions"] for level in ("rows", "cells")))
    return rates


def found(change: str, name: str, repeats: int, releases: int) -> Rate:
    """Of releases with a planted change: how many have it among their regressions, where it was planted."""
    rate, planted = Rate(), CHANGES[change]
    for number in range(releases):
        seed = f"{change}|{name}|{repeats}|{number}"
        new, base = side(GRIDS[name], repeats, f"{seed}|new", planted), side(GRIDS[name], repeats, f"{seed}|base")
        verdict = make_comparison(new, base, None, Options("paired"))
        named = {(at, f["key"], f["metric"]) for at in ("rows", "cells", "grid") for f in verdict[at]["regressions"]}
        rate.add(bool(named & set(planted.where)))
    return rate


@dataclass
class Study:
    """All rates: `alarms[grid][repeats]` by kind, `power[grid][change][repeats]`."""

    alarms: dict[str, dict[int, dict[str, Rate]]]
    power: dict[str, dict[str, dict[int, Rate]]]
    releases: Mapping[int, int]


def study(releases: Mapping[int, int], say: Callable[[str], None] = lambda text: None) -> Study:
    """Simulate everything: `releases` of each kind for each number of repeats."""
    result = Study({name: {} for name in GRIDS}, {name: {c: {} for c in CHANGES} for name in POWER_GRIDS}, releases)
    for n, count in releases.items():
        with fewer_draws(n):
            for name in GRIDS:
                result.alarms[name][n] = unchanged(name, n, count)
            for name in POWER_GRIDS:
                for change in CHANGES:
                    result.power[name][change][n] = found(change, name, n, count)
        say(f"{n} repeats: {count} releases of each kind")
    return result


def lines_of(result: Study) -> list[list[Any]]:
    """Every rate as a line of the CSV: kind, grid, change, repeats, hits, releases, 95 % interval."""
    lines = []
    for name, by_repeats in result.alarms.items():
        for n, rates in by_repeats.items():
            lines += [[kind, name, "", n, r.hits, r.of, *wilson(r.hits, r.of)] for kind, r in rates.items()]
    for name, changes in result.power.items():
        for change, by in changes.items():
            lines += [["found", name, change, n, r.hits, r.of, *wilson(r.hits, r.of)] for n, r in by.items()]
    return lines


def read_study(path: Path) -> Study:
    """The study whose rates a CSV of `lines_of` holds."""
    result = Study({name: {} for name in GRIDS}, {name: {c: {} for c in CHANGES} for name in POWER_GRIDS}, {})
    releases: dict[int, int] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for line in csv.DictReader(stream):
            n, rate = int(line["repeats"]), Rate(int(line["hits"]), int(line["releases"]))
            releases[n] = rate.of
            if line["change"]:
                result.power[line["grid"]][line["change"]][n] = rate
            else:
                result.alarms[line["grid"]].setdefault(n, {})[line["kind"]] = rate
    result.releases = releases
    return result


def with_others(result: Study, others: Study) -> Study:
    """This study, and of another the numbers of repeats that it lacks, in order."""
    ns = sorted({*result.releases, *others.releases})
    of = {n: result if n in result.releases else others for n in ns}
    return Study(
        {name: {n: of[n].alarms[name][n] for n in ns} for name in GRIDS},
        {name: {c: {n: of[n].power[name][c][n] for n in ns} for c in CHANGES} for name in POWER_GRIDS},
        {n: of[n].releases[n] for n in ns},
    )


def main() -> None:
    """Run the study and write its page."""
    from gate_study_page import figure, page

    from idpbench.files.atomic import write_text
    from idpbench.report.figures.style import save_numbers

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    parser.add_argument("--scale", type=float, default=1.0, help="of the number of simulated releases")
    parser.add_argument("--repeats", type=int, nargs="*", choices=REPEATS, help="only these; the others as in the CSV")
    given = parser.parse_args()
    chosen = given.repeats or REPEATS
    releases = {n: max(1, round(RELEASES[n] * given.scale)) for n in chosen}
    result = study(releases, lambda text: print(text, flush=True))
    if given.repeats:
        result = with_others(result, read_study(given.output / "gate-study.csv"))
    headers = ("kind", "grid", "change", "repeats", "hits", "releases", "low", "high")
    save_numbers(given.output, "gate-study", headers, lines_of(result))
    figure(result, given.output)
    write_text(given.output / "gate-study.md", page(result))


if __name__ == "__main__":
    main()
