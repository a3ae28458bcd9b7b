"""The store of run records by run key. What lies here was paid for: nothing in it is rewritten or removed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from idpbench.files.atomic import sync_folder, write_bytes
from idpbench.files.canonical import canonical, loads
from idpbench.files.errors import bad_input
from idpbench.matrix.runkey import run_key
from idpbench.stack.contract import KEY_PATTERN

SCHEMA = "idpbench/record/1"
_SUFFIX = ".json"
_NAME_LENGTH = 40 + len(_SUFFIX)


class Vault:
    """Records of one backend, `<folder>/<first two digits>/<key>.json`, canonical JSON each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keys(self) -> set[str]:
        """Every key held. Names only: no file is opened, and what half a write left behind is passed over."""
        found: set[str] = set()
        try:
            shelves = [entry.path for entry in os.scandir(self.folder) if len(entry.name) == 2]
        except FileNotFoundError:
            return found
        for shelf in shelves:
            found.update(name[:40] for name in os.listdir(shelf) if len(name) == _NAME_LENGTH and name[0] != ".")
        return found

    def path(self, key: str) -> Path:
        """Where a key's record lies; a malformed key is a Refusal, so that none can point outside."""
        if not KEY_PATTERN.fullmatch(key):
            raise bad_input(self.folder, "key", repr(key), "40 hex digits", "pass a run key")
        return self.folder / key[:2] / f"{key}{_SUFFIX}"

    def holds(self, key: str) -> bool:
        """Whether the key has a record."""
        return self.path(key).is_file()

    def read(self, key: str) -> bytes:
        """A record's bytes as stored, one line; a missing one is a Refusal."""
        path = self.path(key)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise bad_input(path, "", "no such record", "a landed run", "run the command again") from None

    def get(self, key: str) -> dict[str, Any]:
        """A record by key. Damaged, or filed under a key that is not its own, is a Refusal."""
        path = self.path(key)
        record = loads(self.read(key), path)
        check_record(record, path)
        if record["key"] != key:
            raise bad_input(path, "key", record["key"], key, "put the file back where it belongs")
        return dict(record)

    def put(self, record: dict[str, Any]) -> None:
        """Keep a record, on the disk before this returns. The same again is no change; other content is a Refusal."""
        check_record(record, self.folder)
        path = self.path(record["key"])
        data = canonical(record) + b"\n"
        if path.exists():
            if path.read_bytes() != data:
                raise bad_input(
                    path, "", "another record of the same run", "the record first written", "records are never replaced"
                )
            return
        new_shelf = not path.parent.is_dir()
        write_bytes(path, data, durable=True)
        if new_shelf:
            sync_folder(self.folder)

    def set_aside(self, key: str) -> Path:
        """Take a record out, so that its run counts as missing; the file is kept under `aside/`. Its new place."""
        path = self.path(key)
        name = f"{key}.{len(list(self._aside.glob(f'{key}.*'))) + 1}{_SUFFIX}"
        self._aside.mkdir(parents=True, exist_ok=True)
        os.rename(path, self._aside / name)
        sync_folder(self._aside)
        sync_folder(path.parent)
        return self._aside / name

    def runs_set_aside(self, key: str) -> set[str]:
        """Run ids of the records of a key that were set aside: they are not taken back from anywhere."""
        records = (loads(path.read_bytes(), path) for path in self._aside.glob(f"{key}.*"))
        return {str(record["launch"]["run_id"]) for record in records}

    @property
    def _aside(self) -> Path:
        return self.folder / "aside"


def check_record(record: Any, source: object) -> None:
    """Refuse what is not a run record, or whose key is not the digest of its identity."""
    schema = record.get("schema") if isinstance(record, dict) else type(record).__name__
    if schema != SCHEMA:
        raise bad_input(source, "schema", repr(schema), repr(SCHEMA), "restore the record from git or the vault")
    identity = record.get("identity")
    expected = run_key(identity) if isinstance(identity, dict) else "an identity"
    if record.get("key") != expected:
        raise bad_input(source, "key", repr(record.get("key")), expected, "the record was edited: restore it")
