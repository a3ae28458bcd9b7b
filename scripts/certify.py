"""Step: the A/A certificate of a comparison's own runs; runs that were asked before are not asked again."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.canonical import read_json, write_json
from idpbench.files.flags import judging
from idpbench.files.step import run_step
from idpbench.gate import kept
from idpbench.gate.certificate import RELABELLINGS, certify
from idpbench.gate.options import Options, settled_documents
from idpbench.settings.settled import load_settled
from idpbench.settings.yamlfile import load_yaml


def main() -> None:
    parser = judging(__doc__)
    parser.add_argument("--settled", type=Path, help="repeats that a settling bought for this pair")
    parser.add_argument("--relabellings", type=int, default=RELABELLINGS)
    parser.add_argument("--most-rows", type=int, help="a larger grid is left without, and the certificate says so")
    parser.add_argument("--cache", type=Path, required=True, help="folder of certificates by their values")
    parser.add_argument("--published", type=Path, help="folder of pages, with the certificates beside them")
    parser.add_argument("--output", required=True, help="certificate.json")
    arguments = parser.parse_args()
    sides = read_json(arguments.new), read_json(arguments.base)
    large = arguments.most_rows is not None and sum(len(side.get("rows", ())) for side in sides) > arguments.most_rows
    options = Options(settled=settled_documents(load_settled(arguments.settled) if arguments.settled else {}))
    least, places = arguments.relabellings, {"cache": arguments.cache, "published": arguments.published}
    found = certify(
        *sides, load_yaml(arguments.gate), options, relabellings=0 if large else least,
        kept=lambda values, judge: kept.find(values, judge, least, **places),
    )  # fmt: skip
    kept.keep(found, arguments.cache)
    write_json(arguments.output, found)


if __name__ == "__main__":
    run_step(main)
