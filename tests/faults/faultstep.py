"""One landing as a process: `faultstep.py ROOT GROUND [--room BYTES] [--kill-at WRITE]`.

`--room`: so much may be written before the disk is full. `--kill-at`: kill -9 in the middle of that write.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

from idpbench.files import atomic
from idpbench.files.canonical import read_json
from idpbench.localstack.process import LocalStack
from idpbench.stack.model import side_from_json


class Disk:
    """Stands for `os` where files are written whole or by line: ends in the middle of a write, like a full disk."""

    def __init__(self, room: int | None, kill_at: int | None) -> None:
        self.room = room
        self.kill_at = kill_at
        self.writes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, descriptor: int, data: Any) -> int:
        self.writes += 1
        if self.writes == self.kill_at:
            os.write(descriptor, bytes(data)[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        if self.room is None:
            return os.write(descriptor, data)
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = os.write(descriptor, bytes(data)[: self.room])
        self.room -= written
        return written

    def fdopen(self, descriptor: int, mode: str) -> Any:
        return io.BufferedWriter(_Raw(self, descriptor, mode))


class _Raw(io.FileIO):
    def __init__(self, disk: Disk, descriptor: int, mode: str) -> None:
        super().__init__(descriptor, mode)
        self._disk = disk

    def write(self, data: Any) -> int:
        return self._disk.write(self.fileno(), data)


def main() -> int:
    """Land what `plan.json` in ROOT asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("ground", type=Path)
    parser.add_argument("--room", type=int)
    parser.add_argument("--kill-at", type=int)
    given = parser.parse_args()
    from faultworld import OPTIONS, PATIENCE, ROOT, land

    atomic.os = Disk(given.room, given.kill_at)  # type: ignore[attr-defined]
    side = side_from_json(read_json(given.root / "plan.json"), given.root / "plan.json")
    local = LocalStack(given.ground / "work", ROOT / "config", lingers=True)
    ended = land(side, given.root, local, OPTIONS, PATIENCE)
    print(ended.text, end="")
    return ended.code


if __name__ == "__main__":
    sys.exit(main())
