"""What a new stack's tables hold: the default configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.localstack import configuration
from idpbench.localstack.cloudformation import resource
from idpbench.localstack.state import State, now
from idpbench.settings.classes import load_classes


def seed_stack(state: State, stack: Mapping[str, Any], config_root: Path) -> None:
    """Put `Config#default`. Runs inside the transaction that creates the stack."""
    row = configuration.encode(
        configuration.DEFAULT,
        default_configuration(config_root),
        created=now().isoformat(),
        active=True,
        text="The configuration that a new stack starts with",
    )
    state.put_row(stack["region"], resource(stack, "ConfigurationTable"), row)


def default_configuration(config_root: Path) -> dict[str, Any]:
    """The base configuration of documents of many kinds: every dotted path that the stack knows, at its default."""
    classes = load_classes(config_root)
    return classes.get("generic") or classes[min(classes)]
