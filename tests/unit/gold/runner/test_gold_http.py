"""The HTTP transport: one request per call, no retry, strict about what comes back, silent about the key."""

from __future__ import annotations

import json
import logging
import socket
import threading
from pathlib import Path

import pytest
from scripted_server import Answer, Script, completion, serving

from idpbench.gold.secrets import Key
from idpbench.gold.suite.manifest import Task, TaskColumn
from idpbench.gold.transport.base import Message, Reply, Request, TransportError
from idpbench.gold.transport.openrouter import MOST_BYTES, OpenRouter
from idpbench.gold.workbook import Workbook
from idpbench.settings.gold import GoldRequest, GoldTransport

KEY = "sk-or-v1-0123456789abcdef-SECRET"
TASK = Task(sheet=None, instruction="Tidy it.", columns=(TaskColumn(name="v", role="value", about="the value"),))
REQUEST = Request("member-1", 1, (Message("system", "s"), Message("user", "u")), Workbook(()), TASK)
PLUGINS = {"plugins": [{"id": "response-healing", "enabled": False}]}
FIELDS = GoldRequest(temperature=0.0, max_tokens=99, response_format=None, provider_options=PLUGINS)


def client(base: str, timeout_s: float = 10.0) -> OpenRouter:
    settings = GoldTransport(base=base, key_variable="SOME_KEY", timeout_s=timeout_s)
    return OpenRouter("maker/model-1", settings, FIELDS, Key(KEY))


def reply_to(script: Script) -> Reply:
    with serving(script) as server:
        return client(server.base).send(REQUEST)


def error_after(script: Script, timeout_s: float = 10.0) -> tuple[TransportError, int]:
    """The error of one send, and how many requests the server saw."""
    with serving(script) as server:
        with pytest.raises(TransportError) as raised:
            client(server.base, timeout_s).send(REQUEST)
        return raised.value, len(server.asked)


def test_a_request_holds_the_messages_and_the_fields_that_are_not_null() -> None:
    with serving(lambda asked, n: completion("{}")) as server:
        client(server.base).send(REQUEST)
        (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "maker/model-1",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
        "temperature": 0.0,
        "max_tokens": 99,
        **PLUGINS,
    }


def test_a_reply_has_text_names_tokens_and_cost() -> None:
    reply = reply_to(lambda asked, n: completion(' {"a": 1} ', finish="length", cost=0.0125, usage=(7, 5, 12)))
    assert (reply.text, reply.finish_reason, reply.returned_id) == (' {"a": 1} ', "length", "maker/model-1:dated")
    assert reply.usage is not None and (reply.usage.prompt, reply.usage.completion, reply.usage.total) == (7, 5, 12)
    assert reply.cost == 0.0125 and reply.response_sha256.startswith("sha256:")


def test_what_a_provider_does_not_report_is_unknown_and_not_zero() -> None:
    assert reply_to(lambda asked, n: completion("{}", cost=None)).cost is None
    silent = reply_to(lambda asked, n: completion("{}", usage=None, finish=None))
    assert (silent.usage, silent.cost, silent.finish_reason) == (None, None, None)


def test_no_content_is_an_empty_reply_and_a_lone_surrogate_is_replaced() -> None:
    assert reply_to(lambda asked, n: completion(None)).text == ""
    assert reply_to(lambda asked, n: completion("a\ud800b")).text == "a�b"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(b'{"error": {"message": "slow down"}}', 429), "HTTP_429"),
        (Answer(b"no such page", 404), "HTTP_404"),
        (Answer(b"", 500), "HTTP_500"),
        (Answer(b"", 302, {"Location": "https://elsewhere.invalid/"}), "HTTP_302"),
        (Answer(b"not JSON"), "BAD_RESPONSE"),
        (Answer(b"[]"), "BAD_RESPONSE"),
        (Answer(b"[" * 200_000), "BAD_RESPONSE"),
        (Answer(b'{"choices": []}'), "BAD_RESPONSE"),
        (Answer(b'{"choices": [{"message": {"content": ["a"]}}]}'), "BAD_RESPONSE"),
        (Answer(b'{"error": {"code": 502, "message": "no provider"}}'), "PROVIDER_ERROR"),
        (Answer(b'{"choices": [{"error": {"message": "broke off"}, "finish_reason": "error"}]}'), "PROVIDER_ERROR"),
        (Answer(b"", drop=True), "BROKEN"),
        (Answer(b" " * (MOST_BYTES + 1)), "TOO_LARGE"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_anything_else_is_an_error_of_one_single_request(answer: Answer, code: str) -> None:
    error, requests = error_after(lambda asked, n: answer)
    assert (error.code, requests) == (code, 1)


def test_a_silent_server_and_a_dripping_one_end_by_the_same_limit() -> None:
    drip = Answer(b" " * 40, pieces=40, pause=0.02)
    assert error_after(lambda asked, n: drip, timeout_s=0.2)[0].code == "TIMEOUT"
    silent = Answer(b"{}", pieces=1, pause=0.0, hold=threading.Event())
    with serving(lambda asked, n: silent) as server:
        with pytest.raises(TransportError) as raised:
            client(server.base, 0.2).send(REQUEST)
        assert silent.hold is not None
        silent.hold.set()
    assert raised.value.code == "TIMEOUT"


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(TransportError) as raised:
        client(base).send(REQUEST)
    assert raised.value.code == "UNREACHABLE"


def test_a_key_that_the_provider_quotes_goes_no_further(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    partly = "sk-or-v1-01234********CRET"
    quoted = json.dumps({"error": {"message": f"wrong key {KEY}, that is {partly}"}}).encode()
    texts = [repr(Key(KEY)), str(Key(KEY)), f"{Key(KEY)!s}"]
    for status in (400, 401, 200):
        error, _ = error_after(lambda asked, n, status=status: Answer(quoted, status))
        texts += [str(error), error.message, repr(error)]
    reply = reply_to(lambda asked, n: completion(f"your key is {KEY}", model=KEY, finish=KEY))
    texts += [repr(reply), caplog.text]
    for text in texts:
        assert KEY not in text and partly not in text and "01234" not in text, text
    assert reply.text == "your key is [hidden]"
