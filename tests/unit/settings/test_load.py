"""Loading config/: what is right loads; what is wrong is refused by file and key, with the nearest valid name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pydantic
import pytest

from idpbench.files.errors import Refusal
from idpbench.settings.load import load
from idpbench.settings.model import Settings

Spoil = Callable[[str, str, str], str]


def test_settings_cannot_be_changed(settings: Settings) -> None:
    with pytest.raises(pydantic.ValidationError):
        settings.models["sonnet46"].output_cap = 1  # type: ignore[misc]


def test_groups_are_expanded_in_the_order_written(settings: Settings) -> None:
    assert settings.groups["core_docs"] == (
        "tiny_form",
        "small_narrow",
        "longdesc_100",
        "med_narrow",
        "large_narrow",
        "wide_400",
        "manylists_400",
        "realkie",
        "ocr_bench",
    )
    assert len(settings.groups["scaling_series"]) == 7


def test_local_versions_are_sorted_as_versions(root: Path) -> None:
    folder = root / "config" / "localstack"
    for name in ("0.10.0", "0.7.0", "readme"):
        (folder / f"{name}.yaml").write_text("{}")
    versions = load(root).local_versions
    assert versions[-2:] == ("0.7.0", "0.10.0")
    assert "readme" not in versions and "engine" not in versions


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("models.yaml", "output_cap:", "output_capp:", ["models.sonnet46", "output_cap"]),
        (
            "models.yaml",
            "hard_window: 1000000",
            "hard_window: many",
            ["models.sonnet46.hard_window", "'many'", "integer"],
        ),
        ("models.yaml", "buffer: 0.30", "buffer: 1.30", ["models.sonnet46.buffer", "1.3", "less than 1"]),
        (
            "models.yaml",
            "kind: explicit",
            "kind: clever",
            ["models.sonnet46.cache.kind", "'explicit', 'implicit' or 'none'"],
        ),
        (
            "axes.yaml",
            "default: textract_tables",
            "default: textract_table",
            ["axes.ocr.default", "did you mean textract_tables"],
        ),
        ("axes.yaml", "    question: Which service", "    quesion: Which service", ["axes.ocr.", "question"]),
        (
            "axes.yaml",
            "extraction.model: us.anthropic.claude-sonnet-5}",
            "extraction.model: us.anthropic.claude-sonnet-55}",
            ["axes.extraction_model.values.sonnet5", "us.anthropic.claude-sonnet-5"],
        ),
        (
            "axes.yaml",
            "sonnet46: {classification",
            "sonnet47: {classification",
            ["values.sonnet47", "did you mean sonnet46"],
        ),
        ("axes.yaml", "prompt: ocr_page", "prompt: ocr_pge", ["axes.yaml", "ocr_pge", "did you mean ocr_page"]),
        ("axes.yaml", "axes:\n", "axis:\n", ["axes.yaml: axis", "`axes`"]),
        (
            "cells.yaml",
            "assessment: integrated}",
            "asessment: integrated}",
            ["registries.core.core-tt-simple-int", "did you mean assessment"],
        ),
        (
            "cells.yaml",
            "forcing: on}",
            "forcing: onn}",
            ["registries.core.force-on.forcing", "'onn'", "did you mean on"],
        ),
        (
            "cells.yaml",
            "  premium:\n",
            "  premium:\n    force-on: {forcing: on}\n",
            ["registries.premium.force-on", "second cell"],
        ),
        ("cells.yaml", "  core:\n", "  core:\n    Core_X: {}\n", ["registries.core.Core_X", "rename"]),
        ("cells.yaml", "geometry: [llm,", "geometri: [llm,", ["sweeps.geometri", "did you mean geometry"]),
        ("cells.yaml", "\nsweeps:", "\nsweep:", ["cells.yaml: ", "sweeps"]),
        ("documents.yaml", "pages: 1, rows: 5", "rows: 5", ["documents.tiny_form.pages", "nothing"]),
        (
            "documents.yaml",
            "{generator: kv_form, class: kv_form",
            "{generator: kv_form, class: kv_from",
            ["documents.kv_form.class", "did you mean kv_form"],
        ),
        (
            "documents.yaml",
            "  corefast: [tiny_form",
            "  corefast: [tiny_from",
            ["groups.corefast", "did you mean tiny_form"],
        ),
        ("documents.yaml", "  core_synth: [tiny_form", "  core_synth: [core_docs", ["a group that contains itself"]),
        (
            "documents.yaml",
            "realkie: {class: invoice, count: 20",
            "realkie: {class: invoice, cout: 20",
            ["references.realkie", "count"],
        ),
        (
            "suites.yaml",
            "cells: [core-tt-simple-sep, core-tt-adv-sep]",
            "cells: [core-tt-simple-spe, core-tt-adv-sep]",
            ["suites.smoke.cells", "did you mean core-tt-simple-sep"],
        ),
        (
            "suites.yaml",
            "documents: [corefast]",
            "documents: [corefats]",
            ["suites.corefast.documents", "did you mean corefast"],
        ),
        ("suites.yaml", "repeats: 3 ", "repeats: 0 ", ["suites.corefast.repeats", "0", "greater than or equal to 1"]),
        (
            "suites.yaml",
            "pairs: [[core-tt-simple-int, core-tt-simple-sep]]",
            "pairs: [[core-tt-simple-int, core-tt-adv-sep]]",
            ["suites.intconf.pairs", "did you mean"],
        ),
        ("gate.yaml", "waivers: []", "waivers: [{key: a|b, reason: x, until: soon}]", ["waivers.0.until", "'soon'"]),
        ("gate.yaml", "quality: 0.02  ", "qualty: 0.02  ", ["gate.yaml: classic", "quality"]),
        ("classes/kv_form.yaml", "classes:\n", "clases:\n", ["kv_form.yaml: classes", "no class"]),
        (
            "classes/kv_form.yaml",
            "classes:\n",
            "extraction: {modee: simple}\nclasses:\n",
            ["extraction.modee", "did you mean mode"],
        ),
    ],
)
def test_a_wrong_entry_is_refused_by_file_and_key(
    refusal_after: Spoil, file: str, old: str, new: str, said: list[str]
) -> None:
    message = refusal_after(file, old, new)
    assert message.startswith("config/"), message
    for part in [file.split("/")[-1], *said]:
        assert part in message


def test_arms_of_a_feature_suite_differ_in_exactly_one_axis(refusal_after: Spoil) -> None:
    message = refusal_after("cells.yaml", "enforcement: off}", "enforcement: off, escalation: on}")
    assert "suites.enforcement.pairs" in message
    assert "enforce-off and enforce-warn, which differ in escalation, enforcement" in message


def test_arms_that_resolve_alike_are_no_feature_test(refusal_after: Spoil) -> None:
    assert "which differ in nothing" in refusal_after("cells.yaml", "forcing: on}", "forcing: off}")


def test_two_axis_values_of_one_path_name_are_refused(refusal_after: Spoil) -> None:
    new = "  conf:\n    question: q\n    default: batch_b8\n    values: {batch_b8: {}}\n  conf_batch:\n"
    assert "the path name of conf=batch_b8" in refusal_after("axes.yaml", "  conf_batch:\n", new)


def test_a_supplied_text_counts_only_with_its_digest(root: Path) -> None:
    text = root / "config" / "prompts" / "aws" / "boundary_legacy.txt"
    text.parent.mkdir()
    text.write_text("the old words\n")
    assert load(root).axes["boundary_prompt"].aws["legacy"].text is None, "not pinned, so not used"

    axes = root / "config" / "axes.yaml"
    pinned = "sha256: c3df0ac9d13a6ef8d5eb3ca3d9a2df2a7a4b0f6f2e5ba79f7b8a59c9ec1ad7b0"
    spoiled = axes.read_text().replace("boundary_legacy.txt, sha256: null", f"boundary_legacy.txt, {pinned}")
    axes.write_text(spoiled)
    with pytest.raises(Refusal, match=r"aws\.legacy\.sha256") as caught:
        load(root)
    found = str(caught.value).split("expected ")[1].split(",")[0]
    axes.write_text(spoiled.replace(pinned, f"sha256: {found}"))
    assert load(root).axes["boundary_prompt"].aws["legacy"].text == "the old words"


def test_an_empty_or_missing_file_is_refused(root: Path) -> None:
    (root / "config" / "suites.yaml").write_text("")
    with pytest.raises(Refusal, match=r"suites\.yaml: found nothing"):
        load(root)
    (root / "config" / "suites.yaml").unlink()
    with pytest.raises(Refusal, match=r"suites\.yaml: found no such file"):
        load(root)
