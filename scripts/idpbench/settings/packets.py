"""config/packets.yaml: generated files that hold several documents of different classes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from idpbench.files.errors import bad_input, nearest
from idpbench.settings.base import Frozen, Name, Text
from idpbench.settings.explain import read_as

FILE = "packets.yaml"
MOST_PAGES = 9
_ENTRY = re.compile(r"([a-z][a-z_]*)(?: ([1-9][0-9]*))?")


class PacketsFile(Frozen):
    """The file as written."""

    packets: dict[Name, list[Text]]


@dataclass(frozen=True)
class Packet:
    """One PDF; `documents`: kind and number of pages of each, in order."""

    id: str
    documents: tuple[tuple[str, int], ...]

    @property
    def pages(self) -> int:
        """Pages of the whole file."""
        return sum(pages for _, pages in self.documents)


def load_packets(config: Path, kinds: Collection[str]) -> dict[str, Packet]:
    """The packets by id, in the order written; an unknown kind or a malformed entry is a Refusal."""
    path = config / FILE
    parsed = read_as(path, PacketsFile)
    if not parsed.packets:
        raise bad_input(path, "packets", "none", "at least one packet", "restore it from git")
    return {
        name: Packet(name, tuple(_entry(path, name, entry, kinds) for entry in entries))
        for name, entries in parsed.packets.items()
    }


def _entry(path: Path, name: str, entry: str, kinds: Collection[str]) -> tuple[str, int]:
    found = _ENTRY.fullmatch(entry)
    key = f"packets.{name}"
    if found is None or int(found[2] or 1) > MOST_PAGES:
        raise bad_input(path, key, repr(entry), f"KIND or KIND PAGES, up to {MOST_PAGES} pages", "correct it")
    if found[1] not in kinds:
        raise bad_input(path, key, repr(found[1]), "a kind of document", nearest(found[1], kinds))
    return found[1], int(found[2] or 1)
