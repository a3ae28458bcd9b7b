"""The one way to refuse: an exception with a message for a person and an exit code."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable

OK = 0
REGRESSION = 1
USAGE = 2
INCOMPLETE = 3
INCONCLUSIVE = 4
BUDGET = 5


class Refusal(Exception):
    """Work that cannot go on; `str()` is the whole message, `exit_code` what the command line returns."""

    def __init__(self, message: str, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def bad_input(file: object, key: str, found: object, expected: str, remedy: str, exit_code: int = USAGE) -> Refusal:
    """A Refusal that names the file, the key in it, what was found, what was expected and what to do."""
    where = f"{file}: {key}" if key else f"{file}"
    return Refusal(f"{where}: found {found}, expected {expected}; {remedy}", exit_code)


def no_space(error: OSError) -> Refusal | None:
    """The Refusal for a disk, or a quota of it, that is full; None for any other error."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return None
    place = f"{error.filename}: " if error.filename else ""
    text = f"{place}{error.strerror}; what was finished is kept; free some space and run the same command again"
    return Refusal(text, INCOMPLETE)


def nearest(word: str, known: Iterable[str], most: int = 3) -> str:
    """`did you mean a, b?`, or the list of all that is known where nothing is near."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=most, cutoff=0.5)
    if close:
        return f"did you mean {', '.join(close)}?"
    return f"known: {', '.join(names)}" if names else "none is known"
