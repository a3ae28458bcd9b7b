"""The archive around a workbook: what may be unpacked, and XML walked without ever being held whole."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from defusedxml.ElementTree import iterparse

from idpbench.gold.xlsx import limits
from idpbench.gold.xlsx.limits import Budget, TooMuch

Element = Any  # xml.etree.ElementTree.Element, which defusedxml hands out untyped


class Archive(zipfile.ZipFile):
    """A zip archive whose parts, where they are read whole, are small enough to become a tree of XML elements."""

    def __init__(self, data: bytes) -> None:
        if len(data) > limits.FILE_BYTES:
            raise TooMuch(f"a file of {len(data)} bytes, expected at most {limits.FILE_BYTES}")
        super().__init__(io.BytesIO(data))
        parts = self.infolist()
        if len(parts) > limits.PARTS:
            raise TooMuch(f"{len(parts)} parts, expected at most {limits.PARTS}")
        total = sum(part.file_size for part in parts)
        if total > limits.UNPACKED_BYTES:
            raise TooMuch(f"{total} bytes unpacked, expected at most {limits.UNPACKED_BYTES}")

    def read(self, name: str | zipfile.ZipInfo, pwd: bytes | None = None) -> bytes:
        """A part's bytes. TooMuch where it is larger, or holds more elements, than such parts do."""
        part = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if part.file_size > limits.PLAIN_PART_BYTES:
            raise TooMuch(f"{part.filename}: {part.file_size} bytes, expected at most {limits.PLAIN_PART_BYTES}")
        data = super().read(part, pwd)
        if data.count(b"<") > limits.PLAIN_PART_MARKS:
            raise TooMuch(f"{part.filename}: more than {limits.PLAIN_PART_MARKS} marks of XML")
        return data


def walk(
    source: IO[bytes], budget: Budget, whole: frozenset[str], opened: frozenset[str] = frozenset()
) -> Iterator[Element]:
    """The elements of an XML stream tagged in `whole`, complete, and those tagged in `opened` as they open.

    Nothing is kept: an element is emptied when the walk goes on, and taken from its parent. Raises the parser's
    errors, those of defusedxml for any document type or entity, and TooMuch for deep nesting, huge elements, or more
    of them than the budget holds.
    """
    path: list[Element] = []
    inside = pieces = 0  # depth of the element of `whole` that is being read, and elements within it
    for event, element in iterparse(source, events=("start", "end"), forbid_dtd=True):
        if event == "start":
            path.append(element)
            budget.elements -= 1
            if budget.elements < 0:
                raise budget.exceeded("elements")
            if inside:
                pieces += 1
                if pieces > limits.PIECES:
                    raise TooMuch(f"more than {limits.PIECES} elements in one cell")
            elif element.tag in whole:
                inside, pieces = len(path), 0
            elif element.tag in opened:
                yield element
            if len(path) > limits.DEPTH:
                raise TooMuch(f"XML nested deeper than {limits.DEPTH}")
            continue
        depth = len(path)
        path.pop()
        if inside:
            if depth != inside:
                continue
            inside = 0
            yield element
        element.clear()
        if path:
            del path[-1][:]
