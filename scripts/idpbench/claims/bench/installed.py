"""The extractors that are there: ours, those of installed packages, and the language model that configuration names."""

from __future__ import annotations

from pathlib import Path

from idpbench.claims.chat import Endpoint
from idpbench.claims.extractors.base import Extractor
from idpbench.claims.extractors.llm import LlmExtractor
from idpbench.claims.extractors.registry import registry
from idpbench.settings.claims import ClaimsSettings


def installed(settings: ClaimsSettings, root: Path) -> list[Extractor]:
    """The registry, with `language-model` last where `extractor` is configured."""
    wanted, llm = settings.extractor, settings.llm
    if wanted is None:
        return registry()
    model = LlmExtractor(
        Endpoint(llm.base_url, llm.model, llm.key_variable),
        wanted.source_types,
        replay=None if wanted.replies is None else root / wanted.replies,
        record=None if wanted.record is None else root / wanted.record,
    )
    return registry([model])
