"""One pass of an extractor over a suite's sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idpbench.claims.bench.sources import Absent, Source
from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.extractors.base import Extractor, ExtractorUnavailable
from idpbench.claims.harness.model import HarnessSuite
from idpbench.claims.suite.model import Suite


def extract_pass(suite: Suite, extractor: Extractor, sources: Sequence[Source | Absent]) -> Emissions:
    """What the extractor states, case by case.

    A source that it declines is skipped. An error counts against its case only, save ExtractorUnavailable, which goes
    through: an extractor without its model has measured nothing.
    """
    return _emissions(suite.suite_id, extractor, sources)


def extract_harness(suite: HarnessSuite, extractor: Extractor) -> Emissions:
    """The same for a harness suite, whose cases are texts of the suite's one source type."""
    sources = [Source(case.case_id, case.text.encode("utf-8"), suite.source_type) for case in suite.cases]
    return _emissions(suite.suite_id, extractor, sources)


def accepted(extractor: Extractor, source: Source) -> bool:
    """Whether the source is put to the extractor at all."""
    return source.source_type is None or extractor.accepts(source.source_type)


def _emissions(suite_id: str, extractor: Extractor, sources: Sequence[Source | Absent]) -> Emissions:
    return Emissions(
        extractor_id=extractor.extractor_id,
        extractor_version=extractor.version,
        suite_id=suite_id,
        cases=tuple(_cases(extractor, sources)),
        provider_model=extractor.provider_model,
    )


def _cases(extractor: Extractor, sources: Sequence[Source | Absent]) -> Iterator[CaseEmission]:
    for source in sources:
        if isinstance(source, Absent):
            yield CaseEmission(source.case_id, "missing_fixture", note=source.note)
        elif not accepted(extractor, source):
            yield CaseEmission(source.case_id, "declined", note=f"{source.source_type} is not accepted")
        else:
            yield _case(extractor, source)


def _case(extractor: Extractor, source: Source) -> CaseEmission:
    try:
        claims = tuple(extractor.extract(source.data, source.source_type))
        if strange := [claim for claim in claims if not isinstance(claim, Claim)]:
            raise TypeError(f"found {type(strange[0]).__name__} among its claims, expected Claim")
        return CaseEmission(source.case_id, "ok", claims)
    except ExtractorUnavailable:
        raise
    except Exception as error:  # a plug-in may raise anything
        said = f"{type(error).__name__}: {error}".encode("utf-8", errors="replace").decode("utf-8")
        return CaseEmission(source.case_id, "raises", note=said)
