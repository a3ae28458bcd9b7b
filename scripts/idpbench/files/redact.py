"""What never leaves this machine in the clear: account numbers, ARNs, credentials. Everything here is idempotent.

An account becomes `account-` and six hex digits of a digest: about sixty thousand of all possible numbers share a
label, so that nobody can work the number out, and two accounts still hardly ever get the same one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from typing import Any, TextIO

from idpbench.files.canonical import digest

_ACCOUNT = re.compile(r"[0-9]{12}")
LABEL = re.compile(r"account-[0-9a-f]{6}")
_ARN = re.compile(r"arn:aws[a-z-]*:([a-z0-9-]*):[a-z0-9-]*:([0-9]{12}|aws|):[^\s\"'<>\\,;)\]}]+")
_KEY_ID = re.compile(r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{12,}\b")
# `aws_secret_access_key = ...`, `X-Amz-Signature=...`, `"SessionToken": "..."`: the name stays, the value goes
_NAMED = re.compile(
    r"(?i)((?:aws_?)?(?:secret_?access_?key|session_?token|security_?token)|x-amz-(?:signature|credential|security-token)"
    r"|\bsignature|\bcredential)(\"?\s*[=:]\s*\"?)(?!\[redacted)([A-Za-z0-9/+=%_.-]{8,})"
)
_BARE = re.compile(r"(?<![0-9A-Za-z_.#])[0-9]{12}(?![0-9A-Za-z_]|\.[0-9])")
SECRET_VARIABLES = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID")


def account(number: str) -> str:
    """The label of an account's twelve digits; anything else, a label too, stays as it is."""
    return f"account-{digest(['aws account', number])[:6]}" if _ACCOUNT.fullmatch(number) else number


def text(told: str, accounts: Collection[str] = ()) -> str:
    """`told` without ARNs, credentials and the named `accounts`; other numbers of twelve digits stay."""
    if "arn:" in told:
        told = _ARN.sub(_spoken_arn, told)
    told = _NAMED.sub(r"\1\2[redacted]", told)
    told = _KEY_ID.sub("[redacted access key]", told)
    for number in accounts:
        if number in told:
            told = re.sub(rf"(?<![0-9]){number}(?![0-9])", account(number), told)
    return told


def log(told: str, environment: Mapping[str, str] = os.environ) -> str:
    """As `text`, for a log or a screen: any number of twelve digits is taken for an account, and no value of the
    environment's credentials is left."""
    for name in SECRET_VARIABLES:
        if len(value := environment.get(name, "")) >= 12:
            told = told.replace(value, "[redacted]")
    return _BARE.sub(lambda match: account(match[0]), text(told))


def tree(value: Any, accounts: Collection[str] = ()) -> Any:
    """`text` over every string of plain JSON, keys too."""
    if isinstance(value, str):
        return text(value, accounts)
    if isinstance(value, Mapping):
        return {text(name, accounts): tree(inner, accounts) for name, inner in value.items()}
    if isinstance(value, list):
        return [tree(inner, accounts) for inner in value]
    return value


def accounts_in(value: Any) -> set[str]:
    """The account numbers that the ARNs in plain JSON name."""
    if isinstance(value, str):
        found = {match[2] for match in _ARN.finditer(value)} if "arn:" in value else set()
        return {number for number in found if _ACCOUNT.fullmatch(number)}
    parts = [*value, *value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return set().union(*map(accounts_in, parts))


class Stream:
    """A text stream that lets whole lines through, redacted as by `log`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._rest = ""

    def write(self, told: str) -> int:
        """Write what is whole of it; the rest of a line waits for its end, or for `flush`."""
        whole, end, self._rest = (self._rest + told).rpartition("\n")
        if end:
            self._stream.write(log(whole) + end)
        return len(told)

    def flush(self) -> None:
        """Let a line that has no end yet through."""
        if self._rest:
            self._stream.write(log(self._rest))
            self._rest = ""
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _spoken_arn(match: re.Match[str]) -> str:
    return f"[redacted {match[1]} ARN]" if match[1] else "[redacted ARN]"
