"""An OpenAI-compatible server on this machine that says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes

    @property
    def messages(self) -> list[dict[str, str]]:
        messages: list[dict[str, str]] = self.body["messages"]
        return messages

    @property
    def is_revision(self) -> bool:
        return len(self.messages) > 2


@dataclass(frozen=True)
class Answer:
    """What goes back. `hold`: an event to wait for first; `drop`: close the connection instead of answering."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None
    drop: bool = False
    pieces: int = 1
    pause: float = 0.0


Script = Callable[[Asked, int], Answer]


def completion(
    text: str | None,
    *,
    finish: str | None = "stop",
    cost: float | None = 0.25,
    usage: tuple[int, int, int] | None = (100, 20, 120),
    model: str = "maker/model-1:dated",
) -> Answer:
    """A chat completion with that text."""
    counted: dict[str, Any] | None = None
    if usage is not None:
        counted = dict(zip(("prompt_tokens", "completion_tokens", "total_tokens"), usage, strict=True))
        if cost is not None:
            counted["cost"] = cost
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    return Answer(json.dumps({"id": "x", "model": model, "choices": [choice], "usage": counted}).encode())


class ScriptedServer:
    """Its address, its log, and the script that answers the n-th request (from 1)."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        self._seen = threading.Condition()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                asked = Asked(self.path, dict(self.headers.items()), json.loads(raw), raw)
                answer = server._answer(asked)
                if answer.hold is not None:
                    answer.hold.wait(30)
                if answer.drop:
                    self.close_connection = True
                    return
                self._send(answer)

            def _send(self, answer: Answer) -> None:
                try:
                    self.send_response(answer.status)
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(answer.body)))
                    self.end_headers()
                    size = max(1, -(-len(answer.body) // answer.pieces))
                    for start in range(0, len(answer.body), size):
                        self.wfile.write(answer.body[start : start + size])
                        if answer.pause:
                            threading.Event().wait(answer.pause)
                except OSError:
                    pass  # the client has gone, which some tests are about

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def _answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            number = len(self.asked)
        with self._seen:
            self._seen.notify_all()
        return self.script(asked, number)

    def wait_for(self, requests: int, seconds: float = 20) -> None:
        """Until so many requests have come in."""
        with self._seen:
            if not self._seen.wait_for(lambda: len(self.asked) >= requests, seconds):
                raise TimeoutError(f"{len(self.asked)} requests, waited for {requests}")

    @contextmanager
    def running(self) -> Iterator[ScriptedServer]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join(5)


def serving(script: Script) -> Any:
    """`with serving(script) as server:`"""
    return ScriptedServer(script).running()
