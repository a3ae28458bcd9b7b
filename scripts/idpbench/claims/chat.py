"""One question to a language model behind an OpenAI-compatible HTTP API.

Reaches the network. The key is read from the environment and goes nowhere but into the request.
An endpoint that cannot answer at all (no key, refused key, no such model, nobody listening) raises what the caller
names for that; any other failure is an ordinary error of this one call, after the repetitions of the retry policy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from idpbench.files import retry
from idpbench.files.errors import Refusal

BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REFUSED = {401: "the key is refused", 403: "the key may not do this", 404: "no such endpoint or model"}


@dataclass(frozen=True)
class Endpoint:
    """Where the model answers. `key_variable` names the environment variable with the key; None: no key is sent."""

    base_url: str
    model: str
    key_variable: str | None = "OPENAI_API_KEY"
    timeout_s: float = 60.0
    attempts: int = 4

    @property
    def provider_model(self) -> str:
        """`host:model`: the provider as results name it."""
        return f"{urlsplit(self.base_url).hostname}:{self.model}"


class Chat:
    """Asks one endpoint. `calls` and `tokens` add up what was answered."""

    def __init__(
        self,
        endpoint: Endpoint,
        who: str,
        unavailable: Callable[[str], Refusal],
        *,
        environment: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`unavailable` makes the Refusal of `who` for an endpoint that cannot answer; a missing key is told here."""
        self._endpoint = endpoint
        self._where = f"{who} {endpoint.provider_model}"
        self._unavailable = unavailable
        if urlsplit(endpoint.base_url).username is not None:
            raise unavailable(f"{who}: found credentials in base_url, expected them in the environment")
        self._client = httpx.Client(
            base_url=endpoint.base_url.rstrip("/") + "/",
            headers=self._authorisation(os.environ if environment is None else environment),
            timeout=endpoint.timeout_s,
            transport=transport,
        )
        self.calls = 0
        self.tokens = 0

    def ask(self, instruction: str, question: str, *, max_tokens: int) -> str:
        """The text of the reply, at temperature 0."""
        body = {
            "model": self._endpoint.model,
            "temperature": 0,
            "max_tokens": max_tokens,
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": question}],
        }
        try:
            answer = retry.call(lambda: self._post(body), retryable=_busy, attempts=self._endpoint.attempts)
        except httpx.ConnectError as error:
            raise self._unavailable(f"{self._where}: nobody answers ({error}); check `base_url`") from None
        except httpx.HTTPStatusError as error:
            code = error.response.status_code
            if code in REFUSED:
                raise self._unavailable(f"{self._where}: HTTP {code}, {REFUSED[code]}; {self._remedy}") from None
            raise
        self.calls += 1
        usage = answer.get("usage")
        self.tokens += int(usage.get("total_tokens") or 0) if isinstance(usage, dict) else 0
        content = answer["choices"][0]["message"]["content"]
        if not isinstance(content, str):
            raise ValueError(f"{self._where}: found a reply without text")
        return content

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        response = self._client.post("chat/completions", json=body)
        response.raise_for_status()
        value = response.json()
        if not isinstance(value, dict):
            raise ValueError(f"{self._where}: found {type(value).__name__}, expected a JSON object")
        return value

    def _authorisation(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The header with the key, which never leaves the environment for a file or a message."""
        variable = self._endpoint.key_variable
        if variable is None:
            return {}
        key = environment.get(variable, "")
        if not key:
            raise self._unavailable(
                f"{self._where}: found no key, expected it in the environment variable {variable}; set it, or replay "
                "recorded replies"
            )
        return {"Authorization": f"Bearer {key}"}

    @property
    def _remedy(self) -> str:
        variable = self._endpoint.key_variable
        return f"check the key in {variable} and the model's name" if variable else "check the model's name"


def _busy(error: BaseException) -> bool:
    """Whether asking again may help."""
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in BUSY
    return isinstance(error, httpx.TransportError)
