"""The local stack's disk: one SQLite file that holds rows, objects, stacks, queued work and the log of invocations.

Everything a client was told has happened is in it before the client is told (write-through, one transaction per
request or pipeline step). The write-ahead log survives `kill -9` of the process at any moment: a transaction is there
whole or not at all. Power loss is out of scope.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import bad_input

FORMAT = "idpbench/localstack/1"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, region TEXT NOT NULL, created TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified TEXT NOT NULL, metadata TEXT NOT NULL, PRIMARY KEY (bucket, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS objects_by_digest ON objects (digest);
CREATE TABLE IF NOT EXISTS tables (
    region TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL, PRIMARY KEY (region, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
    region TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL, range TEXT NOT NULL, item TEXT NOT NULL,
    PRIMARY KEY (region, name, hash, range));
CREATE INDEX IF NOT EXISTS items_by_type ON items (
    region, name, json_extract(item, '$.ItemType.S'), json_extract(item, '$.InitialEventTime.S'), hash, range);
CREATE TABLE IF NOT EXISTS stacks (
    region TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (region, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, document TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS invokes (id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS finished (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, status TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What is known of an object without its bytes; `metadata` holds every header that S3 gives back."""

    bucket: str
    key: str
    digest: str
    size: int
    etag: str
    modified: str
    metadata: dict[str, str]


