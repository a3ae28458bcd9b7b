"""`idpbench estimate`: projected runs, cost and time of a suite, and what the projection rests on."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.plan import add_grid_flags, planned
from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import bad_input
from idpbench.matrix.estimate import Projection, project
from idpbench.matrix.words import projection_text
from idpbench.pricing.card import load_rate_card
from idpbench.pricing.price import price
from idpbench.settings.versions import is_version
from idpbench.stack.priors import observations, read_priors


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of this command."""
    add_grid_flags(parser)
    parser.add_argument("--version", help="a release: project from results up to it, not from newer ones")
    parser.add_argument("--pricing", type=Path, help="rate card (config/pricing.yaml)")
    parser.add_argument("--at", help="ISO date of the prices (the newest)")
    parser.add_argument("--priors", type=Path, help="a summary.json to project from, instead of results/<backend>")
    parser.add_argument("--max-inflight", type=int, default=20, help="runs at once (20)")
    parser.add_argument("--json", action="store_true", help="print the projection as JSON")


def projected(arguments: argparse.Namespace) -> Projection:
    """The projection that the flags ask for."""
    settings, plan = planned(arguments)
    card = load_rate_card(arguments.pricing or settings.pricing)
    if arguments.priors:
        priors = observations(read_json(arguments.priors), arguments.priors)
    else:
        if arguments.version is not None and not is_version(arguments.version):
            raise bad_input("--version", "", repr(arguments.version), "a version of three parts", "write it as 0.6.9")
        priors = read_priors(arguments.root / "results", arguments.backend, arguments.version)
    return project(
        settings,
        plan.runs,
        plan.cells,
        priors,
        lambda metering, requests: price(metering, card, requests, arguments.at).cost,
        pricing=card.digest,
        backend=arguments.backend,
        inflight=arguments.max_inflight,
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the projection."""
    projection = projected(arguments)
    print(pretty(projection.to_json()) if arguments.json else projection_text(projection) + "\n", end="")
    return 0
