"""Rate cards: what one unit of one metered service costs, from when, and in which prompt-length band.

The file is the accelerator's own (`pricing: [{name, units: [{name, price}]}]`) with optional additions: `from` (a
date), `bands`, `note`, `source` on an entry, `assumed` on a unit, and `as_of`, `currency`, `free` beside `pricing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from idpbench.files.canonical import digest, file_digest
from idpbench.files.errors import bad_input, nearest
from idpbench.settings.yamlfile import load_yaml

# Units that count and are not billed, by service (the first part of a name; `lambda_hook` = names without `/`).
FREE: Mapping[str, frozenset[str]] = {
    "bedrock": frozenset({"totalTokens", "requests"}),
    "lambda_hook": frozenset({"totalTokens", "requests"}),
}
CARD_KEYS = frozenset({"pricing", "as_of", "currency", "free", "schema", "note"})
ENTRY_KEYS = frozenset({"name", "units", "from", "bands", "note", "source"})
UNIT_KEYS = frozenset({"name", "price", "assumed"})
BAND_KEYS = frozenset({"above", "factors"})


@dataclass(frozen=True)
class Band:
    """A request whose prompt is longer than `above` tokens costs `factors[unit]` times the flat price."""

    above: int
    factors: Mapping[str, float]


@dataclass(frozen=True)
class Rate:
    """Prices of one name from one date on (`start` is ISO, `""` = always)."""

    name: str
    start: str
    prices: Mapping[str, float]
    assumed: frozenset[str] = frozenset()
    bands: tuple[Band, ...] = ()
    note: str | None = None

    @property
    def service(self) -> str:
        """`bedrock` of `bedrock/<model>`; a name without `/` is a hook's function name."""
        return self.name.split("/", 1)[0] if "/" in self.name else "lambda_hook"

    def band(self, prompt: float) -> Band | None:
        """The band of a request of `prompt` tokens, None for the flat price."""
        return next((band for band in reversed(self.bands) if prompt > band.above), None)


