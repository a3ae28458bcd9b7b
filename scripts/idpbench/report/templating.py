"""Filling templates: this room's, or those of a folder that a later room names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"


def fill(template: str, **context: Any) -> str:
    """`templates/<template>.md.j2` with its names filled in; an undefined name is an error."""
    return fill_from(TEMPLATES, template, context)


def fill_from(folder: Path, template: str, context: dict[str, Any]) -> str:
    """The same for `<folder>/<template>.md.j2`."""
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    return environment.get_template(f"{template}.md.j2").render(**context)
