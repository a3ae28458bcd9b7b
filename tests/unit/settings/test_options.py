"""`--config` keys: typed as Snakemake hands them over, and explained when they are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from idpbench.files.errors import USAGE, Refusal
from idpbench.settings.model import Settings
from idpbench.settings.options import READERS, Options, parse_options, parse_overrides
from idpbench.settings.yamlfile import load_yaml


def said(config: dict[str, Any], settings: Settings | None = None) -> str:
    with pytest.raises(Refusal) as caught:
        parse_options(config, settings)
    assert caught.value.exit_code == USAGE
    return str(caught.value)


def test_config_yaml_states_every_key_and_the_defaults(settings: Settings) -> None:
    shipped = load_yaml(settings.config / "config.yaml")
    assert set(shipped) == set(READERS)
    assert parse_options(shipped, settings) == Options()


def test_what_snakemake_hands_over_is_typed() -> None:
    config = {"version": "0.6.10-rc.1", "repeats": 5, "budget_usd": "12.50", "confirm": "true", "account": 12345678901,
              "set": "extraction_model=sonnet5,ocr=bda", "models": "haiku45, sonnet5", "mode": False}  # fmt: skip
    options = parse_options(config)
    assert options.version == "0.6.10-rc.1"
    assert (options.repeats, options.budget_usd, options.confirm) == (5, 12.5, True)
    assert options.account == "012345678901", "a leading zero that the number lost"
    assert options.overrides == {"extraction_model": "sonnet5", "ocr": "bda"}
    assert options.models == ("haiku45", "sonnet5")
    assert options.mode == "off"


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ({"version": 0.1}, ["version", "0.1", "three parts", "0.10 and 0.1", "version=X.Y.Z"]),
        ({"version": 1}, ["version", "three parts"]),
        ({"version": None}, ["version", "None"]),
        ({"version": "v0.6.9"}, ["'v0.6.9'", "write version=0.6.9"]),
        ({"version": "2026-10-01"}, ["three parts"]),
        ({"version": "0.06.9"}, ["three parts"]),
        ({"version": True}, ["three parts"]),
        ({"prev": 0.6}, ["prev", "0.6", "number"]),
        ({"verison": "0.6.9"}, ["verison", "did you mean version"]),
        ({"v": "0.6.9"}, ["did you mean version"]),
        ({"max_inflght": 3}, ["did you mean max_inflight"]),
        ({"repeats": 0}, ["repeats", "at least 1"]),
        ({"repeats": 2.5}, ["repeats", "2.5"]),
        ({"repeats": True}, ["repeats", "whole number"]),
        ({"max_inflight": None}, ["max_inflight"]),
        ({"budget_usd": -1}, ["budget_usd", "0 or more"]),
        ({"budget_usd": "a lot"}, ["budget_usd", "US dollars"]),
        ({"budget_usd": float("nan")}, ["budget_usd"]),
        ({"backend": "azure"}, ["backend", "local or aws"]),
        ({"account": 1234}, []),
        ({"account": "12-34"}, ["twelve digits"]),
        ({"build": 10}, ["build", "begins with a letter"]),
        ({"series": 2}, ["series"]),
        ({"series": "B"}, ["series", "small letters"]),
        ({"confirm": "maybe"}, ["confirm", "true or false"]),
        ({"set": "ocr"}, ["set", "axis=value"]),
        ({"set": "ocr=bda,ocr=bedrock_llm"}, ["ocr as bda and as bedrock_llm"]),
        ({"set": 3}, ["set", "axis=value"]),
        ({"mode": "bottomk"}, ["mode"]),
        ({"suite": None}, ["suite", "a name"]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_by_key(config: dict[str, Any], parts: list[str]) -> None:
    if config == {"account": 1234}:
        assert parse_options(config).account == "000000001234"
        return
    message = said(config)
    assert message.startswith("--config: ")
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("config", "part"),
    [
        ({"suite": "corefsat"}, "did you mean corefast"),
        ({"set": "extractionmodel=sonnet5"}, "did you mean extraction_model"),
        ({"set": "extraction_model=sonet5"}, "did you mean sonnet5"),
        ({"models": "haiku44"}, "did you mean haiku45"),
        ({"version": "0.6.99"}, "known: 0.6.5"),
        ({"prev": "0.6.1"}, "a release of the local stack"),
    ],
)
def test_a_name_that_config_does_not_define_is_refused_with_the_nearest(
    settings: Settings, config: dict[str, Any], part: str
) -> None:
    assert part in said(config, settings)


def test_any_release_may_be_measured_on_aws(settings: Settings) -> None:
    assert parse_options({"backend": "aws", "version": "0.7.0"}, settings).version == "0.7.0"


def test_equal_versions_need_a_series_of_their_own() -> None:
    assert "series=b" in said({"version": "0.6.9", "prev": "0.6.9"})
    assert parse_options({"version": "0.6.9", "prev": "0.6.9", "series": "b"}).series == "b"
    assert parse_options({"version": "0.6.9", "prev": "0.6.9"}, pair=False).version == "0.6.9"


def test_overrides_are_sorted_and_may_come_as_a_mapping() -> None:
    assert list(parse_overrides("ocr=bda,assessment=off")) == ["assessment", "ocr"]
    assert parse_overrides({"assessment": False, "ocr_dpi": 150}) == {"assessment": "off", "ocr_dpi": "150"}
    assert parse_overrides("") == parse_overrides(None) == {}
