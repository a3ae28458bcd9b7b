"""What a metering map costs: exact names, exact units, and no number at all where a rate is not known.

A metering map is `{"Phase/service/api": {unit: count}}`. Rounding is that of the published figures: 5 places after each
addition to a phase or a priced name, 4 places once for the total.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.pricing.card import Band, Rate, RateCard

TOKEN_UNITS = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
PROMPT_UNITS = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")  # what a band is judged on


@dataclass(frozen=True)
class Priced:
    """A cost in the card's currency, or None everywhere and the reason.

    `notes` says what the number rests on besides plain rates: assumed rates, bands, the entries' own notes.
    """

    cost: float | None
    by_phase: dict[str, float] | None
    by_key: dict[str, float] | None
    reason: str | None = None
    notes: tuple[str, ...] = ()


class Unpriceable(Exception):
    """Why one metering entry has no cost."""


def price(
    metering: Any,
    card: RateCard,
    requests: Sequence[Mapping[str, Any]] | None = None,
    at: str | None = None,
) -> Priced:
    """Price `metering` by `card`.

    `requests` are the single model requests behind it (`{phase, model, <token unit>: count}`); where they add up to an
    entry's sums, a price band is judged for each of them, else from the sums (`_band_of_sums`). `at` is an ISO date for
    dated rates. One entry that cannot be priced leaves no cost at all: a total below the truth would look plausible.
    """
    if not isinstance(metering, Mapping):
        return Priced(None, None, None, f"the metering is {_kind(metering)}, not a map")
    total = 0.0
    by_phase: dict[str, float] = {}
    by_key: dict[str, float] = {}
    problems: list[str] = []
    notes: dict[str, None] = {}
    for key, counts in metering.items():
        try:
            name, cost = _entry(str(key), counts, card, requests or (), at, notes)
        except Unpriceable as problem:
            problems.append(f"{key}: {problem}")
            continue
        total += cost
        phase = str(key).split("/", 1)[0]
        by_phase[phase] = round(by_phase.get(phase, 0.0) + cost, 5)
        by_key[name] = round(by_key.get(name, 0.0) + cost, 5)
    if problems:
        word = "entry" if len(problems) == 1 else "entries"
        return Priced(None, None, None, f"{len(problems)} unpriceable metering {word}: {'; '.join(problems)}")
    return Priced(round(total, 4), by_phase, by_key, None, tuple(notes))


def _entry(
    key: str,
    counts: Any,
    card: RateCard,
    requests: Sequence[Mapping[str, Any]],
    at: str | None,
    notes: dict[str, None],
) -> tuple[str, float]:
    """Priced name and cost of one metering entry; remarks go into `notes`."""
    if not isinstance(counts, Mapping):
        raise Unpriceable(f"{_kind(counts)} instead of units")
    used = {unit: _count(unit, value) for unit, value in counts.items()}
    used = {unit: value for unit, value in used.items() if value != 0}  # nothing was used: free at any rate
    name = card.match(key)
    if name is None:
        if used:
            raise Unpriceable("no rate")
        return key.partition("/")[2] or key, 0.0
    rate = card.rate(name, at)
    if rate is None:
        raise Unpriceable(f"no rate of {name} on {at}")
    free = card.free.get(rate.service, frozenset())
    billed = {unit: value for unit, value in used.items() if unit in rate.prices or unit not in free}
    unknown = sorted(unit for unit in billed if unit not in rate.prices)
    if unknown:
        raise Unpriceable(f"no rate of {name} for {', '.join(unknown)}")
    for unit in billed:
        if unit in rate.assumed:
            notes[f"{name}: the rate of {unit} is assumed"] = None
    if rate.note and billed:
        notes[f"{name}: {rate.note}"] = None
    if not rate.bands or not billed:
        return name, _sum(billed, rate, None)
    own = [item for item in requests if f"{item.get('phase')}/bedrock/{item.get('model')}" == key]
    if own and all(sum(_number(item.get(unit)) for item in own) == used.get(unit, 0) for unit in TOKEN_UNITS):
        parts = [(rate.band(_prompt(item)), {u: _number(item.get(u)) for u in TOKEN_UNITS}) for item in own]
        others = {unit: value for unit, value in billed.items() if unit not in TOKEN_UNITS}
        cost = _sum(others, rate, None) + sum(_sum(_priced(part, rate), rate, band) for band, part in parts)
        _say_bands(name, (band for band, _ in parts), len(parts), notes)
        return name, cost
    band = _band_of_sums(rate, used)
    _say_bands(name, [band], 1, notes)
    return name, _sum(billed, rate, band)


def _band_of_sums(rate: Rate, used: Mapping[str, float]) -> Band | None:
    """The band when only sums are known: the one that the sum and the mean request share, else none is known."""
    prompt = _prompt(used)
    highest = rate.band(prompt)
    if highest is None:
        return None
    count = used.get("requests", 0)
    if count <= 0 or rate.band(prompt / count) != highest:
        number = f"{count:g} requests" if count else "an unknown number of requests"
        raise Unpriceable(
            f"band not known: {prompt:g} prompt tokens in {number}, {rate.name} has another price above {highest.above}"
        )
    return highest


def _say_bands(name: str, bands: Iterable[Band | None], total: int, notes: dict[str, None]) -> None:
    above = [band for band in bands if band is not None]
    for limit in sorted({band.above for band in above}):
        share = sum(band.above == limit for band in above)
        text = f"{share} of {total} requests" if total > 1 else "priced"
        notes[f"{name}: {text} above the band of {limit} prompt tokens"] = None


def _sum(counts: Mapping[str, float], rate: Rate, band: Band | None) -> float:
    factors: Mapping[str, float] = band.factors if band else {}
    total = 0.0
    for unit, value in counts.items():
        total += value * rate.prices[unit] * factors.get(unit, 1.0)
    return total


def _priced(counts: Mapping[str, float], rate: Rate) -> dict[str, float]:
    return {unit: value for unit, value in counts.items() if unit in rate.prices}


def _prompt(counts: Mapping[str, Any]) -> float:
    return sum(_number(counts.get(unit)) for unit in PROMPT_UNITS)


def _number(value: Any) -> float:
    """A request's token count, 0 where it is not stated."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def _count(unit: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Unpriceable(f"{unit} is {_kind(value)}, not a number")
    if value < 0:
        raise Unpriceable(f"{unit} is {value}, below 0")
    return value


def _kind(value: Any) -> str:
    return "null" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
