"""Make .venv from the lock file: `python3 scripts/set_up.py`. Needs Python 3.11+ and a package index, nothing else.

uv installs five times as fast as pip, so it is fetched first (pinned by hash); where it has no wheel for this
machine or cannot reach the index, pip does the same work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "ready"


def fail(message: str) -> None:
    """End with a message that says what is missing and how to get it."""
    sys.exit(f"set-up: {message}")


def run(*command: object) -> bool:
    """Run a command quietly enough to read; True when it succeeded."""
    return subprocess.run([str(word) for word in command], cwd=ROOT, env=ENVIRONMENT, check=False).returncode == 0


ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}}
ENVIRONMENT |= {"VIRTUAL_ENV": str(VENV), "UV_LINK_MODE": "copy", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def main() -> None:
    """Create the environment, or say why that cannot be done here."""
    if sys.version_info < (3, 11):
        fail(f"Python 3.11+ is needed, this is {sys.version.split()[0]}; name another with make PYTHON=python3.12")
    if shutil.which("git") is None:
        print("set-up: git is not on the path; results are then published without comparing them to what is committed")
    started = time.monotonic()
    shutil.rmtree(VENV, ignore_errors=True)
    print("set-up: creating .venv from requirements.lock (about a minute) ...", flush=True)
    if not run(sys.executable, "-m", "venv", VENV):
        fail("python3 -m venv failed; on Debian and Ubuntu: apt-get install python3-venv")
    python = VENV / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet"]
    fast = run(*install, "--require-hashes", "-r", ROOT / "envs" / "bootstrap.txt") and run(
        VENV / "bin" / "uv", "pip", "install", "--quiet", "--require-hashes", "--compile-bytecode", "-r", LOCK
    )
    if not fast and not run(*install, "--require-hashes", "-r", LOCK):
        fail(
            "the packages of requirements.lock could not be installed; is a package index reachable (pip download six)?"
        )
    if not run(*install, "--no-deps", "--no-build-isolation", "--editable", ROOT):
        fail("the project itself could not be installed; the messages above say why")
    STAMP.touch()
    print(f"set-up: done in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
