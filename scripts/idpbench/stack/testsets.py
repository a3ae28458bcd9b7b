"""Test sets: one per document and cell, so that no launch waits for another's second.

Its name holds a digest of what is in it, so a set once made is never changed. The row says READY only after every
object was asked for and answered with the size that was sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.stack.client import Caller, error_code, status_of
from idpbench.stack.contract import METADATA_SORT, TEST_SET_ROW, baseline_path, input_path, test_set_key
from idpbench.stack.discover import Resources
from idpbench.stack.journal import utc_now

OWNER = "idpbench:"
READY = "READY"


@dataclass(frozen=True)
class TestDocument:
    """One PDF of a test set; `sha256` as the run key has it; `baseline`: section number -> result.json on our disk."""

    __test__ = False  # not a test, whatever its name says to a test runner

    name: str
    path: Path
    sha256: str
    baseline: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True)
class TestSet:
    """A test set as it is to be on the stack; `digest` names its content."""

    __test__ = False

    name: str
    digest: str
    documents: tuple[TestDocument, ...]


def register(client: Caller, resources: Resources, sets: Iterable[TestSet]) -> int:
    """Make each set exist and READY; how many were written. A set of the name that is not ours is a Refusal."""
    written = 0
    contents: dict[Path, bytes] = {}
    for one in sets:
        if _ready(client, resources, one):
            continue
        for document in one.documents:
            if document.path not in contents:
                contents[document.path] = _content(document)
            _store(client, resources, input_path(one.name, document.name), contents[document.path])
            for section, path in document.baseline:
                _store(client, resources, baseline_path(one.name, document.name, section), path.read_bytes())
        client.call("dynamodb", "put_item", TableName=resources.tracking_table, Item=_item(one))
        written += 1
    return written


def _ready(client: Caller, resources: Resources, wanted: TestSet) -> bool:
    item = client.call(
        "dynamodb",
        "get_item",
        TableName=resources.tracking_table,
        Key=test_set_key(wanted.name),
        ConsistentRead=True,
    ).get("Item")
    if item is None:
        return False
    owner = item.get("description", {}).get("S", "")
    if owner != OWNER + wanted.digest:
        raise Refusal(
            f"test set {wanted.name}: found one that is not ours (description {owner!r}); it is left alone; rename or"
            " delete it on the stack",
            INCOMPLETE,
        )
    return bool(item.get("status", {}).get("S") == READY) and all(
        _size(client, resources, input_path(wanted.name, document.name)) == document.path.stat().st_size
        for document in wanted.documents
    )


def _content(document: TestDocument) -> bytes:
    try:
        data = document.path.read_bytes()
    except FileNotFoundError:
        raise bad_input(
            document.path, "", "no such file", "the document of the plan", "generate the corpus again"
        ) from None
    if bytes_digest(data) != document.sha256:
        raise bad_input(
            document.path,
            "sha256",
            bytes_digest(data)[:12] + "...",
            document.sha256[:12] + "... (the plan's)",
            "generate the corpus again; nothing was launched",
        )
    return data


def _store(client: Caller, resources: Resources, key: str, data: bytes) -> None:
    bucket = resources.testset_bucket
    client.call("s3", "put_object", Bucket=bucket, Key=key, Body=data, ContentType=_media_type(key))
    size = _size(client, resources, key)
    if size != len(data):
        raise Refusal(
            f"s3://{bucket}/{key}: found {size} bytes after writing {len(data)}; nothing was launched with it;"
            " check the bucket and run the command again",
            INCOMPLETE,
        )


def _size(client: Caller, resources: Resources, key: str) -> int | None:
    try:
        return int(client.call("s3", "head_object", Bucket=resources.testset_bucket, Key=key)["ContentLength"])
    except ClientError as error:
        if error_code(error) in ("404", "NoSuchKey", "NotFound") or status_of(error) == 404:
            return None
        raise


def _media_type(key: str) -> str:
    return "application/json" if key.endswith(".json") else "application/pdf"


def _item(one: TestSet) -> dict[str, Any]:
    at = utc_now()
    return {
        "PK": {"S": TEST_SET_ROW + one.name},
        "SK": {"S": METADATA_SORT},
        "ItemType": {"S": "testset"},
        "id": {"S": one.name},
        "name": {"S": one.name},
        "filePattern": {"S": f"{one.name}/input/"},
        "fileCount": {"N": str(len(one.documents))},
        "status": {"S": READY},
        "description": {"S": OWNER + one.digest},
        "createdAt": {"S": at},
        "InitialEventTime": {"S": at},
    }
