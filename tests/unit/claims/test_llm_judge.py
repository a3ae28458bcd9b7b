"""The language-model judge: what it asks, how replies are read, what an outage is, and replay without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from idpbench.claims.bench.judging import Wanted, judging
from idpbench.claims.judge.base import Asked, JudgeUnavailable
from idpbench.claims.judge.llm import Endpoint, LlmJudge, ReplayedJudge
from idpbench.claims.judge.replies import read_replies
from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import Refusal
from idpbench.files.schema import check
from idpbench.settings.claims import load_claims

ROOT = Path(__file__).resolve().parents[3]
ENDPOINT = Endpoint("http://judge.invalid/v1", "small-1", key_variable="JUDGE_KEY", attempts=2)
KEY = {"JUDGE_KEY": "secret-value"}


def answer(text: Any) -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": {"content": text}}], "usage": {"total_tokens": 90}})


def judge(handler: Callable[[httpx.Request], httpx.Response], **options: Any) -> LlmJudge:
    return LlmJudge(ENDPOINT, environment=KEY, transport=httpx.MockTransport(handler), **options)


@pytest.mark.parametrize(
    ("reply", "accepted"),
    [("aligned", True), (" Aligned.", True), ("aligned, mostly", True), ("different", False), ("not aligned", False)],
)
def test_a_reply_that_starts_with_aligned_accepts(reply: str, accepted: bool) -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answer(reply)

    made = judge(handler)
    assert isinstance(made, Asked)
    assert made.aligned("The mill closed in 1971.", "The mill shut in 1971.") is accepted
    body = json.loads(asked[0].content)
    assert asked[0].url == "http://judge.invalid/v1/chat/completions"
    assert asked[0].headers["Authorization"] == "Bearer secret-value"
    assert body["model"] == "small-1"
    assert body["temperature"] == 0
    assert "The mill closed in 1971." in body["messages"][1]["content"]
    assert (made.calls, made.tokens) == (1, 90)


def test_a_busy_endpoint_is_asked_again() -> None:
    replies = iter([httpx.Response(503), answer("aligned")])
    assert judge(lambda _: next(replies)).aligned("a", "b")


def test_a_call_that_fails_rejects_its_pair_by_an_ordinary_error() -> None:
    with pytest.raises(httpx.HTTPStatusError):
        judge(lambda _: httpx.Response(500)).aligned("a", "b")
    with pytest.raises(ValueError, match="without text"):
        judge(lambda _: answer(None)).aligned("a", "b")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_refuses_makes_no_labels(status: int) -> None:
    with pytest.raises(JudgeUnavailable, match=f"HTTP {status}") as refused:
        judge(lambda _: httpx.Response(status)).aligned("a", "b")
    assert refused.value.exit_code == 3
    assert "secret-value" not in str(refused.value)


def test_an_endpoint_where_nobody_listens_makes_no_labels() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(JudgeUnavailable, match="nobody answers"):
        judge(handler).aligned("a", "b")


def test_a_missing_key_is_told_before_anything_is_asked() -> None:
    with pytest.raises(JudgeUnavailable, match="JUDGE_KEY"):
        LlmJudge(ENDPOINT, environment={})


def test_an_endpoint_without_a_key_gets_none() -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answer("different")

    endpoint = Endpoint("http://localhost:1/v1", "m", key_variable=None)
    LlmJudge(endpoint, environment={}, transport=httpx.MockTransport(handler)).aligned("a", "b")
    assert "Authorization" not in asked[0].headers


def test_credentials_in_the_address_are_refused() -> None:
    with pytest.raises(JudgeUnavailable, match="credentials"):
        LlmJudge(Endpoint("http://user:pw@host/v1", "m", key_variable=None))


def test_recorded_replies_give_the_same_answers_without_key_or_network(tmp_path: Path) -> None:
    file = tmp_path / "replies.json"
    replies = iter([answer("aligned"), answer("different"), httpx.Response(500), httpx.Response(500)])
    live = judge(lambda _: next(replies), record=file)
    assert live.aligned("a", "g")
    assert not live.aligned("b", "g")
    with pytest.raises(httpx.HTTPStatusError):
        live.aligned("c", "g")
    replayed = ReplayedJudge(file)
    assert [replayed.aligned(text, "g") for text in "ab"] == [True, False]
    with pytest.raises(ValueError, match="failed: HTTPStatusError"):  # and so the pass counts it again
        replayed.aligned("c", "g")
    assert replayed.id.startswith(live.id)
    assert "secret-value" not in file.read_text()
    check(read_json(file), "claims-replies", file)


class Scripted(BaseHTTPRequestHandler):
    """Takes every pair for one fact."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = answer("aligned").content
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def test_configuration_records_replies_and_answers_from_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = HTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    write_json(tmp_path / "given.json", [])
    settings = load_claims(ROOT)
    endpoint = {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "key_variable": None}

    def asked(**files: str) -> Asked:
        llm = settings.llm.model_copy(update={**endpoint, **files})
        wanted = Wanted("llm", similarity=tmp_path / "given.json")
        found = judging(settings.model_copy(update={"llm": llm}), tmp_path, wanted).asked
        assert found is not None
        return found

    try:
        assert asked(record="kept.json").aligned("a", "g")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert asked(replies="kept.json").aligned("a", "g")
    with pytest.raises(JudgeUnavailable, match="nobody answers"):
        asked().aligned("a", "g")


def test_a_question_that_was_never_asked_is_no_rejection(tmp_path: Path) -> None:
    judge(lambda _: answer("aligned"), record=tmp_path / "r.json").aligned("a", "g")
    with pytest.raises(JudgeUnavailable, match="found no reply on 'a' and 'h'"):
        ReplayedJudge(tmp_path / "r.json").aligned("a", "h")


def test_a_recording_goes_on_where_it_ended_and_belongs_to_one_judge(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    judge(lambda _: answer("aligned"), record=file).aligned("a", "g")
    judge(lambda _: answer("aligned"), record=file).aligned("b", "g")
    assert read_replies(file).get("a", "g") == read_replies(file).get("b", "g") == "aligned"
    other = Endpoint("http://judge.invalid/v1", "other", key_variable=None)
    with pytest.raises(JudgeUnavailable, match="another file"):
        LlmJudge(other, record=file)


@pytest.mark.parametrize("replies", [None, [{}], [{"rendering": "a", "gold": "g", "reply": "x"}] * 2])
def test_a_broken_recording_is_refused(tmp_path: Path, replies: Any) -> None:
    write_json(tmp_path / "r.json", {"schema": "idpbench/claims-replies/1", "judge": "j", "replies": replies})
    with pytest.raises(Refusal, match=r"r\.json"):
        ReplayedJudge(tmp_path / "r.json")
