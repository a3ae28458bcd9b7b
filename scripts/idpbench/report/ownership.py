"""Which addresses below results/<backend>/ a pair of releases may write, and where the rest of it goes.

Pure: what lies in results/ comes in as `Claims`, addresses come out; nothing here opens a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OWNING_SUITE = "corefast"
OWNING_SERIES = "a"


@dataclass(frozen=True)
class Pair:
    """One A/B: VERSION against PREV on a suite, with the slug of its overrides (empty: none) and VERSION's series."""

    version: str
    prev: str
    suite: str = OWNING_SUITE
    slug: str = ""
    series: str = OWNING_SERIES

    @property
    def name(self) -> str:
        """`0.6.9-0.6.8-corefast__slug~b`: the folder name of a pair that owns no release address."""
        return f"{self.version}-{self.prev}-{self.suite}{_slug(self.slug)}{_series(self.series)}"

    @property
    def may_own(self) -> bool:
        """True where such a pair can own a release's address: corefast, no overrides, series a, two versions."""
        plain = self.suite == OWNING_SUITE and not self.slug and self.series == OWNING_SERIES
        return plain and self.version != self.prev

    @property
    def new_side(self) -> str:
        """Address of VERSION's side below results/<backend>/."""
        return side_address(self.version, self.suite, self.slug, self.series)

    @property
    def base_side(self) -> str:
        """Address of PREV's side; its series is always a."""
        return side_address(self.prev, self.suite, self.slug)


@dataclass(frozen=True)
class Claims:
    """What lies in results/<backend>/ at a pair's addresses.

    `page` is the pair that published the release page, None where there is no page. `new` and `base` are the pairs
    named in the sides' meta.json: None where no pair claimed the folder (missing, or written by target `suite`).
    `new_same` and `base_same`: the committed side holds the evidence at hand; False also where it is missing.
    """

    page: str | None = None
    new: str | None = None
    base: str | None = None
    new_same: bool = False
    base_same: bool = False


@dataclass(frozen=True)
class Addresses:
    """Where a pair's set goes, relative to results/<backend>/; a side that is only linked is not written."""

    owner: bool
    page: str
    assets: str
    new: str
    base: str
    write_new: bool
    write_base: bool


def side_address(version: str, suite: str, slug: str = "", series: str = OWNING_SERIES) -> str:
    """`v0.6.9/corefast__slug~b`, the folder of one side below results/<backend>/."""
    return f"v{version}/{suite}{_slug(slug)}{_series(series)}"


def decide(pair: Pair, claims: Claims) -> Addresses:
    """The addresses of `pair`, given what others have published before it.

    A release page belongs to the first pair that may own it; each side's folder to the first pair that wrote it. A side
    that somebody else owns is linked when it holds the same evidence, else it goes beside the page of this pair.
    """
    owner = pair.may_own and claims.page in (None, pair.name)
    aside = f"releases/other/{pair.name}"
    new, write_new = _side(pair, owner, pair.new_side, claims.new, claims.new_same, aside)
    base, write_base = _side(pair, owner, pair.base_side, claims.base, claims.base_same, aside)
    release = f"releases/v{pair.version}"
    return Addresses(
        owner=owner,
        page=f"{release}.md" if owner else f"{aside}/README.md",
        assets=release if owner else aside,
        new=new,
        base=base,
        write_new=write_new,
        write_base=write_base,
    )


def promotion(*, owner: bool, base_partial: bool, verdict: str) -> tuple[bool, str]:
    """Whether PREV's summary becomes baseline.json, and the reason in words that a page can print."""
    if not owner:
        return False, "this pair does not own the release's address"
    if base_partial:
        return False, "PREV's side is partial"
    if verdict == "incomparable":
        return False, "the two sides are incomparable"
    return True, "PREV's side is complete and comparable"


def version_key(version: str) -> tuple[tuple[int, ...], int, str]:
    """Sort key of a version: numbers as numbers (0.10.0 after 0.6.9), a pre-release before its release."""
    match = re.match(r"v?(\d+(?:\.\d+)*)(.*)$", version)
    if match is None:
        return (), 0, version
    numbers = tuple(int(part) for part in match[1].split("."))
    return numbers, 0 if match[2] else 1, match[2]


def _side(pair: Pair, owner: bool, address: str, claimed: str | None, same: bool, aside: str) -> tuple[str, bool]:
    if owner and claimed in (None, pair.name):
        return address, True
    if same:
        return address, False
    return f"{aside}/{address}", True


def _slug(slug: str) -> str:
    return f"__{slug}" if slug else ""


def _series(series: str) -> str:
    return "" if series == OWNING_SERIES else f"~{series}"
