"""Step: buy the repeats that an inconclusive comparison needs, within the budget; or say what an earlier one bought.

Buying is a line in config/settled: the plan of this very pair holds those runs from then on, and the next command
launches them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from idpbench.files.atomic import write_text
from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import BUDGET
from idpbench.files.step import run_step
from idpbench.gate import render_text
from idpbench.gate.purchase import choose, offers, record, settled_repeats, text
from idpbench.settings.load import load
from idpbench.settings.settled import settled_text
from idpbench.stack.priors import observations
from idpbench.stack.request import Request, side_of
from idpbench.stack.settling import prices


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparison", type=Path, required=True, help="comparison.json")
    parser.add_argument("--record", type=Path, required=True, help="what was bought, kept beside the comparison")
    parser.add_argument("--plan", type=Path, help="settle.json; without it this pair is settled already")
    parser.add_argument("--requests", type=json.loads, help="both sides as asked for, as JSON")
    parser.add_argument("--settled", type=Path, help="the file of config/settled that holds what is bought")
    parser.add_argument("--budget", type=float, help="most that may be spent, in US dollars")
    given = parser.parse_args()
    comparison = read_json(given.comparison, "comparison")
    if given.plan is None:
        print(text(read_json(given.record, "purchase")) if given.record.exists() else "Settled by an earlier command.")
        print(render_text.render(comparison), end="", flush=True)
        return 0
    plan, root = read_json(given.plan, "settle"), Path()
    offered = offers(plan, comparison)
    settings, sides = load(root), []
    for request in map(Request.from_json, given.requests):
        summary = root / "work" / side_of(settings, root, request).address / "summary" / "summary.json"
        sides.append((request, observations(read_json(summary, "summary"), summary)))
    priced = prices(settings, root, sides, settled_repeats(offered))
    bought, left = choose(offered, priced, given.budget)
    bill = record(plan, bought, left, priced, given.budget)
    if bought:
        write_json(given.record, bill)
        write_text(given.settled, settled_text(settled_repeats(bought)))
    print(text(bill), end="", flush=True)
    return BUDGET if left and not bought else 0


if __name__ == "__main__":
    run_step(main)
