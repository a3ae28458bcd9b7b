"""Replies of a language model, recorded by question, so that a result can be had again without the model."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.canonical import digest, read_json, write_json
from idpbench.files.errors import bad_input

KIND = "claims-replies"


class Replies:
    """What a judge answered: `{schema, judge, replies: [{rendering, gold, reply}]}`, sorted, one reply a question."""

    def __init__(self, judge: str, known: dict[tuple[str, str], str] | None = None) -> None:
        self.judge = judge
        self._known = dict(known or {})

    def get(self, rendering: str, gold: str) -> str | None:
        """The recorded reply, or None."""
        return self._known.get((rendering, gold))

    def add(self, rendering: str, gold: str, reply: str) -> None:
        """Keep a reply in place of an earlier one to the same question."""
        self._known[(rendering, gold)] = reply

    def digest(self) -> str:
        """SHA-256 over all questions and replies."""
        return digest(self._rows())

    def write(self, path: Path | str) -> None:
        """Write the file whole."""
        write_json(path, {"schema": f"idpbench/{KIND}/1", "judge": self.judge, "replies": self._rows()})

    def _rows(self) -> list[dict[str, str]]:
        return [
            {"rendering": rendering, "gold": gold, "reply": reply}
            for (rendering, gold), reply in sorted(self._known.items())
        ]


def read_replies(path: Path | str) -> Replies:
    """Read a recording; a Refusal where it is none or answers one question twice."""
    value = read_json(path, KIND)
    rows = value.get("replies")
    if not isinstance(value.get("judge"), str) or not isinstance(rows, list):
        raise bad_input(path, "", "no `judge` and `replies`", "a recording of replies", "record it again")
    known: dict[tuple[str, str], str] = {}
    for number, row in enumerate(rows):
        fields = [row.get(name) if isinstance(row, dict) else None for name in ("rendering", "gold", "reply")]
        if not all(isinstance(field, str) for field in fields):
            raise bad_input(path, f"replies[{number}]", repr(row)[:120], "rendering, gold and reply", "correct it")
        rendering, gold, reply = (str(field) for field in fields)
        if (rendering, gold) in known:
            raise bad_input(path, f"replies[{number}]", "a question twice", "one reply a question", "keep one")
        known[(rendering, gold)] = reply
    return Replies(value["judge"], known)
