"""A configuration is the class's base with the cell's values, and its name tells it from every other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files.canonical import canonical
from idpbench.files.errors import Refusal
from idpbench.matrix.configs import (
    check_paths,
    configuration_name,
    models_used,
    resolve_axes,
    resolve_configuration,
    write,
)
from idpbench.settings.grid import SuppliedText
from idpbench.settings.model import Settings


def test_a_cell_writes_its_values_at_their_paths(settings: Settings) -> None:
    config = resolve_configuration(settings, "core-tl-adv-sep", "bank_statement", {})
    assert config["ocr"]["features"] == [{"name": "LAYOUT"}]
    assert config["extraction"]["mode"] == "advanced"
    assert config["extraction"]["agentic"]["enabled"] is True
    off = resolve_configuration(settings, "core-tt-simple-off", "bank_statement", {})
    assert off["extraction"]["confidence"]["mode"] == "off", "a word, not a boolean"


def test_an_unset_effort_is_an_absent_key(settings: Settings) -> None:
    assert "reasoning_effort" not in resolve_configuration(settings, "force-on", "kv_form", {})["extraction"]
    high = resolve_configuration(settings, "sweep-reasoning-effort-high", "kv_form", {})
    assert high["extraction"]["reasoning_effort"] == "high"


def test_class_extensions_are_written_into_every_class(settings: Settings) -> None:
    config = resolve_configuration(settings, "mi-wrapped", "bank_statement", {})
    assert [entry["x-aws-idp-multi-instance"] for entry in config["classes"]] == [True]


def test_a_prompt_axis_replaces_the_whole_prompt(settings: Settings) -> None:
    current = resolve_configuration(settings, "split-llm", "bank_statement", {})
    legacy = resolve_configuration(settings, "split-llm-legacyprompt", "bank_statement", {})
    assert current["classification"]["task_prompt"] != legacy["classification"]["task_prompt"]
    assert {k for k in current if current[k] != legacy[k]} == {"classification"}


def test_on_aws_a_supplied_text_takes_the_place_of_ours(settings: Settings) -> None:
    axis = settings.axes["boundary_prompt"]
    text = SuppliedText(path="classification.task_prompt", file="x", sha256="0" * 64, text="theirs")
    axes = {**settings.axes, "boundary_prompt": axis.model_copy(update={"aws": {"legacy": text}})}
    supplied = settings.model_copy(update={"axes": axes})
    for backend, expected in (("aws", "theirs"), ("local", axis.values["legacy"]["classification.task_prompt"])):
        config = resolve_configuration(supplied, "split-llm-legacyprompt", "bank_statement", {}, backend=backend)
        assert config["classification"]["task_prompt"] == expected


def test_omitted_paths_are_left_out(settings: Settings) -> None:
    path = "extraction.forced_tool.enabled"
    assert resolve_configuration(settings, "split-llm", "bank_statement", {}, [path])["extraction"]["forced_tool"] == {}


def test_every_axis_path_exists_in_every_class(settings: Settings) -> None:
    for doc_class in settings.classes:
        check_paths(settings, doc_class)


def test_a_path_that_no_schema_knows_is_refused(settings: Settings) -> None:
    axis = settings.axes["forcing"]
    for wrong, said in (
        ("extraction.forced_tol.enabled", "no 'forced_tol' there in class kv_form.*did you mean forced_tool"),
        ("extraction.forced_tool.enabledd", "did you mean enabled"),
        ("extraction.mode.deeper", "nothing lies below it"),
        ("classes[].x-aws-idp-multi-instances", "did you mean x-aws-idp-multi-instance"),
    ):
        axes = {
            **settings.axes,
            "forcing": axis.model_copy(update={"values": {"off": {wrong: False}, "on": {wrong: True}}}),
        }
        spoiled = settings.model_copy(update={"axes": axes})
        with pytest.raises(Refusal, match=said):
            check_paths(spoiled, "kv_form")
        with pytest.raises(Refusal, match=said):
            resolve_configuration(spoiled, "force-on", "kv_form", {})


def test_the_base_configuration_is_never_changed(settings: Settings) -> None:
    before = canonical(settings.classes["bank_statement"])
    config = resolve_configuration(settings, "core-llm-simple-sep", "bank_statement", {})
    write(config, "ocr.image.dpi", 1, "bank_statement")
    config["classes"].clear()
    assert canonical(settings.classes["bank_statement"]) == before


def test_names_tell_configurations_apart(settings: Settings) -> None:
    def name(cell: str, doc_class: str, **overrides: str) -> str:
        return configuration_name(cell, doc_class, resolve_configuration(settings, cell, doc_class, overrides))

    plain = name("force-on", "kv_form")
    assert plain.startswith("bench-force-on__kv_form__") and len(plain.rsplit("__", 1)[1]) == 8
    assert (
        len(
            {
                plain,
                name("force-on", "bank_statement"),
                name("force-on", "kv_form", ocr_dpi="150"),
                name("force-off", "kv_form"),
            }
        )
        == 4
    )
    assert name("force-on", "kv_form") == plain


def test_aliases_have_one_content_and_names_of_their_own(settings: Settings) -> None:
    left = resolve_configuration(settings, "core-tt-simple-sep", "bank_statement", {})
    right = resolve_configuration(settings, "enforce-warn", "bank_statement", {})
    assert left == right
    assert configuration_name("core-tt-simple-sep", "bank_statement", left) != configuration_name(
        "enforce-warn", "bank_statement", right
    )


def test_the_models_of_a_configuration_are_those_it_calls(settings: Settings) -> None:
    def used(cell: str, **overrides: str) -> list[str]:
        return [m.id for m in models_used(settings, resolve_configuration(settings, cell, "bank_statement", overrides))]

    assert used("core-tt-simple-sep") == ["nova_2_lite", "nova_lite", "sonnet46"]
    assert used("core-tt-simple-off") == ["nova_2_lite", "sonnet46"], "nobody judges confidence"
    assert used("core-llm-simple-sep", classification_model="haiku45") == [
        "haiku45",
        "nova_2_lite",
        "nova_lite",
        "sonnet46",
    ]
    assert "sonnet5" in used("enforce-escalate")
    assert "sonnet5" in used("sweep-escalation-on")


def test_a_model_that_models_yaml_lacks_is_refused(settings: Settings) -> None:
    config = resolve_configuration(settings, "force-on", "kv_form", {})
    config["extraction"]["model"] = "us.anthropic.claude-sonnet-46"
    with pytest.raises(Refusal, match=r"extraction\.model: found us\.anthropic\.claude-sonnet-46.*did you mean"):
        models_used(settings, config)


def test_unknown_cells_and_classes_are_refused(settings: Settings) -> None:
    with pytest.raises(Refusal, match="did you mean force-on"):
        resolve_axes(settings, "forceon", {})
    with pytest.raises(Refusal, match="did you mean kv_form"):
        resolve_configuration(settings, "force-on", "kvform", {})


@given(data=st.data())
def test_one_moved_axis_changes_nothing_but_its_own_paths(settings: Settings, data: st.DataObject) -> None:
    axis = data.draw(st.sampled_from(sorted(settings.axes)))
    value = data.draw(st.sampled_from(sorted(settings.axes[axis].values)))
    doc_class = data.draw(st.sampled_from(sorted(settings.classes)))
    before = resolve_configuration(settings, "split-llm-legacyprompt", doc_class, {})
    after = resolve_configuration(settings, "split-llm-legacyprompt", doc_class, {axis: value})
    for path in settings.axes[axis].paths():
        for config in (before, after):
            if path == "extraction.reasoning_effort":
                config["extraction"].setdefault("reasoning_effort", None)
            write(config, path, "same", doc_class)
    assert before == after
