"""The language-model judge: asked about a pair in the band below the threshold.

An endpoint that cannot answer at all is JudgeUnavailable: taken for a rejection, it would make wrong labels out of an
outage. One call that fails rejects its pair and is counted by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import httpx

from idpbench.claims.chat import Chat, Endpoint
from idpbench.claims.judge.base import JudgeUnavailable, reads_as_aligned
from idpbench.claims.judge.replies import Replies, read_replies
from idpbench.files.canonical import digest

__all__ = ["Endpoint", "LlmJudge", "ReplayedJudge"]

INSTRUCTION = (
    "You compare two short factual statements. Answer with one word. Write `aligned` if a careful reader would take "
    "both for the same fact about the same thing: every name, number, date, unit and negation must agree, while "
    "wording and order may differ, and one may leave out what the other repeats. Write `different` otherwise."
)
QUESTION = "Statement A: {rendering}\nStatement B: {gold}"
MAX_TOKENS = 8
FAILED = "failed: "


class LlmJudge:
    """`Asked` over an endpoint. With `record` every reply is kept in that file as it comes."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        record: Path | str | None = None,
        environment: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """JudgeUnavailable where the key is missing. `transport` takes the place of the network in tests."""
        self._id = f"llm:{endpoint.provider_model} prompt:{digest([INSTRUCTION, QUESTION])[:16]}"
        self._chat = Chat(endpoint, "LLM judge", JudgeUnavailable, environment=environment, transport=transport)
        self._record = record
        self._replies = _recorded(record, self._id)

    @property
    def id(self) -> str:
        """Provider, model and the digest of the prompt."""
        return self._id

    @property
    def calls(self) -> int:
        """Questions that were answered."""
        return self._chat.calls

    @property
    def tokens(self) -> int:
        """Tokens of those, as the endpoint counts them."""
        return self._chat.tokens

    def aligned(self, rendering: str, gold: str) -> bool:
        """Ask, read and (with `record`) keep the reply; a call that failed is kept as one that rejects."""
        try:
            reply = self._chat.ask(INSTRUCTION, QUESTION.format(rendering=rendering, gold=gold), max_tokens=MAX_TOKENS)
        except JudgeUnavailable:
            raise
        except Exception as error:
            self._keep(rendering, gold, f"{FAILED}{type(error).__name__}")
            raise
        self._keep(rendering, gold, reply)
        return reads_as_aligned(reply)

    def _keep(self, rendering: str, gold: str, reply: str) -> None:
        if self._record is not None:
            self._replies.add(rendering, gold, reply)
            self._replies.write(self._record)


class ReplayedJudge:
    """`Asked` out of a recording: no key and no network. A question that was never asked is JudgeUnavailable."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._replies = read_replies(path)

    @property
    def id(self) -> str:
        """The recorded judge, and the digest of what it answered."""
        return f"{self._replies.judge} replay:{self._replies.digest()[:16]}"

    def aligned(self, rendering: str, gold: str) -> bool:
        """The recorded reply, read as a live one would be; an ordinary error again where the call failed."""
        reply = self._replies.get(rendering, gold)
        if reply is None:
            raise JudgeUnavailable(
                f"{self._path}: found no reply on {rendering!r} and {gold!r}, expected one for each pair in the band; "
                "record the run again with the live judge"
            )
        if reply.startswith(FAILED):
            raise ValueError(f"{self._path}: the recorded call {reply}")
        return reads_as_aligned(reply)


def _recorded(record: Path | str | None, judge: str) -> Replies:
    """The recording to go on with: an earlier one of this judge, else an empty one."""
    if record is not None and Path(record).exists():
        earlier = read_replies(record)
        if earlier.judge != judge:
            raise JudgeUnavailable(
                f"{record}: found replies of {earlier.judge}, expected {judge}; record another judge to another file"
            )
        return earlier
    return Replies(judge)
