"""What the workflow asks of the benchmark before a job exists. It reads the manifest and imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from idpbench.files.canonical import digest, read_json
from idpbench.files.errors import bad_input
from idpbench.settings.gold import GoldSettings, load_gold

RESULTS = Path("results", "gold")
LOCAL = "local-"


class GoldCommand:
    """The embedded model on the current suite; `staged` is the folder that the command names, if it names one."""

    def __init__(self, root: Path, staged: str | None) -> None:
        self.root = root
        self._staged = staged

    @cached_property
    def settings(self) -> GoldSettings:
        """config/gold.yaml."""
        return load_gold(self.root)

    @property
    def suite(self) -> str:
        """The current suite."""
        return self.settings.suite

    @property
    def staged(self) -> str:
        """The folder of publishers' workbooks; one that is named must be there."""
        if self._staged is None:
            return self.settings.staged
        if not Path(self._staged).is_dir():
            raise bad_input("--config", "staged", self._staged, "a folder", "write staged=FOLDER, or leave it out")
        return self._staged

    def staged_for(self, member: str) -> str:
        """The folder as a member's steps are told it: those of a committed workbook never run again for another."""
        named = self.staged
        return named if self.entry(member)["workbook"]["storage"] == "staged" else self.settings.staged

    @property
    def folder(self) -> str:
        """Folder of the suite."""
        return f"corpus/gold/{self.suite}"

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The suite's manifest, as it is stored."""
        manifest: Mapping[str, Any] = read_json(self.root / self.folder / "manifest.json")
        return manifest

    @cached_property
    def members(self) -> Mapping[str, Mapping[str, Any]]:
        """Entries of the manifest by member id."""
        return {str(entry["member_id"]): entry for entry in self.manifest["members"]}

    def entry(self, member: str) -> Mapping[str, Any]:
        """A member's entry."""
        if member not in self.members:
            raise bad_input(f"{self.folder}/manifest.json", member, "no entry", "a member", "ask for target `gold`")
        return self.members[member]

    def pin(self, member: str) -> str:
        """Digest of a member's entry, its suite's digest, and whether its workbook is at hand: a param that changes
        with each. Journals and scores carry the suite's digest, so that those of another suite are made again."""
        return digest([self.entry(member), self.manifest["digest"], bool(self.workbook(member))])

    def workbook(self, member: str) -> list[str]:
        """The file of a member's workbook; none where it is not staged."""
        book = self.entry(member)["workbook"]
        if book["storage"] == "committed":
            return [f"{self.folder}/{book['path']}"]
        path = Path(self.staged, book["ingest_record"])
        return [str(path)] if path.is_file() else []

    def reference(self, member: str) -> list[str]:
        """The files that a member's reference is made of."""
        reference = self.entry(member)["reference"]
        paths = [reference[part]["path"] for part in ("recipe", "table", "trace")]
        return [f"{self.folder}/{path}" for path in paths if path is not None]

    def committed(self) -> list[str]:
        """Committed results of other models; those of local ones are what a publication writes itself."""
        found = sorted(path.relative_to(self.root) for path in (self.root / RESULTS).glob("*/*.json"))
        return [str(path) for path in found if not path.name.startswith(LOCAL)]
