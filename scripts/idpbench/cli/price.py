"""`idpbench price METERING.json`: what a metering map costs by a rate card."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import INCOMPLETE, OK, bad_input
from idpbench.files.provenance import PACKAGE
from idpbench.pricing.card import iso_date, load_rate_card
from idpbench.pricing.price import price

DEFAULT_CARD = PACKAGE.parents[1] / "config" / "pricing.yaml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("metering", type=Path, help='JSON map {"Phase/service/api": {unit: count}}')
    parser.add_argument("--pricing", type=Path, default=DEFAULT_CARD, help="rate card (default: config/pricing.yaml)")
    parser.add_argument("--at", metavar="DATE", help="use the rates in force on this day (default: the newest)")


def run(arguments: argparse.Namespace) -> int:
    """Print the cost as JSON; exit 3 where it is not known, with the reason in `reason`."""
    at = None if arguments.at is None else iso_date("--at", "", arguments.at)
    card = load_rate_card(arguments.pricing)
    metering = read_json(arguments.metering)
    if not isinstance(metering, dict):
        found = type(metering).__name__
        raise bad_input(
            arguments.metering, "", found, 'a map {"Phase/service/api": {unit: count}}', "give the metering"
        )
    priced = price(metering, card, at=at)
    answer = {"schema": "idpbench/price/1", **asdict(priced), "notes": list(priced.notes), "at": at}
    print(pretty({**answer, "currency": card.currency, "pricing": card.digest, "as_of": card.as_of}), end="")
    return INCOMPLETE if priced.cost is None else OK
