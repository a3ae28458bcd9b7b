"""`idpbench claims`, as typed: what it refuses, what it keeps, and which code it ends with."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.bench import judging as judging_module
from idpbench.claims.bench.published import without_times
from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import registry as registry_module
from idpbench.claims.judge.base import JudgeUnavailable
from idpbench.cli import main
from idpbench.cli.claimscommands.calibrate import refuse_failed_replies
from idpbench.files.errors import Refusal

ROOT = Path(__file__).resolve().parents[3]
SUITE = """
suite_id: letters-001
name: Letters
version: 0.1.0
domain: post
source_types: [LETTER]
cases:
  - case_id: first
    source_snapshot: {content_hash: c510d52534c2f94b42f452cdcc31cd7289e938d6f665767e0dc2f9df7d90b235}
    inline_content: |-
      The letter is from Ada.
    expected:
      - {content: The letter is from Ada., confidence_min: 0.5, uncertainty_nature: EPISTEMIC}
"""


class Letters:
    """An extractor that states what the test wants."""

    extractor_id = "letters"
    version = "1"
    deterministic = True
    provider_model = "none"
    must_not: frozenset[str] = frozenset()

    def __init__(self, claims: list[Claim]) -> None:
        self.claims = claims

    def accepts(self, source_type: str) -> bool:
        return source_type == "LETTER"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        return list(self.claims)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with one suite."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "corpus/claims/suites").mkdir(parents=True)
    (tmp_path / "corpus/claims/suites/letters-001.yaml").write_text(SUITE, encoding="utf-8")
    shutil.copy(ROOT / "corpus/claims/authority.json", tmp_path / "corpus/claims")
    return tmp_path


@pytest.fixture
def typed(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str, claims: list[Claim] | None = None) -> tuple[int, str, str]:
        stated = [Claim("The letter is from Ada.", 0.9)] if claims is None else claims
        monkeypatch.setattr(registry_module, "OWN", (lambda: Letters(stated),))
        code = main(["claims", *words, "--root", str(folder)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("work/claims/runs/*"))


def test_a_pass_is_printed_and_kept_once(typed: Any, folder: Path) -> None:
    code, out, err = typed("bench", "letters", "--format", "json")
    assert code == 0
    figures = json.loads(out)["figures"]
    assert (figures["precision"]["mean"], figures["recall"]["mean"]) == (1.0, 1.0)
    (name,) = kept(folder)
    assert name.endswith("Z-benchmark-letters-letters-001.json") and name in err


def test_passes_of_one_second_get_names_of_their_own_and_no_save_keeps_none(typed: Any, folder: Path) -> None:
    assert typed("bench", "letters", "--no-save")[0] == 0
    assert kept(folder) == []
    assert typed("bench", "letters", "--runs", "3")[0] == 0
    assert len(kept(folder)) == 3


def test_an_extractor_that_states_nothing_is_not_precise(typed: Any) -> None:
    code, out, err = typed("bench", "letters", "--fail-on", "precision", claims=[])
    assert code == 1
    assert re.search(r"^precision +n/a +0$", out, re.M)
    assert "fails on precision" in err


def test_without_a_judge_nothing_is_scored_and_nothing_is_kept(
    typed: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(*_: object) -> None:
        raise JudgeUnavailable("embedding judge: not here")

    monkeypatch.setattr(judging_module, "EmbeddingJudge", unavailable)
    code, out, err = typed("bench", "letters")
    assert code == 3
    assert out == "" and "not here" in err
    assert kept(folder) == []


def test_an_estimate_runs_nothing_and_many_calls_want_a_yes(
    typed: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = typed("bench", "letters", "--estimate", "--runs", "3")
    assert code == 0 and "up to 3 calls" in err
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    code, _, err = typed("bench", "letters", "--runs", "51")
    assert code == 1 and "--yes" in err
    assert kept(folder) == []


def test_a_fit_of_one_claim_is_refused_and_not_kept(typed: Any, folder: Path) -> None:
    shutil.copytree(folder / "corpus/claims/suites", folder / "corpus/claims/calibration")
    code, _, err = typed("calibrate", "letters")
    assert code == 1 and "at least 2" in err
    assert not (folder / "work/claims/calibrations").exists()


def test_the_threshold_of_a_fit_is_fixed(typed: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        typed("calibrate", "letters", "--threshold", "0.7")
    assert ended.value.code == 2


def test_labels_that_a_failing_judge_made_are_not_fitted_on() -> None:
    passes = [{"judge_failures": 0}, {"judge_failures": 2}]
    with pytest.raises(Refusal, match="2 failed replies") as refused:
        refuse_failed_replies("letters", [{"passes": passes}])
    assert refused.value.exit_code == 3
    refuse_failed_replies("letters", [{"passes": passes[:1]}])


def test_claims_from_elsewhere_are_scored_without_a_model(typed: Any, folder: Path) -> None:
    emitted = {
        "schema": "idpbench/claims-emitted/1",
        "extractor_id": "theirs",
        "extractor_version": "7",
        "suite_id": "letters-001",
        "cases": [{"case_id": "first", "status": "ok", "claims": [{"content": "Ada wrote it.", "confidence": 0.4}]}],
    }
    (folder / "emitted.json").write_text(json.dumps(emitted), encoding="utf-8")
    (folder / "similarity.json").write_text('[["Ada wrote it.", "The letter is from Ada.", 0.9]]', encoding="utf-8")
    words = ("score", "--suite", str(folder / "corpus/claims/suites/letters-001.yaml"))
    given = (*words, "--emitted", str(folder / "emitted.json"), "--similarity", str(folder / "similarity.json"))
    code, out, _ = typed(*given)
    assert code == 0 and "timid:    The letter is from Ada. (stated at 0.4, floor 0.5)" in out
    (folder / "similarity.json").write_text("[]", encoding="utf-8")
    code, _, err = typed(*given)
    assert code == 2 and "no similarity of" in err


def test_recorded_claims_stand_beside_an_installed_extractor(typed: Any, folder: Path) -> None:
    _, out, _ = typed("bench", "letters", "--format", "json")
    theirs = without_times(json.loads(out))
    theirs["passes"][0]["extractor_id"] = "theirs"
    theirs["extractor_id"] = "theirs"
    (folder / "theirs.json").write_text(json.dumps(theirs), encoding="utf-8")
    words = ("compare", "--extractor-id", "letters", "--emitted", str(folder / "theirs.json"))
    code, out, _ = typed(*words, "--format", "json")
    assert code == 0
    table = json.loads(out)
    assert table["extractor_ids"] == ["letters", "theirs"]
    (suite,) = table["suites"]
    assert suite["metrics"]["precision"]["letters"] == suite["metrics"]["precision"]["theirs"]
    code, _, err = typed(*words, "--suite", "letters-002")
    assert code == 2 and "expected one suite" in err
    code, _, err = typed("compare", "--emitted", str(folder / "theirs.json"))
    assert code == 2 and "expected two or more" in err


def test_what_is_published_can_be_scored_again(typed: Any, folder: Path) -> None:
    words = ("score", "--suite", str(folder / "corpus/claims/suites/letters-001.yaml"), "--emitted")
    _, out, _ = typed("bench", "letters", "--runs", "2", "--format", "json")
    (folder / "published.json").write_text(json.dumps(without_times(json.loads(out))), encoding="utf-8")
    code, again, _ = typed(*words, str(folder / "published.json"), "--json")
    assert code == 0 and without_times(json.loads(again)) == without_times(json.loads(out))
    assert "(2 passes)" in typed(*words, str(folder / "published.json"))[1]
    (folder / "published.json").write_text(json.dumps({**json.loads(out), "passes": []}), encoding="utf-8")
    code, _, err = typed(*words, str(folder / "published.json"))
    assert code == 2 and "published.json: passes:" in err


@pytest.mark.parametrize("threshold", ["nan", "-0.1", "1.1", "90", "high"])
def test_a_threshold_that_nothing_could_fail_is_no_threshold(typed: Any, threshold: str) -> None:
    with pytest.raises(SystemExit) as ended:
        typed("bench", "letters", "--fail-on", "precision", "--fail-threshold", threshold, claims=[])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("bench", "leters"), "did you mean letters?"),
        (("bench", "letters", "--suite", "letters-002"), "did you mean letters-001?"),
        (("compare", "--extractor-id", "letters"), "expected two or more"),
        (("harness", "modality", "letters"), "no modality suite"),
        (("conformance",), "no fixture"),
        (("bench", "letters", "--suites-dir", "nowhere"), "nowhere: found no such folder"),
        (("calibrate", "letters"), "calibration: found no such folder"),
    ],
)
def test_wrong_use_says_what_would_be_right(typed: Any, words: tuple[str, ...], told: str) -> None:
    code, _, err = typed(*words)
    assert code == 2 and told in err


def test_one_bad_suite_is_said_and_the_others_run(typed: Any, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "corpus/claims/suites/broken.yaml").write_bytes(b"\xff\xfe nothing")
    assert typed("bench", "letters")[0] == 0
    assert "broken.yaml is skipped" in caplog.text
    code, out, _ = typed("validate")
    assert code == 2 and "broken.yaml" in out
