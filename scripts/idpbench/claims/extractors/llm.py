"""An extractor that asks a language model, by configuration only: without it, it is in no registry.

A long source is asked about piece by piece, as the estimate counts. A reply that is not the JSON asked for is an error
of its case, never an empty list of claims. Replies can be recorded and replayed without key and network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

from idpbench.claims.chat import Chat, Endpoint
from idpbench.claims.emitted import OPTIONAL, Claim
from idpbench.claims.estimate import CHUNK_BYTES, MOST_CALLS
from idpbench.claims.extractors.base import ExtractorUnavailable
from idpbench.files.canonical import digest, read_json, write_json
from idpbench.files.errors import Refusal

KIND = "claims-extractions"
INSTRUCTION = (
    "You read a source and list the single facts that it states, nothing else and nothing that you only know. Answer "
    "with a JSON array and no other text. Each element is an object: `content` (one fact as a full sentence that can "
    "be understood alone, names in place of pronouns, numbers, units and dates as in the source), `confidence` (your "
    "estimate from 0 to 1 that the source states exactly this; lower where the source itself is unsure), `subjects` "
    "(names of what it is about), `modality` (FALSIFIABLE, EVALUATIVE, EXPERIENTIAL or CONSTITUTIVE), `polarity` "
    "(ASSERTED, DECLINED or HYPOTHETICAL), `expected_valid_until` (an ISO date if the fact holds only until then, else "
    "null)."
)
MAX_TOKENS = 8_000
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n\s*```\s*$", re.DOTALL)


class LlmExtractor:
    """Asks `endpoint` about each source of `source_types`. With `record` every reply is kept in that file."""

    deterministic = False
    must_not: frozenset[str] = frozenset()

    def __init__(
        self,
        endpoint: Endpoint,
        source_types: Iterable[str],
        *,
        extractor_id: str = "language-model",
        record: Path | str | None = None,
        replay: Path | str | None = None,
        environment: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Nothing is read or opened yet. With `replay` neither a key nor the network is needed."""
        self.extractor_id = extractor_id
        self.version = f"prompt-{digest(INSTRUCTION)[:8]}"
        self.provider_model = endpoint.provider_model
        self._types = frozenset(source_types)
        self._endpoint = endpoint
        self._record = record
        self._replay = replay
        self._environment = environment
        self._transport = transport

    def accepts(self, source_type: str) -> bool:
        """The configured types."""
        return source_type in self._types

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims piece by piece, in the order of the reply; ValueError where a reply is not the JSON asked for.

        ExtractorUnavailable where the key is missing, the endpoint cannot answer, or a reply was never recorded.
        """
        found: list[Claim] = []
        for piece in pieces(data):
            found.extend(claims_of(self._reply(piece)))
        return found

    def _reply(self, piece: str) -> str:
        if self._replay is not None:
            return self._replies.get(piece)
        reply = self._chat.ask(INSTRUCTION, piece, max_tokens=MAX_TOKENS)
        if self._record is not None:
            self._replies.keep(piece, reply, self._record)
        return reply

    @cached_property
    def _chat(self) -> Chat:
        return Chat(
            self._endpoint,
            "LLM extractor",
            ExtractorUnavailable,
            environment=self._environment,
            transport=self._transport,
        )

    @cached_property
    def _replies(self) -> _Replies:
        path = self._replay or self._record
        return _Replies(f"{self.provider_model} {self.version}", path, must_exist=self._replay is not None)


def pieces(data: bytes, size: int = CHUNK_BYTES, most: int = MOST_CALLS) -> list[str]:
    """A source in pieces of at most `size` bytes, whole characters each; what is left after `most` is not read."""
    text = data.decode("utf-8")
    found: list[str] = []
    while text and len(found) < most:
        piece = text.encode("utf-8")[:size].decode("utf-8", errors="ignore")
        found.append(piece)
        text = text[len(piece) :]
    return found


def claims_of(reply: str) -> list[Claim]:
    """The claims of a reply, which may stand in a code fence."""
    fenced = _FENCE.match(reply)
    try:
        value = json.loads(fenced[1] if fenced else reply)
    except json.JSONDecodeError as error:
        raise ValueError(f"found a reply that is no JSON ({error.msg}), expected an array of claims") from None
    if not isinstance(value, list):
        raise ValueError(f"found {type(value).__name__}, expected an array of claims")
    return [_claim(number, entry) for number, entry in enumerate(value)]


def _claim(number: int, entry: Any) -> Claim:
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), str) or not entry["content"].strip():
        raise ValueError(f"element {number}: found {entry!r:.120}, expected an object with content and confidence")
    subjects = entry.get("subjects") or []
    if not isinstance(subjects, list) or not all(isinstance(name, str) for name in subjects):
        raise ValueError(f"element {number}: found subjects {subjects!r:.120}, expected a list of names")
    others = {key: entry[key] for key in OPTIONAL if entry.get(key) is not None}
    if not all(isinstance(value, str) for value in others.values()):
        raise ValueError(f"element {number}: found {others!r:.120}, expected texts")
    return Claim(entry["content"].strip(), entry.get("confidence"), tuple(subjects), **others)  # type: ignore[arg-type]


class _Replies:
    """Replies by the digest of the piece that was asked about: `{schema, extractor, replies}`."""

    def __init__(self, extractor: str, path: Path | str | None, *, must_exist: bool) -> None:
        self._extractor = extractor
        self._path = path
        self._known: dict[str, str] = {}
        if path is not None and (must_exist or Path(path).exists()):
            try:
                value = read_json(path, KIND)
            except Refusal as error:
                raise ExtractorUnavailable(str(error)) from None
            if value.get("extractor") != extractor:
                raise ExtractorUnavailable(
                    f"{path}: extractor: found {value.get('extractor')!r}, expected {extractor!r}; record it again, or "
                    "to another file"
                )
            self._known = dict(value.get("replies") or {})

    def get(self, piece: str) -> str:
        try:
            return self._known[digest(piece)]
        except KeyError:
            raise ExtractorUnavailable(
                f"{self._path}: found no reply on a piece of text that begins {piece[:60]!r}, expected one for each; "
                "record the suite again with the live model"
            ) from None

    def keep(self, piece: str, reply: str, path: Path | str) -> None:
        self._known[digest(piece)] = reply
        write_json(path, {"schema": f"idpbench/{KIND}/1", "extractor": self._extractor, "replies": self._known})
