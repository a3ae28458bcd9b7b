"""Models of axes.yaml, cells.yaml, documents.yaml and suites.yaml."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from idpbench.settings.base import CellName, Count, Frozen, Name, Text


class SuppliedText(Frozen):
    """A text that only the user has: where it is put, and the digest that pins it."""

    path: Text  # the dotted path it is written to
    file: Text  # relative to the repository
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    text: str | None = None  # filled by the loader when the file exists and has that digest


class Axis(Frozen):
    """One knob: each value is the set of configuration paths it writes; null leaves the key out of the file."""

    question: Text
    default: Name
    values: dict[Name, dict[Text, Any]] = Field(min_length=1)
    models: bool = False  # the values are names of models.yaml
    aws: dict[Name, SuppliedText] = Field(default_factory=dict)  # values that need a text of the user's there

    def paths(self) -> list[str]:
        """Every configuration path that some value of this axis writes, in the order written."""
        return list(dict.fromkeys(path for writes in self.values.values() for path in writes))


class Cell(Frozen):
    """A named configuration: the axes it pins; every other axis is at its default."""

    id: CellName
    registry: Name
    pins: dict[Name, Name]


class CellsFile(Frozen):
    """cells.yaml: registries of named cells, and sweeps that vary one axis."""

    registries: dict[Name, dict[CellName, dict[Name, Name]]]
    sweeps: dict[Name, list[Name]]


class Document(Frozen):
    """One generated PDF with exact truth. `rows` counts the list rows of the whole file."""

    id: Name
    generator: Name = "bank_statement"
    parameters: dict[Name, bool | int | float | str] = Field(default_factory=dict)
    doc_class: Name = Field(default="bank_statement", alias="class")
    pages: Count
    rows: int = Field(ge=0)
    sections: Count = 1  # complete documents inside the file
    scan: bool = False  # pages are images without a text layer
    note: Text


class ReferenceSet(Frozen):
    """A labelled set of real documents, launched as one test set and scored by the stack's evaluation."""

    id: Name
    doc_class: Name = Field(alias="class")
    count: Count  # documents in the set
    pages: Count | None = None  # pages of a typical document, for projections; null where nobody has said
    note: Text


class DocumentsFile(Frozen):
    """documents.yaml."""

    documents: dict[Name, dict[str, Any]]
    references: dict[Name, dict[str, Any]]
    groups: dict[Name, list[Name]]


class Control(Frozen):
    """A document that the cheaper of two cells already does in full, so that the dearer must lose on it in cost per
    correct field; where it does not, the suite itself is in doubt."""

    document: Name
    cheaper: CellName
    dearer: CellName


class Suite(Frozen):
    """Cells x documents x repeats. `pairs` are the arms of a feature test: each differs in exactly one axis."""

    id: Name
    question: Text
    cells: list[Text] = Field(min_length=1)  # cell names, registry names, or `sweeps`
    documents: list[Name] = Field(min_length=1)  # documents, labelled sets or groups
    repeats: Count
    pairs: list[Annotated[tuple[CellName, CellName], Field(strict=False)]] = Field(default_factory=list)
    judged_on: list[Name] = Field(default_factory=list)
    controls: list[Control] = Field(default_factory=list)
