"""The fault suite, and a whole grid under a storm of faults.

    python tests/bench/faults.py table [--write]   every fault on a small grid; the table, or into README.md
    python tests/bench/faults.py table WORD...     only the faults with one of these words in their names
        --keep FILE                                results are kept there, and those that it holds are not run again
    python tests/bench/faults.py storm [SHARE]     corefast while SHARE (0.1) of all requests fail with status 500 and
                                                   it is killed (signal 9) once a minute, against a quiet corefast

Both take minutes: they are no tests. The exit code is 1 where anything is lost, launched twice or another number.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("workflow", "faults")] + [str(ROOT / "scripts")]

from project import Project, copy_of  # noqa: E402

COREFAST = ("suite", "--config", "suite=corefast", "version=0.6.9")
SIDE = "work/local/v0.6.9/corefast"
EVERY = 60.0  # seconds between kills


def every_fault(folder: Path, words: list[str]) -> bool:
    """Run the suite, or the faults chosen; True where all is as it has to be."""
    from faultcases import CASES
    from faulttable import ground, keep, kept, result, table, write

    file = Path(words[words.index("--keep") + 1]) if "--keep" in words else folder / "results.jsonl"
    chosen = [word for word in words if word not in ("--write", "--keep", str(file))]
    missing = [case for case in CASES if case.name not in kept(file)]
    made = ground(folder) if missing else None
    for case in missing:
        if made is not None and (not chosen or any(word in case.name for word in chosen)):
            began = time.monotonic()
            one = result(made, case)
            keep(file, one)
            troubles = "; ".join(one.troubles) or "as it has to be"
            print(f"{time.monotonic() - began:5.0f} s  {case.name}: {troubles}", flush=True)
    if made is not None:
        made.stop()
    results = [one for case in CASES if (one := kept(file).get(case.name)) is not None]
    print(table(results))
    good = not any(one.troubles for one in results)
    if good and "--write" in words and len(results) == len(CASES):
        write(results)
    return good


def storm(folder: Path, share: float) -> bool:
    """Run corefast quietly and in the storm; True where both come to the same summary and nothing was paid twice."""
    from projection import canonical_projection

    quiet = copy_of(ROOT, folder / "quiet", work=False)
    began = time.monotonic()
    ended = quiet.snakemake(*COREFAST, seconds=3600)
    assert ended.code == 0, ended.text
    print(f"quiet: {sum(quiet.invokes().values())} launches, {time.monotonic() - began:.0f} s", flush=True)
    quiet.stop_stack()

    wild = copy_of(ROOT, folder / "wild", work=False)
    wild.stack.layout.folder.mkdir(parents=True)
    wild.stack.set_faults([{"fault": "error", "share": share, "seed": 1}])
    began, kills, struck, seen = time.monotonic(), 0, 0, 0
    for number in itertools.count(1):
        process = wild.start(*COREFAST)
        due = time.monotonic() + EVERY
        counts: list[dict[str, int]] = []
        while time.monotonic() < due and process.poll() is None:
            counts = wild.stack.fault_counts() or counts
            time.sleep(1.0)
        alive = process.poll() is None
        if alive:  # every second kill takes the head alone and leaves its children alive
            (os.killpg if number % 2 else os.kill)(process.pid, signal.SIGKILL)
            kills += 1
        assert process.stdout is not None
        text = "" if alive else process.stdout.read()
        process.stdout.close()
        process.wait()
        struck, seen = _later(struck, seen, counts)
        print(f"start {number}: {'killed' if alive else f'exit {process.returncode}'}, {_records(wild)} runs landed",
              flush=True)  # fmt: skip
        if not alive and process.returncode == 0:
            break
        assert number < 90, text[-2000:]
    took = time.monotonic() - began
    wild.stack.set_faults([])
    planned, invokes = wild.keys("0.6.9", "corefast"), wild.invokes()
    given_up = {e["key"] for e in wild.journal() if e["event"] == "abandoned" and e.get("run_id")}
    twice = {key: count for key, count in invokes.items() if count > 1 and key not in given_up}
    name = f"{SIDE}/summary/summary.json"
    same = canonical_projection(wild.json(name)) == canonical_projection(quiet.json(name))
    wild.stop_stack()
    told = "same summary" if same else "ANOTHER SUMMARY"
    print(f"storm: {len(planned)} runs, {sum(invokes.values())} launches, {len(twice)} twice, {kills} kills,")
    print(f"  at least {struck} of {seen} requests failed, {took:.0f} s; {told}")
    return same and not twice and invokes.keys() == planned.keys()


def _later(struck: int, seen: int, counts: list[dict[str, int]]) -> tuple[int, int]:
    """Sums over the lives of servers: a new one counts from nothing."""
    now = sum(one["struck"] for one in counts), sum(one["seen"] for one in counts)
    return (now if now[1] >= seen else (struck + now[0], seen + now[1])) if counts else (struck, seen)


def _records(project: Project) -> int:
    return sum(1 for _ in (project.folder / "work" / "vault" / "local").glob("??/*.json"))


def main() -> None:
    """Run one of the two."""
    words = sys.argv[1:] or [""]
    folder = Path(tempfile.mkdtemp(prefix="idpbench-faults-"))
    try:
        if words[0] == "storm":
            good = storm(folder, float([*words, "0.1"][1]))
        elif words[0] == "table":
            good = every_fault(folder, words[1:])
        else:
            sys.exit(__doc__)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
