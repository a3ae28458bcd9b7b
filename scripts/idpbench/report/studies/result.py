"""What the published sides say to a study: one result for each comparison and each release that has both arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.report.contrast import UNDECIDED, Arm, Contrast, arm, contrast, judge
from idpbench.report.ownership import version_key
from idpbench.report.shelf import Evidence, Shelved, evidence
from idpbench.report.studies.definition import ArmSpec, Asked, Study
from idpbench.report.studies.engagement import COUNTERS, Engagement

NOT_MEASURED = "not yet measured"


@dataclass(frozen=True)
class Result:
    """One comparison on one release. `verdict` is one of the five words of a study; `also` are shown and not judged."""

    asked: Asked
    version: str
    base: Arm
    new: Arm
    found: Contrast
    engagement: Engagement
    verdict: str
    also: tuple[Contrast, ...]
    evidence: Evidence
    repeats: int

    @property
    def sides(self) -> tuple[Shelved, Shelved]:
        """The published sides of its arms; mostly one and the same."""
        return self.base.item, self.new.item


@dataclass(frozen=True)
class Answer:
    """A study and its results, newest release first; `latest` are those of the newest."""

    study: Study
    results: tuple[Result, ...]

    @property
    def latest(self) -> tuple[Result, ...]:
        """Each comparison on the newest release that has it."""
        seen: dict[str, Result] = {}
        for result in self.results:
            seen.setdefault(result.asked.name, result)
        return tuple(seen[asked.name] for asked in self.study.comparisons if asked.name in seen)

    @property
    def earlier(self) -> tuple[Result, ...]:
        """The results on releases before those of `latest`."""
        newest = set(map(id, self.latest))
        return tuple(result for result in self.results if id(result) not in newest)

    @property
    def missing(self) -> tuple[Asked, ...]:
        """Comparisons that no release has."""
        seen = {result.asked.name for result in self.results}
        return tuple(asked for asked in self.study.comparisons if asked.name not in seen)

    @property
    def verdict(self) -> str:
        """One word, or one for each comparison by name."""
        words = {result.asked.name: result.verdict for result in self.latest}
        words |= {asked.name: NOT_MEASURED for asked in self.missing}
        if len(set(words.values())) == 1:
            return next(iter(words.values()))
        return "; ".join(f"{asked.name}: {words[asked.name]}" for asked in self.study.comparisons)


def answer(study: Study, sides: Sequence[Shelved]) -> Answer:
    """All results of a study."""
    versions = sorted({item.version for item in sides}, key=version_key, reverse=True)
    results = [
        result
        for version in versions
        for asked in study.comparisons
        if (result := _result(study, asked, version, sides)) is not None
    ]
    return Answer(study, tuple(results))


def sides_read(study: Study, sides: Sequence[Shelved]) -> set[str]:
    """Addresses of the sides that the study's page is made from: those of every release that has both arms."""
    pairs = (_arms(asked, version, sides) for asked in study.comparisons for version in {s.version for s in sides})
    return {one.item.address for both in pairs if both is not None for one in both}


def _result(study: Study, asked: Asked, version: str, sides: Sequence[Shelved]) -> Result | None:
    arms = _arms(asked, version, sides)
    if arms is None:
        return None
    base, new = arms
    found = contrast(base, new, asked.metric)
    engagement = COUNTERS[study.file.engagement](base.rows, new.rows)
    also = [metric for metric in study.file.also if metric != asked.metric]
    return Result(
        asked=asked,
        version=version,
        base=base,
        new=new,
        found=found,
        engagement=engagement,
        verdict=_verdict(asked, found, engagement, broken=any(arm.item.broken for arm in arms)),
        also=tuple(contrast(base, new, metric) for metric in also),
        evidence=evidence([(base.item, base.rows), (new.item, new.rows)]),
        repeats=1 + max(int(row.get("repeat") or 0) for row in (*base.rows, *new.rows)),
    )


def _verdict(asked: Asked, found: Contrast, engagement: Engagement, *, broken: bool) -> str:
    """A difference of an arm that did nothing answers nothing; nor does a side of which runs are missing, nor a suite
    whose own control does not hold."""
    word = judge(found, asked.asked, asked.least)
    if broken:
        return f"{UNDECIDED}: the suite is broken"
    if found.reason:
        return f"{UNDECIDED}: {found.reason}"
    if engagement.engaged is not True and word != UNDECIDED:
        return f"{UNDECIDED}: {'the arm did not engage' if engagement.engaged is False else 'engagement is not known'}"
    return word


def _arms(asked: Asked, version: str, sides: Sequence[Shelved]) -> tuple[Arm, Arm] | None:
    """Both arms of a comparison on one release; None where one is missing."""
    base, new = (_arm(sides, version, suite, spec) for suite, spec in _specs(asked))
    return (base, new) if base is not None and new is not None else None


def _specs(asked: Asked) -> list[tuple[str, ArmSpec]]:
    return [(asked.base_suite, asked.base), (asked.new_suite, asked.new)]


def _arm(sides: Sequence[Shelved], version: str, suite: str, spec: ArmSpec) -> Arm | None:
    """The arm on one release, from a complete side of the first series; None where there is none."""
    for item in sides:
        first = item.plain or bool(item.slug)
        if first and (item.version, item.suite, item.slug) == (version, suite, spec.slug) and not item.side.partial:
            found = arm(item, spec.cell)
            if found.rows:
                return found
    return None
