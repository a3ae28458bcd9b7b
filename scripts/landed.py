"""Step: land a side: take over committed records, launch what the vault lacks, collect, write the records per cell."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import read_json, write_json
from idpbench.files.step import run_step
from idpbench.localstack.process import LocalStack
from idpbench.stack.flags import add_flags
from idpbench.stack.model import side_from_json
from idpbench.stack.session import land_side
from idpbench.stack.tasks import connection_of, task_of


def main() -> None:
    """Land the side of `--plan`, on the local stack or on AWS as the plan says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="plan of the side")
    parser.add_argument("--records", type=Path, required=True, help="folder of one record file per cell")
    parser.add_argument("--output", type=Path, required=True, help="what landed: record files and keys by cell")
    add_flags(parser)
    given = parser.parse_args()
    side, root = side_from_json(read_json(given.plan), given.plan), Path()
    local = LocalStack(root / "work", root / "config")
    connection = connection_of(side, given, lambda: local.ensure().url, root)
    write_json(given.output, land_side(side, root, given.records, connection, task_of(side, root, given)))


if __name__ == "__main__":
    run_step(main)
