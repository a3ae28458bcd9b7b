"""What names a side: the options of a command that decide its runs, as data that a step can be handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from idpbench.files import redact
from idpbench.settings.model import Settings
from idpbench.settings.options import Options
from idpbench.stack.classification import ClassificationRequest, classification_side
from idpbench.stack.model import Side, Where
from idpbench.stack.schemas import stated_unknown
from idpbench.stack.sides import build_side


@dataclass(frozen=True)
class Request:
    """A side as asked for; equal requests are the same side. `overrides`: pairs of axis and value, sorted.

    `versions`: name (VERSION, PREV) and release of every side of the command: a configuration path that one of them
    does not know is left out on all. `settled`: (cell, document, repeats) bought for the pair.
    """

    where: Where
    suite: str
    overrides: tuple[tuple[str, str], ...] = ()
    repeats: int | None = None
    no_reference: bool = False
    reference: str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    settled: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def of(
        cls,
        options: Options,
        suite: str,
        *,
        base: bool = False,
        settled: Mapping[tuple[str, str], int] | None = None,
    ) -> Request:
        """VERSION's side under these options, or PREV's (`base`), whose series is always a."""
        where = Where(
            backend=options.backend,
            version=options.prev if base else options.version,
            series="a" if base else options.series,
            region=options.region,
            stack=options.stack or f"idpbench-{suite}",
            account=redact.account(options.account) if options.account else None,
            build=options.build,
        )
        moved = tuple(sorted(options.overrides.items()))
        versions = (("VERSION", options.version), ("PREV", options.prev)) if options.backend == "aws" else ()
        bought = tuple(sorted((cell, document, count) for (cell, document), count in (settled or {}).items()))
        return cls(where, suite, moved, options.repeats, options.no_reference, options.reference, versions, bought)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Request:
        """The request that `to_json` spelt."""
        overrides = tuple((axis, choice) for axis, choice in value["overrides"])
        rest = {name: value[name] for name in ("suite", "repeats", "no_reference", "reference")}
        versions = tuple((name, version) for name, version in value["versions"])
        settled = tuple((cell, document, int(count)) for cell, document, count in value["settled"])
        return cls(Where(**value["where"]), overrides=overrides, versions=versions, settled=settled, **rest)


def side_of(settings: Settings, root: Path, request: Request) -> Side:
    """Build the side that a request names."""
    return build_side(
        settings,
        root,
        request.where,
        suite=request.suite,
        overrides=dict(request.overrides),
        repeats=request.repeats,
        reference=request.reference,
        no_reference=request.no_reference,
        unknown_paths={name: stated_unknown(root, version) for name, version in request.versions},
        settled={(cell, document): count for cell, document, count in request.settled},
    )


def side_named(settings: Settings, root: Path, value: Mapping[str, Any]) -> Side:
    """The side that a request's JSON names: of a suite, or of the classification benchmark (which has a `testset`)."""
    if "testset" in value:
        return classification_side(settings, root, ClassificationRequest.from_json(value))
    return side_of(settings, root, Request.from_json(value))
