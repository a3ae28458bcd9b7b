"""Kernel locks: freed however the holder ends, kill -9 included. Local disks only."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def try_lock(path: Path | str, *, shared: bool = False) -> IO[str] | None:
    """Take the lock and return the open file that holds it, or None when somebody else does."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    stream = target.open("a+", encoding="utf-8")
    try:
        fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        return None
    return stream


def hold(path: Path | str, *, wait_s: float) -> IO[str] | None:
    """Take the lock exclusively, waiting up to `wait_s` seconds, and write our pid into it; None if not freed."""
    deadline = time.monotonic() + wait_s
    while (stream := try_lock(path)) is None:
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.1)
    stream.seek(0)
    stream.truncate()
    stream.write(f"{os.getpid()}\n")
    stream.flush()
    return stream


def holder(path: Path | str) -> str:
    """The pid that the last holder wrote, or `unknown`."""
    try:
        return Path(path).read_text(encoding="utf-8").strip() or "unknown"
    except FileNotFoundError:
        return "unknown"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until nobody else is in such a block on `folder`: for short work on files that depend on each other."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
