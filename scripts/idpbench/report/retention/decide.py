"""Which published sets stay and which may go. Pure: a listing and two findings in, one decision a set out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from idpbench.report.ownership import OWNING_SUITE

UNRECORDED = "no committed page has recorded it"


@dataclass(frozen=True)
class PublishedSet:
    """One side as it lies in results/<backend>/<address>; `files` are its file names with their sizes in bytes."""

    backend: str
    address: str
    files: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """Its folder below results/."""
        return f"{self.backend}/{self.address}"

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(size for _, size in self.files)

    @property
    def release(self) -> str:
        """The release that was measured, without a leading v."""
        return self.address.split("/")[-2].removeprefix("v")

    @property
    def grid(self) -> str:
        """Suite, overrides and series: `scaling`, `opus55value__reasoning-effort-high`, `corefast~b`."""
        return self.address.rpartition("/")[2]

    @property
    def pair(self) -> str | None:
        """The comparison beside whose page it lies, None for a set in a release's own folder."""
        parts = self.address.split("/")
        return parts[2] if parts[:2] == ["releases", "other"] else None

    @property
    def of_release(self) -> bool:
        """Is it the one set that each release keeps?"""
        return self.pair is None and self.grid == OWNING_SUITE


@dataclass(frozen=True)
class Decision:
    """Whether a set stays, and why: the pages made from it, or, where it may go, the page that recorded it."""

    found: PublishedSet
    keep: bool
    reasons: tuple[str, ...]


def decide(
    sets: Iterable[PublishedSet], made_from: Mapping[str, Sequence[str]], recorded: Mapping[str, str]
) -> list[Decision]:
    """One decision a set, in the order of their names.

    `made_from`: name of a set -> what is made from it; `recorded`: name -> where a committed page tells of it. A set
    goes only where nothing is made from it and a page has told of it: what no page knows would be lost unread.
    """
    return [_decision(found, made_from, recorded) for found in sorted(sets, key=lambda item: item.name)]


def _decision(found: PublishedSet, made_from: Mapping[str, Sequence[str]], recorded: Mapping[str, str]) -> Decision:
    reasons = [f"the set of release {found.release}"] if found.of_release else []
    reasons += dict.fromkeys(made_from.get(found.name, ()))
    if reasons:
        return Decision(found, True, tuple(reasons))
    place = recorded.get(found.name)
    if place is None:
        return Decision(found, True, (UNRECORDED,))
    return Decision(found, False, (f"recorded by {place}; no page is made from it any more",))


def tells_of(line: str, release: str, grid: str) -> bool:
    """Does a line of a page name this set? By its address, as evidence, or as a line of the table of models.

    `v0.6.9/scaling`; `0.6.8 and 0.6.9, cost and scaling: 14 runs`; `| 0.6.9 | ... | scaling (14, 1) |`.
    """
    version = rf"(?<![\w.-]){{}}{re.escape(release)}(?![\w-]|\.\w)"
    name = rf"(?<![\w~-]){re.escape(grid)}(?![\w~-])"
    return any(
        re.search(pattern, line)
        for pattern in (
            rf"{version.format('v?')}/{name}",
            rf"{version.format('')}[^:|]*, [^:|]*{name}[^:|]*: \d+ runs?\b",
            rf"^\|.*\| *{re.escape(release)} *\|.*{name} \(\d+, \d+\)",
        )
    )
