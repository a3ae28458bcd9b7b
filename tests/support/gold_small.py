"""A small frozen suite in a repository of its own, and models that say what a test wants them to say."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from openpyxl import Workbook as Book
from scripted_server import Asked as Posted
from scripted_server import ScriptedServer

from idpbench.files.canonical import bytes_digest
from idpbench.files.provenance import PACKAGE
from idpbench.gold.result.schema import Result
from idpbench.gold.run.start import Asked, start
from idpbench.gold.run.state import Folder
from idpbench.gold.suite.freeze import freeze_suite
from idpbench.gold.transport.base import About, Reply, Request, TransportError, Usage

ROOT = Path(__file__).resolve().parents[2]
SUITE = "gold-2026.01"
STAGED = "publisher_book.xlsx"
COLUMNS = [
    {"name": "zone_q7", "role": "header", "about": "the zone"},
    {"name": "year_q7", "role": "header", "about": "the year"},
    {"name": "sum_q7", "role": "value", "about": "the sum"},
]
MEMBERS = ("alpha-table", "beta-table", "gamma-staged", "omega-table")
SHEETS = dict(zip(MEMBERS, ("Alpha", "Beta", "Gamma", "Omega"), strict=True))
KEY = "sk-or-v1-abcdef0123456789-THEKEY"
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
Says = Callable[[str, int], str]


def recipe(member: str, values: str = "R2C2:R3C3", years: str = "R1C2:R1C3", **more: Any) -> str:
    """A recipe for a member's sheet; the defaults make the reference."""
    headers = [
        {"name": "zone_q7", "direction": "left", "select": {"include": ["R2C1:R3C1"]}},
        {"name": "year_q7", "direction": "above", "select": {"include": [years]}},
    ]
    table = {
        "name": "t",
        "sheet": SHEETS[member],
        "values": {"name": "sum_q7", "select": {"include": [values]}},
        "headers": headers,
        **more,
    }
    return json.dumps({"version": "gold-recipe/1", "tables": [table]})


def make_repository(folder: Path) -> Path:
    """`folder` with config/gold.yaml, a frozen suite of four members and a staged workbook; returns it."""
    (folder / "config").mkdir(parents=True)
    text = (ROOT / "config" / "gold.yaml").read_text(encoding="utf-8")
    (folder / "config" / "gold.yaml").write_text(text.replace("suite: gold-2026.11", f"suite: {SUITE}"))
    draft = folder / "draft"
    draft.mkdir()
    staged = folder / "corpus" / "gold" / "staged"
    staged.mkdir(parents=True)
    shutil.copy(ROOT / "corpus/gold/vocabulary/structure-features.json", draft / "vocabulary.json")
    (draft / "two.xlsx").write_bytes(_book({"Alpha": 1, "Beta": 2}))
    (draft / "one.xlsx").write_bytes(_book({"Omega": 4}))
    (staged / STAGED).write_bytes(_book({"Gamma": 3}))
    books = {"alpha-table": "two.xlsx", "beta-table": "two.xlsx", "omega-table": "one.xlsx"}
    members = []
    for number, member in enumerate(MEMBERS):
        (draft / f"{member}.json").write_text(recipe(member))
        place = {"path": books[member]} if member in books else {"staged": STAGED}
        members.append(
            {
                "member_id": member,
                "title": f"Sheet {SHEETS[member]}",
                "source_kind": "conformance" if member in books else "bank_asset",
                "difficulty": ("easy", "medium", "hard", "easy")[number],
                "publisher": "synthetic" if member in books else "abs",
                "features": ["single_table", "time_series"][: 1 + number % 2],
                "published_in_bank": member not in books,
                "workbook": {**place, "licence": "CC0", "attribution": "us", "source_note": "made here"},
                "task": {"sheet": SHEETS[member], "instruction": f"Tidy {member}.", "columns": COLUMNS},
                "recipe": f"{member}.json",
            }
        )
    content = {
        "schema": "gold-draft/1",
        "suite_id": SUITE,
        "frozen_at": "2026-01-01T00:00:00Z",
        "vocabulary": "vocabulary.json",
        "members": members,
    }
    (draft / "draft.json").write_text(json.dumps(content))
    freeze_suite(draft, folder / "corpus" / "gold", staged)
    shutil.rmtree(draft)
    return folder