@dataclass(frozen=True)
class RateCard:
    """Rates by name, oldest first, and the units that are free by service."""

    rates: Mapping[str, tuple[Rate, ...]]
    free: Mapping[str, frozenset[str]] = field(default_factory=lambda: FREE)
    source: str = "rate card"
    as_of: str | None = None
    currency: str = "USD"
    file_sha256: str | None = None

    @cached_property
    def digest(self) -> str:
        """Digest of what decides a price: comments, notes and layout of the file do not enter it."""
        rates = [
            [rate.name, rate.start, rate.prices, sorted(rate.assumed), [[b.above, b.factors] for b in rate.bands]]
            for name in sorted(self.rates)
            for rate in self.rates[name]
        ]
        return digest([rates, {service: sorted(units) for service, units in self.free.items()}])

    def match(self, key: str) -> str | None:
        """The priced name of a metering key: the key itself, or what is left after dropping leading `/` parts."""
        rest = key
        while rest not in self.rates:
            _, slash, rest = rest.partition("/")
            if not slash:
                return None
        return rest

    def rate(self, name: str, at: str | None = None) -> Rate | None:
        """The entry of `name` in force on ISO date `at` (without a date: the newest); None if it starts later."""
        fitting = [rate for rate in self.rates.get(name, ()) if at is None or rate.start <= at]
        return fitting[-1] if fitting else None

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those of `names` (metering keys or priced names) that the card does not price, sorted."""
        return sorted({name for name in names if self.match(name) is None})


def load_rate_card(path: Path | str) -> RateCard:
    """Read a rate card; anything unknown, doubled, negative or not a number is a Refusal."""
    raw = load_yaml(path)
    if not isinstance(raw, dict) or not isinstance(raw.get("pricing"), list):
        raise bad_input(
            path, "pricing", _kind(raw), "a list of {name, units} under `pricing`", "use the rate card's form"
        )
    _known(path, "", raw, CARD_KEYS)
    rates: dict[str, list[Rate]] = {}
    for index, entry in enumerate(raw["pricing"]):
        rate = _entry(path, f"pricing[{index}]", entry)
        others = rates.setdefault(rate.name, [])
        if any(other.start == rate.start for other in others):
            where = f"pricing[{index}].name"
            raise bad_input(path, where, f"{rate.name!r} again", "one entry a name and date", "remove one of them")
        others.append(rate)
    return RateCard(
        rates={name: tuple(sorted(entries, key=lambda rate: rate.start)) for name, entries in rates.items()},
        free=_free(path, raw.get("free")),
        source=str(path),
        as_of=iso_date(path, "as_of", raw["as_of"]) if "as_of" in raw else None,
        currency=_text(path, "currency", raw.get("currency", "USD")),
        file_sha256=file_digest(path),
    )


def _entry(path: object, where: str, entry: Any) -> Rate:
    if not isinstance(entry, dict):
        raise bad_input(path, where, _kind(entry), "a map with name and units", "write `- name: service/api`")
    _known(path, where, entry, ENTRY_KEYS)
    name = _text(path, f"{where}.name", entry.get("name"))
    units = entry.get("units")
    if not isinstance(units, list) or not units:
        raise bad_input(path, f"{where}.units", _kind(units), "a list of {name, price}", f"list the units of {name}")
    prices: dict[str, float] = {}
    assumed: set[str] = set()
    for index, unit in enumerate(units):
        here = f"{where}.units[{index}]"
        if not isinstance(unit, dict):
            raise bad_input(path, here, _kind(unit), "a map with name and price", "write `{name: pages, price: 0.1}`")
        _known(path, here, unit, UNIT_KEYS)
        label = _text(path, f"{here}.name", unit.get("name"))
        if label in prices:
            raise bad_input(path, f"{here}.name", f"{label!r} again", "each unit once", "remove one of them")
        prices[label] = _amount(path, f"{here}.price", unit.get("price"))
        if _flag(path, f"{here}.assumed", unit.get("assumed", False)):
            assumed.add(label)
    return Rate(
        name=name,
        start=iso_date(path, f"{where}.from", entry["from"]) if "from" in entry else "",
        prices=prices,
        assumed=frozenset(assumed),
        bands=_bands(path, f"{where}.bands", entry.get("bands", []), prices),
        note=None if entry.get("note") is None else _text(path, f"{where}.note", entry["note"]),
    )


def _bands(path: object, where: str, raw: Any, prices: Mapping[str, float]) -> tuple[Band, ...]:
    if not isinstance(raw, list):
        raise bad_input(path, where, _kind(raw), "a list of {above, factors}", "write one item a band")
    bands = []
    for index, item in enumerate(raw):
        here = f"{where}[{index}]"
        if not isinstance(item, dict) or not isinstance(item.get("factors"), dict):
            raise bad_input(path, here, _kind(item), "a map with above and factors", "see config/pricing.yaml")
        _known(path, here, item, BAND_KEYS)
        for unit in item["factors"]:
            if unit not in prices:
                raise bad_input(path, f"{here}.factors", repr(unit), "a unit of this entry", nearest(str(unit), prices))
        above = _amount(path, f"{here}.above", item.get("above"))
        factors = {unit: _amount(path, f"{here}.factors.{unit}", value) for unit, value in item["factors"].items()}
        bands.append(Band(int(above), factors))
    return tuple(sorted(bands, key=lambda band: band.above))


def _free(path: object, raw: Any) -> Mapping[str, frozenset[str]]:
    if raw is None:
        return FREE
    if not isinstance(raw, dict):
        raise bad_input(path, "free", _kind(raw), "a map of service to unit names", "write `bedrock: [requests]`")
    free = {}
    for service, units in raw.items():
        if not isinstance(units, list) or not all(isinstance(unit, str) for unit in units):
            raise bad_input(path, f"free.{service}", _kind(units), "a list of unit names", "write `[totalTokens]`")
        free[str(service)] = frozenset(units)
    return free


def _known(path: object, where: str, found: Mapping[Any, Any], known: frozenset[str]) -> None:
    for key in found:
        if key not in known:
            place = f"{where}.{key}" if where else str(key)
            raise bad_input(path, place, "an unknown key", "only known keys", nearest(str(key), known))


def _text(path: object, where: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise bad_input(path, where, _kind(value), "a text", "write it as text")
    return value


def _flag(path: object, where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise bad_input(path, where, _kind(value), "true or false", "write one of them")
    return value


def _amount(path: object, where: str, value: Any) -> float:
    """A number of at least 0; the accelerator writes prices as text (`"3.0E-6"`)."""
    try:
        amount = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        amount = math.nan
    if not (math.isfinite(amount) and amount >= 0):
        raise bad_input(path, where, _kind(value), "a number of at least 0", "write it like 3.0E-6")
    return amount


def iso_date(path: object, where: str, value: Any) -> str:
    """An ISO date as text, or a Refusal that names `path` and `where`."""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        raise bad_input(path, where, repr(value), "a date like 2026-10-01", "write year, month and day") from None


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:60]!r}"
