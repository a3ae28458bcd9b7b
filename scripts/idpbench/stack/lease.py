"""One clone at a time on a stack: a row of the tracking table that names its holder and when it ends.

The kernel lock of `ensure.landing_lock` keeps landings of one folder apart; this keeps folders and machines apart. Only
PutItem with a condition, and GetItem, are needed. The row has no ItemType, so that no listing shows it, and
`ExpiresAfter`, so that the table removes it at last. Clocks of the machines may differ by less than `MARGIN`.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from idpbench.files.atomic import write_text
from idpbench.files.canonical import digest
from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.stack import contract
from idpbench.stack.client import Caller, error_code

KEY = "idpbench#lease"
SECONDS = 600.0  # how long a lease outlives a client that was killed
RENEW = 60.0
MARGIN = 360.0  # nothing is launched so shortly before the end of a lease: one call may be tried for five minutes
_KEPT = 7 * 86_400  # the row may go so long after its end


def now_utc() -> float:
    """Seconds since 1970."""
    return datetime.now(UTC).timestamp()


def holder_of(folder: Path) -> str:
    """The name of a working folder, the same every time: the machine's name, and a digest of place and a random part.

    A command that was killed is thus followed by the next one in its folder at once, and by others when it has ended.
    """
    path = folder / "holder"
    try:
        own = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        own = secrets.token_hex(8)
        write_text(path, own + "\n", durable=True)
    return f"{socket.gethostname()}:{digest([str(folder.resolve()), own])[:16]}"  # a copied folder is another


@dataclass
class Lease:
    """The right to launch on a stack, held by `holder` until `ends` (seconds since 1970)."""

    client: Caller
    table: str
    stack: str
    holder: str
    seconds: float = SECONDS
    now: Callable[[], float] = now_utc
    ends: float = 0.0
    lost: str | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> Lease:
        """Take it, and keep it renewed in the background; held by another folder, a Refusal that names it."""
        self._put()
        threading.Thread(target=self._keep, daemon=True).start()
        return self

    def check(self) -> None:
        """Refuse to go on with a lease that is lost, or that has been renewed too long ago to be sure of."""
        if self.lost is None and self.now() > self.ends - self.seconds + RENEW:
            self._renew()
        if self.lost is None and self.now() > self.ends - MARGIN:
            self.lost = "it could not be renewed in time"
        if self.lost is not None:
            raise Refusal(
                f"stack {self.stack}: this folder no longer holds the lease on it ({self.lost}); nothing more is"
                " launched; run the same command again",
                INCOMPLETE,
            )

    def release(self) -> None:
        """Give it up, if it is still ours; a stack that cannot be asked forgets it by itself."""
        self._stop.set()
        with self._lock:
            if self.ends > self.now() and self.lost is None:
                with contextlib.suppress(ClientError, BotoCoreError, Refusal):
                    self._write(self.now())
            self.ends = 0.0

    def _keep(self) -> None:
        while not self._stop.wait(RENEW):
            self._renew()

    def _renew(self) -> None:
        """Renew it; another's is lost for good, a stack that cannot be asked is asked again later."""
        try:
            self._put()
        except Refusal as refusal:
            self.lost = str(refusal)
        except (ClientError, BotoCoreError):
            pass

    def _put(self) -> None:
        with self._lock:
            if self._stop.is_set():
                return
            ends = self.now() + self.seconds
            try:
                self._write(ends)
            except ClientError as error:
                if error_code(error) != "ConditionalCheckFailedException":
                    raise
                raise self._refusal() from None
            self.ends = ends

    def _write(self, ends: float) -> None:
        self.client.call(
            "dynamodb",
            "put_item",
            TableName=self.table,
            Item={
                **contract.row_key(KEY, contract.METADATA_SORT),
                "Holder": {"S": self.holder},
                "Process": {"N": str(os.getpid())},
                "Ends": {"N": f"{ends:.3f}"},
                "ExpiresAfter": {"N": str(int(ends) + _KEPT)},
            },
            ConditionExpression="attribute_not_exists(PK) OR #holder = :holder OR #ends < :now",
            ExpressionAttributeNames={"#holder": "Holder", "#ends": "Ends"},
            ExpressionAttributeValues={":holder": {"S": self.holder}, ":now": {"N": f"{self.now():.3f}"}},
        )

    def _refusal(self) -> Refusal:
        item: dict[str, Any] = self.client.call(
            "dynamodb",
            "get_item",
            TableName=self.table,
            Key=contract.row_key(KEY, contract.METADATA_SORT),
            ConsistentRead=True,
        ).get("Item", {})
        machine = item.get("Holder", {}).get("S", "?").partition(":")[0]
        process = item.get("Process", {}).get("N", "?")
        left = max(0.0, float(item.get("Ends", {}).get("N", "0")) - self.now())
        return Refusal(
            f"stack {self.stack}: another folder is launching on it (machine {machine}, process {process}); wait for"
            f" it, or, if it was killed, {left / 60:.0f} minutes until its lease ends, then run the same command again",
            INCOMPLETE,
        )
