"""Configurations of a side on the stack: written once under names of their own, read back, and watched for edits.

A configuration lies in the configuration table as `Config#<name>`, gzip-compressed JSON beside a few plain attributes.
Its name ends in a digest of its content, so an existing row of the name either is what we would write or was edited.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from typing import Any

from idpbench.files.canonical import canonical, digest
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.stack.client import Caller
from idpbench.stack.contract import CONFIG_DESCRIBING, CONFIG_FORMAT, CONFIG_ROW, DEFAULT_CONFIG, ITEM_LIMIT, OWN_PREFIX
from idpbench.stack.decode import Undecodable, attribute
from idpbench.stack.journal import utc_now

OWNER = "idpbench:"  # starts the Description of each row that is ours; the digest of the content follows


def packed(configuration: Mapping[str, Any]) -> bytes:
    """The stored form of a configuration: the same content is the same bytes."""
    return gzip.compress(canonical({**configuration, CONFIG_FORMAT: "full"}), mtime=0)


def config_item(name: str, configuration: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The table item of a configuration. Larger than the table takes is a Refusal."""
    data = packed(configuration)
    if len(data) > ITEM_LIMIT - 2_000:
        raise bad_input(
            f"configuration {name}",
            "",
            f"{len(data):,} bytes when compressed",
            f"at most {ITEM_LIMIT:,}",
            "shorten its prompts or split its class",
        )
    return {
        "Configuration": {"S": CONFIG_ROW + name},
        "CreatedAt": {"S": at},
        "UpdatedAt": {"S": at},
        "IsActive": {"BOOL": False},
        "Managed": {"BOOL": False},
        "Description": {"S": OWNER + digest(configuration)},
        "_config_storage": {"S": "compressed"},
        "_compressed_config": {"B": data},
    }


def unpacked(item: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration in a table item, compressed or with its fields inline; Undecodable when it is neither."""
    stored = item.get("_compressed_config")
    if stored is None:
        return {name: attribute(value) for name, value in item.items() if name not in CONFIG_DESCRIBING}
    try:
        content = json.loads(gzip.decompress(bytes(stored["B"])))
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise Undecodable(f"_compressed_config: {error}") from None
    if not isinstance(content, dict):
        raise Undecodable("_compressed_config is not an object")
    content.pop(CONFIG_FORMAT, None)
    return content


def read_config(client: Caller, table: str, name: str) -> dict[str, Any] | None:
    """A configuration as the stack has it (`default`, or one of ours); None when there is none."""
    return read_row(client, table, CONFIG_ROW + name)


def read_row(client: Caller, table: str, key: str) -> dict[str, Any] | None:
    """The content of a row of the configuration table (`Config#default`, `Schema`); None when there is none."""
    item = client.call(
        "dynamodb", "get_item", TableName=table, Key={"Configuration": {"S": key}}, ConsistentRead=True
    ).get("Item")
    return None if item is None else unpacked(item)


def upload(client: Caller, table: str, configurations: Mapping[str, Mapping[str, Any]]) -> int:
    """Write what the stack does not have yet, then read everything back; how many were written.

    A name without our prefix, a row that is not ours, or one of ours with other content is a Refusal before anything
    is written.
    """
    for name in configurations:
        if not name.startswith(OWN_PREFIX) or CONFIG_ROW + name == DEFAULT_CONFIG:
            raise bad_input(f"configuration {name}", "name", name, f"{OWN_PREFIX}...", "let the matrix name it")
    held = _rows(client, table, configurations)
    refuse(_changed(configurations, held))
    fresh = [name for name in configurations if name not in held]
    for name in fresh:
        client.call("dynamodb", "put_item", TableName=table, Item=config_item(name, configurations[name], utc_now()))
    if fresh:
        verify(client, table, {name: configurations[name] for name in fresh})
    return len(fresh)


def verify(client: Caller, table: str, configurations: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse unless the stack has each configuration exactly as meant: asked before every batch of launches."""
    refuse(altered(client, table, configurations))


def altered(client: Caller, table: str, configurations: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Name -> what is wrong with it, of each configuration that the stack does not have exactly as meant."""
    held = _rows(client, table, configurations)
    gone = {name: "found no row; run the command again to write it anew" for name in configurations if name not in held}
    return gone | _changed(configurations, held)


def refuse(troubles: Mapping[str, str], outcome: str = "nothing was launched with it") -> None:
    """Raise the Refusal for configurations that are not as meant; nothing to say, no Refusal. `outcome`: what of it."""
    if troubles:
        told = "; ".join(f"configuration {CONFIG_ROW}{name}: {trouble}" for name, trouble in sorted(troubles.items()))
        raise Refusal(f"{told}; {outcome}", INCOMPLETE)


def _changed(configurations: Mapping[str, Mapping[str, Any]], held: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    troubles = {}
    for name, item in held.items():
        owner = str(item.get("Description", {}).get("S", ""))
        if not owner.startswith(OWNER):
            troubles[name] = (
                f"found a row that is not ours (description {owner!r}), which is left alone; rename or delete it on the"
                " stack"
            )
            continue
        try:
            content: Any = unpacked(item)
        except Undecodable as error:
            content = str(error)
        if content != json.loads(canonical(configurations[name])):
            troubles[name] = (
                f"found {_difference(configurations[name], content)}, expected the content its name stands for: it was"
                " edited on the stack; delete the row there and run the command again"
            )
    return troubles


def _difference(meant: Mapping[str, Any], found: Any) -> str:
    if not isinstance(found, dict):
        return str(found)
    keys = sorted(key for key in {*meant, *found} if meant.get(key) != found.get(key))
    return f"other values under {', '.join(keys) or 'its keys'}"


def _rows(client: Caller, table: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The rows of these names that exist, by name; at most 100 a call, unprocessed keys asked again."""
    keys = [{"Configuration": {"S": CONFIG_ROW + name}} for name in names]
    found: dict[str, dict[str, Any]] = {}
    while keys:
        asked, keys = keys[:100], keys[100:]
        answer = client.call(
            "dynamodb", "batch_get_item", RequestItems={table: {"Keys": asked, "ConsistentRead": True}}
        )
        for item in answer["Responses"].get(table, ()):
            found[item["Configuration"]["S"].removeprefix(CONFIG_ROW)] = item
        keys += answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
    return found
