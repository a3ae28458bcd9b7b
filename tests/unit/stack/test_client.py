"""One retry layer, and the paid call is never repeated in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError, NoCredentialsError, ReadTimeoutError
from fakes import aws_error

from idpbench.files import retry
from idpbench.files.errors import Refusal
from idpbench.stack.client import READ_TIMEOUT, Client, InDoubt

BUSY = aws_error("ThrottlingException")
BROKEN = aws_error("InternalServerError", 500)
LOST = ReadTimeoutError(endpoint_url="x")
UNREACHED = EndpointConnectionError(endpoint_url="x")


class Service:
    """Answers with the given errors, then with success."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked = 0

    def invoke(self, **_: Any) -> dict[str, Any]:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return {"ok": True}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
    assert retry.call(lambda: 1, retryable=lambda error: True) == 1


def client_of(service: Service) -> Client:
    client = Client("us-west-2")
    client._make = lambda name: service  # type: ignore[method-assign, assignment]
    return client


@pytest.mark.parametrize("error", [BUSY, BROKEN, LOST, UNREACHED, aws_error("x", 429), aws_error("SlowDown", 503)])
def test_a_call_that_may_be_repeated_is(error: Exception) -> None:
    service = Service(error, error)
    assert client_of(service).call("lambda", "invoke") == {"ok": True}
    assert service.asked == 3


@pytest.mark.parametrize("error", [BUSY, UNREACHED, aws_error("TooManyRequestsException", 429)])
def test_the_paid_call_is_repeated_where_it_surely_did_nothing(error: Exception) -> None:
    service = Service(error)
    assert client_of(service).call("lambda", "invoke", once=True) == {"ok": True}


@pytest.mark.parametrize("error", [BROKEN, LOST, aws_error("ServiceException", 502)])
def test_the_paid_call_in_doubt_is_not_repeated(error: Exception) -> None:
    service = Service(error)
    with pytest.raises(InDoubt):
        client_of(service).call("lambda", "invoke", once=True)
    assert service.asked == 1


@pytest.mark.parametrize("error", [NoCredentialsError(), aws_error("ExpiredToken", 403)])
def test_missing_credentials_are_said_at_once(error: Exception) -> None:
    service = Service(error)
    with pytest.raises(Refusal, match="valid credentials"):
        client_of(service).call("lambda", "invoke")
    assert service.asked == 1


def test_calls_are_counted_with_every_attempt() -> None:
    client = client_of(Service(BUSY))
    client.call("lambda", "invoke")
    assert client.calls == {"lambda.invoke": 2}


def test_botocore_has_no_retries_of_its_own() -> None:
    made = Client("us-west-2", endpoint=lambda: "http://127.0.0.1:9")._make("s3")
    assert made.meta.config.retries["total_max_attempts"] == 1
    assert made.meta.endpoint_url == "http://127.0.0.1:9"


def test_the_local_endpoint_is_asked_for_anew_when_nobody_answers() -> None:
    places = iter(["http://127.0.0.1:9", "http://127.0.0.1:10"])
    client = Client("us-west-2", endpoint=lambda: next(places))
    service = Service(UNREACHED)
    made: list[str] = []

    def make(name: str) -> Any:
        made.append(client._endpoint() if client._endpoint else "")
        return service

    client._make = make  # type: ignore[method-assign, assignment]
    client.call("lambda", "invoke")
    assert made == ["http://127.0.0.1:9", "http://127.0.0.1:10"]


def test_throttled_answers_are_counted_apart_from_other_errors() -> None:
    client = client_of(Service(BUSY, BROKEN, aws_error("SlowDown", 503), aws_error("x", 429)))
    client.call("lambda", "invoke")
    assert client.throttled == 3


def test_a_read_without_an_answer_leaves_time_for_another() -> None:
    assert Client("us-west-2")._seconds >= 3 * READ_TIMEOUT
