"""`idpbench plan` and `idpbench estimate`, as typed."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from idpbench.cli import main

ROOT = str(Path(__file__).resolve().parents[3])


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--root", ROOT])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_the_plan_as_json_has_the_published_totals(printed: Any) -> None:
    code, out, _ = printed("plan", "--suite", "core", "--json")
    plan = json.loads(out)
    assert code == 0
    assert (plan["runs_total"], plan["launches_total"], len(plan["launchable"])) == (893, 171, 171)
    assert {entry["document"] for entry in plan["other_class"]} == {"realkie", "ocr_bench"}


def test_the_plan_as_text_shows_grid_aliases_and_what_is_left_out(printed: Any) -> None:
    _, out, _ = printed("plan", "--suite", "coresynth", "--set", "extraction_model=nova_lite")
    assert "91 runs in 91 launches" in out
    assert "core-tt-simple-sep = enforce-warn" in out
    assert "42 launches: core-tt-adv-sep, core-tt-adv-int, core-tl-adv-sep and 3 more" in out
    assert "Nova Lite cannot run advanced mode" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--suite", "corefsat"], "did you mean corefast"),
        (["--suite", "corefast", "--set", "ocr"], "axis=value"),
        (["--suite", "corefast", "--set", "ocr=bdaa"], "did you mean bda"),
        (["--suite", "corefast", "--set", "ocr=bda", "--set", "ocr=bedrock_llm"], "ocr as bda and as bedrock_llm"),
        (["--suite", "corefast", "--repeats", "0"], "1 or more"),
    ],
)
def test_wrong_words_are_refused_with_code_2(printed: Any, words: list[str], said: str) -> None:
    code, out, err = printed("plan", *words)
    assert code == 2
    assert out == "" and said in err and "Traceback" not in err


def test_a_folder_without_configuration_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["plan", "--suite", "smoke", "--root", str(tmp_path)]) == 2
    assert "no such file" in capsys.readouterr().err


def test_an_estimate_opens_no_connection(printed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    code, out, _ = printed("estimate", "--suite", "corefast", "--json")
    estimate = json.loads(out)
    assert code == 0
    assert estimate["launches"] == estimate["priced_launches"] == 171
    assert len(estimate["pricing_sha256"]) == 64


def test_an_estimate_rests_on_a_given_summary(printed: Any, tmp_path: Path) -> None:
    rows = [
        {"cell": cell, "doc": f"{doc}.pdf", "success": True, "cost": 0.25, "wall_s": 2.0, "page_count": 1.0}
        for cell in ("core-tt-simple-sep", "core-tt-adv-sep")
        for doc in ("tiny_form", "small_narrow")
    ]
    (tmp_path / "summary.json").write_text(json.dumps({"rows": rows}))
    _, out, _ = printed("estimate", "--suite", "smoke", "--priors", str(tmp_path / "summary.json"), "--json")
    estimate = json.loads(out)
    assert estimate["prior_share"] == 1.0
    assert estimate["cost_usd"]["expected"] == 1.0
