"""A small real grid on a real local stack, landed by the real client, with something going wrong.

One server serves every case: each case has a stack, a vault and a journal of its own, so that all of them run the same
run keys, and what the quiet case found is what every other one must find.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
for _folder in (ROOT / "tests" / "workflow", ROOT / "scripts"):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

from projection import VOLATILE_CELL, VOLATILE_ROW  # noqa: E402

from idpbench.corpus.generate import generate  # noqa: E402
from idpbench.files.canonical import write_json  # noqa: E402
from idpbench.files.errors import Refusal, no_space  # noqa: E402
from idpbench.files.locks import try_lock  # noqa: E402
from idpbench.localstack.process import LocalStack  # noqa: E402
from idpbench.pricing.card import load_rate_card  # noqa: E402
from idpbench.scoring.cell import Truths, score_cell  # noqa: E402
from idpbench.settings.load import load  # noqa: E402
from idpbench.stack.client import Client  # noqa: E402
from idpbench.stack.discover import discover  # noqa: E402
from idpbench.stack.ensure import Deployment, Patience  # noqa: E402
from idpbench.stack.launcher import Options  # noqa: E402
from idpbench.stack.model import Side, Where  # noqa: E402
from idpbench.stack.session import Connection, Task, land_side  # noqa: E402
from idpbench.stack.sides import build_side  # noqa: E402
from idpbench.stack.tasks import LOCAL_TEMPLATE  # noqa: E402
from idpbench.stack.vault import Vault  # noqa: E402
from idpbench.summary.summarize import summarize_side  # noqa: E402

VERSION = "0.6.9"
REPEATS = 2
OPTIONS = Options(max_inflight=6, deadline=120.0, interval=0.25, settle=2.0, workers=2)
PATIENCE = Patience(change=60.0, drain=60.0, interval=0.1, other=0.0)
ABOUT_READING = ("sections_unreadable",)  # how much could not be read: no measurement of the document
STEP = Path(__file__).with_name("faultstep.py")


@dataclass(frozen=True)
class Ended:
    """How a landing ended: exit code and everything it said."""

    code: int
    text: str


@dataclass
class Ground:
    """What the cases share: the server, the documents, the quiet case's rows (once it has run)."""

    folder: Path
    quiet: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.local = LocalStack(self.folder / "work", ROOT / "config", lingers=True)
        self.settings = load(ROOT)
        self.prices = load_rate_card(ROOT / "config" / "pricing.yaml")
        names = sorted({run.document for run in self.side("any").runs})
        manifest = ROOT / "corpus" / "manifest.json"
        generate(self.settings.documents, self.folder / "corpus" / "docs", manifest, names)
        self.truths = Truths(self.folder / "corpus" / "docs")

    def side(self, stack: str) -> Side:
        where = Where("local", VERSION, stack=stack)
        return build_side(self.settings, ROOT, where, suite="smoke", repeats=REPEATS, no_reference=True)

    def world(self, name: str) -> World:
        """A fresh case."""
        return World(self, name, self.clone(name))

    def clone(self, name: str) -> Path:
        """A working folder: the project's configuration, the documents, and nothing that was run."""
        root = self.folder / name
        root.mkdir()
        (root / "config").symlink_to(ROOT / "config")
        (root / "corpus").symlink_to(self.folder / "corpus")
        return root

    def stop(self) -> None:
        self.local.set_faults([])
        self.local.stop(wait_s=30)


