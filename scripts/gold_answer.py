"""Step: ask the embedded model about one member of a gold suite, and keep the reply as the journal of that call."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.flags import of_member
from idpbench.files.step import run_step
from idpbench.gold.place import open_suite
from idpbench.gold.run.steps import ask_member
from idpbench.gold.transport.local import heuristic


def main() -> None:
    """Read the flags and ask once; a workbook that is not staged leaves an empty journal."""
    given = of_member(__doc__, "the journal").parse_args()
    ask_member(open_suite(Path(), given.suite, given.staged), given.member, heuristic(), given.output)


if __name__ == "__main__":
    run_step(main)
