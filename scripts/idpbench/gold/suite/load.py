"""A frozen suite on the disk: its manifest checked as it is loaded, every file against its pin as it is read."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from pydantic import ValidationError

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import loads, pretty
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.metrics import Scored
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.suite.manifest import Manifest, Member, StagedWorkbook, first_fault, suite_digest
from idpbench.gold.suite.rules import manifest_issues
from idpbench.gold.suite.vocabulary import read_vocabulary
from idpbench.gold.tidy import csv_bytes, prefixed, read_csv
from idpbench.gold.trace import read_trace, trace_bytes
from idpbench.gold.workbook import Workbook, read_workbook

MANIFEST = "manifest.json"
RESTORE = "restore it from git; a correction of a suite is a new suite"
_HELD = 4


class Suite:
    """A suite and where its files are.

    `staged` is the folder of publishers' workbooks (None: there is none). `cache` keeps references that are derived
    from them; what lies there is used only where its digest is the pinned one.
    """

    def __init__(self, manifest: Manifest, folder: Path, staged: Path | None = None, cache: Path | None = None) -> None:
        self.manifest = manifest
        self.folder = folder
        self.staged = staged
        self.cache = cache
        self._held: OrderedDict[str, Workbook] = OrderedDict()

    def vocabulary(self) -> dict[str, str]:
        """Meanings of the feature tags."""
        pin = self.manifest.vocabulary
        return read_vocabulary(self.file(pin.path, pin.sha256), self.folder / pin.path)

    def recipe(self, member: Member) -> bytes:
        """The reference recipe, as it is stored."""
        return self.file(member.reference.recipe.path, member.reference.recipe.sha256)

    def workbook(self, member: Member) -> bytes | None:
        """The member's workbook; None where it is staged and absent. Refusal for any other bytes than the pinned."""
        pin = member.workbook
        if not isinstance(pin, StagedWorkbook):
            return self.file(pin.path, pin.sha256)
        path = self.staged / pin.ingest_record if self.staged is not None else None
        if path is None or not path.is_file():
            return None
        return _pinned(path, pin.sha256, "stage the file that the suite names, or none")

    def parsed(self, member: Member) -> Workbook | None:
        """The member's workbook, read; members that share it read it once. None where it is staged and absent."""
        digest = member.workbook.sha256
        if digest in self._held:
            self._held.move_to_end(digest)
            return self._held[digest]
        data = self.workbook(member)
        if data is None:
            return None
        try:
            self._held[digest] = read_workbook(data)
        except Unusable as fault:
            raise Refusal(f"{member.member_id}: {fault}") from None
        if len(self._held) > _HELD:
            self._held.popitem(last=False)
        return self._held[digest]

    def reference(self, member: Member) -> Scored:
        """The reference table and trace: stored ones are read, those of staged workbooks derived once and kept.

        Refusal (exit code 3) where the workbook is staged and absent, and (2) where anything is not what is pinned.
        """
        table, trace = member.reference.table, member.reference.trace
        if table.path is not None and trace.path is not None:
            return _scored(self.file(table.path, table.sha256), self.file(trace.path, trace.sha256))
        files = self._kept(member) or self._derived(member)
        return _scored(*files)

    def file(self, path: str, sha256: str) -> bytes:
        """A file of the suite's folder. Refusal for any other bytes than the pinned."""
        return _pinned(self.folder / path, sha256, RESTORE)

    def _kept(self, member: Member) -> tuple[bytes, bytes] | None:
        if self.cache is None:
            return None
        found = []
        for sha256 in (member.reference.table.sha256, member.reference.trace.sha256):
            path = self.cache / sha256.removeprefix("sha256:")
            if not path.is_file():
                return None
            data = path.read_bytes()
            if prefixed(data) != sha256:
                return None
            found.append(data)
        return found[0], found[1]

    def _derived(self, member: Member) -> tuple[bytes, bytes]:
        workbook = self.parsed(member)
        if workbook is None:
            raise Refusal(
                f"{member.member_id}: its reference needs {_file_name(member)}, which is not staged; "
                "stage the file, or leave the member out",
                INCOMPLETE,
            )
        try:
            production = execute(parse_recipe(self.recipe(member)), workbook)
        except Unusable as fault:
            raise Refusal(f"{member.member_id}: its reference recipe fails: {fault}") from None
        files = csv_bytes(production.table), trace_bytes(production.trace)
        for data, sha256 in zip(files, (member.reference.table.sha256, member.reference.trace.sha256), strict=True):
            if prefixed(data) != sha256:
                found = f"a derived reference of digest {prefixed(data)}"
                raise bad_input(self.folder / MANIFEST, member.member_id, found, sha256, RESTORE)
            if self.cache is not None:
                write_bytes(self.cache / sha256.removeprefix("sha256:"), data)
        return files


def load_suite(folder: Path, staged: Path | None = None, cache: Path | None = None) -> Suite:
    """Load a suite by its folder, which has the suite's name. No file but the manifest is read yet.

    Refusal where the manifest is absent, not of its form, not bound by its digest, or breaks a rule of suites.
    """
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except OSError as error:
        raise bad_input(path, "", error.strerror, "the manifest of a suite", "check the name of the suite") from None
    value = loads(data, path)
    try:
        manifest = Manifest.model_validate(value)
    except ValidationError as error:
        place, message = first_fault(error)
        raise bad_input(path, place, message, "a manifest gold-suite/1", RESTORE) from None
    if pretty(value).encode("utf-8") != data:
        raise bad_input(path, "", "another spelling", "sorted keys, two spaces, a final newline", RESTORE)
    if suite_digest(value) != manifest.digest:
        raise bad_input(path, "digest", manifest.digest, suite_digest(value), RESTORE)
    if manifest.suite_id != folder.resolve().name:
        raise bad_input(path, "suite_id", manifest.suite_id, f"the folder's name {folder.name}", RESTORE)
    for issue in manifest_issues(manifest):
        raise bad_input(path, issue.path, f"{issue.code}", issue.message, RESTORE)
    return Suite(manifest, folder, staged, cache)


def _pinned(path: Path, sha256: str, remedy: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise bad_input(path, "", error.strerror, f"the file with digest {sha256}", remedy) from None
    if prefixed(data) != sha256:
        raise bad_input(path, "", f"bytes of digest {prefixed(data)}", sha256, remedy)
    return data


def _scored(table: bytes, trace: bytes) -> Scored:
    return Scored(read_csv(table), read_trace(trace))


def _file_name(member: Member) -> str:
    pin = member.workbook
    return pin.ingest_record if isinstance(pin, StagedWorkbook) else pin.path
