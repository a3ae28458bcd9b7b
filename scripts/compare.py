"""Step: two summaries become the verdict object."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.canonical import read_json, write_json
from idpbench.files.flags import judging
from idpbench.files.step import run_step
from idpbench.gate.options import Options, settled_documents
from idpbench.gate.verdict import make_comparison
from idpbench.settings.settled import load_settled
from idpbench.settings.yamlfile import load_yaml


def main() -> None:
    parser = judging(__doc__)
    parser.add_argument("--settled", type=Path, help="repeats that a settling bought for this pair")
    parser.add_argument("--output", required=True, help="comparison.json")
    arguments = parser.parse_args()
    sides = read_json(arguments.new), read_json(arguments.base)
    bought = load_settled(arguments.settled) if arguments.settled else {}
    options = Options(settled=settled_documents(bought))
    comparison = make_comparison(*sides, load_yaml(arguments.gate), options, names=(arguments.new, arguments.base))
    write_json(arguments.output, comparison, flat_from=2)


if __name__ == "__main__":
    run_step(main)
