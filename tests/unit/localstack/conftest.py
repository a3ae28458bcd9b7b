"""One call that runs the engine on a document of the benchmark under one of its cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from enginehelp import Run, context, document, profile, settings

from idpbench.localstack.engine import Cache, Job, Profile, process
from idpbench.matrix.configs import resolve_configuration


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("ocr"))


@pytest.fixture(scope="session")
def run(cache: Cache) -> Callable[..., Run]:
    def _run(
        cell: str,
        name: str,
        version: str = "0.6.8",
        repeat: int = 0,
        *,
        profile_of: Callable[[Profile], Profile] = lambda base: base,
        change: Callable[[dict[str, Any]], None] = lambda configuration: None,
        pdf: bytes | None = None,
        run_context: str | None = None,
        **axes: str,
    ) -> Run:
        made = document(name)
        configuration = resolve_configuration(settings(), cell, settings().documents[name].doc_class, axes)
        change(configuration)
        text = context(version, cell, name, repeat) if run_context is None else run_context
        job = Job(pdf or made.pdf, f"{name}.pdf", configuration, profile_of(profile(version)), text)
        return Run(process(job, cache), made.truth)

    return _run
