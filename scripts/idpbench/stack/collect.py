"""Everything a finished run left on the stack, in three states: row, metering, sections, pages, evaluation.

Keys that the stack lists are only ever asked for again, never joined to a local path.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from idpbench.stack import contract
from idpbench.stack.client import Caller, error_code, why, worth_retrying
from idpbench.stack.decode import Reading, absent, failed, json_object, metering, present, row

_SECTION_URI = re.compile(r"/sections/([^/]+)/result\.json$")
MOST_BYTES = 32 * 1024 * 1024  # of one object; a section of 3,200 rows has about one million
MOST_PARTS = 20_000  # sections and pages of one document
LATE = 3  # looks at the listing before a section that the row names counts as missing


def document(
    client: Caller,
    places: tuple[str, str],
    run_id: str,
    name: str,
    sub_document: str | None = None,
    pause: Callable[[], None] = lambda: None,
    patient: bool = False,
) -> dict[str, Any]:
    """One entry of a record's `documents`. `places`: tracking table, output bucket; `pause` waits for late objects.

    A read that fails because a service is busy or broken for the moment is failed like any other; if `patient`, it is
    raised as NotNow instead, since what another look would find should not be written down as unreadable for good.
    """
    table, bucket = places
    told = _Judge(patient)
    item = _item(client, table, run_id, name, told)
    tracking = row(item.value, "no tracking row") if item.state == "present" else item
    named = _sections_of(tracking.value)
    prefix = contract.object_key(run_id, name)
    listing, parts = _listing(client, bucket, prefix, told)
    for _ in range(LATE - 1):
        if listing.state != "present" or named <= {number for kind, number in parts if kind == "sections"}:
            break
        pause()
        listing, parts = _listing(client, bucket, prefix, told)
    sections = [
        _section(client, bucket, parts["sections", number], number, told)
        for number in sorted((number for kind, number in parts if kind == "sections"), key=_by_number)
    ]
    here = {entry["id"] for entry in sections}
    if listing.state == "present":
        sections += [_missing_section(prefix, number) for number in sorted(named - here, key=_by_number)]
    pages = [
        _page(client, bucket, parts["pages", number], number, told)
        for number in sorted((number for kind, number in parts if kind == "pages"), key=_by_number)
    ]
    return {
        "name": name,
        "sub_document": sub_document,
        "tracking": _without_metering(tracking).as_dict("row"),
        "metering": (metering(item.value) if item.state != "failed" else failed(item.reason or "")).as_dict(),
        "sections_listing": listing.as_dict(None),
        "sections": sections,
        "pages": pages,
        "evaluation": _evaluation(client, bucket, prefix, listing, told).as_dict(),
    }


class NotNow(Exception):
    """A service is busy or broken for the moment: ask again later."""


class _Judge:
    """Turns an error of a read into the reading `failed`, or into NotNow where patience may help."""

    def __init__(self, patient: bool) -> None:
        self._patient = patient

    def __call__(self, error: Exception, what: str) -> Reading:
        if self._patient and (worth_retrying(error) or isinstance(error, OSError)):
            raise NotNow(f"{what}: {why(error)}") from error
        return failed(f"{what}: {why(error)}")


def _object_at(client: Caller, bucket: str, key: str, what: str, told: _Judge) -> Reading:
    """A JSON object of the output bucket: no such key is absent, everything else that is not the object is failed."""
    try:
        body = _bounded(client.call("s3", "get_object", Bucket=bucket, Key=key)["Body"])
    except (ClientError, BotoCoreError, OSError) as error:
        return absent(f"{what}: no such object") if error_code(error) == "NoSuchKey" else told(error, what)
    return failed(f"{what} has more than {MOST_BYTES:,} bytes") if body is None else json_object(body, what)


def _bounded(stream: Any) -> bytes | None:
    """What a stream holds; None, and no more of it read, where that is larger than any result."""
    data: bytes = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        stream.close()
        return None
    stream.read(1)  # at its end botocore compares the length with the one that was announced
    return data


def _item(client: Caller, table: str, run_id: str, name: str, told: _Judge) -> Reading:
    """The raw row (DynamoDB attributes), since metering is judged by its stored type."""
    try:
        answer = client.call(
            "dynamodb",
            "get_item",
            TableName=table,
            Key=contract.document_key(run_id, name),
            ConsistentRead=True,
        )
    except (ClientError, BotoCoreError) as error:
        return told(error, "tracking row")
    item = answer.get("Item")
    return absent("no tracking row") if item is None else present(item)


def _without_metering(tracking: Reading) -> Reading:
    """The row as it stands in the record; its metering has a place of its own there."""
    if tracking.state != "present":
        return tracking
    return present({name: value for name, value in tracking.value.items() if name != "Metering"}, tracking.reason)


def _sections_of(tracked: Any) -> set[str]:
    """Ids of the sections that the tracking row names."""
    listed = tracked.get("Sections") if isinstance(tracked, dict) else None
    if not isinstance(listed, list):
        return set()
    places = [str(entry.get("OutputJSONUri") or "") for entry in listed if isinstance(entry, dict)]
    return {match[1] for place in places if (match := _SECTION_URI.search(place))}


def _listing(client: Caller, bucket: str, prefix: str, told: _Judge) -> tuple[Reading, dict[tuple[str, str], str]]:
    """The state of the listing, and (`sections` | `pages`, number) -> key of each result in it."""
    parts: dict[tuple[str, str], str] = {}
    try:
        for entry in client.pages("s3", "list_objects_v2", Bucket=bucket, Prefix=f"{prefix}/"):
            part = contract.part_of(entry["Key"], prefix)
            if part is not None:
                parts[part] = entry["Key"]
            if len(parts) > MOST_PARTS:
                return failed(f"listing: more than {MOST_PARTS:,} sections and pages"), {}
    except (ClientError, BotoCoreError) as error:
        return told(error, "listing"), {}
    return present(None), parts


def _section(client: Caller, bucket: str, key: str, number: str, told: _Judge) -> dict[str, Any]:
    return {"id": number, "key": key, **_object_at(client, bucket, key, f"section {number}", told).as_dict()}


def _missing_section(prefix: str, number: str) -> dict[str, Any]:
    reading = absent(f"section {number}: the tracking row names it, the bucket does not have it")
    return {"id": number, "key": f"{prefix}/sections/{number}/result.json", **reading.as_dict()}


def _page(client: Caller, bucket: str, key: str, number: str, told: _Judge) -> dict[str, Any]:
    reading = _object_at(client, bucket, key, f"page {number}", told)
    if reading.state == "present":
        text = reading.value.get("text")
        reading = present(text) if isinstance(text, str) else failed(f"page {number}: no text in its result")
    return {"id": number, **reading.as_dict("text")}


def _evaluation(client: Caller, bucket: str, prefix: str, listing: Reading, told: _Judge) -> Reading:
    """The stack's own evaluation; where the listing failed it would be no more than a guess."""
    if listing.state != "present":
        return failed(listing.reason or "")
    return _object_at(client, bucket, f"{prefix}/evaluation/results.json", "evaluation", told)


def _by_number(number: str) -> tuple[int, int, str]:
    """1, 2, 10 rather than 1, 10, 2; ids that are no numbers last."""
    return (0, int(number), "") if number.isdecimal() else (1, 0, number)
