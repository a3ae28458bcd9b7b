"""Step: which documents need how many repeats before an inconclusive comparison can be decided."""

from __future__ import annotations

import argparse

from idpbench.files.canonical import read_json, write_json
from idpbench.files.step import run_step
from idpbench.gate.paired.power import MOST_REPEATS
from idpbench.gate.settle import plan_settle
from idpbench.settings.yamlfile import load_yaml


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", required=True, help="summary.json of the version that is judged")
    parser.add_argument("--base", required=True, help="baseline.json it is judged against")
    parser.add_argument("--gate", required=True, help="config/gate.yaml")
    parser.add_argument("--cap", type=int, default=MOST_REPEATS, help="most repeats a side")
    parser.add_argument("--output", required=True, help="settle.json")
    arguments = parser.parse_args()
    sides = read_json(arguments.new), read_json(arguments.base)
    names = (arguments.new, arguments.base)
    write_json(arguments.output, plan_settle(*sides, load_yaml(arguments.gate), cap=arguments.cap, names=names))


if __name__ == "__main__":
    run_step(main)
