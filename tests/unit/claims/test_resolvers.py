"""Resolvers: a committed authority, and a live one against a scripted server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from idpbench.claims.subjects.authority import OfflineResolver, read_authority
from idpbench.claims.subjects.base import Ref, Resolution
from idpbench.claims.subjects.judging import fractions, resolve_subjects
from idpbench.claims.subjects.live import LiveResolver
from idpbench.claims.suite.discover import discover
from idpbench.claims.suite.model import GoldSubject
from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import Refusal

CORPUS = Path(__file__).resolve().parents[3] / "corpus" / "claims"
ENTRIES = [
    {"ref": "wikidata:Q1", "label": "Elbe", "kind": "river", "context": ["ferry"]},
    {"ref": "wikidata:Q2", "label": "Salix", "kind": "plant", "aliases": ["Weide"], "context": ["tree"]},
    {"ref": "wikidata:3", "label": "Go", "kind": "language", "context": ["service"]},
    {"ref": "games:go", "label": "Go", "kind": "game", "context": ["board"]},
    {"ref": "wikidata:Q4", "label": "Bergen", "kind": "place"},
]


def authority(folder: Path, entries: Any) -> OfflineResolver:
    write_json(folder / "authority.json", {"schema": "idpbench/claims-authority/1", "entries": entries})
    return read_authority(folder / "authority.json")


@pytest.mark.parametrize(
    ("name", "mention", "refs"),
    [
        ("Elbe", "A pilot on the Elbe.", [("wikidata", "Q1", 0.7)]),
        ("ELBE", "The ferry on the Elbe.", [("wikidata", "Q1", 0.9)]),
        ("Weide", "The bridge crosses the river Weide.", []),  # an alias of another kind of thing
        ("Weide", "The Weide is the only tree there.", [("wikidata", "Q2", 0.7)]),
        ("Weide", "The Weide is 112 km long.", []),
        ("Go", "They rewrote the service in Go.", [("wikidata", "Q3", 0.9)]),
        ("Go", "They like Go.", []),  # as good for two entries
        ("Bergen", "A firm from Bergen.", [("wikidata", "Q4", 0.75)]),
        ("Elbe Tunnel", "The Elbe Tunnel opened.", []),
    ],
)
def test_a_name_is_linked_where_the_sentence_lets_it_be(
    tmp_path: Path, name: str, mention: str, refs: list[tuple[str, str, float]]
) -> None:
    assert authority(tmp_path, ENTRIES).resolve(name, mention).refs == tuple(Ref(*ref) for ref in refs)


def test_the_authority_is_named_by_its_digest(tmp_path: Path) -> None:
    first = authority(tmp_path, ENTRIES).id
    assert first.startswith("authority:")
    assert authority(tmp_path, ENTRIES[:2]).id != first


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("text", r"entries\[0\]"),
        ({"ref": "Q1", "label": "a", "kind": "b"}, "namespace:id"),
        ({"ref": "w:1", "label": " ", "kind": "b"}, "label"),
        ({"ref": "w:1", "label": "a"}, "kind"),
        ({"ref": "w:1", "label": "a", "kind": "b", "aliases": "c"}, "aliases"),
    ],
)
def test_an_entry_that_is_none_is_refused_by_name(tmp_path: Path, entry: Any, told: str) -> None:
    with pytest.raises(Refusal, match=told):
        authority(tmp_path, [entry])


def test_the_shipped_authority_credits_every_namespace_it_uses() -> None:
    value = read_json(CORPUS / "authority.json", "claims-authority")
    assert {entry["ref"].split(":")[0] for entry in value["entries"]} == set(value["sources"])
    assert len({entry["ref"] for entry in value["entries"]}) == len(value["entries"])


def test_the_shipped_authority_is_right_about_most_subjects_and_not_about_all() -> None:
    resolver = read_authority(CORPUS / "authority.json")
    rows = [
        row for suite in discover(CORPUS / "suites").suites for row in resolve_subjects(suite.gold_subjects, resolver)
    ]
    tally = {outcome: sum(row.outcome == outcome for row in rows) for outcome in ("correct", "wrong_ref", "bare_local")}
    assert tally["correct"] >= 0.9 * len(rows)
    assert tally["wrong_ref"] >= 1 and tally["bare_local"] >= 1


class Scripted(BaseHTTPRequestHandler):
    """Answers the search from a table of names; what is asked is kept."""

    answers: dict[str, list[tuple[int, Any]]]
    asked: list[dict[str, list[str]]]

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        self.asked.append({**query, "agent": [self.headers["User-Agent"]]})
        queue = self.answers[query["search"][0]]
        status, value = queue.pop(0) if len(queue) > 1 else queue[0]
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    Scripted.answers, Scripted.asked = {}, []
    made = HTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def live(server: HTTPServer) -> LiveResolver:
    return LiveResolver(f"http://127.0.0.1:{server.server_port}/w/api.php", attempts=2)


def item(identifier: str, label: str, description: str = "", **more: Any) -> dict[str, Any]:
    return {"id": identifier, "label": label, "description": description, **more}


def test_the_search_is_asked_once_a_name_and_the_item_of_that_name_is_taken(server: HTTPServer) -> None:
    Scripted.answers["Bergen"] = [
        (200, {"search": [item("Q1", "Bergenia"), item("Q26793", "Bergen", "city in Norway")]})
    ]
    found = live(server).resolve("Bergen", "A firm from Bergen, a city on the coast.")
    assert found.canonical_name == "Bergen"
    assert found.refs == (Ref("wikidata", "Q26793", 0.8),)  # label 0.6, described as told 0.3, second in rank -0.1
    (asked,) = Scripted.asked
    assert asked["action"] == ["wbsearchentities"]
    assert asked["agent"][0].startswith("idpbench")


def test_an_alias_counts_less_and_context_may_turn_the_order(server: HTTPServer) -> None:
    items = [item("Q1", "Go", "board game"), item("Q2", "Golang", "programming language", aliases=["Go"])]
    Scripted.answers["Go"] = [(200, {"search": items})]
    resolver = live(server)
    assert resolver.resolve("Go", "They play Go.").refs == (Ref("wikidata", "Q1", 0.6),)
    found = [resolver.resolve("Go", text).refs[0].id for text in ("Go is old.", "A language for programming is Go.")]
    assert found == ["Q1", "Q2"]


def test_a_name_that_nothing_bears_stays_local_without_a_note(server: HTTPServer) -> None:
    Scripted.answers["Torsund"] = [(200, {"search": [item("Q9", "Torsundet")]})]
    found = live(server).resolve("Torsund", "The town of Torsund.")
    assert (found.refs, found.note) == ((), "")


def test_a_busy_service_is_asked_again(server: HTTPServer) -> None:
    Scripted.answers["Elbe"] = [(503, {}), (200, {"search": [item("Q1644", "Elbe")]})]
    assert live(server).resolve("Elbe", "On the Elbe.").refs[0].id == "Q1644"
    assert len(Scripted.asked) == 2


@pytest.mark.parametrize(
    "answer", [(404, {}), (500, {}), (200, b"no json"), (200, {"error": {"code": "x"}}), (200, {}), (200, [])]
)
def test_a_look_up_that_fails_says_so_and_is_never_an_absence(server: HTTPServer, answer: tuple[int, Any]) -> None:
    Scripted.answers["Elbe"] = [answer]
    found = live(server).resolve("Elbe", "On the Elbe.")
    assert found.refs == ()
    assert found.note.startswith("look-up of 'Elbe' failed")


def test_an_outage_is_right_about_nothing() -> None:
    class Out:
        id = "out"

        def resolve(self, name: str, mention: str) -> Resolution:
            return Resolution(name, note=f"look-up of {name!r} failed: no answer")

    golds = [GoldSubject("c", "Acme", None, "Acme is."), GoldSubject("c", "Elbe", "wikidata:Q1644", "On the Elbe.")]
    rows = resolve_subjects(golds, Out())
    assert [row.outcome for row in rows] == ["bare_local", "bare_local"]
    found = fractions(rows)
    assert (found["resolution_accuracy"].value, found["resolution_accuracy_null"].value) == (0.0, 0.0)


def test_a_service_that_is_not_there_fails_the_look_up(server: HTTPServer) -> None:
    resolver = live(server)
    server.socket.close()
    assert resolver.resolve("Elbe", "On the Elbe.").note
    assert resolver.id.startswith("live:http://127.0.0.1:")
