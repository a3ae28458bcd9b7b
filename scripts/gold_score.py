"""Step: execute and score the recorded reply about one member of a gold suite; nothing is asked."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.gold.place import open_suite
from idpbench.gold.run.state import write_final
from idpbench.gold.run.steps import score_recorded
from idpbench.gold.transport.local import heuristic


def main() -> None:
    """Read the flags, write the member as a result holds it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--member", required=True)
    parser.add_argument("--staged", type=Path, required=True, help="folder of publishers' workbooks")
    parser.add_argument("--calls", type=Path, required=True, help="journal of the step before")
    parser.add_argument("--output", type=Path, required=True, help="the scored member")
    given = parser.parse_args()
    suite = open_suite(Path(), given.suite, given.staged)
    final = score_recorded(suite, given.member, heuristic(), given.calls)
    write_final(given.output, final, suite.manifest.digest)


if __name__ == "__main__":
    run_step(main)
