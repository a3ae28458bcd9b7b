"""A document read once by one backend, and what its pages say for a class, kept as long as the document is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from idpbench.localstack.engine.context import draw
from idpbench.localstack.engine.fields import Reading, read_fields
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.rows import Row, read_rows
from idpbench.localstack.engine.schema import DocumentClass

Path = tuple[str, ...]


@dataclass(frozen=True)
class SectionReading:
    """Scalars by path, and items of each list by path, before any limit of a model is applied."""

    scalars: dict[Path, Reading]
    lists: dict[Path, list[Row]]


class Reader:
    """Pages of one document as one backend returned them, and readings of them, each made once.

    `least`: lowest label score that counts as a match. `slip`: share of bold labels whose closing mark is taken for a
    part of the value; which ones is decided by the page's text, so that the same page slips in every run.
    """

    def __init__(self, pages: tuple[PageRead, ...], least: float, slip: float = 0.0) -> None:
        self.pages = pages
        self._least = least
        self._slip = slip
        self._fields: dict[tuple[str, int], dict[Path, Reading]] = {}
        self._sections: dict[tuple[str, tuple[int, ...]], SectionReading] = {}

    def page_fields(self, document_class: DocumentClass, index: int) -> dict[Path, Reading]:
        """The class's scalars that page `index` shows by itself."""
        key = (document_class.digest, index)
        if key not in self._fields:
            self._fields[key] = self._read_fields([self.pages[index]], document_class)
        return self._fields[key]

    def section(self, document_class: DocumentClass, indices: Sequence[int]) -> SectionReading:
        """The pages `indices` read together against the class."""
        key = (document_class.digest, tuple(indices))
        if key not in self._sections:
            pages = [self.pages[index] for index in indices]
            lists = {wanted.path: read_rows(pages, wanted) for wanted in document_class.lists}
            self._sections[key] = SectionReading(self._read_fields(pages, document_class), lists)
        return self._sections[key]

    def _read_fields(self, pages: list[PageRead], document_class: DocumentClass) -> dict[Path, Reading]:
        return read_fields(pages, document_class.scalars, self._least, self._careless(pages))

    def _careless(self, pages: list[PageRead]) -> Callable[[str], bool]:
        if not self._slip:
            return lambda text: False
        seed = pages[0].text
        return lambda text: draw(seed, "bold", text) < self._slip
