"""The table of the fault suite: run the cases, render what was counted, put it between two comments of the README."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from faultcases import CASES, Case, told
from faultworld import ROOT, Ground

from idpbench.files.atomic import append_line, write_text
from idpbench.files.canonical import canonical

README = ROOT / "README.md"
BEGIN, END = "<!-- faults: written by tests/bench/faults.py table --write -->", "<!-- end of faults -->"
HEAD = ("fault", "injected", "runs lost", "launched twice", "relaunched", "wrong numbers", "what the user is told")


@dataclass(frozen=True)
class Result:
    """What one case came to. `same`: the summary was the quiet one's to the last digit."""

    case: Case
    injected: int
    lost: int
    twice: int
    relaunched: int
    wrong: int
    same: bool
    told: str | None

    @property
    def troubles(self) -> list[str]:
        """What is not as it has to be."""
        found = [f"{count} {what}" for count, what in self._counts() if count]
        if self.injected == 0:
            found.append("nothing was injected")
        if self.told is None:
            found.append(f"nobody was told {self.case.says!r}")
        if self.case.same and not self.same:
            found.append("the summary is another")
        return found

    def _counts(self) -> list[tuple[int, str]]:
        return [(self.lost, "lost"), (self.twice, "launched twice"), (self.wrong, "wrong numbers")]

    def cells(self) -> tuple[str, ...]:
        """Its row of the table."""
        numbers = (self.injected, self.lost, self.twice, self.relaunched, self.wrong)
        return (self.case.name, *map(str, numbers), (self.told or "").replace("|", "\\|").replace("<", "&lt;"))


def ground(folder: Path) -> Ground:
    """A server, the documents, and the quiet case that every other one is compared with."""
    made = Ground(folder)
    quiet = made.world("quiet")
    ended = quiet.until_done()
    assert ended.code == 0 and quiet.lost() == 0, ended.text
    made.quiet = quiet.rows()
    return made


def result(made: Ground, case: Case) -> Result:
    """Run one case."""
    world = made.world(f"fault{CASES.index(case):02}")
    try:
        case.act(world)
    finally:
        made.local.set_faults([])
    grids = world.parts or [world]
    return Result(
        case,
        sum(one.injected for one in grids),
        sum(one.lost() for one in grids),
        sum(one.twice() for one in grids),
        sum(one.relaunched() for one in grids),
        sum(one.wrong() for one in grids),
        all(one.same() for one in grids),
        next((line for one in grids if (line := told(one, case.says)) is not None), None),
    )


def keep(file: Path, one: Result) -> None:
    """Add a result to a file of them, one line each."""
    append_line(file, canonical({**asdict(one), "case": one.case.name}))


def kept(file: Path) -> dict[str, Result]:
    """The results in such a file, by the name of the case; of a case that is in it twice the latest."""
    cases = {case.name: case for case in CASES}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    told = [json.loads(line) for line in lines]
    return {one["case"]: Result(**{**one, "case": cases[one["case"]]}) for one in told if one["case"] in cases}


def table(results: list[Result]) -> str:
    """The table as Markdown."""
    lines = [HEAD, tuple("---:" if 0 < n < len(HEAD) - 1 else "---" for n in range(len(HEAD)))]
    lines += [one.cells() for one in results]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def committed() -> list[list[str]]:
    """Rows of the table in README.md, without its head."""
    text = README.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [line.strip().strip("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.replace("\\|", "¦").split("|")] for row in rows[2:]]


def write(results: list[Result]) -> None:
    """Put the table into README.md."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    assert rest and after, f"{README} has no place for the table"
    write_text(README, f"{before}{BEGIN}\n\n{table(results)}\n{END}{after}")
