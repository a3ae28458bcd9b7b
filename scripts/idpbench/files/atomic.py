"""Writing files whole: a reader sees the old bytes or the new ones, never half of either."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_bytes(path: Path | str, data: bytes, *, durable: bool = False) -> None:
    """Write `data` under a temporary name beside `path`, then rename over it.

    With `durable` the bytes are on the disk before the name is (fsync of file and folder).
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(target.parent)


def write_text(path: Path | str, text: str, *, durable: bool = False) -> None:
    """Write UTF-8 text whole."""
    write_bytes(path, text.encode("utf-8"), durable=durable)


def write_if_changed(path: Path | str, data: bytes) -> bool:
    """Write only where the bytes differ, so that an unchanged file keeps its time; True if written."""
    target = Path(path)
    try:
        if target.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    write_bytes(target, data)
    return True


def append_line(path: Path | str, line: bytes) -> None:
    """Append one line and have it on the disk before returning (write-ahead journals)."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        rest = memoryview(line.rstrip(b"\n") + b"\n")
        while rest:  # a write may be short (a signal, a full disk about to say so)
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power loss."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
