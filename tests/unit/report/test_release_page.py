"""The release page: what it says, that every number on it stands in its inputs, and that its bytes never wander."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sides import START, comparison, failed, finding, row, wide_grid, write_side

from idpbench.files.canonical import write_json
from idpbench.report.inputs import Inputs, load
from idpbench.report.ownership import Addresses, Claims, Pair, decide
from idpbench.report.release_page import entry, pair_of, render

GOLDEN = Path(__file__).parent / "golden" / "release.md"
CELLS, DOCS = ("core-tt-simple-sep", "core-tt-adv-sep"), ("tiny_form", "small_narrow")


def grid(shift: float = 1.0) -> list[dict[str, Any]]:
    """Two cells, two documents, two repeats; repeats differ by a cent."""
    return [
        row(cell, doc, repeat, cost=round((0.03 if doc == "tiny_form" else 0.15) * (1 + repeat / 10) * shift, 4))
        for cell, doc, repeat in product(CELLS, DOCS, range(2))
    ]


def changed_grid() -> list[dict[str, Any]]:
    """The new side: one document lost a scalar in both runs, one run failed, everything costs a tenth more."""
    lines = grid(1.1)
    for line in lines:
        if (line["cell"], line["doc"]) == ("core-tt-adv-sep", "small_narrow.pdf"):
            miss = {"Account Number": {"expected": "4471-20", "got": "4471"}}
            line |= {"scalar_accuracy": 0.5, "scalars": miss, "correct_fields": 16}
    lines[1] = failed("core-tt-simple-sep", "tiny_form", 1, "ValidationException: input is too long")
    return lines


def verdict() -> dict[str, Any]:
    lost = finding("core-tt-adv-sep|small_narrow.pdf", "scalar_accuracy", 1.0, 0.5, text="scalar_accuracy -0.500")
    dearer = finding(
        "core-tt-adv-sep", "cost", 0.0945, 0.104, text="cost +10%", q=0.2, p=0.08, low=0.02, high=0.18, spread=0.08,
        n_base=4, n_new=4, repeats_needed=5,
    )  # fmt: skip
    test = {
        "level": "grid", "key": "grid", "metric": "bill", "verdict": "not seen", "effect": 0.1, "low": 0.01,
        "high": 0.19, "detectable": 0.12,
    }  # fmt: skip
    coverage = {"keys_base": 4, "keys_new": 4, "keys_shared": 4, "keys_succeeded_on_both": 4}
    return comparison(
        "regression",
        rows={"regressions": [lost]},
        cells={"inconclusive": [dearer]},
        tests=[test],
        coverage=coverage,
        reasons=["1 regressions"],
    )


def inputs_in(
    folder: Path, new: Iterable[dict[str, Any]], base: Iterable[dict[str, Any]], content: dict[str, Any], **more: Any
) -> Inputs:
    write_side(folder / "new", "0.6.9", new, **more)
    write_side(folder / "base", "0.6.8", base, **more)
    write_json(folder / "comparison.json", content)
    return load(folder / "new", folder / "base", folder / "comparison.json")


def addresses(inputs: Inputs) -> Addresses:
    return decide(pair_of(inputs), Claims())


@pytest.fixture
def tiny(tmp_path: Path) -> Inputs:
    return inputs_in(tmp_path, changed_grid(), grid(), verdict())


def page(inputs: Inputs, tmp_path: Path, notes: str | None = None) -> str:
    return render(inputs, addresses(inputs), tmp_path / "no-figures", notes)


def test_the_page_of_a_tiny_grid_is_the_golden_one(tiny: Inputs, tmp_path: Path) -> None:
    assert page(tiny, tmp_path) == GOLDEN.read_text(encoding="utf-8")


def test_the_same_inputs_give_the_same_bytes_wherever_they_lie(tiny: Inputs, tmp_path: Path) -> None:
    elsewhere = inputs_in(tmp_path / "elsewhere", changed_grid(), grid(), verdict())
    assert page(elsewhere, tmp_path) == page(tiny, tmp_path)
    assert entry(elsewhere, addresses(elsewhere)) == entry(tiny, addresses(tiny))


NUMBER = re.compile(r"(?<![\w.~`-])[-+]?\$?-?\d[\d,]*(?:\.\d+)?(?![\w~-]|\.\d)")
SPOKEN = {"95", "80", "12", "-12"}  # 95 % intervals, 80 % of repetitions, the line in the example


def numbers_on(text: str) -> list[str]:
    """Numbers of a page without links, code, digests, times and headings."""
    text = text.split("\n## 9. Reproduce")[0]
    text = re.sub(r"\A---.*?---\n", "", text, flags=re.DOTALL)
    for noise in (
        r"\[[^\]]*\]\([^)]*\)", r"`[^`]*`", r"\b[0-9a-f]{12}\b", r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?", r"(?m)^#+ .*$",
        r"\b\d+\.\d+\.\d+\b", r'"[^"]*"', r"[Ss]ection \d+",
    ):  # fmt: skip
        text = re.sub(noise, " ", text)
    return [found for found in NUMBER.findall(text) if found not in SPOKEN]


def every_number(value: Any) -> Iterable[float]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, dict):
        for part in value.values():
            yield from every_number(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from every_number(part)


METRICS = ("completeness_recall", "scalar_accuracy", "cell_accuracy", "cost", "wall_s")
TOKENS = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")


def derivable(inputs: Inputs) -> set[float]:
    """Every number that the inputs state or that follows from their rows, computed with pandas, not by the room."""
    found = set(every_number(inputs.comparison)) | {float(n) for n in range(7)}
    found |= {math.expm1(test["detectable"]) for test in inputs.comparison["tests"]}  # of a bill: a logarithm
    frames = []
    for side in inputs.sides:
        found |= set(every_number(dict(side.meta)))
        frame = pd.DataFrame(list(side.rows))
        for name in TOKENS:
            frame[name] = [(tokens or {}).get(name) for tokens in frame["tokens"]]
        for name in ("OCR", "Extraction"):
            frame[f"phase {name}"] = [(phases or {}).get(name) for phases in frame["cost_by_phase"]]
        frames.append(frame)
        groups = [frame, *(part for _, part in frame.groupby("cell")), *(part for _, part in frame.groupby("repeat"))]
        for part in groups:
            done = part[part["success"]]
            found |= {
                float(len(part)),
                float(len(done)),
                float(len(part) - len(done)),
                float(part["cost"].notna().sum()),
            }
            by_document = done.groupby(["cell", "doc"])
            cvs = by_document["cost"].std() ** 2 / by_document["cost"].mean() ** 2
            freedom = by_document["cost"].count() - 1
            found.add(float(((cvs * freedom).sum() / freedom.sum()) ** 0.5) if freedom.sum() else 0.0)
            per_run = (*METRICS, *TOKENS, "phase OCR", "phase Extraction")
            found |= {float(by_document[column].mean().mean()) for column in per_run}
            found |= {float(done[column].sum()) for column in (*TOKENS, "phase OCR", "phase Extraction")}
            read, seen = (done[list(names)].sum().sum() for names in (TOKENS[2:3], (TOKENS[0], *TOKENS[2:])))
            found.add(float(read / seen) if seen else 0.0)
            known = part.groupby(["cell", "doc"]).filter(lambda rows: rows["cost"].notna().all())
            if known["correct_fields"].sum():
                found.add(float(known["cost"].sum() / known["correct_fields"].sum()))
        found |= {
            float(frame["page_count"].max()),
            float(frame["rows_truth"].max()),
            float(len(frame.groupby(["cell", "doc"]))),
        }
        found |= {float(done["phase OCR"].sum() + done["phase Extraction"].sum()) for done in [frame[frame["success"]]]}
    shared = set.intersection(*({(r.cell, r.doc) for r in f[f["cost"].notna()].itertuples()} for f in frames))
    known_keys = [
        key for key in sorted(shared)
        if all(f[(f["cell"] == key[0]) & (f["doc"] == key[1])]["cost"].notna().all() for f in frames)
    ]  # fmt: skip
    found.add(float(len(known_keys)))
    for frame in frames:
        for cells in ({key[0]} for key in known_keys):
            part = frame[
                [(c, d) in known_keys and c in cells for c, d in zip(frame["cell"], frame["doc"], strict=True)]
            ]
            found.add(float(part["cost"].sum() / part["correct_fields"].sum()))
        part = frame[[key in known_keys for key in zip(frame["cell"], frame["doc"], strict=True)]]
        found.add(float(part["cost"].sum() / part["correct_fields"].sum()))
    return found


def stands_in(token: str, numbers: set[float]) -> bool:
    """Is this a number of the inputs, a share of one in percent, or the relative change between two of them?"""
    places = len(token.partition(".")[2])
    amount = float(token.replace("$", "").replace(",", ""))
    near = 0.5000001 * 10**-places
    if any(abs(value - amount) <= near or abs(100 * value - amount) <= near for value in numbers):
        return True
    return places == 1 and any(
        old and abs(100 * (new / old - 1) - amount) <= near for old in numbers for new in numbers
    )


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_every_number_on_the_page_stands_in_its_inputs(seed: int | None, tmp_path: Path) -> None:
    new, base = (changed_grid(), grid())
    if seed is not None:
        documents = {"tiny_form": 0.03, "small_narrow": 0.15}
        base, new = (wide_grid(10 * seed + side, CELLS, documents, 3) for side in range(2))
    inputs = inputs_in(tmp_path, new, base, verdict())
    found, known = numbers_on(page(inputs, tmp_path)), derivable(inputs)
    assert len(found) > 100
    assert [token for token in found if not stands_in(token, known)] == []


def test_the_property_above_would_notice_a_number_from_nowhere(tiny: Inputs) -> None:
    known = derivable(tiny)
    assert not stands_in("0.1234", known)
    assert not stands_in("$0.0977", known)
    assert stands_in("0.500", known)


def test_the_first_paragraph_says_what_to_do(tiny: Inputs, tmp_path: Path) -> None:
    paragraph = page(tiny, tmp_path).split("## 1. Verdict\n\n")[1].split("\n\n")[0]
    assert paragraph.startswith("**Verdict: regression.** Do not upgrade from 0.6.8 to 0.6.9")
    assert "Runs that did not complete: 0 of 8 → 1 of 8." in paragraph
    assert "Regressions 1 (row 1, cell 0, grid 0)" in paragraph
    assert "baseline.json was promoted" in paragraph


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("pass", "Safe to upgrade"),
        ("inconclusive", "Not decided"),
        ("incomplete", "the grid is incomplete"),
        ("incomparable", "cannot be compared"),
    ],
)
def test_each_verdict_has_its_sentence(tmp_path: Path, word: str, says: str) -> None:
    inputs = inputs_in(tmp_path, grid(), grid(), comparison(word, reasons=["because of this"]))
    text = page(inputs, tmp_path)
    assert says in text
    assert ("- because of this" in text) is (word != "pass")


def test_the_local_stack_says_that_nothing_was_billed_and_a_deployed_one_does_not(tmp_path: Path) -> None:
    said = {
        backend: page(inputs_in(tmp_path / backend, grid(), grid(), verdict(), backend=backend), tmp_path)
        for backend in ("local", "aws")
    }
    assert "*Local stack, projected cost, nothing was billed.*" in said["local"]
    assert "simulated spread" in said["local"]
    for words in ("simulated", "projected", "nothing was billed"):
        assert words not in said["aws"]


def test_a_partial_grid_says_so_on_every_table_and_does_not_promote(tmp_path: Path) -> None:
    short = grid()[:-2]
    inputs = inputs_in(tmp_path, grid(), short, comparison("incomplete"), meta={"planned": 8})
    text = page(inputs, tmp_path)
    assert "| planned  |            8 |" in text
    assert text.count("PARTIAL") >= 4
    assert "baseline.json was not promoted: PREV's side is partial." in text


def test_a_pair_that_owns_no_address_promotes_nothing_and_links_from_its_own_folder(
    tiny: Inputs, tmp_path: Path
) -> None:
    claims = Claims(page="0.6.9-0.6.7-corefast", new="0.6.9-0.6.7-corefast", new_same=True)
    aside = decide(pair_of(tiny), claims)
    text = render(tiny, aside, tmp_path / "no-figures")
    assert "baseline.json was not promoted: this pair does not own the release's address." in text
    assert "](../../../v0.6.9/corefast/summary.json)" in text
    assert "](v0.6.8/corefast/summary.json)" in text
    assert entry(tiny, aside)["promotion"]["promoted"] is False


def test_the_pair_is_read_from_the_new_side(tmp_path: Path) -> None:
    inputs = inputs_in(tmp_path, grid(), grid(), comparison(), meta={"series": "b", "slug": "ocr=bda", "suite": "cost"})
    assert pair_of(inputs) == Pair("0.6.9", "0.6.8", suite="cost", slug="ocr=bda", series="b")


def test_the_command_names_every_option_that_the_pair_was_made_with(tmp_path: Path) -> None:
    more = {"series": "b", "slug": "ocr-bda", "overrides": {"ocr": "bda", "geometry": "llm"}, "suite": "cost"}
    text = page(inputs_in(tmp_path, grid(), grid(), comparison(), meta=more), tmp_path)
    options = "version=0.6.9 prev=0.6.8 backend=local suite=cost set=geometry=llm,ocr=bda series=b"
    assert f"    snakemake release --config {options}\n" in text


def test_notes_come_in_verbatim(tiny: Inputs, tmp_path: Path) -> None:
    notes = "The field is *cut* at the dash {{ braces }}.\n\n- seen in 2 of 2 runs"
    assert page(tiny, tmp_path, notes).endswith(f"\n## Analysis\n\n{notes}\n")


def test_a_changed_scalar_is_shown_with_truth_both_sides_and_the_line_that_was_read(
    tiny: Inputs, tmp_path: Path
) -> None:
    line = next(line for line in page(tiny, tmp_path).splitlines() if "Account Number" in line and "4471" in line)
    assert [part.strip() for part in line.strip("|").replace("\\|", "/").split("|")] == [
        "`core-tt-adv-sep/small_narrow`", "Account Number", '`"4471-20"`', "the truth (2 runs)", '`"4471"` (2 runs)',
        "`Account Number 4471-20`",
    ]  # fmt: skip


def test_a_run_of_another_version_is_counted_against_the_proof_of_order(tiny: Inputs, tmp_path: Path) -> None:
    runs = list(tiny.new.runs)
    runs[3] = replace(runs[3], at_completion={"version": "0.6.10", "status": "UPDATE_COMPLETE"})
    text = page(replace(tiny, new=replace(tiny.new, runs=tuple(runs))), tmp_path)
    assert "0.6.9: 1 of 8 runs have no fingerprint of their side's version" in text
    assert "0.6.8: each of 8 runs has its side's version in its fingerprint" in text


def test_a_cell_added_later_gives_prev_a_second_launch_window(tmp_path: Path) -> None:
    later = START["0.6.9"] + timedelta(hours=3)
    inputs = inputs_in(tmp_path, grid(), grid(), comparison())
    write_side(tmp_path / "late", "0.6.8", grid()[:2], start=later)
    late = load(tmp_path / "new", tmp_path / "late", tmp_path / "comparison.json").base
    both = replace(inputs.base, runs=(*inputs.base.runs, *late.runs))
    text = page(replace(inputs, base=both), tmp_path)
    windows = [line.split("|")[2].strip() for line in text.splitlines() if re.match(r"\| \d +\| 0\.", line)]
    assert windows == ["0.6.8", "0.6.9", "0.6.8"]


def test_an_a_a_control_inside_the_grid_is_shown(tmp_path: Path) -> None:
    lines = [line | {"resolved": {"ocr": "bda", "extraction_model": "sonnet46"}} for line in grid()]
    text = page(inputs_in(tmp_path, lines, lines, comparison()), tmp_path)
    assert (
        "| `core-tt-adv-sep` | `core-tt-simple-sep` |" in text.replace("  ", " ")
        or "A/A control inside the grid" in text
    )


def test_findings_are_bold_in_the_cell_tables(tiny: Inputs, tmp_path: Path) -> None:
    lines = [line for line in page(tiny, tmp_path).splitlines() if line.startswith("| `core-tt-adv-sep`")]
    assert "**1.000 → 0.750**" in lines[0]
    assert not [
        line for line in page(tiny, tmp_path).splitlines() if line.startswith("| `core-tt-simple") and "**" in line
    ]
