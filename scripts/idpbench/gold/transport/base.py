"""What the run loop says to a transport and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from idpbench.gold.suite.manifest import Task
from idpbench.gold.workbook import Workbook

MOST_MESSAGE = 300


@dataclass(frozen=True)
class Message:
    """One turn of the conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True)
class Request:
    """One attempt of one member: the conversation, and for a local model the sheet and the task that it stands for."""

    member_id: str
    n: int
    messages: tuple[Message, ...]
    workbook: Workbook
    task: Task


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counts them."""

    prompt: int
    completion: int
    total: int


@dataclass(frozen=True)
class Reply:
    """What came back. `cost` in US dollars as reported, None where it was not; `response_sha256` of the raw bytes."""

    text: str
    response_sha256: str
    returned_id: str | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    cost: float | None = None


class TransportError(Exception):
    """A call without a usable response. `code` UNREACHABLE says that no request left this machine."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message[:MOST_MESSAGE]


@dataclass(frozen=True)
class Sent:
    """The fields that go with every request, exactly as sent; None where a field is not sent."""

    temperature: float | None = None
    max_tokens: int | None = None
    response_format: Mapping[str, Any] | None = None
    provider_options: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class About:
    """What a result states of its transport: `client` is a package with its version, `network` whether calls leave."""

    kind: str
    base: str | None
    client: str
    network: bool
    replies_sha256: str | None = None
    sent: Sent = field(default_factory=Sent)


class Transport(Protocol):
    """Sends one request and never a second time; raises TransportError."""

    @property
    def about(self) -> About:
        """What it is and what it sends."""

    def send(self, request: Request) -> Reply:
        """The reply to one request."""
