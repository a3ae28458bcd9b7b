"""What the benchmark asks of an extractor."""

from __future__ import annotations

from typing import Protocol

from idpbench.claims.emitted import Claim
from idpbench.files.errors import INCOMPLETE, Refusal

NO_MODEL = "none"


class ExtractorUnavailable(Refusal):
    """An extractor without its key or its model. The pass is not scored and not saved: exit code 3."""

    def __init__(self, message: str) -> None:
        super().__init__(message, INCOMPLETE)


class Extractor(Protocol):
    """A plug-in of the entry point group `idpbench.claims_extractors`.

    The entry point names a class or function that is called without arguments and returns an extractor.
    """

    @property
    def extractor_id(self) -> str:
        """Lower-case words joined by hyphens."""

    @property
    def version(self) -> str:
        """Changes whenever the claims for some source change."""

    @property
    def deterministic(self) -> bool:
        """Whether the same bytes give the same claims every time."""

    @property
    def provider_model(self) -> str:
        """`provider:model` of the language model it calls, NO_MODEL if it calls none."""

    @property
    def must_not(self) -> frozenset[str]:
        """Source types that are never routed to it, whatever `accepts` says."""

    def accepts(self, source_type: str) -> bool:
        """Whether it can read sources of this type."""

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """The claims of one source, in a fixed order; `source_type` is None for an inline case.

        Raises ExtractorUnavailable where it cannot work at all; any other exception counts against this case only.
        """
