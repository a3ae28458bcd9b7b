"""Suite files as YAML: values as they are written, or as YAML 1.1 takes them in reference mode.

The room's own reader beside `settings.yamlfile`, for three reasons: `version: 0.10` must stay "0.10", a quoted number
must be told from a plain one, and every key that stands twice is reported, not the first alone.
"""

from __future__ import annotations

from typing import Any

import yaml

from idpbench.claims.mode import Mode
from idpbench.claims.suite.problems import Findings

_PREFIX = "tag:yaml.org,2002:"
_SCALARS = ("str", "int", "float", "bool", "null", "timestamp")
_COLLECTIONS = ("map", "seq")


class Written(str):
    """A scalar as it stands in the file.

    `kind` is what YAML 1.1 would make of it (str, int, float, bool, timestamp); `plain`: without quotes, no block.
    """

    kind: str
    plain: bool

    def __new__(cls, text: str, kind: str, plain: bool) -> Written:
        """The text with its kind."""
        value = super().__new__(cls, text)
        value.kind = kind
        value.plain = plain
        return value


def read_yaml(data: bytes, findings: Findings, mode: Mode) -> Any:
    """The value of a YAML file, or None with the problems recorded.

    Default mode: mappings with text keys, lists, `Written` scalars, None. Reference mode: what YAML 1.1 makes of it.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        findings.add("", "", f"bytes that are not UTF-8 (byte {error.start})", "UTF-8 text", "save the file as UTF-8")
        return None
    try:
        if mode == "reference":
            return yaml.load(text, Loader=yaml.CSafeLoader)
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        findings.add("", where, problem, "YAML", "mend that line or the one before it")
        return None
    except RecursionError:
        return _too_deep(findings)
    except (ValueError, TypeError, AttributeError, LookupError) as error:  # what YAML 1.1's own constructors raise
        findings.add("", "", f"a value that YAML cannot take ({error})", "plain YAML", "put it in quotes")
        return None
    try:
        return None if node is None else _Walk(findings).value(node, "")
    except RecursionError:
        return _too_deep(findings)


def _too_deep(findings: Findings) -> None:
    findings.add("", "", "entries nested too deeply", "a suite file", "remove the inner brackets or the indentation")


class _Walk:
    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.done: dict[int, Any] = {}
        self.open: set[int] = set()

    def value(self, node: yaml.Node, place: str) -> Any:
        """The value of a node; an anchored one is made once, so that nested aliases cost nothing."""
        key = id(node)
        if key in self.open:
            self._add(node, place, "an alias to what it is part of", "a value", "write the value out")
            return None
        if key not in self.done:
            self.open.add(key)
            self.done[key] = self._made(node, place)
            self.open.remove(key)
        return self.done[key]

    def _made(self, node: yaml.Node, place: str) -> Any:
        kind = node.tag.removeprefix(_PREFIX)
        if isinstance(node, yaml.ScalarNode):
            if kind == "null":
                return None
            if kind not in (*_SCALARS, "merge", "value"):
                self._add(node, place, f"the tag {node.tag}", "plain YAML", "remove the tag")
            return Written(node.value, kind, not node.style)  # None, or "" as libyaml has it
        if kind not in _COLLECTIONS:
            self._add(node, place, f"the tag {node.tag}", "plain YAML", "remove the tag")
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, f"{place}[{index}]") for index, item in enumerate(node.value)]
        return self._mapping(node, place)

    def _mapping(self, node: yaml.Node, place: str) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._add(key_node, place, "a key that is no text", "a name", "write a plain word as the key")
                continue
            key = str(key_node.value)
            if key in result:
                self._add(key_node, place, "the key twice", "each key once", "remove one of the two", key)
            result[key] = self.value(value_node, f"{place}.{key}" if place else key)
        return result

    def _add(self, node: yaml.Node, place: str, found: str, expected: str, remedy: str, key: str = "") -> None:
        line = f"line {node.start_mark.line + 1}"
        self.findings.add(place, f"{key} ({line})" if key else line, found, expected, remedy)
