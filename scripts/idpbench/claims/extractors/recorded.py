"""Claims that somebody else's extractor emitted, put back in the place of an extraction.

A source is known by the digest of its bytes: the recording of a suite's cases is turned into one of sources, and what
was declined or failed then is an error of its case now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.extractors.base import ExtractorUnavailable
from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import bad_input


class RecordedExtractor:
    """Gives back the emissions of one recording; deterministic, since it extracts nothing."""

    deterministic = True
    must_not: frozenset[str] = frozenset()

    def __init__(self, emissions: Emissions, sources: Mapping[str, bytes], source_types: Iterable[str]) -> None:
        """`sources` are the bytes of each case by case id; a case without them can only be one without claims.

        A Refusal where two cases with the same bytes were recorded with different claims: which is meant, no source
        can tell.
        """
        self.extractor_id = emissions.extractor_id
        self.version = emissions.extractor_version
        self.provider_model = emissions.provider_model
        self._types = frozenset(source_types)
        self._known: dict[str, CaseEmission] = {}
        for case in emissions.cases:
            if case.case_id not in sources:
                continue
            earlier = self._known.setdefault(bytes_digest(sources[case.case_id]), case)
            if (earlier.status, earlier.claims) != (case.status, case.claims):
                raise bad_input(
                    f"emissions of {emissions.extractor_id}",
                    f"cases {earlier.case_id} and {case.case_id}",
                    "different claims for the same source",
                    "one recording a source",
                    "score them apart with `claims score`",
                )

    def accepts(self, source_type: str) -> bool:
        """The source types of the suite that was recorded."""
        return source_type in self._types

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """The recorded claims of this source; an error again where it was one; ExtractorUnavailable where unknown."""
        case = self._known.get(bytes_digest(data))
        if case is None:
            raise ExtractorUnavailable(
                f"recording of {self.extractor_id}: found no case with this source (SHA-256 {bytes_digest(data)}), "
                "expected one for each case of the suite; record the suite again"
            )
        if case.status != "ok":
            raise ValueError(f"recorded as {case.status}: {case.note or 'no reason given'}")
        return list(case.claims)
