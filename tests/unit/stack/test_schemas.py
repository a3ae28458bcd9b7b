"""A path that a release does not know is stated in config/, and a landing on AWS holds it against the stack."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack

from idpbench.files.errors import Refusal
from idpbench.settings.load import load
from idpbench.settings.options import parse_options
from idpbench.stack.request import Request, side_of
from idpbench.stack.schemas import check_schema, stated_unknown

ROOT = Path(__file__).resolve().parents[3]
PATHS = ("extraction.mode", "extraction.forced_tool.enabled", "classes[].x-own")


def stated(root: Path, version: str, text: str) -> None:
    (root / "config" / "schemas").mkdir(parents=True, exist_ok=True)
    (root / "config" / "schemas" / f"{version}.yaml").write_text(text)


def stack_with(default: dict[str, Any], schema: dict[str, Any] | None = None) -> FakeStack:
    stack = FakeStack()
    stack.configs["Config#default"] = {"extraction": {"M": default}}
    if schema is not None:
        stack.configs["Schema"] = {"properties": {"M": schema}}
    return stack


def test_a_path_of_the_default_or_of_the_schema_is_known(tmp_path: Path) -> None:
    forced = {"M": {"enabled": {"BOOL": False}}}
    both = stack_with({"mode": {"S": "simple"}, "forced_tool": forced})
    check_schema(both, "config", tmp_path, "0.6.9", PATHS)
    declared: dict[str, Any] = {
        "M": {"properties": {"M": {"forced_tool": {"M": {"properties": {"M": {"enabled": {"M": {}}}}}}}}}
    }
    check_schema(stack_with({"mode": {"S": "x"}}, {"extraction": declared}), "config", tmp_path, "0.6.9", PATHS)


def test_one_that_is_not_is_refused_with_the_line_to_write(tmp_path: Path) -> None:
    stack = stack_with({"mode": {"S": "simple"}})
    with pytest.raises(Refusal, match=r"does not know extraction\.forced_tool\.enabled.*unknown: \[extraction"):
        check_schema(stack, "config", tmp_path, "0.6.5", PATHS)
    stated(tmp_path, "0.6.5", "unknown: [extraction.forced_tool.enabled]\n")
    check_schema(stack, "config", tmp_path, "0.6.5", PATHS)


@pytest.mark.parametrize("text", ["unknown: yes\n", "unknwon: []\n", "[]\n", "unknown: [1]\n"])
def test_a_wrong_file_is_refused(tmp_path: Path, text: str) -> None:
    stated(tmp_path, "0.6.5", text)
    with pytest.raises(Refusal, match=r"0\.6\.5\.yaml: unknown"):
        stated_unknown(tmp_path, "0.6.5")


def test_what_one_side_does_not_know_is_left_out_on_both(tmp_path: Path) -> None:
    settings = load(ROOT)
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    options = parse_options({"backend": "aws", "account": "111122223333", "build": "b1", "suite": "corefast"}, settings)
    before = [side_of(settings, tmp_path, Request.of(options, "corefast", base=base)) for base in (False, True)]
    stated(tmp_path, options.prev, "unknown: [extraction.forced_tool.enabled]\n")
    after = [side_of(settings, tmp_path, Request.of(options, "corefast", base=base)) for base in (False, True)]
    assert after[0].configurations == after[1].configurations
    for content in after[0].configurations.values():
        assert "enabled" not in content["extraction"]["forced_tool"]
    assert {run.cell for run in before[0].runs} - {run.cell for run in after[0].runs} == {"force-on"}
    assert "unsupported by PREV" in after[0].about["unsupported"][0]["reason"]
    assert Request.from_json(Request.of(options, "corefast").to_json()) == Request.of(options, "corefast")
    local = Request.of(replace(options, backend="local", account=None, build=None), "corefast")
    assert local.versions == ()
