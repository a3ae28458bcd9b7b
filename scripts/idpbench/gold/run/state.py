"""The folder of a run: where its plan, journal, members and result lie, and what of it is final."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import bad_input
from idpbench.gold.result.schema import Member
from idpbench.settings.explain import refusal

KIND = "gold-member"


@dataclass(frozen=True)
class Final:
    """A member that is done, and the names under which the provider answered for it."""

    member: Member
    returned_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folder:
    """`work/gold/runs/<run_id>`; nothing of a run is written anywhere else."""

    path: Path

    @property
    def plan(self) -> Path:
        """The immutable plan."""
        return self.path / "plan.json"

    @property
    def calls(self) -> Path:
        """The journal of calls."""
        return self.path / "calls.jsonl"

    @property
    def lock(self) -> Path:
        """Held while a process works on the run."""
        return self.path / "lock"

    @property
    def result(self) -> Path:
        """The result document, once every member is final."""
        return self.path / "result.json"

    def member(self, member_id: str) -> Path:
        """The file of a final member."""
        return self.path / "members" / f"{member_id}.json"

    def finals(self, member_ids: Iterable[str], plan_sha256: str) -> dict[str, Final]:
        """The members that are done."""
        return {
            name: read_final(self.member(name), plan_sha256) for name in member_ids if self.member(name).exists()
        }  # fmt: skip


def write_final(path: Path, final: Final, plan_sha256: str) -> None:
    """Put a finished member on the disk, whole."""
    write_json(path, final_json(final, plan_sha256), durable=True)


def final_json(final: Final, plan_sha256: str) -> dict[str, Any]:
    """A finished member as its file holds it."""
    return {
        "schema": f"idpbench/{KIND}/1",
        "plan": plan_sha256,
        "member": final.member.model_dump(mode="json"),
        "returned_ids": list(final.returned_ids),
    }


def read_final(path: Path, plan_sha256: str) -> Final:
    """A finished member; one of another plan is a Refusal."""
    value = read_json(path, KIND)
    if value.get("plan") != plan_sha256:
        raise bad_input(path, "plan", str(value.get("plan"))[:80], plan_sha256, "start a new run")
    try:
        return Final(Member.model_validate(value.get("member")), tuple(value.get("returned_ids", ())))
    except ValidationError as error:
        raise refusal(error, path, Member, "member") from None
