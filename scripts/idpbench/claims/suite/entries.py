"""Taking values out of the mappings of a suite file, with every mistake recorded at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from idpbench.claims.suite.problems import Findings, Wrong
from idpbench.claims.suite.values import show
from idpbench.files.errors import nearest

T = TypeVar("T")


class Entry:
    """One mapping of a file, and where it stands."""

    def __init__(self, findings: Findings, place: str, value: dict[str, Any]) -> None:
        self.findings = findings
        self.place = place
        self.value = value

    def required(self, key: str, convert: Callable[[Any], T]) -> T | None:
        """The converted value; None with a problem recorded where it is missing or wrong."""
        if key not in self.value:
            self.findings.add(self.place, key, "nothing", "the key", f"add {key}")
            return None
        return self._converted(key, convert)

    def optional(self, key: str, convert: Callable[[Any], T], absent: T | None = None) -> T | None:
        """The converted value, `absent` where the key is missing or null."""
        return absent if self.value.get(key) is None else self._converted(key, convert)

    def given(self, key: str, convert: Callable[[Any], T], absent: T) -> T | None:
        """As `optional`, but null is a value like another."""
        return self._converted(key, convert) if key in self.value else absent

    def add(self, key: str, found: str, expected: str, remedy: str) -> None:
        """Record a problem of this entry."""
        self.findings.add(self.place, key, found, expected, remedy)

    def _converted(self, key: str, convert: Callable[[Any], T]) -> T | None:
        try:
            return convert(self.value[key])
        except Wrong as error:
            self.findings.wrong(self.place, key, error)
            return None


def entry_of(findings: Findings, place: str, value: Any, known: Sequence[str]) -> Entry | None:
    """An entry of a list: a mapping with known keys; each unknown key is a problem."""
    if not isinstance(value, dict):
        expected = f"a mapping with keys of {', '.join(known)}"
        findings.add(place, "", show(value), expected, "write the entry as a mapping")
        return None
    for key in value:
        if key not in known:
            findings.add(place, str(key), "an unknown key", f"keys of {', '.join(known)}", nearest(str(key), known))
    return Entry(findings, place, value)


def root_of(findings: Findings, value: Any, known: Sequence[str]) -> Entry | None:
    """The root mapping; an unknown key there is a warning, so that a file may carry what a newer version reads."""
    if not isinstance(value, dict):
        if value is not None or not findings.problems:
            findings.add("", "", show(value), "a mapping", "write suite_id, name and the other keys at the top level")
        return None
    for key in value:
        if key not in known:
            findings.warn(f"unknown key {key} at the root is ignored; {nearest(str(key), known)}")
    return Entry(findings, "", value)


def entries_of(
    findings: Findings, place: str, name: str, value: Any, known: Sequence[str], loose: Sequence[str] | None = None
) -> Iterator[tuple[int, Entry]]:
    """The mappings of the list `name` at `place`, with their index; what is no list or no mapping is a problem."""
    if not isinstance(value, list):
        findings.add(place, name, show(value), "a list", "write its entries with a dash each")
        return
    for index, item in enumerate(value):
        inner = f"{place}.{name}[{index}]" if place else f"{name}[{index}]"
        entry = entry_of(findings, inner, item, known if loose is None else _keys(item, loose))
        if entry is not None:
            yield index, entry


def _keys(item: Any, loose: Sequence[str]) -> Sequence[str]:
    """All keys of an entry whose further keys are ignored."""
    return [*loose, *(item if isinstance(item, dict) else ())]
