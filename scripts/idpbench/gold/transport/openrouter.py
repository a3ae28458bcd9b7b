"""An OpenAI-compatible chat API over HTTP (OpenRouter by default): one request, one response, no retry of any kind."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from idpbench.files.canonical import bytes_digest, canonical
from idpbench.gold.secrets import Key, masked
from idpbench.gold.transport.base import About, Reply, Request, Sent, TransportError, Usage
from idpbench.settings.gold import GoldRequest, GoldTransport

MOST_BYTES = 8 * 1024 * 1024
MOST_NAME = 200
UNPAID = (401, 402, 403)  # their bodies may quote the key: a text of our own says what they mean


class OpenRouter:
    """`model` as the provider names it. The connection is closed after each call: an idle one may die unnoticed."""

    def __init__(
        self,
        model: str,
        settings: GoldTransport,
        request: GoldRequest,
        key: Key,
        *,
        http: httpx.BaseTransport | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._settings = settings
        self._key = key
        self._monotonic = monotonic
        self._sent = Sent(
            request.temperature, request.max_tokens, request.response_format, request.provider_options
        )  # fmt: skip
        self._client = httpx.Client(
            transport=http,
            timeout=settings.timeout_s,
            follow_redirects=False,
            trust_env=settings.base.startswith("https://"),  # never through a proxy where the key is in clear
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    @property
    def about(self) -> About:
        """The API's address, and the fields sent."""
        return About("openrouter", self._settings.base, f"httpx {httpx.__version__}", network=True, sent=self._sent)

    def send(self, request: Request) -> Reply:
        """POST one chat completion; anything but a well-formed completion is a TransportError."""
        status, data = self._post(body_of(self._model, request, self._sent))
        if status != 200:
            raise TransportError(f"HTTP_{status}", self._told(status, data))
        return self._reply(data)

    def _post(self, body: Mapping[str, Any]) -> tuple[int, bytes]:
        headers = {
            "Authorization": f"Bearer {self._key.reveal()}",
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",  # the digest is over the bytes as sent, and nothing can unfold
        }
        url = f"{self._settings.base.rstrip('/')}/chat/completions"
        deadline = self._monotonic() + self._settings.timeout_s
        pieces: list[bytes] = []
        size = 0
        try:
            with self._client.stream("POST", url, content=canonical(body), headers=headers) as response:
                for piece in response.iter_raw():
                    pieces.append(piece)
                    size += len(piece)
                    if size > MOST_BYTES:
                        raise TransportError("TOO_LARGE", f"a response of more than {MOST_BYTES} bytes")
                    if self._monotonic() > deadline:
                        raise TransportError("TIMEOUT", f"no whole response in {self._settings.timeout_s:g} s")
                return response.status_code, b"".join(pieces)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise TransportError("UNREACHABLE", self._clean(f"{type(error).__name__}: {error}")) from None
        except httpx.TimeoutException:
            raise TransportError("TIMEOUT", f"no whole response in {self._settings.timeout_s:g} s") from None
        except httpx.HTTPError as error:
            raise TransportError("BROKEN", self._clean(f"{type(error).__name__}: {error}")) from None

    def _reply(self, data: bytes) -> Reply:
        document = _object(data)
        if document is None:
            raise TransportError("BAD_RESPONSE", "the response is no JSON object")
        if document.get("error"):
            raise TransportError("PROVIDER_ERROR", self._clean(_message(document)))
        choices = document.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        if choice.get("error"):
            raise TransportError("PROVIDER_ERROR", self._clean(_message(choice)))
        message = choice.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("content"), str | None):
            raise TransportError("BAD_RESPONSE", "no choices[0].message.content in the response")
        usage = document.get("usage")
        return Reply(
            text=self._key.hide(_encodable(message.get("content") or "")),
            response_sha256=f"sha256:{bytes_digest(data)}",
            returned_id=self._name(document.get("model")),
            finish_reason=self._name(choice.get("finish_reason")),
            usage=_usage(usage),
            cost=_cost(usage),
        )

    def _told(self, status: int, data: bytes) -> str:
        if status in UNPAID:
            return "the provider refuses the key, or the account behind it"
        document = _object(data)
        text = _message(document) if document is not None else data.decode("utf-8", "replace")
        return self._clean(text) or "no text"

    def _clean(self, text: str) -> str:
        return " ".join(masked(self._key.hide(_encodable(text))).split())

    def _name(self, value: Any) -> str | None:
        return (self._clean(value)[:MOST_NAME] or None) if isinstance(value, str) else None


def body_of(model: str, request: Request, sent: Sent) -> dict[str, Any]:
    """The JSON of a request: model, messages, and the fields that are not None."""
    body: dict[str, Any] = dict(sent.provider_options or {})
    for name in ("temperature", "max_tokens", "response_format"):
        if (value := getattr(sent, name)) is not None:
            body[name] = value
    body["model"] = model
    body["messages"] = [{"role": message.role, "content": message.content} for message in request.messages]
    return body


def _object(data: bytes) -> dict[str, Any] | None:
    """The JSON object in `data`, or None. White space around it is allowed: slow answers are kept alive by it."""
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _message(document: Mapping[str, Any]) -> str:
    error = document.get("error")
    if isinstance(error, dict):
        code = error.get("code")
        return f"{'' if code is None else f'{code}: '}{error.get('message') or 'no message'}"
    return str(error or "no message")


def _usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    found = [usage.get(f"{name}_tokens") for name in ("prompt", "completion", "total")]
    whole = [value for value in found if isinstance(value, int) and not isinstance(value, bool) and value >= 0]
    return Usage(*whole) if len(whole) == 3 else None


def _cost(usage: Any) -> float | None:
    value = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        cost = float(value)
    except OverflowError:
        return None
    return cost if 0 <= cost < float("inf") else None


def _encodable(text: str) -> str:
    """`text` with surrogates that stand alone replaced, since no file could hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
