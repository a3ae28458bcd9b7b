"""The real Snakefile in a temporary folder: a copy of the project, driven by the command a person types."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "rules", "scripts", "config", "corpus", "profiles", "envs", "pyproject.toml", ".gitignore")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.egg-info")
SMOKE = ("smoke", "--config", "version=0.6.9", "prev=0.6.8")


@dataclass(frozen=True)
class Finished:
    """How a command ended: its exit code and everything it printed."""

    code: int
    text: str


@dataclass(frozen=True)
class Project:
    """One copy of the project and what a person can see of it."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "PYTEST", "PYTHONDONTWRITE"))}
        return kept | {
            "PATH": f"{Path(sys.executable).parent}:{kept['PATH']}",
            "PYTHONPATH": str(self.folder / "scripts"),
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start snakemake as a group of its own, so that a test can kill all of it."""
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def snakemake(self, *words: str, seconds: float = 240) -> Finished:
        process = self.start(*words)
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
            pytest.fail(f"snakemake {' '.join(words)} took more than {seconds} s:\n{text}")
        return Finished(process.returncode, text)

    def idpbench(self, *words: str) -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "idpbench", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return Finished(done.returncode, done.stdout + done.stderr)

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace one text in a file of the copy; the text must be there."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} no longer holds {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def invokes(self) -> Counter[str]:
        """How often the stack itself was asked to run each run key: its own count, not the client's."""
        found: Counter[str] = Counter()
        place = self.folder / "work" / "localstack" / "invokes.jsonl"
        if place.exists():
            for line in place.read_text(encoding="utf-8").splitlines():
                event = json.loads(line)
                if event.get("key"):
                    found[event["key"]] += 1
        return found

    def tree(self, name: str) -> dict[str, bytes]:
        """Every file below a folder, by relative path."""
        base = self.folder / name
        return {p.relative_to(base).as_posix(): p.read_bytes() for p in sorted(base.rglob("*")) if p.is_file()}

    def stop_stack(self) -> None:
        """End the local stack of this copy, so that no process outlives its folder."""
        self.idpbench("stack", "stop")


def copy_of(source: Path, target: Path, *, work: bool) -> Project:
    """A copy of the project; with `work`, also of what it has run and published (a copied socket address is not)."""
    target.mkdir()
    names = (*PARTS, "work", "results", ".snakemake") if work else PARTS
    for name in names:
        place = source / name
        if place.is_dir():
            shutil.copytree(place, target / name, ignore=NOT_COPIED)
        elif place.exists():
            shutil.copy2(place, target / name)
    return Project(target)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A fresh copy: nothing has run in it."""
    made = copy_of(ROOT, tmp_path / "project", work=False)
    yield made
    made.stop_stack()


@pytest.fixture(scope="session")
def smoke_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The smoke pair, run once from nothing; tests work on copies of it."""
    made = copy_of(ROOT, tmp_path_factory.mktemp("smoke") / "project", work=False)
    ended = made.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    made.stop_stack()
    return made


@pytest.fixture
def smoke(smoke_once: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of the finished smoke pair, to change something in."""
    made = copy_of(smoke_once.folder, tmp_path / "project", work=True)
    yield made
    made.stop_stack()


def wait_until(condition: Any, seconds: float = 60) -> None:
    """Wait for a condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail("waited in vain")
        time.sleep(0.02)
