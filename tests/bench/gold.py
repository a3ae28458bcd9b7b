"""Speed of the gold benchmark's core, measured here and now: rows of what, seconds, target in seconds."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "scripts")]

from gold_sheets import book, one_table, recipe  # noqa: E402
from openpyxl import Workbook as Book  # noqa: E402

from idpbench.gold.execute import execute  # noqa: E402
from idpbench.gold.metrics import Scored, score  # noqa: E402
from idpbench.gold.tidy import table_digest  # noqa: E402
from idpbench.gold.trace import trace_digest  # noqa: E402
from idpbench.gold.workbook import Workbook, read_workbook  # noqa: E402

PERIODS, SERIES = 479, 15  # 7,185 values, as in the largest published table of the suite's kind


def seconds(action: Callable[[], Any], times: int = 5) -> float:
    """CPU seconds of an action, the best of some: other work on the machine does not count."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def series_sheet() -> tuple[Workbook, Any]:
    """A sheet of 15 series over 479 periods under four header rows, and a recipe with five headers."""
    cells: dict[str, Any] = {}
    last = SERIES + 1
    for column in range(2, last + 1):
        words = (f"Series {column}", "Number" if column % 3 == 1 else "", f"Type {column % 2}", f"A{column:06d}")
        cells |= {f"R{row}C{column}": word for row, word in enumerate(words, start=1)}
    for row in range(5, 5 + PERIODS):
        cells[f"R{row}C1"] = f"period {row}"
        cells |= {f"R{row}C{column}": row * column / 7 for column in range(2, last + 1)}
    names = ("series", "unit", "type", "code")
    headers = [
        {
            "name": name,
            "direction": "above-nearest" if name == "unit" else "above",
            "select": {"include": [f"R{row}C2:R{row}C{last}"]},
        }
        for row, name in enumerate(names, start=1)
    ]
    headers.append({"name": "period", "direction": "left", "select": {"include": [f"R5C1:R{4 + PERIODS}C1"]}})
    return book({"S": {"cells": cells}}), recipe(one_table(headers, [f"R5C2:R{4 + PERIODS}C{last}"]))


def many_anchors() -> tuple[Workbook, Any]:
    """8,000 labels in one column, all of them in sight of each of 100,000 values."""
    cells: dict[str, Any] = {f"R{row}C1": f"label {row}" for row in range(1, 8_001)}
    cells |= {f"R{row}C{column}": 1 for row in range(8_001, 18_001) for column in range(1, 11)}
    header = {"name": "h", "direction": "above-nearest", "select": {"include": ["R1C1:R8000C1"]}}
    return book({"S": {"cells": cells}}), recipe(one_table([header], ["R8001C1:R18000C10"]))


def wide_sheet() -> bytes:
    """An xlsx file of one sheet of 2,000 x 40 cells."""
    made = Book(write_only=True)
    sheet = made.create_sheet("S")
    for row in range(2000):
        sheet.append([f"label {row}", *(row * column / 7 for column in range(39))])
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def rows() -> list[tuple[str, float, float]]:
    """What is measured: its name, CPU seconds, and the target."""
    workbook, written = series_sheet()
    made = execute(written, workbook)
    side = Scored(made.table, made.trace)
    data = wide_sheet()
    crowded, crowd = many_anchors()
    return [
        (
            f"a recipe of 5 headers over {len(made.table.rows):,} values",
            seconds(lambda: execute(written, workbook)),
            0.5,
        ),
        (
            "its table and trace written and hashed",
            seconds(lambda: (table_digest(made.table), trace_digest(made.trace))),
            0.5,
        ),
        ("its five metrics", seconds(lambda: score(side, side)), 0.5),
        ("100,000 values in sight of 8,000 labels", seconds(lambda: execute(crowd, crowded), 3), 2.8),
        ("a sheet of 2,000 x 40 cells read", seconds(lambda: read_workbook(data), 3), 2.0),
    ]


if __name__ == "__main__":
    for name, took, target in rows():
        print(f"{name}: {took:.3f} s (target {target} s)")
