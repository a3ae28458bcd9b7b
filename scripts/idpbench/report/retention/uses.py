"""Which pages are made from which published set: as the pages themselves choose what they read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from idpbench.files.canonical import read_json
from idpbench.report.guidance import classes, grid, hazards, recommend, scaling, variance
from idpbench.report.guidance.sweeps import MODEL_AXES, rows_of
from idpbench.report.ownership import version_key
from idpbench.report.shelf import Shelved, each_release, newest, pick
from idpbench.report.studies.definition import Study
from idpbench.report.studies.result import sides_read
from idpbench.settings.model import Settings

GUIDANCE, MODELS = "guidance/README.md", "models.md"


def made_from(
    folder: Path, settings: Settings, studies: Iterable[Study], sides: Sequence[Shelved]
) -> dict[str, list[str]]:
    """Address -> what is made from that set, for all of results/<backend> (`folder`).

    Guidance, studies and models count whether they have been published or not: they are made from what lies there.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for part in (comparison_pages(folder), guidance_and_models(settings, sides), study_pages(studies, sides)):
        for address, pages in part.items():
            found[address] += pages
    for item in sides:
        if (folder / item.address / "README.md").exists():
            found[item.address].append("the page that lies in it")
    return dict(found)


def comparison_pages(folder: Path) -> dict[str, list[str]]:
    """Release pages, other comparisons and the promoted baseline, with the two sets that each names."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted([*folder.glob("releases/v*/release.json"), *folder.glob("releases/other/*/release.json")]):
        addresses = read_json(path, "release")["addresses"]
        for side in ("new", "base"):
            found[addresses[side]].append(f"{addresses['page']} is made from it")
    baseline = folder / "baseline.json"
    if baseline.exists():
        source = read_json(baseline, "baseline")["baseline"]["source"]
        found[source.removeprefix(f"{folder.name}/").removesuffix("/summary.json")].append("it is the baseline")
    return found


def guidance_and_models(settings: Settings, sides: Sequence[Shelved]) -> dict[str, list[str]]:
    """What the configuration guidance and the table of models read."""
    found: dict[str, list[str]] = defaultdict(list)
    latest = {newest(sides), newest(item for item in sides if item.plain)}
    for item in sides:
        if item.version in latest:
            found[item.address].append(f"{GUIDANCE} and {MODELS} show all of the newest release")
    for suites in (grid.SUITES, scaling.SUITES, variance.SUITES, (recommend.BOUNDARY,)):
        read = pick(sides, suites)
        if read is not None:
            found[read.address].append(f"{GUIDANCE} reads it as the newest of {' or '.join(suites)}")
    hazardous = [*each_release(sides, hazards.INTEGRATED), *(s for s in sides if s.suite == hazards.DECLINED)]
    for item in hazardous:
        found[item.address].append(f"{GUIDANCE} lists a hazard by release")
    for item in classes.benchmarks(sides):
        found[item.address].append(f"{GUIDANCE} has the pages of the classification benchmark from it")
    for axis in MODEL_AXES:
        for address, values in _swept(settings, axis, sides).items():
            found[address].append(f"{GUIDANCE} and {MODELS} have it as the newest run of {', '.join(values)} ({axis})")
    return found


def study_pages(studies: Iterable[Study], sides: Sequence[Shelved]) -> dict[str, list[str]]:
    """The studies, which show every release that has both arms."""
    found: dict[str, list[str]] = defaultdict(list)
    for study in studies:
        for address in sorted(sides_read(study, sides)):
            found[address].append(f"studies/{study.slug}.md shows it")
    return found


def _swept(settings: Settings, axis: str, sides: Sequence[Shelved]) -> Mapping[str, list[str]]:
    """Address -> values of a model axis whose newest release is this set's, as the sweep or as its control."""
    known = {value: settings.models[value].model_id for value in settings.axes[axis].values if value in settings.models}
    default = settings.axes[axis].default
    found: dict[str, list[str]] = defaultdict(list)
    for value, model_id in known.items():
        parts = [item for item, _ in rows_of(sides, axis, value, model_id)]
        version = max((item.version for item in parts), key=version_key, default=None)
        control = [item for item, _ in rows_of(sides, axis, default, known[default])] if default in known else []
        for address in dict.fromkeys(item.address for item in [*parts, *control] if item.version == version):
            found[address].append(value)
    return found
