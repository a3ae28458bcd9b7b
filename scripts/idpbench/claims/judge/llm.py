"""The language-model judge: asked about a pair in the band below the threshold, over an OpenAI-compatible endpoint.

An endpoint that cannot answer at all (no key, refused key, no such model, nobody listening) is JudgeUnavailable: taken
for a rejection, it would make wrong labels out of an outage. One call that fails rejects its pair and is counted by
the caller.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from idpbench.claims.judge.base import JudgeUnavailable, reads_as_aligned
from idpbench.claims.judge.replies import Replies, read_replies
from idpbench.files import retry
from idpbench.files.canonical import digest

INSTRUCTION = (
    "You compare two short factual statements. Answer with one word. Write `aligned` if a careful reader would take "
    "both for the same fact about the same thing: every name, number, date, unit and negation must agree, while "
    "wording and order may differ, and one may leave out what the other repeats. Write `different` otherwise."
)
QUESTION = "Statement A: {rendering}\nStatement B: {gold}"
BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REFUSED = {401: "the key is refused", 403: "the key may not do this", 404: "no such endpoint or model"}


@dataclass(frozen=True)
class Endpoint:
    """Where the model answers. `key_variable` names the environment variable with the key; None: no key is sent."""

    base_url: str
    model: str
    key_variable: str | None = "OPENAI_API_KEY"
    timeout_s: float = 60.0
    max_tokens: int = 8
    attempts: int = 4

    @property
    def provider_model(self) -> str:
        """`host:model`: the provider as results name it."""
        return f"{urlsplit(self.base_url).hostname}:{self.model}"

    @property
    def id(self) -> str:
        """Provider, model and the digest of the prompt."""
        return f"llm:{self.provider_model} prompt:{digest([INSTRUCTION, QUESTION])[:16]}"


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
        if urlsplit(endpoint.base_url).username is not None:
            raise JudgeUnavailable("LLM judge: found credentials in base_url, expected them in the environment")
        self._endpoint = endpoint
        self._record = record
        self._replies = _recorded(record, endpoint.id)
        self._client = httpx.Client(
            base_url=endpoint.base_url.rstrip("/") + "/",
            headers=_authorisation(endpoint, os.environ if environment is None else environment),
            timeout=endpoint.timeout_s,
            transport=transport,
        )
        self.calls = 0
        self.tokens = 0

    @property
    def id(self) -> str:
        """Provider, model and the digest of the prompt."""
        return self._endpoint.id

    def aligned(self, rendering: str, gold: str) -> bool:
        """Ask, read and (with `record`) keep the reply; a call that failed is kept as one that rejects."""
        try:
            reply = self._ask(QUESTION.format(rendering=rendering, gold=gold))
        except JudgeUnavailable:
            raise
        except Exception as error:
            self._keep(rendering, gold, f"failed: {type(error).__name__}")
            raise
        self._keep(rendering, gold, reply)
        return reads_as_aligned(reply)

    def _keep(self, rendering: str, gold: str, reply: str) -> None:
        if self._record is not None:
            self._replies.add(rendering, gold, reply)
            self._replies.write(self._record)

    def _ask(self, question: str) -> str:
        body = {
            "model": self._endpoint.model,
            "temperature": 0,
            "max_tokens": self._endpoint.max_tokens,
            "messages": [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": question}],
        }
        try:
            answer = retry.call(lambda: self._post(body), retryable=_busy, attempts=self._endpoint.attempts)
        except httpx.ConnectError as error:
            raise JudgeUnavailable(f"{self._where}: nobody answers ({error}); check `base_url`") from None
        except httpx.HTTPStatusError as error:
            code = error.response.status_code
            if code in REFUSED:
                raise JudgeUnavailable(f"{self._where}: HTTP {code}, {REFUSED[code]}; {self._remedy}") from None
            raise
        self.calls += 1
        usage = answer.get("usage")
        self.tokens += int(usage.get("total_tokens") or 0) if isinstance(usage, dict) else 0
        content = answer["choices"][0]["message"]["content"]
        if not isinstance(content, str):
            raise ValueError(f"{self._where}: found a reply without text, expected `aligned` or `different`")
        return content

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        response = self._client.post("chat/completions", json=body)
        response.raise_for_status()
        value = response.json()
        if not isinstance(value, dict):
            raise ValueError(f"{self._where}: found {type(value).__name__}, expected a JSON object")
        return value

    @property
    def _where(self) -> str:
        return f"LLM judge {self._endpoint.provider_model}"

    @property
    def _remedy(self) -> str:
        variable = self._endpoint.key_variable
        return f"check the key in {variable} and the model's name" if variable else "check the model's name"


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
        """The recorded reply, read as a live one would be."""
        reply = self._replies.get(rendering, gold)
        if reply is None:
            raise JudgeUnavailable(
                f"{self._path}: found no reply on {rendering!r} and {gold!r}, expected one for each pair in the band; "
                "record the run again with the live judge"
            )
        return reads_as_aligned(reply)


def _authorisation(endpoint: Endpoint, environment: Mapping[str, str]) -> dict[str, str]:
    """The header with the key, which never leaves the environment for a file or a message."""
    if endpoint.key_variable is None:
        return {}
    key = environment.get(endpoint.key_variable, "")
    if not key:
        raise JudgeUnavailable(
            f"LLM judge {endpoint.provider_model}: found no key, expected it in the environment variable "
            f"{endpoint.key_variable}; set it, or replay recorded replies"
        )
    return {"Authorization": f"Bearer {key}"}


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


def _busy(error: BaseException) -> bool:
    """Whether asking again may help."""
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in BUSY
    return isinstance(error, httpx.TransportError)
