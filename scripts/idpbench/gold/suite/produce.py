"""One run of reference recipes in a process of its own, so that two runs can be compared byte by byte.

`python -m idpbench.gold.suite.produce JOBS FOLDER`: JOBS is a JSON list of `{"name", "workbook", "recipe"}` (paths);
`FOLDER/<name>.csv` and `FOLDER/<name>.jsonl` become the table and the trace of each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from idpbench.files.errors import Refusal
from idpbench.files.provenance import PACKAGE
from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.tidy import csv_bytes
from idpbench.gold.trace import trace_bytes
from idpbench.gold.workbook import Workbook, read_workbook

MINUTES = 30


def in_own_process(jobs: Path, folder: Path, hash_seed: int) -> None:
    """Produce the jobs in a new process whose hashes, and so the order of its sets, differ by `hash_seed`.

    Refusal with what the process said where it fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), PYTHONHASHSEED=str(hash_seed))
    command = [sys.executable, "-m", "idpbench.gold.suite.produce", str(jobs), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    if done.returncode:
        raise Refusal(done.stderr.strip()[-2000:] or f"the reference run ended with {done.returncode}")


def main(arguments: Sequence[str]) -> int:
    """Produce every job; 2 and a message per failing job where any fails."""
    jobs, folder = Path(arguments[0]), Path(arguments[1])
    books: dict[str, Workbook] = {}
    failed = 0
    for job in json.loads(jobs.read_bytes()):
        try:
            path = job["workbook"]
            if path not in books:
                books[path] = read_workbook(Path(path))
            production = execute(parse_recipe(Path(job["recipe"]).read_bytes()), books[path])
        except Unusable as fault:
            print(f"{job['name']}: {fault}", file=sys.stderr)
            failed = 2
            continue
        (folder / f"{job['name']}.csv").write_bytes(csv_bytes(production.table))
        (folder / f"{job['name']}.jsonl").write_bytes(trace_bytes(production.trace))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
