"""How a step ends: with the code meant, a message, and no trace of a mistake where there was none."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from idpbench.files.errors import INCOMPLETE, Refusal, no_space
from idpbench.files.step import run_step


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_said_in_words(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("IDPBENCH_EXIT_CODE", str(tmp_path / "code"))

    def main() -> None:
        raise OSError(number, os.strerror(number), "work/journal/local.jsonl")

    with pytest.raises(SystemExit) as ended:
        run_step(main)
    assert ended.value.code == INCOMPLETE
    told = capsys.readouterr().err
    assert "work/journal/local.jsonl" in told and "run the same command again" in told
    assert (tmp_path / "code").read_text().startswith(f"{INCOMPLETE}\n")


def test_the_code_is_right_even_where_nothing_more_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDPBENCH_EXIT_CODE", "/dev/full/code")

    def main() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(SystemExit) as ended:
        run_step(main)
    assert ended.value.code == INCOMPLETE


def test_any_other_error_of_the_system_stays_one() -> None:
    def main() -> None:
        raise PermissionError(errno.EACCES, "no", "x")

    with pytest.raises(PermissionError):
        run_step(main)
    assert no_space(FileNotFoundError(errno.ENOENT, "no")) is None
    assert isinstance(no_space(OSError(errno.ENOSPC, "full")), Refusal)
