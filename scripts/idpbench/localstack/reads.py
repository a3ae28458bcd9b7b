"""GetItem, BatchGetItem, the Query by type and GetObject in their plain forms, answered from the store.

Polling and collecting are the stack's most frequent requests. Moto takes about ten milliseconds for each full row that
it returns and three for an object; a Query makes it go through every row of the table. Whatever is not plain (nested
projections, ranges, conditions, older parameters, mistakes) is left to moto, and so are its errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from idpbench.localstack.capture import S3Request
from idpbench.localstack.state import State

MOST_KEYS = 100
_NAMES = re.compile(r"^[#A-Za-z0-9_]+(\s*,\s*[#A-Za-z0-9_]+)*$")
_CONDITIONS = (
    "HTTP_RANGE",
    "HTTP_IF_MATCH",
    "HTTP_IF_NONE_MATCH",
    "HTTP_IF_MODIFIED_SINCE",
    "HTTP_IF_UNMODIFIED_SINCE",
)
_KNOWN_GET = frozenset(("TableName", "Key", "ConsistentRead", "ProjectionExpression", "ExpressionAttributeNames"))
_KNOWN_QUERY = frozenset(
    ("TableName", "IndexName", "KeyConditionExpression", "ExpressionAttributeValues", "ExclusiveStartKey")
)
_BY_TYPE = re.compile(r"\s*ItemType\s*=\s*(:\w+)(?:\s+AND\s+InitialEventTime\s*>=\s*(:\w+))?\s*")
_TYPE_SCHEMA = ["ItemType", "InitialEventTime"]
PAGE = 1_000_000  # characters of projected rows on one page of a Query, about the service's 1 MB
_KNOWN_BATCH = frozenset(("Keys", "ConsistentRead", "ProjectionExpression", "ExpressionAttributeNames"))


def answer(state: State, region: str, operation: str, request: Mapping[str, Any]) -> str | None:
    """The JSON answer, or None where moto is to answer. Called under the state's lock."""
    if operation == "GetItem" and request.keys() <= _KNOWN_GET:
        found = _rows(state, region, str(request.get("TableName")), [request.get("Key")], request)
        if found is None:
            return None
        return f'{{"Item":{found[0]}}}' if found else "{}"
    if operation == "Query" and request.keys() <= _KNOWN_QUERY:
        return _by_type(state, region, request)
    if operation == "BatchGetItem" and request.keys() == {"RequestItems"}:
        return _batch(state, region, request["RequestItems"])
    return None


def object_answer(state: State, request: S3Request, environ: Mapping[str, Any]) -> tuple[dict[str, str], bytes] | None:
    """(headers, body) of a GetObject of a whole object that exists, else None. Called under the state's lock."""
    if request.method != "GET" or not request.key or request.query or any(name in environ for name in _CONDITIONS):
        return None
    return state.whole_object(request.bucket, request.key)


def _batch(state: State, region: str, asked: Any) -> str | None:
    if not isinstance(asked, dict) or not all(isinstance(one, dict) for one in asked.values()):
        return None
    if sum(len(one.get("Keys", ())) for one in asked.values()) > MOST_KEYS:
        return None
    parts = []
    for table, one in asked.items():
        if not one.keys() <= _KNOWN_BATCH:
            return None
        found = _rows(state, region, table, one.get("Keys", []), one)
        if found is None:
            return None
        parts.append(f"{json.dumps(table)}:[{','.join(found)}]")
    return f'{{"Responses":{{{",".join(parts)}}},"UnprocessedKeys":{{}}}}'


def _by_type(state: State, region: str, request: Mapping[str, Any]) -> str | None:
    """A page of the rows of one ItemType, oldest first, projected as the index is; None where moto is to answer."""
    held = state.dynamodb(region).tables.get(str(request.get("TableName")))
    if held is None:
        return None
    index = next((one for one in held.global_indexes if one.name == request.get("IndexName")), None)
    asked = _BY_TYPE.fullmatch(str(request.get("KeyConditionExpression")))
    if index is None or index.schema_key_attrs != _TYPE_SCHEMA or asked is None:
        return None
    shown = {*held.table_key_attrs, *_TYPE_SCHEMA, *index.projection.get("NonKeyAttributes", ())}
    try:
        values = request["ExpressionAttributeValues"]
        kind, since = values[asked[1]]["S"], values[asked[2]]["S"] if asked[2] else ""
        start = request.get("ExclusiveStartKey")
        keys = ("InitialEventTime", *held.table_key_attrs)
        after = ("", "", "") if start is None else tuple(start[name]["S"] for name in keys)
    except (KeyError, TypeError):
        return None
    found: list[str] = []
    size, last = 0, None
    for text in state.store.typed_items(region, held.name, kind, since, after):
        if size > PAGE:
            before = json.loads(found[-1])
            last = {name: before[name] for name in (*held.table_key_attrs, *_TYPE_SCHEMA)}
            break
        found.append(json.dumps({name: value for name, value in json.loads(text).items() if name in shown}))
        size += len(found[-1])
    more = f',"LastEvaluatedKey":{json.dumps(last)}' if last else ""
    return f'{{"Items":[{",".join(found)}],"Count":{len(found)},"ScannedCount":{len(found)}{more}}}'


def _rows(state: State, region: str, table: str, keys: list[Any], request: Mapping[str, Any]) -> list[str] | None:
    """Texts of the rows that exist, in the order asked for; None where anything is out of the ordinary."""
    held = state.dynamodb(region).tables.get(table)
    if held is None:
        return None
    wanted = held.table_key_attrs
    pairs = []
    for key in keys:
        if not isinstance(key, dict) or key.keys() != set(wanted):
            return None
        if not all(isinstance(part, dict) and part.keys() == {"S"} for part in key.values()):
            return None
        pairs.append((key[wanted[0]]["S"], key[wanted[1]]["S"] if len(wanted) > 1 else ""))
    if len(set(pairs)) != len(pairs):
        return None
    names = _projection(request)
    if names is not None and not names:
        return None
    texts = [text for pair in pairs if (text := state.store.item_text(region, table, pair)) is not None]
    if names is None:
        return texts
    return [json.dumps({name: value for name, value in json.loads(text).items() if name in names}) for text in texts]


def _projection(request: Mapping[str, Any]) -> frozenset[str] | None:
    """Names of the attributes asked for; None for all of them, an empty set for a projection that is not plain."""
    expression = request.get("ProjectionExpression")
    if expression is None:
        return None
    aliases = request.get("ExpressionAttributeNames") or {}
    if not isinstance(expression, str) or not _NAMES.match(expression.strip()):
        return frozenset()
    names = []
    for part in re.split(r"\s*,\s*", expression.strip()):
        name = aliases.get(part) if part.startswith("#") else part
        if name is None or "#" in name:
            return frozenset()
        names.append(name)
    return frozenset(names)
