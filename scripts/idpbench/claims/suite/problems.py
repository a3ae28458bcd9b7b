"""What is wrong with a file, all of it: problems are collected, then refused together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from idpbench.files.errors import Refusal, bad_input

T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    """One mistake in a file. `place` is the entry (`cases[0].expected[2]`), empty for the file as a whole."""

    source: str
    place: str
    key: str
    found: str
    expected: str
    remedy: str

    @property
    def path(self) -> str:
        """`file` or `file#entry`."""
        return f"{self.source}#{self.place}" if self.place else self.source

    def __str__(self) -> str:
        return str(bad_input(self.path, self.key, self.found, self.expected, self.remedy))


class FileRefused(Refusal):
    """A file that cannot be used, with every problem in it, a line each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Wrong(Exception):
    """A value that is not what its key asks for; whoever knows the place turns it into a Problem."""

    def __init__(self, found: str, expected: str, remedy: str) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.remedy = remedy


@dataclass
class Findings:
    """Problems and warnings of one file, as a walk over it meets them."""

    source: str
    problems: list[Problem]
    warnings: list[str]

    @classmethod
    def of(cls, source: object) -> Findings:
        """Nothing found yet."""
        return cls(str(source), [], [])

    def add(self, place: str, key: str, found: str, expected: str, remedy: str) -> None:
        """Record a problem at an entry of the file."""
        self.problems.append(Problem(self.source, place, key, found, expected, remedy))

    def wrong(self, place: str, key: str, error: Wrong) -> None:
        """Record a value that was refused."""
        self.add(place, key, error.found, error.expected, error.remedy)

    def warn(self, text: str) -> None:
        """Record what is odd but does not stop the file from being used."""
        self.warnings.append(f"{self.source}: {text}")


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """A file as read: the value, or the problems because of which there is none."""

    value: T | None
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...] = ()

    def get(self) -> T:
        """The value; FileRefused with all problems where there is none."""
        if self.value is None:
            raise FileRefused(self.problems)
        return self.value
