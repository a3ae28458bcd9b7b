"""The one client: boto3 against AWS, or the same against the local stack's endpoint."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Protocol, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    TokenRetrievalError,
)

from idpbench.files import retry
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input

T = TypeVar("T")

BUSY = frozenset(
    {
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "TooManyRequestsException",
        "RequestThrottled",
        "RequestThrottledException",
        "RequestLimitExceeded",
        "ProvisionedThroughputExceededException",
        "SlowDown",
        "BandwidthLimitExceeded",
        "PriorRequestNotComplete",
    }
)
UNKNOWN_USER = frozenset(
    {
        "ExpiredToken",
        "ExpiredTokenException",
        "InvalidClientTokenId",
        "UnrecognizedClientException",
        "InvalidAccessKeyId",
    }
)
READ_TIMEOUT = 60  # seconds; an Invoke of the test runner, the slowest call, takes a few
_NEVER_SENT = (EndpointConnectionError, ConnectTimeoutError)
_NO_CREDENTIALS = (NoCredentialsError, PartialCredentialsError, ProfileNotFound, NoRegionError, TokenRetrievalError)
# Operation -> (token in the answer, token in the next question, list in the answer)
PAGED = {
    "list_objects_v2": ("NextContinuationToken", "ContinuationToken", "Contents"),
    "list_stack_resources": ("NextToken", "NextToken", "StackResourceSummaries"),
    "describe_stack_events": ("NextToken", "NextToken", "StackEvents"),
    "query": ("LastEvaluatedKey", "ExclusiveStartKey", "Items"),
}


class InDoubt(Exception):
    """A call that may have happened: the answer was lost, not the question."""


class Caller(Protocol):
    """What the rest of this room needs of a client (tests bring their own)."""

    region: str
    throttled: int  # answers so far that said "asked too often", those of repeated attempts included

    def call(self, service: str, operation: str, *, once: bool = False, **parameters: Any) -> dict[str, Any]:
        """One API call, tried again while the service is busy; with `once` only while it surely did nothing."""

    def pages(self, service: str, operation: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Every entry of a listing, all pages of it."""


class Client:
    """Calls by name, counted in `calls`. `endpoint` is asked anew when nobody answers: a local stack may move.

    `seconds`: how long a call is tried again. It outlasts several reads that end without an answer (READ_TIMEOUT).
    """

    def __init__(
        self,
        region: str,
        *,
        profile: str | None = None,
        endpoint: Callable[[], str] | None = None,
        seconds: float = 300.0,
    ) -> None:
        self.region = region
        self.calls: Counter[str] = Counter()
        self.throttled = 0
        self._profile = profile
        self._endpoint = endpoint
        self._seconds = seconds
        self._clients: dict[str, Any] = {}
        self._lock = Lock()

    def call(self, service: str, operation: str, *, once: bool = False, **parameters: Any) -> dict[str, Any]:
        def attempt() -> dict[str, Any]:
            with self._lock:
                self.calls[f"{service}.{operation}"] += 1
            try:
                answer: dict[str, Any] = getattr(self._client(service), operation)(**parameters)
            except EndpointConnectionError:
                self._forget()
                raise
            except ClientError as error:
                if busy(error):
                    with self._lock:
                        self.throttled += 1
                raise
            return answer

        try:
            return retry.call(attempt, retryable=surely_not_done if once else worth_retrying, seconds=self._seconds)
        except _NO_CREDENTIALS as error:
            raise no_access(error) from None
        except ClientError as error:
            code = error_code(error)
            if code in UNKNOWN_USER:
                raise no_access(error) from None
            if once and status_of(error) >= 500:
                raise InDoubt(f"{operation}: {code}") from error
            raise
        except (BotoCoreError, HTTPClientError) as error:
            if isinstance(error, _NEVER_SENT):
                raise Refusal(f"{service}: nobody answers ({error}); is the stack reachable?", INCOMPLETE) from None
            if once:
                raise InDoubt(f"{operation}: {error}") from error
            raise

    def pages(self, service: str, operation: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        token_out, token_in, entries = PAGED[operation]
        while True:
            answer = self.call(service, operation, **parameters)
            yield from answer.get(entries, ())
            token = answer.get(token_out)
            if not token:
                return
            parameters = {**parameters, token_in: token}

    def _client(self, service: str) -> Any:
        with self._lock:
            if service not in self._clients:
                self._clients[service] = self._make(service)
            return self._clients[service]

    def _make(self, service: str) -> Any:
        local = self._endpoint is not None
        emulated = local or bool(os.environ.get("AWS_ENDPOINT_URL"))
        session = boto3.Session(profile_name=self._profile) if self._profile else boto3.Session()
        settings = Config(
            retries={"total_max_attempts": 1},  # files.retry is the only layer
            connect_timeout=5 if local else 10,
            read_timeout=READ_TIMEOUT,
            max_pool_connections=16,
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": "path"} if emulated else None,
            proxies={} if local else None,  # loopback is never behind a proxy
        )
        options: dict[str, Any] = {"region_name": self.region, "config": settings}
        if self._endpoint is not None:
            options |= {
                "endpoint_url": self._endpoint(),
                "aws_access_key_id": "idpbench",
                "aws_secret_access_key": "idpbench",
            }
        return session.client(service, **options)

    def _forget(self) -> None:
        with self._lock:
            self._clients.clear()


def error_code(error: BaseException) -> str:
    """AWS's code of an error, `` where it has none."""
    return str(error.response.get("Error", {}).get("Code", "")) if isinstance(error, ClientError) else ""


def status_of(error: BaseException) -> int:
    """HTTP status of an error, 0 where it has none."""
    if not isinstance(error, ClientError):
        return 0
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def busy(error: BaseException) -> bool:
    """Whether a service says that it is asked too often."""
    return error_code(error) in BUSY or status_of(error) == 429


def worth_retrying(error: BaseException) -> bool:
    """Busy, broken for the moment, or not reached: for calls that may be repeated."""
    if isinstance(error, ClientError):
        return busy(error) or status_of(error) >= 500
    return isinstance(error, (HTTPClientError, EndpointConnectionError, IncompleteReadError))


def surely_not_done(error: BaseException) -> bool:
    """Turned away before it was carried out: for the paid call."""
    return busy(error) or isinstance(error, _NEVER_SENT)


def no_access(error: BaseException) -> Refusal:
    """The Refusal for credentials that are missing or not accepted."""
    return bad_input(
        "AWS credentials", "", str(error), "valid credentials", "set AWS_PROFILE or aws_profile=, or sign in"
    )


def why(error: BaseException) -> str:
    """An error in one line, for the reason of a failed reading: its AWS code first."""
    if isinstance(error, ClientError):
        detail = error.response.get("Error", {})
        return f"{detail.get('Code', 'error')}: {detail.get('Message', '')}".strip(": ")
    return f"{type(error).__name__}: {error}"
