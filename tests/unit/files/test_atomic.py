"""A file is there whole or not at all, and an unchanged file is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from idpbench.files import atomic


def test_a_failed_write_leaves_the_old_bytes_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "summary.json"
    atomic.write_text(path, "old")

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="No space left"):
        atomic.write_text(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["summary.json"]


def test_the_same_bytes_are_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    assert atomic.write_if_changed(path, b"one\n")
    os.utime(path, ns=(1, 1))
    assert not atomic.write_if_changed(path, b"one\n")
    assert path.stat().st_mtime_ns == 1
    assert atomic.write_if_changed(path, b"two\n")
    assert path.read_bytes() == b"two\n"


def test_lines_are_appended_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.jsonl"
    atomic.append_line(path, b'{"n":1}')
    atomic.append_line(path, b'{"n":2}\n')
    assert path.read_bytes() == b'{"n":1}\n{"n":2}\n'
