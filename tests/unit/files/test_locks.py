"""A lock is held by one process, and freed by its death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from idpbench.files import locks

HOLDER = """
import sys, time
from idpbench.files import locks
lock = locks.hold(sys.argv[1], wait_s=0)
print("held", flush=True)
time.sleep(60)
"""


def test_a_second_process_is_refused_and_learns_the_pid_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "workflow.lock"
    child = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None and child.stdout.readline() == "held\n"
        assert locks.hold(path, wait_s=0) is None
        assert locks.try_lock(path, shared=True) is None
        assert locks.holder(path) == str(child.pid)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    held = locks.hold(path, wait_s=5)
    assert held is not None
    assert locks.holder(path) == str(os.getpid())
    held.close()