@dataclass
class World:
    """One case: its stack, its folder, what was done to it and what it said."""

    ground: Ground
    name: str
    root: Path
    injected: int = 0
    said: list[Ended] = field(default_factory=list)
    own_stack: LocalStack | None = None  # where it is not the one that all cases share
    parts: list[World] = field(default_factory=list)  # where the fault is tried on several grids, one after the other

    @property
    def local(self) -> LocalStack:
        return self.own_stack or self.ground.local

    @cached_property
    def side(self) -> Side:
        return self.ground.side(self.name)

    @property
    def vault(self) -> Vault:
        return Vault(self.root / "work" / "vault" / "local")

    @property
    def records(self) -> list[dict[str, Any]]:
        """Records of the planned runs that have one."""
        held = self.vault.keys()
        return [self.vault.get(run.key) for run in self.side.runs if run.key in held]

    # -- doing
    def land(self, *, patience: Patience = PATIENCE, **options: Any) -> Ended:
        """One landing in this process, to its end."""
        return self.keep(land(self.side, self.root, self.local, replace(OPTIONS, **options), patience))

    def until_done(self, most: int = 8, mend: Callable[[Ended], None] = lambda ended: None, **options: Any) -> Ended:
        """Land again until it succeeds, as the messages ask; `mend(ended)` does what one of them asks for."""
        ended = self.land(**options)
        for _ in range(most):
            if ended.code == 0:
                return ended
            mend(ended)
            ended = self.land(**options)
        return ended

    def part(self) -> World:
        """Another grid of this case, with a stack and a folder of its own."""
        self.parts.append(self.ground.world(f"{self.name}p{len(self.parts):02}"))
        return self.parts[-1]

    def keep(self, ended: Ended) -> Ended:
        self.said.append(ended)
        return ended

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A landing as a process of its own, which can be killed."""
        write_json(self.root / "plan.json", self.side.to_json())
        environment = os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
        command = [sys.executable, str(STEP), str(self.root), str(self.ground.folder), *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)

    def wait(self, process: subprocess.Popen[str], seconds: float = 400.0) -> Ended:
        """The end of a started landing."""
        text, _ = process.communicate(timeout=seconds)
        return self.keep(Ended(process.returncode, text))

    def faults(self, *rules: dict[str, Any]) -> None:
        """Switch faults on."""
        self.local.ensure()
        self.local.set_faults(list(rules))

    def faults_end(self) -> None:
        """Count what struck, and switch all off."""
        self.injected += sum(one["struck"] for one in self.local.fault_counts())
        self.local.set_faults([])

    def kill_server(self) -> None:
        """kill -9 of the stack's server, if there is one; the next call starts another."""
        status = self.local.status()
        if status is not None:
            os.kill(status["pid"], signal.SIGKILL)
            self.injected += 1
            wait_for(lambda: try_lock(self.local.layout.lock, shared=True) is not None)

    def kill_worker(self) -> bool:
        """kill -9 of one of the server's workers; False where none is to be found."""
        status = self.local.status()
        children = [] if status is None else _children(status["pid"])
        if children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(children[self.injected % len(children)], signal.SIGKILL)
                self.injected += 1
        return bool(children)

    def client(self) -> Client:
        """A client of somebody else's."""
        return Client("us-west-2", endpoint=lambda: self.local.ensure().url)

    def delete_edited(self) -> None:
        """What a message about an edited configuration asks for: its row is deleted on the stack."""
        client = self.client()
        table = discover(client, self.name).config_table
        for name in self.side.configurations:
            key = {"Configuration": {"S": f"Config#{name}"}}
            client.call("dynamodb", "delete_item", TableName=table, Key=key)

    def journal(self) -> list[dict[str, Any]]:
        path = self.root / "work" / "journal" / "local.jsonl"
        if not path.exists():
            return []
        data = path.read_bytes()
        return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]

    # -- measuring
    def lost(self) -> int:
        """Planned runs that have no record, or one without a status and, where it did not complete, a reason."""
        told = [r for r in self.records if r["status"] == "COMPLETED" or r["status_reason"]]
        good = [r for r in told if r["status"] != "ABORTED"]
        aborted = [r for r in self.records if r["status"] == "ABORTED"]  # the stack gives no reason beside the word
        return len(self.side.runs) - len(good) - len(aborted)

    def launches(self) -> Counter[str]:
        """Invokes by run key: the stack's own count."""
        found: Counter[str] = Counter()
        for one in self.local.log()["invokes"]:
            context = re.fullmatch(r"idpbench:([0-9a-f]{40}).*", str(one["context"]))
            if context and one["function"].startswith(f"{self.name}-"):
                found[context[1]] += 1
        return found

    def relaunched(self) -> int:
        """Invokes after the first of a key whose earlier run was proven useless, and is never used, before them."""
        useless = Counter(
            event["key"]
            for event in self.journal()
            if event["event"] == "collision" or (event["event"] == "abandoned" and event.get("run_id"))
        )
        return sum(min(count - 1, useless[key]) for key, count in self.launches().items() if count > 1)

    def twice(self) -> int:
        """Invokes of a key while an earlier one may still give a usable run."""
        return sum(count - 1 for count in self.launches().values()) - self.relaunched()

    def rows(self) -> dict[str, dict[str, Any]]:
        """Scored rows by run key, and the statistics of the cells under their names, without clock and run ids."""
        cells: dict[str, list[dict[str, Any]]] = {}
        for record in self.records:
            cells.setdefault(record["cell"], []).append(record)
        scores = [score_cell(cell, records, self.ground.truths, self.ground.prices) for cell, records in cells.items()]
        summary = summarize_side(scores, self.side.to_json(), self.ground.prices)
        rows = {row["key"]: _without(row, VOLATILE_ROW) for row in summary["rows"]}
        return rows | {cell: _without(stats, VOLATILE_CELL) for cell, stats in summary["cell_stats"].items()}

    def wrong(self) -> int:
        """Numbers of completed runs that are not those of the quiet case; a number that is missing is not wrong."""
        found, quiet = self.rows(), self.ground.quiet
        return sum(
            _differ(value, quiet[run.key].get(name))
            for run in self.side.runs
            if found.get(run.key, {}).get("success")
            for name, value in found[run.key].items()
            if name not in ABOUT_READING
        )

    def same(self) -> bool:
        """Whether rows and statistics are those of the quiet case, to the last digit."""
        return json.dumps(self.rows(), sort_keys=True) == json.dumps(self.ground.quiet, sort_keys=True)


def land(side: Side, root: Path, local: LocalStack, options: Options, patience: Patience) -> Ended:
    """Land a side in this process."""
    how = Connection(lambda: local.ensure().url, deployment=lambda v: Deployment(LOCAL_TEMPLATE.format(version=v)))
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            land_side(side, root, root / "records", how, Task(options=options, patience=patience))
        except (Refusal, OSError) as error:
            refusal = error if isinstance(error, Refusal) else no_space(error)
            if refusal is None:
                raise
            return Ended(refusal.exit_code, said.getvalue() + f"landed: {refusal}\n")
    return Ended(0, said.getvalue())


def wait_for(condition: Callable[[], Any], seconds: float = 400.0) -> None:
    """Wait for a condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("waited in vain")
        time.sleep(0.01)


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for path in listed for word in path.read_text().split()]


def _without(values: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _differ(value: Any, quiet: Any) -> int:
    """How many numbers in a value, nested or not, are not the quiet ones."""
    if isinstance(value, dict):
        return sum(
            _differ(inner, quiet.get(name) if isinstance(quiet, dict) else None) for name, inner in value.items()
        )
    if isinstance(value, list):
        others = quiet if isinstance(quiet, list) else []
        return sum(_differ(inner, others[n] if n < len(others) else None) for n, inner in enumerate(value))
    return int(isinstance(value, (int, float)) and value != quiet)
