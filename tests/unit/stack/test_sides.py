"""Run keys: everything that decides a run is in them, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idpbench.files.canonical import digest
from idpbench.files.errors import Refusal
from idpbench.files.provenance import PACKAGE, sources
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack import engine_identity, sides
from idpbench.stack.engine_identity import engine_parts, profile_values
from idpbench.stack.model import Side, Where, side_from_json
from idpbench.stack.sides import assemble, build_side

ROOT = Path(__file__).resolve().parents[3]
LOCAL = Where("local", "0.6.9")
AWS = Where("aws", "0.6.9", account="111122223333", build="b1", stack="IDP")


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load(ROOT)


def side(settings: Settings, where: Where = LOCAL, suite: str = "smoke", **options: Any) -> Side:
    return build_side(settings, ROOT, where, suite=suite, **options)


def test_the_same_question_has_the_same_keys(settings: Settings) -> None:
    assert side(settings).keys == side(load(ROOT)).keys
    assert len(side(settings, suite="corefast").keys) == 171


@pytest.mark.parametrize(
    "other",
    [
        replace(LOCAL, version="0.6.8"),
        replace(LOCAL, series="b"),
        AWS,
        replace(AWS, build="b2"),
        replace(AWS, account="444455556666"),
        replace(AWS, region="eu-central-1"),
        replace(AWS, stack="IDP2"),
        replace(AWS, version="0.6.8"),
    ],
)
def test_where_it_runs_decides_the_key(settings: Settings, other: Where) -> None:
    known = [LOCAL, AWS] if other != AWS else [LOCAL]
    for one in known:
        assert side(settings, one).keys.isdisjoint(side(settings, other).keys)


def test_the_name_of_the_local_stack_does_not(settings: Settings) -> None:
    assert side(settings, replace(LOCAL, stack="another", region="x")).keys == side(settings).keys


def test_more_repeats_add_keys_and_keep_the_old_ones(settings: Settings) -> None:
    assert side(settings).keys < side(settings, repeats=3).keys


def test_a_cell_belongs_to_the_key_even_where_it_resolves_like_another(settings: Settings) -> None:
    runs = side(settings, suite="corefast").runs
    alike = [run for run in runs if run.cell in ("enforce-warn", "force-off") and run.repeat == 0]
    assert len({run.config_digest for run in alike}) == 1 and len({run.key for run in alike}) == len(alike)


def test_an_override_moves_the_cells_it_reaches(settings: Settings) -> None:
    moved = side(settings, suite="corefast", overrides={"extraction_model": "sonnet5"})
    assert moved.keys.isdisjoint(side(settings, suite="corefast").keys)
    assert moved.address == "local/v0.6.9/corefast__extraction-model-sonnet5"
    assert side(settings, replace(LOCAL, series="b")).address == "local/v0.6.9/smoke~b"


def test_another_document_is_another_run(settings: Settings, tmp_path: Path) -> None:
    manifest = json.loads((ROOT / "corpus" / "manifest.json").read_text())
    manifest["documents"]["tiny_form"]["sha256"] = "0" * 64
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "manifest.json").write_text(json.dumps(manifest))
    before = {(run.cell, run.document): run for run in side(settings).runs}
    after = {(run.cell, run.document): run for run in build_side(settings, tmp_path, LOCAL, suite="smoke").runs}
    for at, run in before.items():
        changed = at[1] == "tiny_form"
        assert (after[at].key != run.key) is changed
        assert (after[at].testset != run.testset) is changed


def test_a_document_that_the_manifest_lacks_is_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "manifest.json").write_text('{"schema": "idpbench/manifest/1", "documents": {}}')
    with pytest.raises(Refusal, match=r"manifest\.json: documents\.\w+: found no entry"):
        build_side(settings, tmp_path, LOCAL, suite="smoke")


@pytest.mark.parametrize("label", ["account", "build"])
def test_aws_needs_its_labels(settings: Settings, label: str) -> None:
    with pytest.raises(Refusal, match=f"configuration: {label}"):
        side(settings, replace(AWS, **{label: None}))  # type: ignore[arg-type]


def engine(settings: Settings, profile: dict[str, Any]) -> str:
    return digest(engine_parts(profile, settings.models.values()))


def test_moving_a_cap_makes_the_runs_new_and_renaming_a_model_does_not(settings: Settings) -> None:
    profile = profile_values(settings.config, "0.6.9")
    before = engine(settings, profile)
    model = settings.models["sonnet46"]

    def with_model(**changes: Any) -> Settings:
        models = {**settings.models, "sonnet46": model.model_copy(update=changes)}
        return settings.model_copy(update={"models": models})

    assert engine(with_model(output_cap=model.output_cap + 1), profile) != before
    assert engine(with_model(hard_window=model.hard_window + 1), profile) != before
    assert engine(with_model(label="Another name", notes=["a date"]), profile) == before
    assert engine(settings, {**profile, "guesses_per_cell": 7}) != before


def test_only_the_models_of_a_cell_are_in_its_key(settings: Settings) -> None:
    unused = settings.models["astra"].model_copy(update={"output_cap": 1})
    changed = settings.model_copy(update={"models": {**settings.models, "astra": unused}})
    assert side(changed).keys == side(settings).keys
    used = settings.models["sonnet46"].model_copy(update={"output_cap": 1})
    changed = settings.model_copy(update={"models": {**settings.models, "sonnet46": used}})
    assert side(changed).keys.isdisjoint(side(settings).keys)


def test_a_profile_is_its_values_without_prose(settings: Settings) -> None:
    values = profile_values(settings.config, "0.6.9")
    assert "version" not in values and "behaviours" not in values
    assert "source" not in json.dumps(values)
    assert values != profile_values(settings.config, "0.6.8")
    with pytest.raises(Refusal, match=r"0\.6\.9"):
        profile_values(settings.config, "0.6.99")


def test_the_engine_is_all_of_its_sources_and_nothing_of_the_server() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in sources(*engine_identity.SOURCES)}
    for stage in ("classify", "extract", "assess", "meter"):
        assert f"localstack/engine/{stage}.py" in names
    assert "matrix/sizing.py" in names and any(name.startswith("reading/") for name in names)
    assert not [name for name in names if name.startswith("localstack/") and not name.startswith("localstack/engine/")]
    assert not [name for name in names if name.split("/")[0] in ("stack", "scoring", "gate", "report", "pricing")]


def test_a_plan_file_gives_the_same_side_back(settings: Settings) -> None:
    one = side(settings, suite="corefast", overrides={"ocr_dpi": "150"})
    again = side_from_json(json.loads(json.dumps(one.to_json())), "plan.json")
    assert again == one and again.digest == one.digest


def test_an_edited_plan_file_is_refused(settings: Settings) -> None:
    value = json.loads(json.dumps(side(settings).to_json()))
    value["documents"]["tiny_form"] = "0" * 64
    with pytest.raises(Refusal, match=r"plan\.json: runs\.key"):
        side_from_json(value, "plan.json")


def test_a_test_set_has_a_name_that_the_runner_takes(settings: Settings) -> None:
    names = {run.testset for run in side(settings, suite="corefast").runs}
    assert len(names) == 57, "one per document and cell"
    long = sides.testset_name("a-cell-with-a-very-long-name-indeed", "a_document_with_a_long_name", "d")
    assert len(long) == 50 and long != sides.testset_name(
        "a-cell-with-a-very-long-name-indeed", "a_document_with_a_long_name", "e"
    )


def test_reading_a_side_imports_nothing_heavy() -> None:
    code = (
        "import sys; import idpbench.stack.invocation, idpbench.stack.sides, idpbench.stack.vault;"
        "heavy = {'boto3', 'botocore', 'moto', 'pandas', 'pypdfium2', 'tesserocr'}; print(heavy & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_a_plan_made_beforehand_can_be_assembled(settings: Settings) -> None:
    from idpbench.matrix.plan import build_plan

    plan = build_plan(settings, "smoke", {}, None)
    assert assemble(settings, ROOT, LOCAL, plan, {}).keys == side(settings).keys
