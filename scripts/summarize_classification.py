"""Step: the runs of a classification side become its summary and its page."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.atomic import write_text
from idpbench.files.canonical import read_json, write_json
from idpbench.files.schema import check
from idpbench.files.step import run_step
from idpbench.pricing.card import load_rate_card
from idpbench.report.classification import render
from idpbench.scoring.cell import read_records
from idpbench.settings.load import load
from idpbench.summary.classification import summarize_classification


def main() -> None:
    """Pool the records that `--landed` names, model by model; the page is written beside the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="plan of the side")
    parser.add_argument("--landed", type=Path, required=True, help="what landed, with the record file of each cell")
    parser.add_argument("--summary", type=Path, required=True, help="summary of the side, as every side has one")
    parser.add_argument("--pricing", type=Path, required=True, help="rate card")
    parser.add_argument("--output", type=Path, required=True, help="the summary to write; README.md lies beside it")
    given = parser.parse_args()
    about = read_json(given.plan, "plan")["about"]["classification"]
    landed = read_json(given.landed)["cells"]
    records = {cell: list(read_records(Path(entry["records"]))) for cell, entry in landed.items()}
    labels = {name: (model.model_id, model.label) for name, model in load(Path()).models.items()}
    summary = summarize_classification(
        read_json(given.summary, "summary"), about, records, load_rate_card(given.pricing), labels
    )
    check(summary, "summary", given.output)
    write_json(given.output, summary, flat_from=4)
    write_text(given.output.with_name("README.md"), render(summary))


if __name__ == "__main__":
    run_step(main)
