"""What is wrong with an input of the benchmark, in a form that a model can be told and a result can hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MESSAGE_LENGTH = 500


class Issue(NamedTuple):
    """One fault. `code` is upper-case snake case; `path` says where (`$.tables[0].name` in a recipe, else a file)."""

    code: str
    path: str
    message: str

    def as_json(self) -> dict[str, str]:
        """The issue as result documents and revision messages hold it."""
        return {"code": self.code, "path": self.path, "message": self.message}


class Unusable(Exception):
    """A recipe or a workbook that cannot be used; `issues` holds at least one reason."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        super().__init__("; ".join(f"{issue.path}: {issue.code}: {issue.message}" for issue in self.issues[:5]))


def unusable(code: str, path: str, message: str) -> Unusable:
    """An Unusable of one issue, its message cut to 500 characters."""
    return Unusable([Issue(code, path, message[:MESSAGE_LENGTH])])
