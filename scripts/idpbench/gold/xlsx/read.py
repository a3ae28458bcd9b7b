"""From the bytes of an xlsx file to a Workbook."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.xml.constants import SHARED_STRINGS

from idpbench.gold.issues import unusable
from idpbench.gold.workbook import Sheet, Workbook
from idpbench.gold.xlsx import limits
from idpbench.gold.xlsx.limits import Budget, TooMuch
from idpbench.gold.xlsx.package import Archive
from idpbench.gold.xlsx.sheet import SheetReader, Styles
from idpbench.gold.xlsx.strings import read_strings


def read(data: bytes | Path) -> Workbook:
    """The workbook, or Unusable with code WORKBOOK_UNREADABLE and the reason."""
    name = data.name if isinstance(data, Path) else "workbook"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's remarks on parts that are not read here
            return _workbook(_file(data) if isinstance(data, Path) else data)
    except Exception as error:  # openpyxl and the XML parser raise errors of every kind on damaged files
        reason = str(error) if isinstance(error, TooMuch) else f"{type(error).__name__}: {str(error)[:300]}"
        raise unusable("WORKBOOK_UNREADABLE", name, reason) from None


def _file(path: Path) -> bytes:
    if path.stat().st_size > limits.FILE_BYTES:
        raise TooMuch(f"a file of {path.stat().st_size} bytes, expected at most {limits.FILE_BYTES}")
    return path.read_bytes()


def _workbook(data: bytes) -> Workbook:
    if not openpyxl.DEFUSEDXML:
        raise RuntimeError("openpyxl runs without defusedxml")
    with Archive(data) as archive:
        # No external links: the parts that they name may be absent, and nothing of them is used.
        reader = ExcelReader(io.BytesIO(data), data_only=True, keep_links=False)
        reader.archive.close()
        reader.archive = archive
        budget = Budget()
        reader.read_manifest()
        part = reader.package.find(SHARED_STRINGS)
        strings: list[str] = []
        if part is not None:
            with archive.open(part.PartName[1:]) as source:
                strings = read_strings(source, budget)
        reader.read_workbook()
        apply_stylesheet(archive, reader.wb)
        return Workbook(tuple(_sheets(archive, reader, strings, budget)))


def _sheets(archive: Archive, reader: Any, strings: list[str], budget: Budget) -> Iterator[Sheet]:
    styles = Styles(reader.wb)
    titles: list[str] = []
    parts: set[str] = set()
    for sheet, relation in reader.parser.find_sheets():
        if "chartsheet" in relation.Type or relation.target not in reader.valid_files:
            continue
        if sheet.name in titles or relation.target in parts:
            raise ValueError(f"the sheet {sheet.name!r} twice")
        if len(titles) == limits.SHEETS:
            raise TooMuch(f"more than {limits.SHEETS} sheets")
        titles.append(sheet.name)
        parts.add(relation.target)
        targets: dict[str, str] = {}
        relations = get_rels_path(relation.target)
        if relations in reader.valid_files:
            targets = {one.Id: one.Target for one in get_dependents(archive, relations)}
        with archive.open(relation.target) as source:
            yield SheetReader(strings, styles, targets, budget).read(source, sheet.name, len(titles) - 1)
