"""A resolver that asks Wikidata, or a service with its search interface (`action=wbsearchentities`).

Of what the search offers, only an item whose label or alias is the name itself is taken, its rank in the answer being
all the evidence there is besides the words of its description. A look-up that fails is a resolution without refs that
says so; it is never taken for "no such thing".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import httpx

from idpbench.claims.subjects.base import Ref, Resolution
from idpbench.files import retry

WIKIDATA = "https://www.wikidata.org/w/api.php"
LIMIT = 5
LABEL, ALIAS, CONTEXT, NEXT = 0.6, 0.45, 0.3, 0.1
BUSY = frozenset({429, 500, 502, 503, 504})
_SMALL = frozenset({"and", "for", "from", "the", "was", "with", "which"})


class LiveResolver:
    """`Resolver` over HTTP; one request a name."""

    def __init__(
        self,
        base_url: str = WIKIDATA,
        *,
        namespace: str = "wikidata",
        language: str = "en",
        agent: str = "idpbench (claims benchmark)",
        timeout_s: float = 20.0,
        attempts: int = 4,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`agent` is sent along, as the service asks of its clients; `transport` takes the network's place in tests."""
        self._url = base_url
        self._namespace = namespace
        self._language = language
        self._attempts = attempts
        self._client = httpx.Client(
            headers={"User-Agent": agent}, timeout=timeout_s, transport=transport, follow_redirects=True
        )

    @property
    def id(self) -> str:
        """The address that is asked."""
        return f"live:{self._url}"

    def resolve(self, name: str, mention: str) -> Resolution:
        """The first item of that very name, with what speaks for it; no refs and a note where the look-up failed."""
        try:
            offered = retry.call(lambda: self._search(name), retryable=_busy, attempts=self._attempts)
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            return Resolution(name, note=f"look-up of {name!r} failed: {type(error).__name__}: {error}")
        scored = [
            (_score(item, name, mention, rank), str(item["id"]), _text(item.get("label")) or name)
            for rank, item in enumerate(offered)
            if _is_named(item, name)
        ]
        if not scored:
            return Resolution(name)
        score, identifier, label = max(scored, key=lambda found: found[0])
        return Resolution(label, (Ref(self._namespace, identifier, score),))

    def _search(self, name: str) -> list[Mapping[str, Any]]:
        response = self._client.get(
            self._url,
            params={
                "action": "wbsearchentities",
                "search": name,
                "language": self._language,
                "uselang": self._language,
                "type": "item",
                "limit": LIMIT,
                "format": "json",
            },
        )
        response.raise_for_status()
        value = response.json()
        if isinstance(value, dict) and "error" in value:
            raise ValueError(f"the service answers {value['error']}")
        found = value["search"]
        return [item for item in found if isinstance(item, dict) and "id" in item]


def _is_named(item: Mapping[str, Any], name: str) -> bool:
    names = [item.get("label"), (item.get("match") or {}).get("text"), *(item.get("aliases") or [])]
    return any(_text(each).casefold() == name.strip().casefold() for each in names)


def _score(item: Mapping[str, Any], name: str, mention: str, rank: int) -> float:
    base = LABEL if _text(item.get("label")).casefold() == name.strip().casefold() else ALIAS
    told = _words(_text(item.get("description"))) & (_words(mention) - _words(name))
    return round(max(0.05, base + (CONTEXT if told else 0.0) - NEXT * rank), 2)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.casefold())) - _SMALL


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _busy(error: BaseException) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in BUSY
    return isinstance(error, httpx.TransportError)
