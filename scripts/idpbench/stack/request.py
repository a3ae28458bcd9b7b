"""What names a side: the options of a command that decide its runs, as data that a step can be handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from idpbench.settings.model import Settings
from idpbench.settings.options import Options
from idpbench.stack.model import Side, Where
from idpbench.stack.sides import build_side


@dataclass(frozen=True)
class Request:
    """A side as asked for; equal requests are the same side. `overrides`: pairs of axis and value, sorted."""

    where: Where
    suite: str
    overrides: tuple[tuple[str, str], ...] = ()
    repeats: int | None = None
    no_reference: bool = False
    reference: str | None = None

    @classmethod
    def of(cls, options: Options, suite: str, *, base: bool = False) -> Request:
        """VERSION's side under these options, or PREV's (`base`), whose series is always a."""
        where = Where(
            backend=options.backend,
            version=options.prev if base else options.version,
            series="a" if base else options.series,
            region=options.region,
            stack=options.stack or f"idpbench-{suite}",
            account=options.account,
            build=options.build,
        )
        moved = tuple(sorted(options.overrides.items()))
        return cls(where, suite, moved, options.repeats, options.no_reference, options.reference)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Request:
        """The request that `to_json` spelt."""
        overrides = tuple((axis, choice) for axis, choice in value["overrides"])
        rest = {name: value[name] for name in ("suite", "repeats", "no_reference", "reference")}
        return cls(where=Where(**value["where"]), overrides=overrides, **rest)


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
    )
