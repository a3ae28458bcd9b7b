"""A worker: a child process that runs the document engine, one job at a time.

Processes and not threads, since the engine is Python that computes: two of them use two cores, and the server's
answers do not wait for the interpreter lock. Parent and child talk through pipes in length-prefixed pickles; the child
ends when its parent does.
"""

from __future__ import annotations

import importlib
import os
import pickle
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

ENGINE = "idpbench.localstack.engine"
_LENGTH = struct.Struct(">Q")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs for one document; the profile is loaded in the worker."""

    pdf: bytes
    file_name: str
    configuration: dict[str, Any]
    config_root: str
    version: str
    run_context: str
    baseline: list[dict[str, Any]] | None


class WorkerLost(Exception):
    """The worker ended before it answered."""


class Worker:
    """The parent's end. Used by one thread."""

    def __init__(self, engine: str, cache: Path) -> None:
        self.engine = engine
        self.cache = cache
        self._process: subprocess.Popen[bytes] | None = None

    def ready(self) -> None:
        """Have a child that has imported the engine, so that no document is charged with that time."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, self.engine, str(self.cache)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        try:
            _receive(self._process.stdout)
        except EOFError:
            self.stop()
            raise WorkerLost from None

    def run(self, task: Task) -> Any:
        """The engine's `Outcome` of a task."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise WorkerLost
        try:
            _send(process.stdin, task)
            return _receive(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.stop()
            raise WorkerLost from None

    def stop(self) -> None:
        """End the child, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def perform(engine: Any, profile: Callable[[str, str], Any], cache: Any, task: Task) -> Any:
    """Run the engine on a task. What it raises becomes a FAILED outcome: one document must not end a worker."""
    try:
        job = engine.Job(
            pdf=task.pdf,
            file_name=task.file_name,
            configuration=task.configuration,
            profile=profile(task.config_root, task.version),
            run_context=task.run_context,
            baseline=task.baseline,
        )
        return engine.process(job, cache)
    except Exception as error:
        traceback.print_exc()
        return engine.Outcome(
            status="FAILED",
            error=f"{type(error).__name__}: {error}",
            pages=[],
            sections=[],
            page_sections=[],
            page_classes=[],
            metering={},
            evaluation=None,
            issues=[],
            ignored_blocks=[],
        )


def main(module: str, folder: str) -> None:
    """Answer tasks from standard input until it is closed."""
    parent = os.getppid()
    os.nice(5)  # the server and its client wait for nothing long: their turns come first
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not end up among the answers
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    engine = importlib.import_module(module)
    cache = engine.Cache(Path(folder))
    profile = lru_cache(lambda root, version: engine.load_profile(Path(root), version))
    _send(answers, "ready")
    while True:
        try:
            task = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(answers, perform(engine, profile, cache, task))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (size,) = _LENGTH.unpack(header)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