class Store:
    """The file, opened for writing. Callers serialise access (the server has one lock)."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=NORMAL")
        self.connection.execute("PRAGMA busy_timeout=10000")
        self.connection.executescript(_SCHEMA)
        self._depth = 0
        found = self.meta("format")
        if found is None:
            self.set_meta("format", FORMAT)
        elif found != FORMAT:
            raise bad_input(path, "format", found, FORMAT, "remove the folder: its runs are in the vault")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes inside are on the disk together or not at all; nested use joins the outer one."""
        if self._depth:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            return
        self.connection.execute("BEGIN IMMEDIATE")
        self._depth = 1
        try:
            yield
        except BaseException:
            self._depth = 0
            self.connection.execute("ROLLBACK")
            raise
        self._depth = 0
        self.connection.execute("COMMIT")

    @property
    def busy(self) -> bool:
        """Whether a transaction is open."""
        return self._depth > 0

    # -- small facts
    def meta(self, name: str) -> str | None:
        found = self.connection.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def set_meta(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))

    # -- buckets and objects
    def buckets(self) -> list[tuple[str, str, str]]:
        """(name, region, creation time) of every bucket."""
        return list(self.connection.execute("SELECT name, region, created FROM buckets ORDER BY name"))

    def add_bucket(self, name: str, region: str, created: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO buckets VALUES (?,?,?)", (name, region, created))

    def drop_bucket(self, name: str) -> None:
        self.connection.execute("DELETE FROM objects WHERE bucket=?", (name,))
        self.connection.execute("DELETE FROM buckets WHERE name=?", (name,))
        self.connection.execute("DELETE FROM blobs WHERE digest NOT IN (SELECT digest FROM objects)")

    def objects(self) -> Iterator[StoredObject]:
        """Every object, without bytes."""
        for bucket, key, digest, size, etag, modified, metadata in self.connection.execute(
            "SELECT bucket, key, digest, size, etag, modified, metadata FROM objects"
        ):
            yield StoredObject(bucket, key, digest, size, etag, modified, json.loads(metadata))

    def put_object(
        self, bucket: str, key: str, body: bytes, etag: str, modified: str, metadata: dict[str, str]
    ) -> StoredObject:
        """Store an object; equal bytes are kept once, however many keys hold them."""
        stored = StoredObject(bucket, key, bytes_digest(body), len(body), etag, modified, metadata)
        self.connection.execute("INSERT OR IGNORE INTO blobs VALUES (?,?)", (stored.digest, body))
        self.link_object(stored)
        return stored

    def link_object(self, stored: StoredObject) -> None:
        """Store an object whose bytes another object already holds."""
        before = self._digest_of(stored.bucket, stored.key)
        metadata = json.dumps(stored.metadata)
        values = (stored.bucket, stored.key, stored.digest, stored.size, stored.etag, stored.modified, metadata)
        self.connection.execute("INSERT OR REPLACE INTO objects VALUES (?,?,?,?,?,?,?)", values)
        if before is not None and before != stored.digest:
            self._drop_blob(before)

    def keys(self, bucket: str, prefix: str) -> list[str]:
        """Keys of a bucket that begin with `prefix`, in the order of their UTF-8 bytes."""
        rows = self.connection.execute(
            "SELECT key FROM objects WHERE bucket=? AND key>=? AND key<? ORDER BY key",
            (bucket, prefix, prefix + "\U0010ffff"),
        )
        return [key for (key,) in rows]

    def delete_object(self, bucket: str, key: str) -> None:
        before = self._digest_of(bucket, key)
        if before is not None:
            self.connection.execute("DELETE FROM objects WHERE bucket=? AND key=?", (bucket, key))
            self._drop_blob(before)

    def body(self, digest: str) -> bytes:
        """The bytes of an object; KeyError when the object has been deleted meanwhile."""
        found = self.connection.execute("SELECT body FROM blobs WHERE digest=?", (digest,)).fetchone()
        if found is None:
            raise KeyError(digest)
        return bytes(found[0])

    def _digest_of(self, bucket: str, key: str) -> str | None:
        found = self.connection.execute("SELECT digest FROM objects WHERE bucket=? AND key=?", (bucket, key)).fetchone()
        return None if found is None else str(found[0])

    def _drop_blob(self, digest: str) -> None:
        self.connection.execute(
            "DELETE FROM blobs WHERE digest=? AND NOT EXISTS (SELECT 1 FROM objects WHERE digest=?)", (digest, digest)
        )

    # -- tables and items
    def tables(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(region, name, CreateTable request) of every table."""
        rows = self.connection.execute("SELECT region, name, definition FROM tables ORDER BY region, name")
        return [(region, name, json.loads(definition)) for region, name, definition in rows]

    def add_table(self, region: str, name: str, definition: dict[str, Any]) -> None:
        self.connection.execute("INSERT OR REPLACE INTO tables VALUES (?,?,?)", (region, name, json.dumps(definition)))

    def drop_table(self, region: str, name: str) -> None:
        self.connection.execute("DELETE FROM items WHERE region=? AND name=?", (region, name))
        self.connection.execute("DELETE FROM tables WHERE region=? AND name=?", (region, name))

    def items(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(region, table, item in DynamoDB's typed JSON) of every row."""
        for region, name, item in self.connection.execute("SELECT region, name, item FROM items"):
            yield region, name, json.loads(item)

    def put_item(self, region: str, name: str, key: tuple[str, str], item: dict[str, Any]) -> None:
        self.connection.execute(
            "INSERT OR REPLACE INTO items VALUES (?,?,?,?,?)", (region, name, *key, json.dumps(item))
        )

    def item_text(self, region: str, name: str, key: tuple[str, str]) -> str | None:
        """The row as typed JSON text, or None."""
        found = self.connection.execute(
            "SELECT item FROM items WHERE region=? AND name=? AND hash=? AND range=?", (region, name, *key)
        ).fetchone()
        return None if found is None else str(found[0])

    def typed_items(self, region: str, name: str, kind: str, since: str, after: tuple[str, str, str]) -> Iterator[str]:
        """Rows of an ItemType as typed JSON texts, by InitialEventTime (`since` or later), hash and range key.

        `after`: these three of the row before the first one wanted.
        """
        rows = self.connection.execute(
            "SELECT item FROM items WHERE region=? AND name=? AND json_extract(item, '$.ItemType.S')=?"
            " AND json_extract(item, '$.InitialEventTime.S')>=?"
            " AND (json_extract(item, '$.InitialEventTime.S'), hash, range)>(?,?,?)"
            " ORDER BY json_extract(item, '$.InitialEventTime.S'), hash, range",
            (region, name, kind, since, *after),
        )
        return (str(text) for (text,) in rows)

    def delete_item(self, region: str, name: str, key: tuple[str, str]) -> None:
        self.connection.execute(
            "DELETE FROM items WHERE region=? AND name=? AND hash=? AND range=?", (region, name, *key)
        )

    # -- stacks
    def stacks(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(region, name, document) of every stack."""
        rows = self.connection.execute("SELECT region, name, document FROM stacks ORDER BY region, name")
        return [(region, name, json.loads(document)) for region, name, document in rows]

    def put_stack(self, region: str, name: str, document: dict[str, Any]) -> None:
        self.connection.execute("INSERT OR REPLACE INTO stacks VALUES (?,?,?)", (region, name, json.dumps(document)))

    def drop_stack(self, region: str, name: str) -> None:
        self.connection.execute("DELETE FROM stacks WHERE region=? AND name=?", (region, name))

    # -- queued work, and what became of it
    def enqueue(self, kind: str, document: dict[str, Any]) -> int:
        """Add work; it stays until `dequeue`, over any number of server lives."""
        cursor = self.connection.execute(
            "INSERT INTO queue (kind, document) VALUES (?,?)", (kind, json.dumps(document))
        )
        return int(cursor.lastrowid or 0)

    def requeue(self, number: int, document: dict[str, Any]) -> None:
        self.connection.execute("UPDATE queue SET document=? WHERE id=?", (json.dumps(document), number))

    def dequeue(self, number: int) -> None:
        self.connection.execute("DELETE FROM queue WHERE id=?", (number,))

    def queue(self) -> list[tuple[int, str, dict[str, Any]]]:
        """(number, kind, document) of all work that is not finished, oldest first."""
        rows = self.connection.execute("SELECT id, kind, document FROM queue ORDER BY id")
        return [(number, kind, json.loads(document)) for number, kind, document in rows]

    def record_finished(self, key: str, status: str) -> None:
        self.connection.execute("INSERT INTO finished (key, status) VALUES (?,?)", (key, status))

    def record_invoke(self, document: dict[str, Any]) -> None:
        self.connection.execute("INSERT INTO invokes (document) VALUES (?)", (json.dumps(document),))


def read_log(path: Path) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """(invocations, finished documents as (key, status)) of a stack's file, served or not; empty without a file."""
    if not path.exists():
        return [], []
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        invokes = [json.loads(text) for (text,) in connection.execute("SELECT document FROM invokes ORDER BY id")]
        finished = [(key, status) for key, status in connection.execute("SELECT key, status FROM finished ORDER BY id")]
        return invokes, finished
    finally:
        connection.close()
