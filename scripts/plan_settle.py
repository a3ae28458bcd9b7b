"""Step: which documents need how many repeats before an inconclusive comparison can be decided."""

from __future__ import annotations

from idpbench.files.canonical import read_json, write_json
from idpbench.files.flags import judging
from idpbench.files.step import run_step
from idpbench.gate.paired.power import MOST_REPEATS
from idpbench.gate.settle import plan_settle
from idpbench.settings.yamlfile import load_yaml


def main() -> None:
    parser = judging(__doc__)
    parser.add_argument("--cap", type=int, default=MOST_REPEATS, help="most repeats a side")
    parser.add_argument("--output", required=True, help="settle.json")
    arguments = parser.parse_args()
    sides = read_json(arguments.new), read_json(arguments.base)
    names = (arguments.new, arguments.base)
    write_json(arguments.output, plan_settle(*sides, load_yaml(arguments.gate), cap=arguments.cap, names=names))


if __name__ == "__main__":
    run_step(main)
