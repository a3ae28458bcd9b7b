"""The archive around a workbook: what may be unpacked, and XML walked without ever being held whole."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from defusedxml.ElementTree import iterparse

from idpbench.gold.xlsx import limits
from idpbench.gold.xlsx.limits import TooMuch

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


class Visit(NamedTuple):
    """An element met on the way: `starts` as it opens (attributes only), else as it closes (complete)."""

    starts: bool
    element: Element
    parent: Element | None


def walk(source: IO[bytes], whole: frozenset[str]) -> Iterator[Visit]:
    """Every element of an XML stream as it opens and closes; nothing is kept but the elements tagged in `whole`.

    An element of `whole` is complete when it closes, and is dropped when the walk goes on. Raises the parser's errors,
    those of defusedxml for any document type or entity, and TooMuch for deep nesting or huge elements of `whole`.
    """
    path: list[Element] = []
    inside = pieces = 0
    for event, element in iterparse(source, events=("start", "end"), forbid_dtd=True):
        if event == "start":
            if len(path) == limits.DEPTH:
                raise TooMuch(f"XML nested deeper than {limits.DEPTH}")
            inside += element.tag in whole
            pieces += 1
            if inside and pieces > limits.PIECES:
                raise TooMuch(f"more than {limits.PIECES} elements in one cell")
            yield Visit(True, element, path[-1] if path else None)
            path.append(element)
            continue
        path.pop()
        parent = path[-1] if path else None
        yield Visit(False, element, parent)
        inside -= element.tag in whole
        if not inside:
            pieces = 0
            element.clear()
            if parent is not None:
                del parent[:]
