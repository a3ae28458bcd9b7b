"""Werkzeug's request handler with connections that stay open, which saves a third of a small request on both sides.

Werkzeug closes each connection because it cannot know that the application has read the whole body. The front always
does, and always returns whole answers, so here the next request may follow on the same connection.
"""

from __future__ import annotations

from typing import Any

from moto.moto_server.werkzeug_app import MotoRequestHandler

_DROPPED = (ConnectionError, TimeoutError)


class Handler(MotoRequestHandler):
    """Keeps moto's reading of header names; answers in one write."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an answer after `100 Continue` would wait for the peer's delayed acknowledgement

    def run_wsgi(self) -> None:
        """Serve one request of the connection."""
        if self.headers.get("Expect", "").strip().lower() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        environ = self.make_environ()
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
            started.extend((status, headers))

        try:
            body = b"".join(self.server.app(environ, start))
            self._reply(started[0], started[1], body)
        except _DROPPED as error:
            self.close_connection = True
            self.connection_dropped(error, environ)

    def _reply(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        code = int(status.partition(" ")[0])
        empty = self.command == "HEAD" or code in (204, 304)
        lines = [f"{self.protocol_version} {status}", f"Date: {self.date_time_string()}"]
        lines += [f"{name}: {value}" for name, value in headers]
        if not empty and not any(name.lower() == "content-length" for name, _ in headers):
            lines.append(f"Content-Length: {len(body)}")
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        self.wfile.write(head if empty else head + body)

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Requests are not logged: a run makes dozens."""
