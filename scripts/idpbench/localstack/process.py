"""The local stack as a process: found, started detached, asked, stopped. Imports nothing heavy."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json
from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.files.locks import hold, try_lock
from idpbench.localstack.build import build_digest
from idpbench.localstack.layout import Layout
from idpbench.localstack.worker import ENGINE

START_S = 60.0  # how long a start may take on a busy machine
DRAIN_S = 600.0  # how long runs in flight may keep a server of another build alive
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback is never behind a proxy


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the stack answers."""

    url: str
    pid: int


class LocalStack:
    """The local stack of a work folder. `config_root` holds `localstack/<version>.yaml`, models and classes."""

    def __init__(
        self,
        work: Path,
        config_root: Path,
        *,
        workers: int = 2,
        engine: str = ENGINE,
        lingers: bool = False,
    ) -> None:
        self.layout = Layout(Path(work).resolve())
        self.config_root = Path(config_root).resolve()
        self.workers = workers
        self.engine = engine
        self.lingers = lingers
        self._child: subprocess.Popen[bytes] | None = None  # kept, since it outlives its starter on purpose

    def ensure(self) -> Endpoint:
        """The living server, or a new one; a server of another build is first let finish its runs, then replaced.

        Any number of callers at once end up at one server. A server that cannot be started is a Refusal that shows
        the end of its log.
        """
        build = build_digest(self.config_root)
        found = self.status()
        if found is not None and found["build"] == build:
            return self._endpoint()
        lock = hold(self.layout.start_lock, wait_s=START_S + DRAIN_S)
        if lock is None:
            raise self._refusal("another process has been starting a server for too long")
        try:
            found = self.status()
            if found is not None and found["build"] != build:
                self.stop(wait_s=DRAIN_S)
                found = None
            if found is None:
                self._start()
            return self._endpoint()
        finally:
            lock.close()

    def status(self) -> dict[str, Any] | None:
        """What the server says of itself; None when none answers for this folder."""
        try:
            endpoint = read_json(self.layout.endpoint)
            status = self._ask(endpoint["url"], "status")
        except (Refusal, KeyError, TypeError, OSError, ValueError):
            return None
        if not isinstance(status, dict) or status.get("token") != endpoint["token"]:
            return None  # another server has the port now
        return status | {"url": endpoint["url"]}

    def stop(self, *, wait_s: float = 60.0) -> bool:
        """Ask the server to end once its runs have ended; True when it has, or when there was none."""
        status = self.status()
        if status is not None:
            with contextlib.suppress(OSError):  # it may have ended by itself meanwhile
                self._ask(status["url"], "stop", method="POST")
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline:
            free = try_lock(self.layout.lock, shared=True)
            if free is not None:
                free.close()
                return True
            time.sleep(0.1)
        return False

    def set_faults(self, rules: list[dict[str, Any]]) -> None:
        """Switch faults on (see `faults.py`); an empty list switches them off."""
        from idpbench.localstack.faults import Faults

        Faults(self.layout.faults).replace(rules)

    def fault_counts(self) -> list[dict[str, Any]]:
        """What each rule in force has seen and struck; empty without a server."""
        status = self.status()
        counts: list[dict[str, Any]] = [] if status is None else self._ask(status["url"], "faults")
        return counts

    def log(self) -> dict[str, list[Any]]:
        """Every invocation and every finished document since the folder was made, whether or not a server lives."""
        from idpbench.localstack.store import read_log

        invokes, finished = read_log(self.layout.store)
        return {"invokes": invokes, "finished": finished}

    def command(self) -> list[str]:
        """The command that serves this folder."""
        words = [sys.executable, "-m", "idpbench.localstack.server", "--work", str(self.layout.work)]
        words += ["--config", str(self.config_root), "--workers", str(self.workers), "--engine", self.engine]
        return [*words, "--linger"] if self.lingers else words

    def environment(self) -> dict[str, str]:
        """The environment that the server runs in: OCR uses one thread a page, and the log is written as it comes."""
        return os.environ | {"OMP_THREAD_LIMIT": "1", "PYTHONUNBUFFERED": "1"}

    def check(self) -> None:
        """Refuse a configuration folder without profiles."""
        if not (self.config_root / "localstack").is_dir():
            expected = "the profiles of the local stack, one <version>.yaml each"
            raise Refusal(f"{self.config_root / 'localstack'}: found no folder, expected {expected}; give --config")

    def _start(self) -> None:
        self.check()
        self.layout.folder.mkdir(parents=True, exist_ok=True)
        before = self.layout.endpoint.read_bytes() if self.layout.endpoint.exists() else b""
        with self.layout.log.open("ab") as log:
            child = self._child = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                close_fds=True,
                env=self.environment(),
            )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            time.sleep(0.03)
            changed = self.layout.endpoint.exists() and self.layout.endpoint.read_bytes() != before
            if changed and self.status() is not None:
                return
            if child.poll() is not None:
                raise self._refusal(f"the server ended with code {child.returncode} before it answered")
        child.kill()
        raise self._refusal(f"the server did not answer within {START_S:.0f} s")

    def _endpoint(self) -> Endpoint:
        endpoint = read_json(self.layout.endpoint)
        return Endpoint(str(endpoint["url"]), int(endpoint["pid"]))

    def _ask(self, url: str, page: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"{url}/_idpbench/{page}", method=method)
        with _OPENER.open(request, timeout=10) as answer:
            return json.load(answer)

    def _refusal(self, what: str) -> Refusal:
        try:
            tail = self.layout.log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
        except OSError:
            tail = []
        return Refusal("\n".join([f"local stack: {what}; {self.layout.log} ends with:", *tail]), INCOMPLETE)
