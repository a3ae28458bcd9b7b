"""Rendering results/<backend>/studies/<slug>.md and the index of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from idpbench.files.atomic import write_text
from idpbench.files.tables import markdown
from idpbench.report import spelling
from idpbench.report.contrast import PER_CORRECT, Contrast, above, spelling_of
from idpbench.report.marking import marking
from idpbench.report.shelf import Shelved
from idpbench.report.studies.definition import Missing, Study
from idpbench.report.studies.result import NOT_MEASURED, Answer, Result, answer
from idpbench.report.templating import fill
from idpbench.report.verdict import metric_name
from idpbench.settings.model import Settings

RESULT_HEADERS = ("comparison", "metric", "first arm", "second arm", "difference", "p", "runs", "documents", "verdict")


def render_study(settings: Settings, found: Answer, backend: str) -> str:
    """The page of one study."""
    study = found.study
    return fill(
        "study",
        backend=backend,
        mark=marking(backend),
        md=markdown,
        study=study,
        verdict=found.verdict,
        arms=_arms(found),
        results=(list(RESULT_HEADERS), [_line(result) for result in found.latest]),
        latest=found.latest,
        missing=found.missing,
        earlier=[[result.version, *_line(result)] for result in found.earlier],
        earlier_headers=["release", *RESULT_HEADERS],
        also=_also(found.latest),
        rule=[_rule(result) for result in found.latest],
        notes=_notes(found.latest),
        controls=_controls(found.latest),
        broken=_broken(found.latest),
        landed=_landed(settings, study),
        commands=_commands(study, backend),
        few=[result for result in found.latest if result.repeats < study.file.repeats],
        metric=metric_of,
    )


def render_index(settings: Settings, answers: Sequence[Answer], missing: Sequence[Missing], backend: str) -> str:
    """studies/README.md: every question with its verdict, and those that no axis reaches."""
    lines = [
        [
            f"[{found.study.file.title}]({found.study.slug}.md)",
            found.study.file.question,
            _measured(found),
            found.verdict,
            _landed(settings, found.study),
        ]
        for found in answers
    ]
    headers = ["study", "question", "measured", "verdict", "where it landed"]
    return fill("studies", backend=backend, mark=marking(backend), table=markdown(headers, lines), missing=missing)


def write(
    settings: Settings,
    studies: Sequence[Study],
    missing: Sequence[Missing],
    sides: Sequence[Shelved],
    backend: str,
    folder: Path,
) -> None:
    """Write README.md and one page a study into a folder."""
    answers = [answer(study, sides) for study in studies]
    for found in answers:
        write_text(folder / f"{found.study.slug}.md", render_study(settings, found, backend))
    write_text(folder / "README.md", render_index(settings, answers, missing, backend))


def metric_of(metric: str) -> str:
    """A metric's name in a sentence."""
    return spelling_of(metric) if metric == PER_CORRECT else metric_name(metric)


def _line(result: Result) -> list[str]:
    found = result.found
    return [
        *_difference(result, found),
        spelling.probability(found.p),
        f"{found.runs[0]} + {found.runs[1]}, {sum(found.failed)} failed",
        str(found.documents),
        f"**{result.verdict}**",
    ]


def _value(found: Contrast, amount: float | None) -> str:
    return spelling.fine(amount) if found.metric == PER_CORRECT else spelling.value(found.metric, amount)


def _arms(found: Answer) -> list[list[str]]:
    """The arms of each comparison: the knob, its two values, and the sides that were read."""
    latest = {result.asked.name: result for result in found.latest}
    lines = []
    for asked in found.study.comparisons:
        result = latest.get(asked.name)
        lines.append(
            [
                asked.name,
                f"`{asked.knob}`",
                f"`{asked.base.cell}` ({asked.values[0]})",
                f"`{asked.new.cell}` ({asked.values[1]})",
                result.evidence.line() if result else NOT_MEASURED,
            ]
        )
    return lines


def _also(results: Sequence[Result]) -> list[list[str]]:
    return [_difference(result, found) for result in results for found in result.also if found.effect is not None]


def _difference(result: Result, found: Contrast) -> list[str]:
    """Comparison, metric, both arms' values, and what lies between them."""
    return [
        result.asked.name,
        metric_of(found.metric),
        _value(found, found.base),
        _value(found, found.new),
        found.spelled(),
    ]


def _rule(result: Result) -> str:
    """What yes means in this comparison."""
    asked = result.asked
    return (
        f"{asked.name}: yes is {metric_of(asked.metric)} {asked.asked} by at least {above(asked.least, asked.metric)}"
    )


def _notes(results: Sequence[Result]) -> list[str]:
    return [f"{result.asked.name}: {note}." for result in results for note in result.found.notes]


def _controls(results: Sequence[Result]) -> list[str]:
    """What the suites' own controls gave, each once."""
    sides = (side for result in results for side in result.sides)
    return list(dict.fromkeys(f"{side.version}: {control['text']}" for side in sides for control in side.controls))


def _broken(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(text for result in results for side in result.sides for text in side.broken))


def _measured(found: Answer) -> str:
    if not found.latest:
        return NOT_MEASURED
    return spelling.listed(list(dict.fromkeys(result.evidence.line() for result in found.latest)))


def _landed(settings: Settings, study: Study) -> str:
    """The axes that the study is about, and where they stand: a verdict changes something only there."""
    knobs = dict.fromkeys(asked.knob for asked in study.comparisons)
    return ", ".join(f"`{knob}` = {settings.axes[knob].default} by default" for knob in knobs)


def _commands(study: Study, backend: str) -> list[str]:
    """The commands that land the arms, each once."""
    chosen: dict[str, None] = {}
    for asked in study.comparisons:
        for suite, spec in ((asked.base_suite, asked.base), (asked.new_suite, asked.new)):
            moved = ",".join(f"{axis}={value}" for axis, value in sorted(spec.set.items()))
            given = f"version=X.Y.Z backend={backend} suite={suite}" + (f" set={moved}" if moved else "")
            chosen.setdefault(f"snakemake suite --config {given}")
    return [*chosen, f"snakemake studies --config backend={backend}"]
