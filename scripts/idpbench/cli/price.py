"""`idpbench price`: what a metering map costs by a rate card, or every run of a published side priced again."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from idpbench.files.canonical import pretty, read_gzip_lines, read_json
from idpbench.files.errors import INCOMPLETE, OK, bad_input
from idpbench.files.provenance import PACKAGE
from idpbench.pricing.card import RateCard, iso_date, load_rate_card
from idpbench.pricing.price import price

DEFAULT_CARD = PACKAGE.parents[1] / "config" / "pricing.yaml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("metering", type=Path, nargs="?", help='JSON map {"Phase/service/api": {unit: count}}')
    what.add_argument(
        "--results", type=Path, metavar="FOLDER", help="a published side: price each of its runs again, write nothing"
    )
    parser.add_argument("--pricing", type=Path, default=DEFAULT_CARD, help="rate card (default: config/pricing.yaml)")
    parser.add_argument("--at", metavar="DATE", help="use the rates in force on this day (default: the newest)")
    parser.add_argument("--json", action="store_true", help="with --results: print JSON instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """Print the cost or the costs; exit 3 where the card does not price something, with the reason."""
    at = None if arguments.at is None else iso_date("--at", "", arguments.at)
    card = load_rate_card(arguments.pricing)
    if arguments.results is not None:
        return _side(arguments.results, card, at, as_json=arguments.json)
    return _metering(arguments.metering, card, at)


def _metering(path: Path, card: RateCard, at: str | None) -> int:
    metering = read_json(path)
    if not isinstance(metering, dict):
        found = type(metering).__name__
        raise bad_input(path, "", found, 'a map {"Phase/service/api": {unit: count}}', "give the metering")
    priced = price(metering, card, at=at)
    answer = {"schema": "idpbench/price/1", **asdict(priced), "notes": list(priced.notes)}
    print(pretty({**answer, **_by(card, at)}), end="")
    return INCOMPLETE if priced.cost is None else OK


def _side(folder: Path, card: RateCard, at: str | None, *, as_json: bool) -> int:
    from idpbench.summary.reprice import reprice, reprice_json, reprice_text  # brings the whole scorer

    path = folder / "summary.json"
    summary = read_json(path)
    if not isinstance(summary, dict) or not isinstance(summary.get("rows"), list):
        raise bad_input(path, "rows", "none", "a summary with rows", "give the folder of a published side")
    found = reprice(read_gzip_lines(folder / "runs.jsonl.gz"), summary["rows"], card, at)
    if as_json:
        print(pretty({**reprice_json(found), **_by(card, at)}), end="")
    else:
        before = str((summary.get("meta") or {}).get("pricing_sha256") or "not recorded")[:12]
        rates = f"the rates of {at}" if at else "the newest rates"
        print(f"{reprice_text(found)}\nOld: rate card {before}; new: {card.digest[:12]}, {rates}.")
    return INCOMPLETE if any(one.recorded and one.new is None for one in found) else OK


def _by(card: RateCard, at: str | None) -> dict[str, str | None]:
    """What a price rests on."""
    return {"at": at, "currency": card.currency, "pricing": card.digest, "as_of": card.as_of}
