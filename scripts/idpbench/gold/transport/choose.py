"""Which transport a model is reached by: its name decides, unless recorded replies are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from idpbench.files.canonical import canonical
from idpbench.files.errors import bad_input, nearest
from idpbench.gold.run.preflight import key_from, refuse_ci
from idpbench.gold.secrets import Key, suspicious
from idpbench.gold.transport.base import Transport
from idpbench.gold.transport.local import MODEL, PREFIX, heuristic
from idpbench.gold.transport.openrouter import OpenRouter
from idpbench.gold.transport.replay import Replay
from idpbench.settings.gold import FILE, GoldSettings


def open_transport(
    model: str, replies: Path | None, settings: GoldSettings, environment: Mapping[str, str], argv: Sequence[str]
) -> tuple[Transport, Key | None]:
    """The transport, and the key that it holds. Over the network it is refused on a build server and without a key."""
    if model.startswith(PREFIX):
        if model != MODEL:
            raise bad_input("--model", "", repr(model), "a local model", nearest(model, [MODEL]))
        if replies is not None:
            raise bad_input("--replies", "", "a recording", "none with a local model", "leave one of the two out")
        return heuristic(), None
    if replies is not None:
        return Replay(replies), None
    refuse_ci(environment)
    for start in suspicious(canonical(settings.request.provider_options).decode("utf-8")):
        remedy = "leave it out: what is sent is recorded"
        raise bad_input(FILE, "request.provider_options", f"what looks like a key ({start})", "no secrets", remedy)
    key = key_from(environment, settings.transport.key_variable, argv)
    return OpenRouter(model, settings.transport, settings.request, key), key
