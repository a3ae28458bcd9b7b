"""Kill the workflow with signal 9 again and again, and hold the results against those of an undisturbed run.

    python tests/bench/kills.py lines           the smoke pair, killed once at every line of its journal
    python tests/bench/kills.py moments [N]     the corefast pair, killed at N (10) random moments of one run

Every second kill takes the workflow's head alone and leaves its children alive. It takes minutes: it is no test.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "workflow"), str(ROOT / "scripts")]

from project import SMOKE, Project, copy_of  # noqa: E402

CORE = ("release", "--config", "version=0.6.9", "prev=0.6.8")


def kill_when(project: Project, command: tuple[str, ...], due: Callable[[], bool], *, group: bool) -> bool:
    """Start the command and kill it when `due()`; False when it ended first."""
    process = project.start(*command)
    while not due():
        if process.poll() is not None:
            process.communicate()
            return False
        time.sleep(0.005)
    (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
    if process.stdout is not None:
        process.stdout.close()
    process.wait()
    return True


def finish(project: Project, command: tuple[str, ...], suite: str, undisturbed: Project) -> str:
    """The same command once more, and what is wrong afterwards ('' when nothing is)."""
    ended = project.snakemake(*command, seconds=1800)
    if ended.code:
        return f"exit code {ended.code}: {ended.text[-400:]}"
    planned = project.keys("0.6.8", suite) | project.keys("0.6.9", suite)
    if project.invokes() != dict.fromkeys(planned, 1):
        return f"invokes {sum(project.invokes().values())} of {len(planned)} run keys"
    return "" if project.summaries(suite) == undisturbed.summaries(suite) else "the results differ"


def undisturbed(folder: Path, command: tuple[str, ...]) -> Project:
    """A run that nobody kills."""
    project = copy_of(ROOT, folder / "undisturbed", work=False)
    ended = project.snakemake(*command, seconds=1800)
    assert ended.code == 0, ended.text
    project.stop_stack()
    return project


def at_every_line(folder: Path) -> int:
    """Kill the smoke pair at each line of its journal."""
    reference = undisturbed(folder, SMOKE)
    lines = len(reference.journal())
    wrong = 0
    for line in range(1, lines + 1):
        project = copy_of(ROOT, folder / f"line{line}", work=False)
        killed = kill_when(project, SMOKE, lambda p=project, n=line: len(p.journal()) >= n, group=line % 2 == 0)
        fault = finish(project, SMOKE, "smoke", reference)
        wrong += bool(fault)
        print(f"line {line} of {lines}: {'killed' if killed else 'ended first'}, {fault or 'same results'}", flush=True)
        project.stop_stack()
        shutil.rmtree(project.folder)
    return wrong


def at_random_moments(folder: Path, kills: int) -> int:
    """Kill the corefast pair at random moments of one run."""
    reference = undisturbed(folder, CORE)
    project = copy_of(ROOT, folder / "killed", work=False)
    for number in range(kills):
        wait = random.uniform(3.0, 20.0)
        end = time.monotonic() + wait
        killed = kill_when(project, CORE, lambda end=end: time.monotonic() > end, group=number % 2 == 0)
        at = len(project.journal())
        print(f"kill {number + 1}: after {wait:.1f} s, journal at line {at}, {'killed' if killed else 'ended first'}")
    fault = finish(project, CORE, "corefast", reference)
    print(fault or f"{sum(project.invokes().values())} invokes, same results as the undisturbed run")
    project.stop_stack()
    return bool(fault)


def main() -> None:
    """Run one of the two and exit 1 where anything went wrong."""
    folder = Path(tempfile.mkdtemp(prefix="idpbench-kills-"))
    try:
        wrong = (
            at_random_moments(folder, int([*sys.argv, "10"][2]))
            if sys.argv[1:2] == ["moments"]
            else at_every_line(folder)
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
