"""The extractor that asks a language model: pieces, replies that are none, keys, recordings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.claims.bench.installed import installed
from idpbench.claims.chat import Endpoint
from idpbench.claims.emitted import Claim
from idpbench.claims.estimate import estimate
from idpbench.claims.extractors.base import ExtractorUnavailable
from idpbench.claims.extractors.llm import LlmExtractor, claims_of, pieces
from idpbench.claims.extractors.registry import registry
from idpbench.claims.routing import owners
from idpbench.files.canonical import read_json
from idpbench.files.schema import check
from idpbench.settings.claims import ClaimsExtractor, load_claims

ROOT = Path(__file__).resolve().parents[3]
ENDPOINT = Endpoint("http://model.invalid/v1", "small-1", key_variable="MODEL_KEY", attempts=1)
KEY = {"MODEL_KEY": "secret-value"}
REPLY = [{"content": "The mill closed in 1971.", "confidence": 0.9, "subjects": ["mill"], "polarity": "ASSERTED"}]
CLAIM = Claim("The mill closed in 1971.", 0.9, ("mill",), polarity="ASSERTED")


def extractor(handler: Callable[[httpx.Request], httpx.Response], **options: Any) -> LlmExtractor:
    return LlmExtractor(ENDPOINT, ["TEXT"], environment=KEY, transport=httpx.MockTransport(handler), **options)


def saying(text: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(200, json={"choices": [{"message": {"content": text}}]})


def test_a_reply_becomes_claims_and_the_provider_is_named() -> None:
    made = extractor(saying(json.dumps(REPLY)))
    assert made.extract(b"Text.", "TEXT") == [CLAIM]
    assert (made.provider_model, made.deterministic) == ("model.invalid:small-1", False)
    assert made.accepts("TEXT") and not made.accepts("TABLE")


@pytest.mark.parametrize("reply", ["```json\n[]\n```", "[]", " [] "])
def test_an_empty_array_is_no_claims_with_or_without_a_fence(reply: str) -> None:
    assert claims_of(reply) == []


@pytest.mark.parametrize(
    "reply",
    [
        "", "no facts found", "{}", '["text"]', '[{"confidence": 1}]', '[{"content": " ", "confidence": 1}]',
        '[{"content": "a"}]', '[{"content": "a", "confidence": 2}]', '[{"content": "a", "confidence": "high"}]',
        '[{"content": "a", "confidence": 1, "subjects": "b"}]', '[{"content": "a", "confidence": 1, "polarity": 1}]',
    ],
)  # fmt: skip
def test_a_reply_that_is_not_what_was_asked_for_is_an_error_and_never_no_claims(reply: str) -> None:
    with pytest.raises(ValueError):
        claims_of(reply)


@given(st.text(alphabet="aä€😀", max_size=60), st.integers(4, 20), st.integers(1, 9))
def test_pieces_are_whole_characters_and_together_the_source(text: str, size: int, most: int) -> None:
    found = pieces(text.encode(), size, most)
    assert all(len(piece.encode()) <= size for piece in found)
    assert text.startswith("".join(found))
    assert "".join(found) == text or len(found) == most


@pytest.mark.parametrize("size", [0, 1, 15_000, 15_001, 200_000])
def test_a_plain_source_takes_the_calls_that_the_estimate_counts(size: int) -> None:
    assert len(pieces(b"a" * size)) == estimate([size]).calls


def test_without_a_key_nothing_is_measured() -> None:
    with pytest.raises(ExtractorUnavailable, match="MODEL_KEY") as refused:
        LlmExtractor(ENDPOINT, ["TEXT"], environment={}).extract(b"Text.", None)
    assert refused.value.exit_code == 3
    with pytest.raises(ExtractorUnavailable, match="HTTP 401"):
        extractor(lambda _: httpx.Response(401)).extract(b"Text.", None)


def test_a_failed_call_is_an_error_of_its_case_alone() -> None:
    with pytest.raises(httpx.HTTPStatusError):
        extractor(lambda _: httpx.Response(500)).extract(b"Text.", None)


def test_recorded_replies_give_the_same_claims_without_key_or_network(tmp_path: Path) -> None:
    file = tmp_path / "replies.json"
    extractor(saying(json.dumps(REPLY)), record=file).extract(b"One.", None)
    extractor(saying("[]"), record=file).extract(b"Two.", None)
    replayed = LlmExtractor(ENDPOINT, ["TEXT"], replay=file, environment={})
    assert (replayed.extract(b"One.", None), replayed.extract(b"Two.", None)) == ([CLAIM], [])
    with pytest.raises(ExtractorUnavailable, match=r"begins 'Three\.'"):
        replayed.extract(b"Three.", None)
    assert "secret-value" not in file.read_text(encoding="utf-8")
    check(read_json(file), "claims-extractions", file)


def test_a_recording_of_another_model_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "replies.json"
    extractor(saying("[]"), record=file).extract(b"One.", None)
    other = Endpoint("http://model.invalid/v1", "large-2", key_variable=None)
    with pytest.raises(ExtractorUnavailable, match="small-1"):
        LlmExtractor(other, ["TEXT"], replay=file).extract(b"One.", None)
    with pytest.raises(ExtractorUnavailable, match="no such file"):
        LlmExtractor(ENDPOINT, ["TEXT"], replay=tmp_path / "none.json").extract(b"One.", None)


def test_configuration_puts_it_last_into_the_registry_and_none_leaves_it_out() -> None:
    settings = load_claims(ROOT)
    assert [extractor.extractor_id for extractor in installed(settings, ROOT)] == [
        extractor.extractor_id for extractor in registry()
    ]
    wanted = ClaimsExtractor(source_types=["TEXT", "RDF_GRAPH"], replies="replies.json")
    with_model = installed(settings.model_copy(update={"extractor": wanted}), ROOT)
    assert with_model[-1].extractor_id == "language-model"
    assert with_model[-1].provider_model == f"api.openai.com:{settings.llm.model}"
    assert [found.extractor_id for found in owners(["RDF_GRAPH"], with_model)] == ["rdf-graph"]
    assert [found.extractor_id for found in owners(["TEXT"], with_model)] == ["language-model"]


def test_the_configuration_is_read_from_the_file(tmp_path: Path) -> None:
    text = (ROOT / "config" / "claims.yaml").read_text(encoding="utf-8")
    (tmp_path / "config").mkdir()
    written = text.replace("extractor: null  ", "extractor: {source_types: [PLAIN_TEXT], replies: r.json}  ")
    (tmp_path / "config" / "claims.yaml").write_text(written, encoding="utf-8")
    assert load_claims(tmp_path).extractor == ClaimsExtractor(source_types=["PLAIN_TEXT"], replies="r.json")
