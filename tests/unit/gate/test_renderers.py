"""Text, JUnit and the job summary say what the one object says, and so does the exit code."""

import copy
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from idpbench.cli.main import main
from idpbench.files.schema import check
from idpbench.gate import render_github, render_junit, render_text
from idpbench.gate.certificate import certify
from idpbench.gate.options import Options
from idpbench.gate.settle import plan_settle
from idpbench.gate.verdict import make_comparison

CASES = json.loads((Path(__file__).parents[2] / "vectors" / "gate.json").read_text())
LEVELS = ("rows", "cells", "grid")


def side(version, recall, cost, docs=("x.pdf", "y.pdf")):
    rows = [
        {"cell": "a", "doc": doc, "repeat": repeat, "status": "COMPLETED", "success": True}
        | {"completeness_recall": recall if doc == "x.pdf" else 1.0, "cost": cost, "run_id": "bench-x-20261101-101010"}
        for doc in docs
        for repeat in range(3)
    ]
    return {"meta": {"stack_version": version}, "rows": rows}


NEW, BASE = side("0.2", 0.5, 0.1), side("0.1", 1.0, 0.2)


@pytest.fixture(scope="module", params=["classic", "both"])
def comparison(request):
    return make_comparison(NEW, BASE, None, Options(rules=request.param), names=("new.json", "old.json"))


@pytest.fixture
def files(tmp_path):
    for name, content in (("new.json", NEW), ("old.json", BASE)):
        (tmp_path / name).write_text(json.dumps(content))
    return [str(tmp_path / "new.json"), str(tmp_path / "old.json")]


def findings(comparison, word="regressions"):
    return [finding for level in LEVELS for finding in comparison[level][word]]


def test_text_begins_with_the_verdict_and_names_every_finding(comparison):
    text = render_text.render(comparison)
    first = text.splitlines()[0]
    assert first.startswith(f"VERDICT regression (exit 1, {comparison['decided_by']} rules): ")
    for finding in findings(comparison) + findings(comparison, "inconclusive"):
        assert finding["key"] in text and finding["text"] in text
    assert "base: 0.1, 6 rows, 0 failed  (old.json)" in text


def test_text_prints_the_classic_findings_beside_the_paired_ones():
    both = render_text.render(make_comparison(NEW, BASE))
    assert "=== CLASSIC REGRESSIONS (1) ===" in both and "completeness_recall -0.500 (n=3->3)  (1 -> 0.5)" in both


def test_junit_counts_what_it_lists(comparison):
    root = ET.fromstring(render_junit.render(comparison))
    assert int(root.get("failures")) == len(root.findall(".//failure")) == 1 + len(findings(comparison))
    assert int(root.get("skipped")) == len(root.findall(".//skipped")) == len(findings(comparison, "inconclusive"))
    assert int(root.get("tests")) == len(root.findall(".//testcase"))


def test_junit_has_a_case_for_every_judged_test():
    comparison = make_comparison(NEW, BASE)
    root = ET.fromstring(render_junit.render(comparison))
    told = {(case.get("classname"), case.get("name")) for case in root.findall(".//testcase")}
    assert {(test["key"], test["metric"]) for test in comparison["tests"] if test["judged"]} <= told


def test_junit_calls_a_gap_in_coverage_an_error():
    comparison = make_comparison(side("0.2", 1.0, 0.1, docs=("x.pdf",)), BASE)
    (error,) = ET.fromstring(render_junit.render(comparison)).findall(".//testcase[@classname='a|y.pdf']/error")
    assert error.get("message") == "missing on the new side"


def test_junit_stays_well_formed_whatever_a_key_holds(comparison):
    odd = copy.deepcopy(comparison)
    odd["rows"]["regressions"][0]["key"] = 'a<&">\x00|"b"'
    assert ET.fromstring(render_junit.render(odd)) is not None


def test_the_job_summary_stays_below_the_hosts_limit_and_says_what_it_left_out(comparison):
    large = copy.deepcopy(comparison)
    first = large["rows"]["regressions"][0]
    large["rows"]["regressions"] = [{**first, "key": f"cell-{i}|document-{i}.pdf"} for i in range(20_000)]
    text = render_github.render(large)
    assert len(text.encode()) < 900 * 1024
    assert "of 20000" in text and "left out here" in text