def _book(sheets: Mapping[str, int]) -> bytes:
    """Two zones by two years on each sheet; the numbers of a sheet share their first digit."""
    book = Book()
    book.remove(book.worksheets[0])
    for title, digit in sheets.items():
        sheet = book.create_sheet(title)
        for row in (
            (None, 2023, 2024),
            ("North", digit * 1000 + 11, digit * 1000 + 12),
            ("South", digit * 1000 + 21, digit * 1000 + 22),
        ):
            sheet.append(row)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


class FakeClock:
    """Time that passes only when somebody sleeps or a test says so."""

    def __init__(self, tick_s: float = 0.0) -> None:
        self.moment = START
        self.tick = timedelta(seconds=tick_s)
        self.slept: list[float] = []

    def now(self) -> datetime:
        self.moment += self.tick
        return self.moment

    def monotonic(self) -> float:
        return (self.moment - START).total_seconds()

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.moment += timedelta(seconds=seconds)


@dataclass
class Scripted:
    """A transport that says `says(member, n)`; a TransportError in its place is raised."""

    says: Callable[[str, int], str | Reply | TransportError]
    clock: FakeClock
    takes_s: float = 0.5
    network: bool = True
    asked: list[Request] = field(default_factory=list)
    starts: list[datetime] = field(default_factory=list)

    @property
    def about(self) -> About:
        return About("openrouter", "https://api.invalid/v1", "test 1", self.network)

    def send(self, request: Request) -> Reply:
        self.asked.append(request)
        self.starts.append(self.clock.moment)
        self.clock.moment += timedelta(seconds=self.takes_s)
        said = self.says(request.member_id, request.n)
        if isinstance(said, TransportError):
            raise said
        if isinstance(said, Reply):
            return said
        return Reply(said, f"sha256:{bytes_digest(said.encode())}", "maker/m-dated", "stop", Usage(10, 5, 15), 0.01)


def right(member: str, n: int) -> str:
    """The model that is always right."""
    return recipe(member)


@dataclass
class Ran:
    """A finished run and what it asked."""

    result: Result
    folder: Folder
    transport: Scripted
    clock: FakeClock
    told: list[str]

    def member(self, name: str) -> Any:
        return next(member for member in self.result.members if member.member_id == name)

    @property
    def calls(self) -> list[tuple[str, int]]:
        return [(request.member_id, request.n) for request in self.transport.asked]


def run_scripted(
    root: Path, says: Callable[[str, int], Any] = right, clock: FakeClock | None = None, **asked: Any
) -> Ran:
    """Run a scripted model to the end."""
    clock = clock or FakeClock()
    transport = Scripted(says, clock)
    told: list[str] = []
    words = {"model": "maker/model-1", "run_id": "r1", **asked}
    if "resume" in asked:
        words.pop("run_id")
    result, folder = start(
        Asked(**words),
        root,
        environment={},
        argv=["idpbench", "gold", "run"],
        clock=clock,
        tell=told.append,
        transport=transport,
    )
    return Ran(result, folder, transport, clock, told)


def member_of(asked: Posted) -> str:
    """Which member a request is about, by its task."""
    return next(member for member in MEMBERS if f"Tidy {member}." in asked.messages[1]["content"])


def command(root: Path, *words: str, key: str | None = KEY, **environment: str) -> subprocess.Popen[str]:
    """`idpbench gold run ...` as a person types it, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    kept |= {"PYTHONPATH": str(PACKAGE.parent), **environment}
    if key is not None:
        kept["OPENROUTER_API_KEY"] = key
    return subprocess.Popen(
        [sys.executable, "-m", "idpbench", "gold", "run", *words],
        cwd=root,
        env=kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def pointed_at(root: Path, server: ScriptedServer) -> Path:
    """The repository with the server's address in its configuration."""
    path = root / "config" / "gold.yaml"
    text = path.read_text().replace("https://openrouter.ai/api/v1", server.base)
    path.write_text(text.replace("pace_ms: 1000", "pace_ms: 0"))
    return root
