"""Text, JUnit and the job summary say what the one object says, and so does the exit code."""

import copy
import json
import xml.etree.ElementTree as ET

import pytest
from shared_data import shared

from idpbench.cli.main import main
from idpbench.gate import render_github, render_junit, render_text
from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison

NEW, BASE = "data/idp/results/v0.6.0/summary.json", "data/idp/results/v0.5.16/summary.json"


@pytest.fixture(scope="module")
def comparison():
    sides = (json.loads(shared(name).read_text()) for name in (NEW, BASE))
    return make_comparison(*sides, None, Options(rules="classic"))


def keys(comparison, word):
    return {finding["key"] for finding in comparison["rows"][word]}


def test_text_begins_with_the_verdict_and_names_every_finding(comparison):
    text = render_text.render(comparison)
    assert text.startswith("VERDICT regression (exit 1, classic rules): 6 regressions, 1 improvement")
    assert all(key in text for key in keys(comparison, "regressions"))
    assert "  core-tt-simple-int|tiny_form.pdf: cost +81%  (0.0328 -> 0.0594)" in text


def test_junit_counts_what_it_lists(comparison):
    root = ET.fromstring(render_junit.render(comparison))
    assert int(root.get("failures")) == len(root.findall(".//failure")) == 1 + 6
    assert int(root.get("tests")) == len(root.findall(".//testcase"))


def test_junit_stays_well_formed_whatever_a_key_holds(comparison):
    odd = copy.deepcopy(comparison)
    odd["rows"]["regressions"][0]["key"] = 'a<&">\x00|"b"'
    assert ET.fromstring(render_junit.render(odd)) is not None


def test_the_job_summary_stays_below_the_hosts_limit_and_says_what_it_left_out(comparison):
    large = copy.deepcopy(comparison)
    large["rows"]["regressions"] = [
        {**large["rows"]["regressions"][0], "key": f"cell-{i}|document-{i}.pdf"} for i in range(40_000)
    ]
    text = render_github.render(large)
    assert len(text.encode()) < 900 * 1024
    assert "of 40000" in text and "left out here" in text


@pytest.mark.parametrize("form", ["text", "json", "junit", "github"])
def test_every_format_ends_in_the_same_exit_code(form, capsys):
    assert main(["compare", str(shared(NEW)), str(shared(BASE)), "--rules", "classic", "--format", form]) == 1
    assert "tiny_form.pdf" in capsys.readouterr().out


def test_a_file_that_is_missing_or_no_summary_is_bad_usage(tmp_path, capsys):
    assert main(["compare", str(tmp_path / "none.json"), str(shared(BASE))]) == 2
    other = tmp_path / "other.json"
    other.write_text('{"schema": "idpbench/plan/1", "rows": []}')
    assert main(["compare", str(shared(NEW)), str(other)]) == 2
    error = capsys.readouterr().err
    assert "other.json: schema: found 'idpbench/plan/1', expected 'idpbench/summary/1'" in error
