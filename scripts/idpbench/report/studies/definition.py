"""config/studies/<slug>.yaml: a question, its arms, what it is judged on, and what proves that the arm did anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from idpbench.files.errors import bad_input, nearest
from idpbench.gate.grid import METRICS
from idpbench.matrix.configs import resolve_axes
from idpbench.matrix.overrides import slug
from idpbench.report.contrast import PER_CORRECT
from idpbench.report.studies.engagement import COUNTERS
from idpbench.settings.base import Frozen, Name, Text
from idpbench.settings.check import cells_of
from idpbench.settings.explain import refusal
from idpbench.settings.model import Settings
from idpbench.settings.yamlfile import load_yaml

NEEDS_AXIS = "needs_axis.yaml"
JUDGED = (*METRICS, "failures", "bill", PER_CORRECT)


class ArmSpec(Frozen):
    """One arm: a cell of a suite, under overrides (axis -> value) where a cell alone does not set the knob."""

    cell: Text
    suite: str | None = None  # the study's, unless said
    set: dict[Name, Text] = Field(default_factory=dict)

    @property
    def slug(self) -> str:
        """The name of its overrides in the address of its side."""
        return slug(self.set)


class Comparison(Frozen):
    """Two arms; yes means that `new` moves the metric in the direction asked, by at least `least`, against `base`."""

    name: Text
    base: ArmSpec
    new: ArmSpec
    metric: str | None = None  # the study's, unless said
    asked: Literal["higher", "lower"] | None = None
    least: float | None = None


class StudyFile(Frozen):
    """The content of one study file."""

    title: Text
    question: Text
    why: Text
    suite: Name
    repeats: int = Field(ge=1)
    metric: Text
    asked: Literal["higher", "lower"]
    least: float = Field(gt=0)
    engagement: Text
    comparisons: list[Comparison] = Field(min_length=1)
    also: list[Text] = Field(default_factory=list)
    wrong_turns: list[Text] = Field(default_factory=list)


class Missing(Frozen):
    """A question that no axis reaches."""

    question: Text
    missing: Text


@dataclass(frozen=True)
class Asked:
    """One comparison of a study with everything filled in. `knob` is the axis in which its arms differ."""

    name: str
    base: ArmSpec
    new: ArmSpec
    base_suite: str
    new_suite: str
    metric: str
    asked: str
    least: float
    knob: str
    values: tuple[str, str]


@dataclass(frozen=True)
class Study:
    """A checked study; `slug` is its file's name."""

    slug: str
    file: StudyFile
    comparisons: tuple[Asked, ...]


def load_studies(settings: Settings) -> list[Study]:
    """All studies by name. A suite, cell or metric that does not exist, or arms that differ in more than one axis, is
    a Refusal that names file and key."""
    folder = settings.config / "studies"
    paths = sorted(path for path in folder.glob("*.yaml") if path.name != NEEDS_AXIS)
    return [_study(settings, path) for path in paths]


def load_missing(settings: Settings) -> list[Missing]:
    """The questions that need an axis first."""
    path = settings.config / "studies" / NEEDS_AXIS
    content = load_yaml(path) if path.exists() else {"needs_axis": []}
    items = content.get("needs_axis") if isinstance(content, Mapping) else None
    if not isinstance(items, list):
        raise bad_input(path, "needs_axis", "no such list", "a list of {question, missing}", "restore it from git")
    return [_parsed(Missing, item, path, f"needs_axis.{place}") for place, item in enumerate(items)]


def _study(settings: Settings, path: Path) -> Study:
    file = _parsed(StudyFile, load_yaml(path), path, "")
    _known(path, "suite", file.suite, settings.suites)
    _known(path, "engagement", file.engagement, COUNTERS)
    for metric in file.also:
        _known(path, "also", metric, JUDGED)
    asked = [_asked(settings, path, file, place, item) for place, item in enumerate(file.comparisons)]
    return Study(path.stem, file, tuple(asked))


def _asked(settings: Settings, path: Path, file: StudyFile, place: int, item: Comparison) -> Asked:
    key = f"comparisons.{place}"
    metric = item.metric or file.metric
    _known(path, f"{key}.metric" if item.metric else "metric", metric, JUDGED)
    axes = []
    for label, spec in (("base", item.base), ("new", item.new)):
        suite = spec.suite or file.suite
        _known(path, f"{key}.{label}.suite", suite, settings.suites)
        _known(path, f"{key}.{label}.cell", spec.cell, cells_of(settings, settings.suites[suite]))
        for axis in spec.set:
            if axis in settings.cells[spec.cell].pins:
                found = f"{axis}, which cell {spec.cell} pins"
                raise bad_input(path, f"{key}.{label}.set", found, "an axis that the cell leaves open", "choose a cell")
        axes.append(resolve_axes(settings, spec.cell, spec.set))
    apart = [name for name in settings.axes if axes[0][name] != axes[1][name]]
    if len(apart) != 1:
        found = f"arms that differ in {', '.join(apart) or 'nothing'}"
        raise bad_input(path, key, found, "arms that differ in exactly one axis", "correct a cell or its set")
    return Asked(
        name=item.name,
        base=item.base,
        new=item.new,
        base_suite=item.base.suite or file.suite,
        new_suite=item.new.suite or file.suite,
        metric=metric,
        asked=item.asked or file.asked,
        least=item.least or file.least,
        knob=apart[0],
        values=(axes[0][apart[0]], axes[1][apart[0]]),
    )


def _parsed(model: Any, content: Any, path: Path, prefix: str) -> Any:
    if not isinstance(content, Mapping):
        raise bad_input(path, prefix, type(content).__name__, "a mapping of keys", "write `key: value` lines")
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise refusal(error, path, model, prefix) from None


def _known(path: Path, key: str, word: str, names: Any) -> None:
    if word not in names:
        raise bad_input(path, key, repr(word), "a known name", nearest(word, list(names)))
