"""results/<backend>/models.md: what has been measured of each model of config/models.yaml, and what has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from idpbench.files.tables import markdown
from idpbench.report import spelling
from idpbench.report.guidance.sweeps import MODEL_AXES, rows_of
from idpbench.report.marking import marking, model_label
from idpbench.report.ownership import version_key
from idpbench.report.shelf import Evidence, Shelved, evidence, newest
from idpbench.report.templating import fill
from idpbench.settings.check import cells_of
from idpbench.settings.model import Model, Settings

ROLES = {
    "extraction_model": "extraction", "classification_model": "classification", "confidence_model": "confidence",
}  # fmt: skip
MOST_SUITES = 8


@dataclass(frozen=True)
class Measured:
    """Runs of a model in one role on one release, newest release first, each with its sides."""

    role: str
    version: str
    evidence: Evidence
    suites: tuple[str, ...]


def measured(model: Model, settings: Settings, sides: Sequence[Shelved]) -> list[Measured]:
    """What was run with a model, by role and release; a role in which it is no value of the axis has nothing."""
    found = []
    for axis in MODEL_AXES:
        if model.id not in settings.axes[axis].values:
            continue
        parts = rows_of(sides, axis, model.id, model.model_id)
        for version in sorted({item.version for item, _ in parts}, key=version_key, reverse=True):
            own = [(item, rows) for item, rows in parts if item.version == version]
            suites = tuple(_suite(item, evidence([(item, rows)])) for item, rows in own)
            found.append(Measured(ROLES[axis], version, evidence(own), suites))
    return found


def latest(found: Sequence[Measured]) -> list[Measured]:
    """Of each role the newest release only: the page must not change when an older release's set is let go."""
    seen: dict[str, Measured] = {}
    for one in found:
        seen.setdefault(one.role, one)
    return list(seen.values())


def sweeps_of(model: Model, settings: Settings) -> list[str]:
    """Where the matrix has the model: as an axis's default, in a sweep, or in cells that pin it, with their suites."""
    places = []
    for axis in MODEL_AXES:
        role = ROLES[axis]
        if model.id not in settings.axes[axis].values:
            continue
        if model.id == settings.axes[axis].default:
            places.append(f"{role}: the default, held as the control")
        swept = [c for c in settings.registries.get("sweeps", ()) if settings.cells[c].pins == {axis: model.id}]
        if swept:
            places.append(f"{role}: in the sweep (`{swept[0]}`)")
        pinned = [
            cell.id for cell in settings.cells.values() if cell.registry != "sweeps" and cell.pins.get(axis) == model.id
        ]
        if pinned:
            suites = [name for name, suite in settings.suites.items() if set(pinned) & set(cells_of(settings, suite))]
            places.append(f"{role}: {spelling.counted(len(pinned), 'cell')} of {spelling.listed(suites) or 'no suite'}")
        if model.id != settings.axes[axis].default and not swept and not pinned:
            places.append(f"{role}: a value of the axis, in no sweep")
    return places or ["in no axis"]


def caveats(model: Model) -> list[str]:
    """What the registry says of a model, and what follows from its entry."""
    found = list(model.notes)
    if not model.forced_tool and not any("forced tool" in note.lower() for note in found):
        found.append("A forced tool is rejected.")
    if not model.agentic and not any("simple mode only" in note.lower() for note in found):
        found.append("Cannot run advanced mode.")
    if model.assumed:
        found.append(f"Figures that no source states, ours by analogy: {', '.join(model.assumed)}.")
    return found


def render(settings: Settings, sides: Sequence[Shelved], backend: str) -> str:
    """The page."""
    release = newest(sides)
    everything = {model.id: measured(model, settings, sides) for model in settings.models.values()}
    names = {model.id: model_label(model, backend) for model in settings.models.values()}
    table = [
        [
            names[model.id],
            "; ".join(sweeps_of(model, settings)),
            _status(everything[model.id], model, settings, release, backend),
        ]
        for model in settings.models.values()
    ]
    runs = [
        [
            names[name],
            one.role,
            one.version,
            str(one.evidence.runs),
            str(one.evidence.failed),
            one.evidence.days,
            _shortened(one.suites),
        ]
        for name, found in everything.items()
        for one in latest(found)
    ]
    return fill(
        "models",
        backend=backend,
        mark=marking(backend),
        release=release,
        table=markdown([_name(backend), "in which sweep", "measured"], table),
        runs=runs,
        runs_table=markdown(
            [_name(backend), "role", "release", "runs", "failed", "date", "suites (runs, failed)"], runs
        ),
        caveats=_caveats(settings, names),
        local=backend == "local",
    )


def _status(found: Sequence[Measured], model: Model, settings: Settings, release: str | None, backend: str) -> str:
    """Role by role, the newest release on which the model ran, or that it has not been measured in it."""
    since = f"in the matrix since {model.since}" if model.since else "in the matrix, day not recorded"
    if not found:
        return f"not yet measured ({since})"
    parts = []
    for role in (ROLES[axis] for axis in MODEL_AXES if model.id in settings.axes[axis].values):
        last = next((one for one in found if one.role == role), None)
        if last is None:
            parts.append(f"{role}: not yet measured ({since})")
            continue
        again = "" if last.version == release else f", not measured again on {release}"
        counts = f"{spelling.counted(last.evidence.runs, 'run')}, {last.evidence.failed} failed"
        stand_in = "stand-in ran " if backend == "local" else ""
        parts.append(f"{role}: {stand_in}{last.evidence.days}, {last.version} ({counts}){again}")
    return "; ".join(parts)


def _name(backend: str) -> str:
    return "configuration value" if backend == "local" else "model"


def _suite(item: Shelved, own: Evidence) -> str:
    """`scaling (14, 1)`: a side's folder without the release."""
    return f"{item.address.partition('/')[2]} ({own.runs}, {own.failed})"


def _shortened(suites: Sequence[str]) -> str:
    more = f" and {len(suites) - MOST_SUITES} more" if len(suites) > MOST_SUITES else ""
    return ", ".join(suites[:MOST_SUITES]) + more


def _caveats(settings: Settings, names: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    return [(names[model.id], found) for model in settings.models.values() if (found := caveats(model))]
