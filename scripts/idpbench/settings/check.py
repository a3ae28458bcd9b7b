"""What no single file can check: names that one file of config/ uses and another defines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.settings.grid import Axis, Suite
from idpbench.settings.model import Settings


def axis_value(axes: Mapping[str, Axis], axis: str, value: str, file: object, key: str) -> None:
    """Refuse an axis or a value of it that axes.yaml does not define."""
    if axis not in axes:
        raise bad_input(file, key, f"axis {axis!r}", "an axis of config/axes.yaml", nearest(axis, axes))
    if value not in axes[axis].values:
        raise bad_input(file, key, f"value {value!r}", f"a value of axis {axis}", nearest(value, axes[axis].values))


def slugs(axes: Mapping[str, Axis], file: Path) -> None:
    """Refuse two axis values that would be written alike in paths, where `_` becomes `-`."""
    seen: dict[str, str] = {}
    for name, axis in axes.items():
        for value in axis.values:
            slug = f"{name}-{value}".replace("_", "-")
            if slug in seen:
                raise bad_input(
                    file, f"axes.{name}.values.{value}", f"the path name of {seen[slug]}", "its own", "rename it"
                )
            seen[slug] = f"{name}={value}"


def expand_group(groups: Mapping[str, Sequence[str]], items: Sequence[str], name: str, file: Path) -> tuple[str, ...]:
    """Documents and labelled sets of a group, groups within it expanded, each once, in the order written."""
    found: dict[str, None] = {}

    def visit(group: str, above: tuple[str, ...]) -> None:
        if group in above:
            path = " -> ".join([*above, group])
            raise bad_input(
                file, f"groups.{name}", f"a group that contains itself ({path})", "no circle", "remove one step"
            )
        for member in groups[group]:
            if member in groups:
                visit(member, (*above, group))
            elif member in items:
                found.setdefault(member)
            else:
                known = [*groups, *items]
                raise bad_input(
                    file,
                    f"groups.{group}",
                    repr(member),
                    "a document, a labelled set or a group",
                    nearest(member, known),
                )

    if name in items:
        raise bad_input(file, f"groups.{name}", "the id of a document", "a name of its own", "rename the group")
    visit(name, ())
    return tuple(found)


def models_of_axes(settings: Settings) -> None:
    """Each value of a model axis is a model of models.yaml, and writes that model's id."""
    file = settings.config / "axes.yaml"
    for name, axis in settings.axes.items():
        if not axis.models:
            continue
        for value, writes in axis.values.items():
            key = f"axes.{name}.values.{value}"
            if value not in settings.models:
                raise bad_input(
                    file, key, "no such model", "a model of config/models.yaml", nearest(value, settings.models)
                )
            expected = settings.models[value].model_id
            if expected not in writes.values():
                raise bad_input(
                    file, key, str(writes), f"the model id {expected} of models.yaml", "use one id in both files"
                )


def classes_of_documents(settings: Settings) -> None:
    """Each document's class has a base configuration."""
    file = settings.config / "documents.yaml"
    for kind, entries in (("documents", settings.documents), ("references", settings.references)):
        for name, item in entries.items():
            if item.doc_class not in settings.classes:
                raise bad_input(
                    file,
                    f"{kind}.{name}.class",
                    repr(item.doc_class),
                    "a class that has a file in config/classes",
                    nearest(item.doc_class, settings.classes),
                )


def suites(settings: Settings) -> None:
    """Each suite names cells, registries, documents and groups that exist; its pairs are cells of its own."""
    for suite in settings.suites.values():
        cells = cells_of(settings, suite)
        documents = documents_of(settings, suite)
        for pair in suite.pairs:
            for arm in pair:
                if arm not in cells:
                    raise _suite_error(settings, suite, "pairs", arm, "a cell of this suite", cells)
            _one_knob(settings, suite, *pair)
        for control in suite.controls:
            for cell in (control.cheaper, control.dearer):
                if cell not in cells:
                    raise _suite_error(settings, suite, "controls", cell, "a cell of this suite", cells)
            if control.document not in documents:
                raise _suite_error(settings, suite, "controls", control.document, "a document of this suite", documents)


def cells_of(settings: Settings, suite: Suite) -> tuple[str, ...]:
    """Cells of a suite, registries expanded, each once, in the order written; an unknown name is a Refusal."""
    found: dict[str, None] = {}
    for name in suite.cells:
        if name in settings.registries:
            found.update(dict.fromkeys(settings.registries[name]))
        elif name in settings.cells:
            found.setdefault(name)
        else:
            raise _suite_error(
                settings, suite, "cells", name, "a cell or registry", [*settings.registries, *settings.cells]
            )
    return tuple(found)


def documents_of(settings: Settings, suite: Suite) -> tuple[str, ...]:
    """Documents and labelled sets of a suite, groups expanded, each once, in the order written."""
    found: dict[str, None] = {}
    for name in suite.documents:
        if name in settings.groups:
            found.update(dict.fromkeys(settings.groups[name]))
        elif name in settings.documents or name in settings.references:
            found.setdefault(name)
        else:
            known = [*settings.groups, *settings.documents, *settings.references]
            raise _suite_error(settings, suite, "documents", name, "a document, labelled set or group", known)
    return tuple(found)


def _one_knob(settings: Settings, suite: Suite, left: str, right: str) -> None:
    """A feature test compares two cells that differ in exactly one axis, or the difference has two causes."""
    values = [
        {**{n: a.default for n, a in settings.axes.items()}, **settings.cells[cell].pins} for cell in (left, right)
    ]
    differing = [axis for axis in settings.axes if values[0][axis] != values[1][axis]]
    if len(differing) != 1:
        found = f"{left} and {right}, which differ in {', '.join(differing) or 'nothing'}"
        raise bad_input(
            settings.config / "suites.yaml",
            f"suites.{suite.id}.pairs",
            found,
            "two cells that differ in exactly one axis",
            "correct the cells, or drop the pair",
        )


def _suite_error(settings: Settings, suite: Suite, key: str, name: str, expected: str, known: Sequence[str]) -> Refusal:
    file = settings.config / "suites.yaml"
    return bad_input(file, f"suites.{suite.id}.{key}", repr(name), expected, nearest(name, known))
