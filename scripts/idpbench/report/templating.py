"""Filling templates: those of this room, and of rooms after it by a function of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def filler(folder: Path) -> Callable[..., str]:
    """`fill(template, **names)`, which fills `<folder>/<template>.md.j2`; an undefined name is an error."""
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )

    def fill(template: str, **names: Any) -> str:
        return environment.get_template(f"{template}.md.j2").render(**names)

    return fill


fill = filler(Path(__file__).parent / "templates")
