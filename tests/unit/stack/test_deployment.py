"""Parameters and templates of a stack: given on the command line, in a file, or by a build of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from idpbench.files import redact
from idpbench.files.errors import Refusal
from idpbench.settings.options import parse_options
from idpbench.stack.deployment import build, parameters_of
from idpbench.stack.invocation import Invocation

ROOT = Path(__file__).resolve().parents[3]


def test_parameters_are_pairs_or_a_file(tmp_path: Path) -> None:
    assert parameters_of(None, tmp_path) == {}
    assert parameters_of("AdminEmail=a=b@c.d, LogLevel = INFO", tmp_path) == {
        "AdminEmail": "a=b@c.d",
        "LogLevel": "INFO",
    }
    (tmp_path / "p.yaml").write_text("AdminEmail: me@example.org\nDays: 7\nIds: a,b\nOn: true\nEmpty: ''\n")
    assert parameters_of("p.yaml", tmp_path) == {
        "AdminEmail": "me@example.org",
        "Days": "7",
        "Ids": "a,b",
        "On": "true",
        "Empty": "",
    }


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("A=1,B", "stack_parameters: found 'A=1,B', expected Name=Value"),
        ("A=1,A=2", "Name=Value"),
        ("A-B=1", "found 'A-B'"),
        ("=1", "found ''"),
        ("missing.yaml", "missing.yaml: found no such file"),
        ("list.yaml", "found list, expected `Name: value` lines"),
        ("null.yaml", "AdminEmail: found None"),
        ("float.yaml", "Share: found 0.1, expected text, a whole number"),
    ],
)
def test_what_is_no_parameter_is_refused(text: str, part: str, tmp_path: Path) -> None:
    for name, content in (("list", "- a\n"), ("null", "AdminEmail:\n"), ("float", "Share: 0.10\n")):
        (tmp_path / f"{name}.yaml").write_text(content)
    with pytest.raises(Refusal) as refused:
        parameters_of(text, tmp_path)
    assert part in str(refused.value)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("AdminEmail=a@b.c", "AdminEmail=a@b.c"),
        ({"AdminEmail": "a@b.c", "Days": 7, "On": True, "Off": False}, "AdminEmail=a@b.c,Days=7,On=true,Off=false"),
        (None, None),
        ("", None),
    ],
)
def test_the_option_takes_text_or_a_mapping_of_the_config_file(given: Any, kept: str | None) -> None:
    assert parse_options({"stack_parameters": given}).stack_parameters == kept


def test_a_value_with_a_comma_needs_a_file() -> None:
    with pytest.raises(Refusal, match="YAML file of their own"):
        parse_options({"stack_parameters": {"Ids": "a,b"}})


def test_a_build_prints_the_templates_address_last(tmp_path: Path) -> None:
    command = f"echo building {{version}} for {{stack}}; env > {tmp_path}/env; echo https://b/idp_{{version}}.yaml"
    assert build(command, "0.6.9", "eu-central-1", "my stack", "me") == "https://b/idp_0.6.9.yaml"
    environment = (tmp_path / "env").read_text()
    assert "AWS_REGION=eu-central-1\n" in environment and "AWS_PROFILE=me\n" in environment


@pytest.mark.parametrize(
    ("command", "part", "code"),
    [
        ("echo half; exit 7", "ended with code 7 (half); the stack was not changed", 3),
        ("false", "ended with code 1 (it printed nothing)", 3),
        ("true", "found '', expected the https:// address", 2),
        ("echo https://b/x.yaml; echo done", "found 'done'", 2),
        ("echo http://b/x.yaml", "found 'http://b/x.yaml'", 2),
    ],
)
def test_a_build_that_gives_no_template_changes_nothing(command: str, part: str, code: int) -> None:
    with pytest.raises(Refusal) as refused:
        build(command, "0.6.9", "us-west-2", "IDP")
    assert part in str(refused.value)
    assert refused.value.exit_code == code


def test_what_is_filled_in_is_one_word_of_the_command(tmp_path: Path) -> None:
    command = f"printf '%s\\n' {{stack}} > {tmp_path}/seen; echo https://b/x.yaml"
    build(command, "0.6.9", "us-west-2", "x; rm -rf y")
    assert (tmp_path / "seen").read_text() == "x; rm -rf y\n"


def command(**config: Any) -> Invocation:
    """A command as typed, against this repository."""
    return Invocation(ROOT, {"backend": "aws", "suite": "smoke", "account": "555566667777", "build": "b1", **config})


def test_a_file_of_parameters_is_read_before_anything_is_planned() -> None:
    with pytest.raises(Refusal, match=r"no-such\.yaml: found no such file"):
        command(stack_parameters="no-such.yaml")
    assert Invocation(ROOT, {"stack_parameters": "no-such.yaml"}).options.backend == "local"


@pytest.mark.parametrize(
    ("confirm", "word"), [(False, "nothing is launched without confirm=true"), (True, "confirm=true is given")]
)
def test_a_dry_run_names_the_account_the_region_and_the_stack(confirm: bool, word: str) -> None:
    asked = command(confirm=confirm)
    asked.side(asked.new_side().address)
    told = asked.place()
    for part in ("ends in 7777", redact.account("555566667777"), "us-west-2", "idpbench-smoke", "build b1", word):
        assert part in told
    assert "555566667777" not in told
    assert Invocation(ROOT, {}).place() == ""


def test_what_a_step_is_told_names_the_account_by_its_label_and_is_the_same_command() -> None:
    asked = command()
    told = json.loads(asked.config_text)
    assert told["account"] == redact.account("555566667777")
    assert Invocation(ROOT, told).new_side().keys == asked.new_side().keys
    assert "555566667777" not in asked.request_text(asked.new_side()) + json.dumps(asked.new_side().to_json())
