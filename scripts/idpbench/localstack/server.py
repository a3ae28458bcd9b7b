"""The server process: opens the store, starts the pipeline, answers on loopback, ends itself when nobody needs it."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import secrets
import signal
import sys
import threading
import time
import traceback
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from idpbench.files.atomic import write_text
from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import Refusal
from idpbench.files.locks import hold, try_lock
from idpbench.localstack.build import build_digest
from idpbench.localstack.layout import Layout
from idpbench.localstack.worker import ENGINE

IDLE_FREE_S = 3.0  # idle time after which a server ends when no workflow is running
IDLE_S = 600.0  # idle time after which it ends in any case
LOOK_S = 0.5


class Server:
    """One serving process. `lingers` keeps it until it is stopped by hand."""

    def __init__(self, layout: Layout, config_root: Path, *, workers: int, engine: str, lingers: bool) -> None:
        self.layout = layout
        self.config_root = config_root
        self.workers = workers
        self.engine = engine
        self.lingers = lingers
        self.token = secrets.token_hex(8)
        self.build = build_digest(config_root)
        self.stopping = False

    def run(self, lock: IO[str]) -> None:
        """Serve until stopped. `lock` is the held server.lock."""
        # moto and werkzeug are imported only here, by the process that has won the lock
        from werkzeug.serving import make_server

        from idpbench.localstack.cloudformation import ApiError, CloudFormation
        from idpbench.localstack.faults import Faults
        from idpbench.localstack.front import Front
        from idpbench.localstack.functions import Functions
        from idpbench.localstack.handler import Handler
        from idpbench.localstack.pipeline import Pipeline
        from idpbench.localstack.seeding import seed_stack
        from idpbench.localstack.state import State
        from idpbench.localstack.store import Store
        from idpbench.localstack.testrunner import TestRunner

        @lru_cache  # a serving process is one build: profiles do not change under it
        def run_id_rule(version: str) -> str:
            from idpbench.localstack.engine.profile import load_profile

            return load_profile(self.config_root, version).run_id

        def check_version(version: str) -> None:
            try:
                run_id_rule(version)
            except Refusal as refusal:
                raise ApiError(str(refusal)) from None

        state = State(Store(self.layout.store))
        faults = Faults(self.layout.faults)
        self.faults = faults
        self.pipeline = Pipeline(state, faults, self.config_root, self.engine, self.layout.ocr)
        self.stacks = CloudFormation(
            state,
            check_version=check_version,
            seed=lambda stack: seed_stack(state, stack, self.config_root),
            in_flight=self.pipeline.in_flight,
            build=self.build,
        )
        self.pipeline.stacks = self.stacks
        runner = TestRunner(state, self.pipeline, faults)
        functions = Functions(state, self.stacks, runner, run_id_rule)
        self.front = Front(state, self.stacks, functions, self.pipeline, faults, self._admin)
        address = make_server("127.0.0.1", _port(self.layout), self.front, threaded=True, request_handler=Handler)
        self.pipeline.start(self.workers)
        self._lock = lock
        endpoint = {"url": f"http://127.0.0.1:{address.port}", "pid": os.getpid(), "token": self.token}
        write_text(self.layout.endpoint, pretty(endpoint | {"port": address.port}))
        print(f"serving {self.layout.folder} at {endpoint['url']}, pid {os.getpid()}", flush=True)
        threading.Thread(target=self._watch, daemon=True).start()
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        try:
            address.serve_forever()
        except KeyboardInterrupt:
            print("stopped", flush=True)
        os._exit(0)  # worker threads hold nothing that the store does not

    def _admin(self, method: str, name: str, body: bytes) -> Any:
        """`/_idpbench/status` (GET), `/_idpbench/stop` (POST), `/_idpbench/faults` (GET, PUT a list of rules)."""
        if name == "status":
            return self.status()
        if name == "stop" and method == "POST":
            self.stopping = True
            return {"in_flight": self.pipeline.in_flight()}
        if name == "faults":
            if method == "PUT":
                self.faults.replace(json.loads(body))
            return self.faults.counts()
        raise KeyError(name)

    def status(self) -> dict[str, Any]:
        """What `idpbench stack status` prints."""
        return {
            "token": self.token,
            "pid": os.getpid(),
            "build": self.build,
            "in_flight": self.pipeline.in_flight(),
            "stacks": [
                {
                    "name": stack["name"],
                    "region": stack["region"],
                    "version": stack["version"],
                    "status": stack["status"],
                }
                for stack in self.stacks.stacks()
            ],
        }

    # -- the end
    def _watch(self) -> None:
        try:
            while not self._should_end():
                time.sleep(LOOK_S)
            code = 0
        except BaseException:
            traceback.print_exc()
            code = 1
        finally:  # a watchdog that died would leave a server for ever
            os._exit(code)

    def _should_end(self) -> bool:
        if not self._owns_lock():
            print("the folder is gone: ending", flush=True)
            return True
        if self.pipeline.in_flight() or self.front.open_requests:
            return False
        if self.stopping:
            print("stopped by request", flush=True)
            return True
        idle = time.monotonic() - max(self.front.last_request, self.pipeline.last_work)
        if self.lingers or idle < IDLE_FREE_S:
            return False
        if idle > IDLE_S:
            print(f"idle for {idle:.0f} s: ending", flush=True)
            return True
        free = try_lock(self.layout.workflow_lock, shared=True)
        if free is None:
            return False
        free.close()
        print("idle, and no workflow is running: ending", flush=True)
        return True

    def _owns_lock(self) -> bool:
        try:
            return os.stat(self.layout.lock).st_ino == os.fstat(self._lock.fileno()).st_ino
        except FileNotFoundError:
            return False


def _port(layout: Layout) -> int:
    """The port of the last life if it is free, so that clients find a restarted server; else any (0)."""
    import socket

    try:
        port = int(read_json(layout.endpoint)["port"])
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
        return port
    except (Refusal, OSError, KeyError, TypeError, ValueError):
        return 0


def main() -> int:
    """Serve a folder; 0 at once when another process serves it already."""
    parser = argparse.ArgumentParser(description="The local stack's server process.")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", default=ENGINE)
    parser.add_argument("--linger", action="store_true")
    arguments = parser.parse_args()
    layout = Layout(arguments.work.resolve())
    lock = hold(layout.lock, wait_s=2.0)
    if lock is None:
        print("another process serves this folder", flush=True)
        return 0
    os.set_inheritable(lock.fileno(), False)
    server = Server(
        layout,
        arguments.config.resolve(),
        workers=arguments.workers,
        engine=arguments.engine,
        lingers=arguments.linger,
    )
    server.run(lock)
    fcntl.flock(lock, fcntl.LOCK_UN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
