"""Recorded replies instead of a model: the outcomes of a run's calls.jsonl, found by member and attempt."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import bad_input
from idpbench.gold.run.calls import INTERRUPTED, Outcome, read_calls
from idpbench.gold.transport.base import About, Reply, Request, TransportError


class Replay:
    """Gives back what was recorded, errors included; nothing is sent anywhere."""

    def __init__(self, path: Path) -> None:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise bad_input(path, "", error.strerror, "calls.jsonl of a run", "give --replies FILE") from None
        self._digest = f"sha256:{bytes_digest(data)}"
        self._recorded: dict[tuple[str, int], Outcome] = {
            (call.intent.member_id, call.intent.n): call.outcome
            for call in read_calls(data, path)
            if call.outcome is not None
        }

    @property
    def about(self) -> About:
        """The digest of the recording stands for what was asked."""
        return About("replay", None, "none", network=False, replies_sha256=self._digest)

    def send(self, request: Request) -> Reply:
        """The recorded reply; what was not recorded is a TransportError."""
        outcome = self._recorded.get((request.member_id, request.n))
        if outcome is None or outcome.code == INTERRUPTED:  # of an interrupted call no reply was ever seen
            raise TransportError("NOT_RECORDED", f"no recorded reply for {request.member_id}, attempt {request.n}")
        if outcome.reply is None:
            raise TransportError(outcome.code or "NOT_RECORDED", outcome.message or "recorded without a reply")
        return outcome.reply
