"""One file: is it a result at all, in its stored form, under its own name, of a known suite, and does it add up?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from idpbench.files.canonical import loads
from idpbench.files.errors import Refusal
from idpbench.gold.issues import Issue
from idpbench.gold.result.document import document_digest, file_name, stored
from idpbench.gold.result.schema import Result
from idpbench.gold.result.validate.attempts import check_attempts
from idpbench.gold.result.validate.found import differs, unless
from idpbench.gold.result.validate.members import check_member
from idpbench.gold.result.validate.sums import check_frame, check_sums
from idpbench.gold.secrets import suspicious
from idpbench.gold.suite.manifest import Manifest

MOST_BYTES = 32 * 1024 * 1024


def read_result(data: bytes, name: str, manifests: Mapping[str, Manifest]) -> tuple[Result | None, list[Issue]]:
    """The result in `data`, a file called `name`, and all that is wrong with it; without a shape there is no result.

    Paths of the issues begin with `$`.
    """
    try:
        return _read(data, name, manifests)
    except RecursionError:
        return None, [Issue("JSON", "$", "nested too deeply")]


def _read(data: bytes, name: str, manifests: Mapping[str, Manifest]) -> tuple[Result | None, list[Issue]]:
    if len(data) > MOST_BYTES:
        return None, [Issue("TOO_LARGE", "$", f"{len(data)} bytes, expected at most {MOST_BYTES}")]
    try:
        value = loads(data, "$")
    except (Refusal, ValueError) as refused:  # a number of thousands of digits is a ValueError
        return None, [Issue("JSON", "$", str(refused)[:300])]
    try:
        result = Result.model_validate(value)
    except ValidationError as error:
        return None, [_schema_issue(detail["loc"], detail["msg"]) for detail in error.errors(include_url=False)]
    return result, [*_form(result, value, data, name), *_content(result, manifests)]


def _form(result: Result, value: dict[str, Any], data: bytes, name: str) -> Iterator[Issue]:
    """The bytes themselves: form, digest, name, and nothing that looks like a key."""
    try:
        same = stored(result) == data
        right = document_digest(value)
    except ValueError as error:  # infinities and lone surrogates, which no stored form holds
        yield Issue("STORED_FORM", "$", f"not the stored form: {error}"[:300])
        return
    words = "not the stored form: keys sorted, two spaces, UTF-8, a final line feed"
    yield from unless(same, "$", "STORED_FORM", words)
    yield from differs("$.digest", "DIGEST", result.digest, right)
    yield from differs("$", "FILE_NAME", name, file_name(result))
    for start in suspicious(data.decode("utf-8")):
        yield Issue("SECRET", "$", f"something that looks like a key ({start})")


def _content(result: Result, manifests: Mapping[str, Manifest]) -> Iterator[Issue]:
    manifest = manifests.get(result.suite.suite_id)
    if manifest is None:
        yield Issue("SUITE", "$.suite.suite_id", f"no suite {result.suite.suite_id} is known")
        return
    yield from differs("$.suite.digest", "SUITE", result.suite.digest, manifest.digest)
    yield from check_frame(result, manifest)
    names = [member.member_id for member in result.members]
    expected = [member.member_id for member in manifest.members]
    if names != expected:
        place = next((i for i, pair in enumerate(zip(names, expected, strict=False)) if pair[0] != pair[1]), None)
        where = "$.members" if place is None else f"$.members[{place}].member_id"
        yield Issue("MEMBERS", where, f"{len(names)} members, expected all {len(expected)} of the suite in its order")
        return
    for index, (member, described) in enumerate(zip(result.members, manifest.members, strict=True)):
        path = f"$.members[{index}]"
        yield from check_attempts(member.attempts, result.limits, result.time, f"{path}.attempts")
        yield from check_member(member, described, path)
    yield from check_sums(result, manifest)


def _schema_issue(location: tuple[int | str, ...], message: str) -> Issue:
    path = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return Issue("SCHEMA", path[:300], message.removeprefix("Value error, ")[:300])