@pytest.mark.parametrize("form", ["text", "json", "junit", "github"])
def test_every_format_ends_in_the_same_exit_code(form, files, capsys):
    assert main(["compare", *files, "--format", form]) == 1
    assert "x.pdf" in capsys.readouterr().out


def once(value, cost=0.1, doc="x.pdf"):
    """One run of a document a side."""
    row = {"cell": "a", "doc": doc, "repeat": 0, "success": True, "completeness_recall": value, "cost": cost}
    return {"meta": {"stack_version": "0.1"}, "rows": [row, row | {"doc": "y.pdf", "completeness_recall": 1.0}]}


@pytest.mark.parametrize("form", ["text", "json", "junit", "github"])
@pytest.mark.parametrize(
    ("new", "base", "words", "code"),
    [
        (once(1.0), once(1.0), (), 0),
        (once(1.0, cost=0.13), once(1.0), (), 0),  # undecided at one run, and too small to ask for a second look
        (once(1.0, cost=0.13), once(1.0), ("--strict",), 4),
        (once(0.5), once(1.0), (), 4),  # lost at one run: nothing is proved, and it does not pass
        ({"rows": once(1.0)["rows"][:1]}, once(1.0), (), 3),
        (once(1.0), {"rows": [row | {"config_digest": "a"} for row in once(1.0)["rows"]]}, (), 0),
        (
            {"rows": [row | {"config_digest": "b"} for row in once(1.0)["rows"]]},
            {"rows": [row | {"config_digest": "a"} for row in once(1.0)["rows"]]},
            (),
            3,
        ),
    ],
    ids=["pass", "undecided", "strict", "second look", "incomplete", "a digest on one side", "incomparable"],
)
def test_the_exit_code_is_the_verdict_s_whatever_the_format(form, new, base, words, code, tmp_path, capsys):
    for name, content in (("new.json", new), ("base.json", base)):
        (tmp_path / name).write_text(json.dumps(content))
    assert main(["compare", str(tmp_path / "new.json"), str(tmp_path / "base.json"), "--format", form, *words]) == code
    verdict = {0: "pass", 3: "incompl" if len(new["rows"]) == 1 else "incompar", 4: "inconclusive"}[code]
    assert verdict in capsys.readouterr().out


def test_json_is_the_object_and_fits_its_schema(files, capsys):
    main(["compare", *files, "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    check(printed, "comparison", "stdout")
    assert printed["rows"]["regressions"][0]["key"] == "a|x.pdf"


@pytest.mark.parametrize("case", CASES["cases"][::6] + CASES["coverage_cases"], ids=lambda case: case["id"])
def test_every_comparison_fits_its_schema(case):
    new, base = {"rows": case["new"]}, {"rows": case["base"]}
    for rules in ("classic", "paired", "both"):
        check(make_comparison(new, base, None, Options(rules)), "comparison", case["id"])
    check(plan_settle(new, base), "settle", case["id"])
    check(certify(new, base, relabellings=2), "certificate", case["id"])


def test_a_file_that_is_missing_or_no_summary_is_bad_usage(tmp_path, files, capsys):
    assert main(["compare", str(tmp_path / "none.json"), files[1]]) == 2
    other = tmp_path / "other.json"
    other.write_text('{"schema": "idpbench/plan/1", "rows": []}')
    assert main(["compare", files[0], str(other)]) == 2
    error = capsys.readouterr().err
    assert "other.json: schema: found 'idpbench/plan/1', expected 'idpbench/summary/1'" in error


def test_options_reach_the_judge(files, capsys):
    assert main(["compare", *files, "--arms", "a=a", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["arms"] == ["a", "a"]
    assert main(["compare", *files, "--arms", "a"]) == 2
    assert main(["compare", *files, "--gate", "nowhere.yaml"]) == 2
    assert main(["compare", files[0], files[0], "--rules", "paired", "--strict"]) == 0
