"""Where a release's template comes from and what goes with it: an address, or a build of one's own, and parameters."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.settings.yamlfile import load_yaml

SOURCE = "--config"
_NAME = re.compile(r"[A-Za-z0-9]{1,255}")
_URL = re.compile(r"https://[^\s\"'<>]+")


@dataclass(frozen=True)
class Deployment:
    """How one release gets onto the stack: its template, by address or as text, and parameters given by the user."""

    template_url: str | None = None
    template_body: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)

    def source(self) -> dict[str, Any]:
        """The template as CloudFormation takes it."""
        if self.template_url is not None:
            return {"TemplateURL": self.template_url}
        return {"TemplateBody": self.template_body or ""}


def parameters_of(text: str | None, root: Path) -> dict[str, str]:
    """Stack parameters from `Key=Value,...`, or from a YAML file of names and values below `root`.

    A value with a comma, or one that nobody else should read on a command line, belongs into a file.
    """
    if not text:
        return {}
    if "=" in text:
        pairs = [part.partition("=") for part in text.split(",")]
        given = {name.strip(): value.strip() for name, _, value in pairs}
        if len(given) != len(pairs) or not all(sign for _, sign, _ in pairs):
            raise _wrong(SOURCE, "stack_parameters", repr(text))
        return {_named(name, SOURCE, "stack_parameters"): value for name, value in given.items()}
    path = root / text
    content = load_yaml(path)
    if not isinstance(content, dict):
        raise bad_input(path, "", type(content).__name__, "`Name: value` lines", "one line for each parameter")
    return {_named(name, path, name): _value(value, path, name) for name, value in content.items()}


def build(command: str, version: str, region: str, stack: str, profile: str | None = None) -> str:
    """Run the user's build command and return the template's address: the last line that it prints, an https:// URL.

    `{version}`, `{region}` and `{stack}` in the command are filled in. What it says is passed on to our log.
    """
    filled = command
    for name, value in (("version", version), ("region", region), ("stack", stack)):
        filled = filled.replace(f"{{{name}}}", shlex.quote(value))
    environment = {**os.environ, "AWS_REGION": region, **({"AWS_PROFILE": profile} if profile else {})}
    done = subprocess.run(filled, shell=True, stdout=subprocess.PIPE, text=True, env=environment, check=False)
    said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    last = said[-1] if said else ""
    if done.returncode != 0:
        raise Refusal(
            f"build_command: `{filled}` ended with code {done.returncode} ({last or 'it printed nothing'}); the stack"
            " was not changed; mend the build and run the same command again",
            INCOMPLETE,
        )
    if not _URL.fullmatch(last):
        raise bad_input(
            "build_command",
            "last line printed",
            repr(last[:120]),
            "the https:// address of the template it built",
            "have the command print it last",
        )
    return last


def _named(name: str, source: object, key: str) -> str:
    if not _NAME.fullmatch(name):
        raise _wrong(source, key, repr(name))
    return name


def _value(value: Any, path: Path, name: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | str):
        return str(value)
    raise bad_input(path, name, repr(value), "text, a whole number, true or false", "write other values in quotes")


def _wrong(source: object, key: str, found: str) -> Refusal:
    return bad_input(
        source,
        key,
        found,
        "Name=Value,Name=Value with names of letters and digits, or the path of a YAML file",
        "values with commas go into a file",
    )
