"""Metering: what each phase used, under the keys and units of a stack's metering map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

Number = int | float


@dataclass(frozen=True, slots=True)
class Request:
    """Token counts of one model request. Cached tokens are apart from `inputTokens`, as Bedrock bills them."""

    phase: str
    model: str
    inputTokens: int  # noqa: N815 (spelled as in the record)
    outputTokens: int  # noqa: N815
    cacheReadInputTokens: int = 0  # noqa: N815
    cacheWriteInputTokens: int = 0  # noqa: N815

    def as_dict(self) -> dict[str, str | int]:
        """The request as it stands in a section's metadata."""
        return asdict(self)


@dataclass(slots=True)
class Meter:
    """Adds up usage per `<Phase>/<service>/<api>`."""

    usage: dict[str, dict[str, Number]] = field(default_factory=dict)

    def add(self, key: str, units: Mapping[str, Number]) -> None:
        """Add `units` under `key`."""
        entry = self.usage.setdefault(key, {})
        for unit, amount in units.items():
            entry[unit] = entry.get(unit, 0) + amount

    def request(self, request: Request) -> None:
        """Add one model request under `<Phase>/bedrock/<model id>`."""
        parts = {
            "inputTokens": request.inputTokens,
            "outputTokens": request.outputTokens,
            "cacheReadInputTokens": request.cacheReadInputTokens,
            "cacheWriteInputTokens": request.cacheWriteInputTokens,
        }
        self.add(
            f"{request.phase}/bedrock/{request.model}", {**parts, "totalTokens": sum(parts.values()), "requests": 1}
        )

    def function(self, phase: str, gb_seconds: float) -> None:
        """Add one function invocation of a phase; its duration is a constant of the configuration, never a clock's."""
        self.add(f"{phase}/lambda/requests", {"invocations": 1})
        self.add(f"{phase}/lambda/duration", {"gb_seconds": gb_seconds})

    def as_dict(self) -> dict[str, dict[str, Number]]:
        """The map, sorted, with fractions rounded to six places so that sums do not carry float dust."""
        return {
            key: {unit: round(value, 6) if isinstance(value, float) else value for unit, value in units.items()}
            for key, units in sorted(self.usage.items())
        }
