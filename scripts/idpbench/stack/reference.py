"""Labelled sets: folders of real documents that the stack scores with its own evaluation.

    FOLDER/input/*.pdf                                      one set, named after the folder; or
    FOLDER/<set>/input/*.pdf                                several, each in a folder of its own
    .../baseline/<file name>/sections/<n>/result.json       optional: what the stack should find, in its own format
    .../classes.yaml                                        `glob: class` lines, first match wins; a class is a file of
                                                            config/classes. Not needed where config/documents.yaml
                                                            names the set and its class.

A set whose documents have several classes becomes one set per class, `<set>_<class>`, since a run has one
configuration. Every PDF is opened before anything is launched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from idpbench.files.canonical import digest, file_digest, read_json
from idpbench.files.errors import bad_input, nearest
from idpbench.settings.grid import ReferenceSet
from idpbench.settings.model import Settings
from idpbench.settings.yamlfile import load_yaml

INPUT, BASELINE, CLASSES = "input", "baseline", "classes.yaml"
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()+-]*\.pdf", re.IGNORECASE)


@dataclass(frozen=True)
class LabelledDocument:
    """One PDF with the digest of its bytes; `baseline`: (section number, file) pairs, empty without one."""

    name: str
    path: Path
    sha256: str
    baseline: tuple[tuple[str, Path], ...]


@dataclass(frozen=True)
class LabelledSet:
    """Documents of one class, launched as one run. `digest`: of every PDF and every baseline in it."""

    id: str
    doc_class: str
    documents: tuple[LabelledDocument, ...]
    digest: str

    @property
    def evaluates(self) -> bool:
        """Whether any document has a baseline, so that the stack evaluates the run."""
        return any(document.baseline for document in self.documents)


def load_sets(folder: Path, settings: Settings, most: int | None = None) -> dict[str, LabelledSet]:
    """The labelled sets below a folder, by id; a folder in another shape is a Refusal that says what is missing.

    `most`: only the first so many documents by name, of each folder that holds any.
    """
    if not folder.is_dir():
        raise bad_input("reference", str(folder), "no such folder", "a folder of labelled documents", "check the path")
    if (folder / INPUT).is_dir():
        places = [folder]
    else:
        places = sorted(place for place in folder.iterdir() if (place / INPUT).is_dir())
    if not places:
        raise bad_input(folder, "", f"no {INPUT}/ in it nor one level below", f"{INPUT}/*.pdf", "put the PDFs there")
    found: dict[str, LabelledSet] = {}
    for place in places:
        for one in _sets_of(place, settings, most):
            found[one.id] = one
    return found


def with_sets(settings: Settings, sets: Iterable[LabelledSet]) -> Settings:
    """Settings that know these sets; one that config/documents.yaml counts otherwise is a Refusal."""
    references = dict(settings.references)
    for one in sets:
        known = references.get(one.id)
        if known is not None and known.count != len(one.documents):
            raise bad_input(
                f"labelled set {one.id}",
                "documents",
                str(len(one.documents)),
                f"{known.count} (config/documents.yaml)",
                "complete the folder, or correct the count",
            )
        if known is None:
            references[one.id] = ReferenceSet.model_validate(
                {"id": one.id, "class": one.doc_class, "count": len(one.documents), "note": "a folder of yours"}
            )
    return settings.model_copy(update={"references": references})


def on_suite(settings: Settings, suite: str, sets: Iterable[LabelledSet]) -> Settings:
    """Settings in which `suite` runs its cells on these sets, whatever documents it lists: a user's own folder."""
    if suite not in settings.suites:
        raise bad_input("suite", suite, "no such suite", "one of config/suites.yaml", nearest(suite, settings.suites))
    own = list(sets)
    widened = with_sets(settings, own)
    changed = widened.suites[suite].model_copy(update={"documents": [one.id for one in own]})
    return widened.model_copy(update={"suites": {**widened.suites, suite: changed}})


def set_name(place: Path) -> str:
    """The id that a set's folder gives it: its name in small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", place.resolve().name.lower()).strip("_") or "folder"


def is_own_folder(folder: Path) -> bool:
    """Whether the folder itself is one labelled set (`input/` in it) rather than a folder of sets."""
    return (folder / INPUT).is_dir()


def open_all(sets: Iterable[LabelledSet]) -> int:
    """Open every PDF once; one that is truncated, encrypted or no PDF is a Refusal that names it. Returns the pages."""
    from idpbench.reading.document import open_pdf  # pdfium: only where something is about to be launched

    pages = 0
    for one in sets:
        for document in one.documents:
            with open_pdf(document.path.read_bytes(), str(document.path)) as opened:
                pages += opened.page_count
    return pages


def _sets_of(place: Path, settings: Settings, most: int | None) -> list[LabelledSet]:
    name = set_name(place)
    if name in settings.documents:
        raise bad_input(place, "", f"the name of a generated document, {name}", "another name", "rename the folder")
    by_class: dict[str, list[LabelledDocument]] = {}
    labels = _labels(place, settings)
    paths = sorted(path for path in (place / INPUT).iterdir() if not path.name.startswith("."))
    for path in paths[:most]:
        if not _FILE_NAME.fullmatch(path.name):
            raise bad_input(
                path, "", "a name or type that cannot be a document", "*.pdf, plain characters", "rename it"
            )
        by_class.setdefault(_class_of(path, place, name, labels, settings), []).append(_document(path, place))
    if not by_class:
        raise bad_input(place / INPUT, "", "no PDF", "at least one", "put the documents there")
    return [
        _set(name if len(by_class) == 1 else f"{name}_{doc_class}", doc_class, documents)
        for doc_class, documents in sorted(by_class.items())
    ]


def _labels(place: Path, settings: Settings) -> dict[str, str]:
    """classes.yaml as glob -> class; {} where there is none."""
    path = place / CLASSES
    if not path.is_file():
        return {}
    labels = load_yaml(path)
    if not isinstance(labels, dict) or not labels:
        raise bad_input(path, "", "no `glob: class` lines", "at least one", 'write e.g. `"*.pdf": bank_statement`')
    for pattern, doc_class in labels.items():
        if doc_class not in settings.classes:
            known = nearest(str(doc_class), settings.classes)
            raise bad_input(path, str(pattern), repr(doc_class), "a class of config/classes", known)
    return {str(pattern): str(doc_class) for pattern, doc_class in labels.items()}


def _class_of(path: Path, place: Path, name: str, labels: dict[str, str], settings: Settings) -> str:
    for pattern, doc_class in labels.items():
        if fnmatchcase(path.name, pattern):
            return doc_class
    if not labels and name in settings.references:
        return settings.references[name].doc_class
    found = "no pattern that matches it" if labels else "no such file"
    raise bad_input(place / CLASSES, path.name, found, "a `glob: class` line for it", 'add one, e.g. `"*": generic`')


def _document(path: Path, place: Path) -> LabelledDocument:
    sections = sorted((place / BASELINE / path.name / "sections").glob("*/result.json"))
    for section in sections:
        read_json(section)
    return LabelledDocument(
        path.name, path, file_digest(path), tuple((section.parent.name, section) for section in sections)
    )


def _set(name: str, doc_class: str, documents: list[LabelledDocument]) -> LabelledSet:
    content = [
        [document.name, document.sha256, [[number, file_digest(path)] for number, path in document.baseline]]
        for document in documents
    ]
    return LabelledSet(name, doc_class, tuple(documents), digest(content))
