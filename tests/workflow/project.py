"""A copy of the project in a folder of its own, driven by the commands a person types."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from projection import canonical_projection

from idpbench.localstack.process import LocalStack
from idpbench.stack.client import Client
from idpbench.stack.discover import discover

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
            raise TimeoutError(f"snakemake {' '.join(words)} took more than {seconds} s:\n{text}") from None
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

    @property
    def stack(self) -> LocalStack:
        """The local stack of this copy."""
        return LocalStack(self.folder / "work", self.folder / "config")

    def invokes(self) -> Counter[str]:
        """How often the stack was asked to run each run key: its own count, not the client's."""
        if not (self.folder / "work" / "localstack").exists():
            return Counter()
        contexts = [event["context"] for event in self.stack.log()["invokes"] if "TestRunner" in event["function"]]
        return Counter(re.fullmatch(r"idpbench:([0-9a-f]{40}).*", context)[1] for context in contexts)  # type: ignore[index]

    def journal(self) -> list[dict[str, Any]]:
        """Events of the launch journal, oldest first."""
        path = self.folder / "work" / "journal" / "local.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def records(self, version: str, suite: str = "smoke") -> list[dict[str, Any]]:
        """Run records of a side."""
        folder = self.folder / f"work/local/v{version}/{suite}/records"
        lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
        return [json.loads(line) for line in lines]

    def plan(self, version: str, suite: str = "smoke") -> dict[str, Any]:
        """The plan of a side."""
        plan: dict[str, Any] = self.json(f"work/local/v{version}/{suite}/plan.json")
        return plan

    def page(self) -> str:
        """The published page of the smoke pair."""
        place = self.folder / "results/local/releases/other/0.6.9-0.6.8-smoke/README.md"
        return place.read_text(encoding="utf-8")

    def keys(self, version: str, suite: str = "smoke") -> dict[str, str]:
        """Run keys of a side's plan, with their cell."""
        return {run["key"]: run["cell"] for run in self.plan(version, suite)["runs"]}

    def summaries(self, suite: str = "smoke") -> list[dict[str, Any]]:
        """The canonical projections of both sides."""
        names = [f"work/local/v{version}/{suite}/summary/summary.json" for version in ("0.6.8", "0.6.9")]
        return [canonical_projection(self.json(name)) for name in names]

    def tree(self, name: str) -> dict[str, bytes]:
        """Every file below a folder, by relative path."""
        base = self.folder / name
        return {p.relative_to(base).as_posix(): p.read_bytes() for p in sorted(base.rglob("*")) if p.is_file()}

    def edit_stack_configuration(self, cell: str) -> None:
        """Somebody edits a cell's configuration on the stack itself, outside this project."""
        client = Client("us-west-2", endpoint=lambda: self.stack.ensure().url)
        table = discover(client, "idpbench-smoke").config_table
        name = next(run["config_name"] for run in self.plan("0.6.9")["runs"] if run["cell"] == cell)
        row = {"Configuration": {"S": f"Config#{name}"}, "extraction": {"M": {"mode": {"S": "simple"}}}}
        client.call("dynamodb", "put_item", TableName=table, Item=row)

    def stop_stack(self) -> None:
        """End the local stack of this copy, so that no process outlives its folder."""
        self.stack.stop()


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


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for a condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("waited in vain")
        time.sleep(0.02)
