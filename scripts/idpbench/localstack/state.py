"""What the stack holds, twice: in moto's memory, which answers the APIs, and in the store, which survives.

Every change goes through one lock, to moto first and to the store in the same transaction; a start reads the store
back into moto. Bodies of objects stay in the store and are read when asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.s3.models import FakeBucket, FakeDeleteMarker, FakeKey, FakeMultipart, S3Backend, s3_backends

from idpbench.localstack.attributes import decode_row, encode_row, wire
from idpbench.localstack.store import Store, StoredObject

ACCOUNT = "123456789012"
_MODIFIED = "%Y-%m-%dT%H:%M:%S.%f"


class _Forgetful(list[Any]):
    """moto keeps every instance of its models for its own resets; a server that lives would keep every row version."""

    def append(self, _: Any) -> None:
        pass


for _model in (Item, FakeKey, FakeMultipart, FakeDeleteMarker):
    setattr(_model, "instances_tracked", _Forgetful())  # noqa: B010 (set by a metaclass that type checkers cannot see)


class StoredKey(FakeKey):
    """A moto object whose bytes lie in the store."""

    def __init__(self, stored: StoredObject, store: Store, lock: threading.RLock) -> None:
        self._store = store
        self._digest = stored.digest
        self._guard = lock
        super().__init__(
            name=stored.key,
            bucket_name=stored.bucket,
            value=b"",
            account_id=ACCOUNT,
            region_name="aws",
            etag=stored.etag,
            version_id="null",
        )
        self.contentsize = stored.size
        self.last_modified = datetime.strptime(stored.modified, _MODIFIED)
        self._metadata.update(stored.metadata)

    @property
    def value(self) -> bytes:
        with self._guard:
            return self._store.body(self._digest)

    @value.setter
    def value(self, _: bytes) -> None:
        self.contentsize = 0


setattr(StoredKey, "instances_tracked", _Forgetful())  # noqa: B010


class Refused(Exception):
    """A request that is refused by a check, before the first write of its transaction."""


class State:
    """Rows, objects, buckets and tables of the stack, by name. Methods that write need `transaction()` around them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.RLock()
        self._after_commit: list[Callable[[], None]] = []
        self._load()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """The one lock, and everything written inside on the disk together.

        Whatever fails inside leaves the disk as it was; moto's memory, which cannot be rolled back, is then read from
        the disk again (not after `Refused`, which comes before any write).
        """
        with self.lock:
            try:
                with self.store.transaction():
                    yield
            except BaseException as error:
                if not self.store.busy:
                    self._after_commit.clear()
                    if not isinstance(error, Refused):
                        self._load()
                raise
            if not self.store.busy:
                while self._after_commit:
                    self._after_commit.pop(0)()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Have `action` run, still under the lock, once the open transaction is on the disk; never if it fails."""
        self._after_commit.append(action)

    # -- objects
    def s3(self) -> S3Backend:
        return s3_backends[ACCOUNT]["aws"]

    def bucket(self, name: str) -> FakeBucket:
        return self.s3().buckets[name]

    def create_bucket(self, name: str, region: str) -> None:
        bucket = self.s3().create_bucket(name, region)
        self.store.add_bucket(name, region, bucket.creation_date.isoformat())

    def drop_bucket(self, name: str) -> None:
        """Remove a bucket and all that is in it."""
        if name in self.s3().buckets:
            self.bucket(name).keys.clear()
            self.s3().delete_bucket(name)
        self.store.drop_bucket(name)

    def put_object(
        self, bucket: str, key: str, body: bytes, metadata: Mapping[str, str] | None = None, content_type: str = ""
    ) -> None:
        """Write one object; `metadata` is user metadata."""
        headers = {f"x-amz-meta-{name}": value for name, value in (metadata or {}).items()}
        headers["Content-Type"] = content_type or "binary/octet-stream"
        made = FakeKey(name=key, bucket_name=bucket, value=body, account_id=ACCOUNT, region_name="aws")
        made.set_metadata(headers)
        self._keep(bucket, made)

    def copy_object(self, bucket: str, key: str, to_bucket: str, to_key: str, metadata: Mapping[str, str]) -> None:
        """Copy an object with new user metadata; the bytes are not touched. KeyError if there is none."""
        found = self._key(bucket, key)
        kept = {name: value for name, value in found.metadata.items() if not name.lower().startswith("x-amz-meta-")}
        stored = StoredObject(
            to_bucket,
            to_key,
            found._digest,
            found.contentsize,
            found.etag.strip('"'),
            now().strftime(_MODIFIED),
            kept | {f"x-amz-meta-{name}": value for name, value in metadata.items()},
        )
        self.store.link_object(stored)
        self.bucket(to_bucket).keys.setlist(to_key, [StoredKey(stored, self.store, self.lock)])

    def read_object(self, bucket: str, key: str) -> bytes:
        """The bytes of an object; KeyError if there is none."""
        return bytes(self._key(bucket, key).value)

    def whole_object(self, bucket: str, key: str) -> tuple[dict[str, str], bytes] | None:
        """(headers as S3 gives them back, bytes) of an object; None where there is none."""
        held = self.s3().buckets.get(bucket)
        found = None if held is None else held.keys.get(key)
        if not isinstance(found, StoredKey):
            return None
        return {**found.metadata, **found.response_dict, "accept-ranges": "bytes"}, found.value

    def object_metadata(self, bucket: str, key: str) -> dict[str, str]:
        """User metadata of an object, names in lower case; KeyError if there is none."""
        prefix = "x-amz-meta-"
        return {
            name.lower().removeprefix(prefix): value
            for name, value in self._key(bucket, key).metadata.items()
            if name.lower().startswith(prefix)
        }

    def object_digest(self, bucket: str, key: str) -> str:
        return str(self._key(bucket, key)._digest)

    def list_keys(self, bucket: str, prefix: str) -> list[str]:
        return self.store.keys(bucket, prefix)

    @contextmanager
    def narrowed(self, name: str, prefix: str) -> Iterator[None]:
        """Show moto only a bucket's keys with that prefix: its listing walks over all that the bucket holds."""
        bucket = self.s3().buckets.get(name)
        if bucket is None or not prefix:
            yield
            return
        whole = bucket.keys
        part = type(whole)()
        for key in self.store.keys(name, prefix):
            dict.__setitem__(part, key, whole.getlist(key))
        bucket.keys = part
        try:
            yield
        finally:
            bucket.keys = whole

    def delete_object(self, bucket: str, key: str) -> None:
        self.s3().delete_object(bucket, key)
        self.store.delete_object(bucket, key)

    def object_changed(self, bucket: str, key: str) -> bool:
        """Bring the store to what moto now holds under `key`, after a request that moto carried out; True if it is."""
        if bucket not in self.s3().buckets:
            return False
        found = self.bucket(bucket).keys.get(key)
        if not isinstance(found, FakeKey):
            self.store.delete_object(bucket, key)
            return False
        self._keep(bucket, found)
        return True

    def _key(self, bucket: str, key: str) -> Any:
        found = self.bucket(bucket).keys.get(key)
        if not isinstance(found, FakeKey):
            raise KeyError(f"s3://{bucket}/{key}")
        return found

    def _keep(self, bucket: str, made: FakeKey) -> None:
        stored = self.store.put_object(
            bucket,
            made.name,
            made.value,
            made.etag.strip('"'),
            made.last_modified.strftime(_MODIFIED),
            dict(made.metadata.items()),
        )
        self.bucket(bucket).keys.setlist(made.name, [StoredKey(stored, self.store, self.lock)])

    # -- rows
    def dynamodb(self, region: str) -> DynamoDBBackend:
        return dynamodb_backends[ACCOUNT][region]

    def create_table(self, region: str, definition: Mapping[str, Any]) -> None:
        """Make a table from a CreateTable request."""
        self._make_table(region, definition)
        self.store.add_table(region, str(definition["TableName"]), dict(definition))

    def drop_table(self, region: str, name: str) -> None:
        self.dynamodb(region).tables.pop(name, None)
        self.store.drop_table(region, name)

    def row(self, region: str, table: str, *key: str) -> dict[str, Any] | None:
        """A row as plain values, by hash key and, where the table has one, range key."""
        item = self._item(region, table, key)
        return None if item is None else decode_row(_attributes(item))

    def put_row(self, region: str, table: str, row: Mapping[str, Any], *, only_if_new: bool = False) -> bool:
        """Write a whole row; with `only_if_new`, False and nothing written where its key exists."""
        attributes = encode_row({name: value for name, value in row.items() if value is not None})
        held = self.dynamodb(region).get_table(table)
        if only_if_new and self._item(region, table, _plain_key(held, attributes)) is not None:
            return False
        _place(held, attributes)
        self.store.put_item(region, table, _text_key(held, attributes), attributes)
        return True

    def update_row(self, region: str, table: str, key: tuple[str, ...], changes: Mapping[str, Any]) -> bool:
        """Set attributes of a row that exists (None removes one); False where it does not."""
        item = self._item(region, table, key)
        if item is None:
            return False
        attributes = _attributes(item)
        for name in changes:
            attributes.pop(name, None)  # written again below, so that large attributes end up last
        attributes |= encode_row({name: value for name, value in changes.items() if value is not None})
        held = self.dynamodb(region).get_table(table)
        _place(held, attributes)
        self.store.put_item(region, table, _text_key(held, attributes), attributes)
        return True

    def delete_row(self, region: str, table: str, *key: str) -> None:
        held = self.dynamodb(region).get_table(table)
        typed = [DynamoType({"S": part}) for part in key]
        held.delete_item(typed[0], typed[1] if len(typed) > 1 else None)
        self.store.delete_item(region, table, (key[0], key[1] if len(key) > 1 else ""))

    def rows(self, region: str, table: str) -> list[dict[str, Any]]:
        """Every row of a table, for the small ones."""
        return [decode_row(_attributes(item)) for item in self.dynamodb(region).get_table(table).all_items()]

    def item_changed(self, region: str, table: str, attributes: Mapping[str, Any]) -> None:
        """Bring the store to what moto now holds under the key that stands among `attributes`."""
        held = self.dynamodb(region).get_table(table)
        typed = [DynamoType(attributes[name]) for name in held.table_key_attrs]
        item = held.get_item(typed[0], typed[1] if len(typed) > 1 else None)
        key = _text_key(held, attributes)
        if item is None:
            self.store.delete_item(region, held.name, key)
        else:
            self.store.put_item(region, held.name, key, _attributes(item))

    def _item(self, region: str, table: str, key: tuple[str, ...]) -> Item | None:
        held = self.dynamodb(region).get_table(table)
        typed = [DynamoType({"S": part}) for part in key]
        return held.get_item(typed[0], typed[1] if len(typed) > 1 else None)

    def _make_table(self, region: str, definition: Mapping[str, Any]) -> None:
        self.dynamodb(region).create_table(
            definition["TableName"],
            schema=definition["KeySchema"],
            throughput=definition.get("ProvisionedThroughput"),
            attr=definition["AttributeDefinitions"],
            global_indexes=definition.get("GlobalSecondaryIndexes") or [],
            indexes=definition.get("LocalSecondaryIndexes") or [],
            streams=None,
            billing_mode=definition.get("BillingMode", "PROVISIONED"),
            sse_specification=None,
            tags=definition.get("Tags", []),
            deletion_protection_enabled=False,
            warm_throughput=None,
        )

    # -- start
    def _load(self) -> None:
        s3_backends.bucket_accounts.clear()
        self.s3().buckets.clear()
        for backend in dynamodb_backends[ACCOUNT].values():
            backend.tables.clear()
        for name, region, created in self.store.buckets():
            self.s3().create_bucket(name, region).creation_date = datetime.fromisoformat(created)
        for stored in self.store.objects():
            dict.__setitem__(self.bucket(stored.bucket).keys, stored.key, [StoredKey(stored, self.store, self.lock)])
        for region, _, definition in self.store.tables():
            self._make_table(region, definition)
        for region, table, item in self.store.items():
            _place(self.dynamodb(region).get_table(table), item)


def now() -> datetime:
    """The clock of every timestamp that the stack writes."""
    return datetime.now(UTC)


def _attributes(item: Item) -> dict[str, Any]:
    """A row as typed JSON."""
    found: dict[str, Any] = wire(item.to_json()["Attributes"])
    return found


def _place(table: Any, attributes: Mapping[str, Any]) -> None:
    """Put a row that is known to be well-formed, without moto's checks, which take most of a millisecond."""
    typed = [DynamoType(attributes[name]) for name in table.table_key_attrs]
    item = Item(typed[0], typed[1] if len(typed) > 1 else None, {})
    for name, value in attributes.items():
        dict.__setitem__(item.attrs, name, DynamoType(value))
    if len(typed) > 1:
        table.items[typed[0]][typed[1]] = item
    else:
        table.items[typed[0]] = item


def _plain_key(table: Any, attributes: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(next(iter(attributes[name].values()))) for name in table.table_key_attrs)


def _text_key(table: Any, attributes: Mapping[str, Any]) -> tuple[str, str]:
    parts = _plain_key(table, attributes)
    return parts[0], parts[1] if len(parts) > 1 else ""
