"""What an HTTP request changes: told from its method, path and body, so that the store can follow moto."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote
from xml.etree import ElementTree

from idpbench.localstack.state import State

READS = frozenset(
    (
        "GetItem",
        "BatchGetItem",
        "TransactGetItems",
        "Query",
        "Scan",
        "DescribeTable",
        "ListTables",
        "DescribeTimeToLive",
        "DescribeContinuousBackups",
        "DescribeEndpoints",
        "ListTagsOfResource",
    )
)
WRITES = frozenset(
    ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems", "CreateTable", "DeleteTable")
)


@dataclass(frozen=True, slots=True)
class S3Request:
    """An S3 request in path style."""

    method: str
    bucket: str
    key: str
    query: dict[str, list[str]]

    def value(self, name: str) -> str:
        """The first value of a query parameter, or nothing."""
        return self.query.get(name, [""])[0]

    @property
    def operation(self) -> str:
        """The name that faults go by: `GetObject`, `PutObject`, `ListObjects`, ..., else `<METHOD>Bucket`."""
        if self.key:
            return f"{self.method.capitalize()}Object"
        if not self.bucket:
            return "ListBuckets"
        return "ListObjects" if self.method == "GET" else f"{self.method.capitalize()}Bucket"


def s3_request(environ: Mapping[str, Any]) -> S3Request:
    """Bucket, key and query parameters, read from the undecoded path so that odd keys stay whole."""
    path, _, query = str(environ.get("RAW_URI") or environ.get("PATH_INFO", "/")).partition("?")
    bucket, _, key = path.lstrip("/").partition("/")
    values = parse_qs(query, keep_blank_values=True)
    return S3Request(str(environ["REQUEST_METHOD"]), unquote(bucket), unquote(key), values)


def s3_changes(request: S3Request, body: bytes) -> Iterator[tuple[str, str]]:
    """(bucket, key) of the objects that the request may have changed; a part of an upload changes none yet."""
    if request.method not in ("PUT", "POST", "DELETE") or "partNumber" in request.query or "uploads" in request.query:
        return
    if request.key:
        yield request.bucket, request.key
    elif request.method == "POST" and "delete" in request.query:
        for element in ElementTree.fromstring(body).iter():
            if element.tag.rpartition("}")[2] == "Key" and element.text:
                yield request.bucket, element.text


def keep_s3(state: State, request: S3Request, body: bytes) -> list[tuple[str, str]]:
    """Follow an S3 request that moto carried out; the objects that exist after it, among those it may have changed."""
    if request.bucket and not request.key and not request.query:
        if request.method == "PUT":
            made = state.bucket(request.bucket)
            state.store.add_bucket(made.name, made.region_name, made.creation_date.isoformat())
        elif request.method == "DELETE":
            state.store.drop_bucket(request.bucket)
    return [(bucket, key) for bucket, key in s3_changes(request, body) if state.object_changed(bucket, key)]


def keep_dynamodb(state: State, region: str, operation: str, request: Mapping[str, Any]) -> None:
    """Follow a DynamoDB request that moto carried out."""
    if operation == "CreateTable":
        state.store.add_table(region, request["TableName"], dict(request))
    elif operation == "DeleteTable":
        state.store.drop_table(region, request["TableName"])
    else:
        for table, attributes in _touched(operation, request):
            state.item_changed(region, table, attributes)


def _touched(operation: str, request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if operation in ("PutItem", "UpdateItem", "DeleteItem"):
        yield request["TableName"], request.get("Item") or request["Key"]
    elif operation == "BatchWriteItem":
        for table, requests in request["RequestItems"].items():
            for one in requests:
                yield table, one["PutRequest"]["Item"] if "PutRequest" in one else one["DeleteRequest"]["Key"]
    elif operation == "TransactWriteItems":
        for one in request["TransactItems"]:
            for kind in ("Put", "Update", "Delete"):
                if kind in one:
                    yield one[kind]["TableName"], one[kind].get("Item") or one[kind]["Key"]


def dynamodb_operation(environ: Mapping[str, Any]) -> str:
    """`PutItem` of `DynamoDB_20120810.PutItem`."""
    return str(environ.get("HTTP_X_AMZ_TARGET", "")).rpartition(".")[2]


def parse_json(body: bytes) -> dict[str, Any]:
    """A request's JSON body; a body that is none is an empty request, which moto then refuses in its own words."""
    try:
        value = json.loads(body or b"{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
