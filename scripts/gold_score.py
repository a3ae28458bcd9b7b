"""Step: execute and score the recorded reply about one member of a gold suite; nothing is asked."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.flags import of_member
from idpbench.files.step import run_step
from idpbench.gold.place import open_suite
from idpbench.gold.run.state import write_final
from idpbench.gold.run.steps import score_recorded
from idpbench.gold.transport.local import heuristic


def main() -> None:
    """Read the flags, write the member as a result holds it."""
    parser = of_member(__doc__, "the scored member")
    parser.add_argument("--calls", type=Path, required=True, help="journal of the step before")
    given = parser.parse_args()
    suite = open_suite(Path(), given.suite, given.staged)
    final = score_recorded(suite, given.member, heuristic(), given.calls)
    write_final(given.output, final, suite.manifest.digest)


if __name__ == "__main__":
    run_step(main)
