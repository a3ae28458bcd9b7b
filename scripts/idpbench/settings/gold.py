"""config/gold.yaml: the current suite, the curated models, and what a run of room gold sends and allows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints

from idpbench.files.errors import bad_input
from idpbench.settings.base import Count, Frozen, Text
from idpbench.settings.explain import read_as

FILE = Path("config", "gold.yaml")
SuiteId = Annotated[str, StringConstraints(pattern=r"^gold-[0-9]{4}\.[0-9]{2}$")]
ModelId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._:-]*$")]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
OWN_FIELDS = ("model", "messages", "temperature", "max_tokens", "response_format", "stream", "tools", "n")


class GoldTransport(Frozen):
    """The HTTP API that models are asked through; `timeout_s` in seconds, of one call."""

    base: Text
    key_variable: Variable
    timeout_s: Annotated[float, Field(gt=0, le=3600)]


class GoldRequest(Frozen):
    """Fields of every request; None is not sent. `provider_options` are further fields, merged as they stand."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None
    max_tokens: Count | None
    response_format: dict[str, Any] | None
    provider_options: dict[str, Any] | None


class GoldLimits(Frozen):
    """The most calls of a run, the most attempts of a member, and the pace: milliseconds between starts of calls."""

    call_cap: Count
    attempts_per_member: Annotated[int, Field(ge=1, le=3)]
    pace_ms: Annotated[int, Field(ge=0, le=600_000)]


class GoldSettings(Frozen):
    """The file. `models` is the curated list: id -> the name that pages and the feed show."""

    suite: SuiteId
    staged: Text
    models: dict[ModelId, Text]
    transport: GoldTransport
    request: GoldRequest
    limits: GoldLimits


def load_gold(root: Path | str) -> GoldSettings:
    """Read and check `<root>/config/gold.yaml`; whatever is wrong in it is a Refusal."""
    path = Path(root, FILE)
    found = read_as(path, GoldSettings)
    check_base(found.transport.base, path, "transport.base")
    check_provider_options(found.request.provider_options or {}, path, "request.provider_options")
    return found


def check_base(base: str, file: object, key: str) -> None:
    """Refuse an address over which the key would travel in clear, or that holds a secret itself."""
    parts = urlsplit(base)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise bad_input(file, key, "an address with a name, password or query", "a plain address", "leave them out")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        found = re.sub(r"\s", "?", base)[:80]
        raise bad_input(file, key, found, "https://..., or http:// on this machine", "correct the address")


def check_provider_options(options: dict[str, Any], file: object, key: str) -> None:
    """Refuse options that would change what is asked, or let the provider mend what the model replied."""
    for name in OWN_FIELDS:
        if name in options:
            raise bad_input(file, f"{key}.{name}", "a field of the request itself", "further fields", "remove it here")
    plugins = options.get("plugins", [])
    if not isinstance(plugins, list):
        raise bad_input(file, f"{key}.plugins", type(plugins).__name__, "a list", "write a list of plugins")
    for index, plugin in enumerate(plugins):
        if not isinstance(plugin, dict) or plugin.get("enabled") is not False:
            remedy = "write `enabled: false`: a reply is scored as the model gave it"
            raise bad_input(file, f"{key}.plugins.{index}", "a plugin that is on", "plugins that are off", remedy)
