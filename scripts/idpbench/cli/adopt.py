"""`idpbench adopt RUNMAP.json --out DIR`: collect and score a grid that the original harness launched.

The stack is reached as boto3 finds it: AWS_ENDPOINT_URL for an emulated one, AWS_PROFILE or other credentials, and
AWS_REGION, AWS_DEFAULT_REGION or IDP_REGION for the region.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.cli.price import DEFAULT_CARD
from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import canonical, read_json
from idpbench.files.errors import INCOMPLETE, OK, bad_input
from idpbench.pricing.card import load_rate_card
from idpbench.scoring.cell import row_order, scorer_digest
from idpbench.scoring.provenance import Provenance
from idpbench.scoring.row import score_record
from idpbench.scoring.truth import Truth, read_truth
from idpbench.stack.adopt import Runmap, adopted_key, collect_runs, plan_of, read_runmap
from idpbench.stack.client import Client
from idpbench.summary.files import write_side
from idpbench.summary.summarize import summarize_side

REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION", "IDP_REGION")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runmap", type=Path, help="runmap.json of a run folder of the original harness")
    parser.add_argument("--out", type=Path, required=True, help="folder for summary, tables, records")
    parser.add_argument("--truth-dir", type=Path, help="folder of truth files (default: where the runmap says)")
    parser.add_argument("--pricing", type=Path, default=DEFAULT_CARD, help="rate card (default: config/pricing.yaml)")


def run(arguments: argparse.Namespace) -> int:
    """Write the five files of a side, and one record file per cell, to `--out`; 3 where runs of the map are missing."""
    runmap = read_runmap(arguments.runmap)
    card = load_rate_card(arguments.pricing)
    truths = truths_of(runmap, arguments.truth_dir)  # before the first call: a missing truth must not change the scorer
    region = next((os.environ[name] for name in REGIONS if os.environ.get(name)), "us-west-2")
    records = collect_runs(Client(region, profile=os.environ.get("AWS_PROFILE")), runmap)
    by_cell: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_cell.setdefault(record["cell"], []).append(record)
    scores: list[dict[str, Any]] = []
    files: list[Path] = []
    for cell, own in sorted(by_cell.items()):
        facts = Provenance()
        rows: list[dict[str, Any]] = []
        for record in own:
            facts.note(record)
            rows += score_record(record, truths.get(record["key"]), card)
        scores.append(
            {
                "cell": cell,
                "scorer": scorer_digest(),
                "pricing": card.digest,
                "provenance": facts.content(),
                "rows": sorted(rows, key=lambda row: row_order(row)),
            }
        )
        files.append(arguments.out / "records" / f"{_plain(cell)}.jsonl")
        write_bytes(
            files[-1], b"".join(canonical(record) + b"\n" for record in sorted(own, key=lambda r: str(r["key"])))
        )
    summary = summarize_side(scores, plan_of(runmap), card)
    write_side(arguments.out, summary, files)
    launched, planned = len(records), len(runmap.runs)
    print(f"{launched} of {planned} runs collected, {len(summary['rows'])} rows written to {arguments.out}")
    return OK if launched == planned else INCOMPLETE


def truths_of(runmap: Runmap, folder: Path | None) -> dict[str, Truth]:
    """Truth of each synthetic run by its key; one that is named and missing, or not JSON, is a Refusal."""
    read: dict[Path, Truth] = {}
    truths: dict[str, Truth] = {}
    for number, entry in enumerate(runmap.runs):
        if entry.get("reference"):
            continue
        path = _truth_file(runmap, number, entry, folder)
        if path not in read:
            read[path] = read_truth(read_json(path), path)
        truths[adopted_key(runmap, entry)] = read[path]
    return truths


def _truth_file(runmap: Runmap, number: int, entry: Mapping[str, Any], folder: Path | None) -> Path:
    named = entry.get("truth")
    if folder is not None:
        names = [Path(str(named)).name] if named else []
        names += [f"{entry['doc']}.pdf.truth.json", f"{entry['doc']}.truth.json"]
        return next((folder / name for name in names if (folder / name).is_file()), folder / names[0])
    if not named:
        raise bad_input(
            runmap.path,
            f"runs[{number}].truth",
            json.dumps(named),
            f"the truth file of {entry['doc']}",
            "pass --truth-dir with the truth files of the corpus",
        )
    path = Path(str(named))
    beside = runmap.path.parent / path
    return beside if not path.is_absolute() and beside.is_file() else path


def _plain(cell: str) -> str:
    """A cell's name as a file name, whatever the runmap calls it."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in cell).lstrip(".") or "cell"
