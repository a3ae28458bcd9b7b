"""The one YAML reader: quick (libyaml), strict about keys, and without YAML 1.1's surprises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from idpbench.files.errors import Refusal, bad_input

MAP = "tag:yaml.org,2002:map"


class _Repeated(Exception):
    """A key that stands twice in one mapping; carries the key and its line."""

    def __init__(self, key: str, line: int) -> None:
        super().__init__(key)
        self.key = key
        self.line = line


class _StrictLoader(yaml.CSafeLoader):
    """Scalars are true/false, decimal numbers, null or text; keys are text, each once."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (pyyaml's own attribute)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A key is its text as written (`150` and `off` are axis values, not a number and a boolean)."""
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key that is no plain text", key_node.start_mark)
            key = key_node.value
            if key in result:
                raise _Repeated(key, key_node.start_mark.line + 1)
            result[key] = self.construct_object(value_node, deep=deep)
        return result


# YAML 1.1 takes on/off/yes/no for booleans, 2026-10-08 for a date, 012 for octal, 12:30 for 750: all stay text here.
for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:~|null|)$", "~n\0"),
    ("int", r"^[-+]?(?:0|[1-9][0-9_]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)$", "-+0123456789"),
):
    _StrictLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), ["" if c == "\0" else c for c in _first]
    )


def load_yaml(path: Path | str) -> Any:
    """The value of a YAML file. A missing or broken file and a repeated key are a Refusal with file and line."""
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise bad_input(source, "", "no such file", "a YAML file", "restore it, or correct the path") from None
    except UnicodeDecodeError:
        raise bad_input(source, "", "bytes that are not UTF-8", "YAML text", "save the file as UTF-8") from None
    except OSError as error:
        raise bad_input(source, "", error.strerror, "a readable YAML file", "check its permissions") from None
    return parse_yaml(text, source)


def parse_yaml(text: str, source: object) -> Any:
    """The value of YAML text; `source` is the name that a Refusal gives it."""
    loader = _StrictLoader(text)
    try:
        return loader.get_single_data()
    except _Repeated as error:
        where = f"{source}:{error.line}"
        raise bad_input(where, error.key, "the key twice", "each key once", "remove one of the two") from None
    except yaml.YAMLError as error:
        raise _broken(error, source) from None
    finally:
        loader.dispose()


def _broken(error: yaml.YAMLError, source: object) -> Refusal:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    where = f"{source}:{mark.line + 1}" if mark is not None else f"{source}"
    column = f" (column {mark.column + 1})" if mark is not None else ""
    return bad_input(where, "", f"{problem}{column}", "YAML", "mend that line or the one before it")
