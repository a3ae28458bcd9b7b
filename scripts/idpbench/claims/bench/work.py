"""What target `claims` measures: each shipped suite with the extractor that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from idpbench.claims.extractors.registry import registry
from idpbench.claims.harness.load import discover_harness
from idpbench.claims.harness.model import KINDS
from idpbench.claims.routing import owners
from idpbench.claims.suite.discover import Found, Named, discover
from idpbench.claims.suite.fixtures import PARTS
from idpbench.claims.suite.model import Suite
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.settings.claims import load_claims

S = TypeVar("S", bound=Named)


@dataclass(frozen=True)
class Measure:
    """One suite file and the extractor that owns its source types. `fixtures` are the files its cases name."""

    kind: str  # suites | modality | polarity | validity
    suite_id: str
    extractor_id: str
    suite: Path
    fixtures: tuple[Path, ...] = ()


def measures(root: Path) -> list[Measure]:
    """All of them, benchmark suites first; one that cannot be loaded, or has not exactly one owner, is a Refusal."""
    settings = load_claims(root)
    installed = registry()
    found = []
    for suite in _all(discover(root / settings.suites)):
        owner = _owner(suite.suite_id, suite.source, [o.extractor_id for o in owners(suite.source_types, installed)])
        found.append(
            Measure("suites", suite.suite_id, owner, Path(suite.source), _parts(suite, root / settings.fixtures))
        )
    for kind in KINDS:
        for one in _all(discover_harness(root / getattr(settings, kind), kind)):
            owner = _owner(one.suite_id, one.source, [o.extractor_id for o in owners([one.source_type], installed)])
            found.append(Measure(kind, one.suite_id, owner, Path(one.source)))
    return found


def _all(found: Found[S]) -> tuple[S, ...]:
    if found.refused:
        raise Refusal("\n".join(str(refusal) for _, refusal in found.refused), INCOMPLETE)
    return found.suites


def _owner(suite_id: str, source: str, extractor_ids: list[str]) -> str:
    if len(extractor_ids) != 1:
        listed = ", ".join(extractor_ids) or "none"
        raise bad_input(
            source,
            "source_types",
            f"{suite_id} routed to {listed}",
            "exactly one extractor",
            "split it, or change its types",
        )
    return extractor_ids[0]


def _parts(suite: Suite, fixtures: Path) -> tuple[Path, ...]:
    names = sorted({case.fixture for case in suite.cases if case.fixture is not None})
    return tuple(fixtures / name / part for name in names for part in PARTS)
