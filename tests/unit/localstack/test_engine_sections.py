"""Where documents begin, and what becomes of several in one section."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CURRENT, LEGACY, V067 = "split-llm", "split-llm-legacyprompt", "split-llm-v067prompt"


def sections(result: Any) -> list[list[int]]:
    return [section["split_document"]["page_indices"] for section in result.outcome.sections]


@pytest.mark.parametrize(
    ("cell", "name", "expected"),
    [
        (CURRENT, "small_narrow", [[0, 1, 2]]),
        (CURRENT, "paginated_3pg", [[0, 1, 2]]),
        (CURRENT, "twodocs_2x20", [[0], [1]]),
        (CURRENT, "repeathdr_3pg", [[0], [1], [2]]),  # known to fail: the identity block on every page
        (LEGACY, "small_narrow", [[0], [1], [2]]),
        (LEGACY, "paginated_3pg", [[0], [1], [2]]),
        (LEGACY, "twodocs_2x20", [[0], [1]]),
        (V067, "small_narrow", [[0], [1], [2]]),
        (V067, "paginated_3pg", [[0, 1, 2]]),
        ("split-disabled", "small_narrow", [[0, 1, 2]]),
        ("split-disabled", "twodocs_2x20", [[0, 1]]),
    ],
)
def test_sections_from_0_6_8_on(run: Callable[..., Any], cell: str, name: str, expected: list[list[int]]) -> None:
    assert sections(run(cell, name)) == expected


def test_before_0_6_7_pages_of_one_class_are_one_section(run: Callable[..., Any]) -> None:
    assert sections(run(CURRENT, "twodocs_2x20", "0.6.5")) == [[0, 1]]
    assert sections(run(LEGACY, "small_narrow", "0.6.5")) == [[0], [1], [2]]


def test_page_splitting_gives_one_section_a_page(run: Callable[..., Any]) -> None:
    assert sections(run("core-tt-simple-sep", "small_narrow", section_splitting="page")) == [[0], [1], [2]]


def test_an_over_split_document_still_returns_every_row(run: Callable[..., Any]) -> None:
    result = run(LEGACY, "small_narrow")
    assert result.recall == 1.0
    assert result.wrong_scalars == {}
    assert result.outcome.sections[1]["inference_result"]["Account Number"] is None


def test_an_unknown_prompt_is_read_by_the_current_rules(run: Callable[..., Any]) -> None:
    def own_words(configuration: dict[str, Any]) -> None:
        configuration["classification"]["task_prompt"] = "Where does a document begin?"

    assert sections(run(CURRENT, "small_narrow", change=own_words)) == [[0, 1, 2]]


def test_two_documents_in_one_section_without_multi_instance_lose_the_second(run: Callable[..., Any]) -> None:
    silent, noted = run("mi-silent", "twodocs_2x20"), run("mi-detected", "twodocs_2x20")
    assert silent.recall == noted.recall == 0.5
    assert silent.outcome.issues == []
    assert [issue["code"] for issue in noted.outcome.issues] == ["MULTIPLE_INSTANCES"]
    assert silent.outcome.sections[0]["inference_result"] == noted.outcome.sections[0]["inference_result"]


def test_multi_instance_returns_both_documents(run: Callable[..., Any]) -> None:
    result = run("mi-wrapped", "twodocs_2x20")
    section = result.outcome.sections[0]
    assert len(section["inference_result"]["instances"]) == 2
    assert len(section["explainability_info"][0]["instances"]) == 2
    assert result.recall == 1.0
    assert result.records[0]["Account Number"] != result.records[1]["Account Number"]
    assert result.outcome.issues == []


def test_classes_come_with_candidates_only_when_asked(run: Callable[..., Any]) -> None:
    asked, not_asked = run(CURRENT, "tiny_form"), run(CURRENT, "tiny_form", class_confidence="off")
    assert asked.outcome.pages[0].confidence == 1.0
    assert not_asked.outcome.pages[0].confidence is None
    assert asked.used("Classification", "outputTokens") > not_asked.used("Classification", "outputTokens")


def test_the_class_is_chosen_by_what_the_page_shows(run: Callable[..., Any]) -> None:
    from enginehelp import settings

    from idpbench.matrix.configs import resolve_configuration

    def all_classes(configuration: dict[str, Any]) -> None:
        for name in ("kv_form", "w2"):
            configuration["classes"] += resolve_configuration(settings(), CURRENT, name, {})["classes"]

    statement = run(CURRENT, "tiny_form", change=all_classes)
    form = run(CURRENT, "kv_form", change=all_classes)
    assert statement.outcome.page_classes == ["Bank Statement"]
    assert form.outcome.page_classes == ["Equipment Rental Order"]
    assert 0.5 < statement.outcome.pages[0].confidence < 1.0


def test_splitting_has_its_price(run: Callable[..., Any]) -> None:
    split, whole = run(CURRENT, "small_narrow"), run("split-disabled", "small_narrow")
    assert split.used("Classification", "requests") == 3
    assert whole.used("Classification", "requests") == 1
