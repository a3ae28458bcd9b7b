"""The five files of a side: what `publish` copies and what a later scorer starts from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from idpbench.files.atomic import write_bytes, write_text
from idpbench.files.canonical import gzip_stream, write_json
from idpbench.files.errors import bad_input
from idpbench.summary.tabular import cells_csv, rows_csv

FLAT_FROM = 3  # a row's or a cell's maps (tokens, curve, statistics) stand on one line each


def write_side(folder: Path, summary: Mapping[str, Any], records: Iterable[Path]) -> None:
    """Write summary.json, summary.csv, cell_stats.csv, meta.json and runs.jsonl.gz; `records` are the cells' files."""
    write_json(folder / "summary.json", summary, flat_from=FLAT_FROM)
    write_text(folder / "summary.csv", rows_csv(summary["rows"]))
    write_text(folder / "cell_stats.csv", cells_csv(summary["cell_stats"]))
    write_json(folder / "meta.json", {"schema": "idpbench/meta/1", **summary["meta"]})
    write_bytes(folder / "runs.jsonl.gz", join_records(records))


def join_records(paths: Iterable[Path]) -> bytes:
    """All run records as gzipped lines, cell by cell, by run key within a cell; one cell is held at a time.

    The lines are copied as they are: they are canonical already, and evidence is not rewritten.
    """
    return gzip_stream(line for path in sorted(paths) for line in _lines(path))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise bad_input(path, "", "no such file", "run records", "run the step that lands them") from None
    keyed = []
    for number, line in enumerate(lines, start=1):
        try:
            keyed.append((str(json.loads(line)["key"]), line))
        except (ValueError, TypeError, KeyError):
            raise bad_input(
                path, f"line {number}", "no run record", "a JSON line with a key", "land the cell again"
            ) from None
    for _, line in sorted(keyed):
        yield line + b"\n"
