"""Names that decide where results lie and which run is which."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from idpbench.matrix.overrides import LONGEST, checked, slug
from idpbench.matrix.runkey import run_key
from idpbench.settings.model import Settings

identities = st.dictionaries(st.text("abc_", min_size=1, max_size=6), st.integers() | st.text(max_size=5), min_size=1)


def test_a_slug_is_readable_and_does_not_depend_on_the_order_typed() -> None:
    assert slug({}) == ""
    assert slug({"ocr": "bda", "extraction_model": "sonnet5_1m"}) == "extraction-model-sonnet5-1m.ocr-bda"
    assert slug({"extraction_model": "sonnet5_1m", "ocr": "bda"}) == slug(
        {"ocr": "bda", "extraction_model": "sonnet5_1m"}
    )


@given(data=st.data())
def test_slugs_are_path_safe_short_and_tell_overrides_apart(settings: Settings, data: st.DataObject) -> None:
    def draw() -> dict[str, str]:
        axes = data.draw(st.lists(st.sampled_from(sorted(settings.axes)), max_size=8, unique=True))
        return checked(
            settings, {axis: data.draw(st.sampled_from(sorted(settings.axes[axis].values))) for axis in axes}
        )

    left, right = draw(), draw()
    assert (slug(left) == slug(right)) == (left == right)
    assert re.fullmatch(r"([a-z0-9][a-z0-9.-]*)?", slug(left))
    assert len(slug(left)) <= LONGEST


def test_overrides_that_change_nothing_are_dropped(settings: Settings) -> None:
    assert checked(settings, {"ocr": "textract_tables", "geometry": "llm"}) == {"geometry": "llm"}


@given(identities)
def test_a_run_key_is_40_hex_digits_of_the_content(identity: dict[str, int | str]) -> None:
    assert re.fullmatch(r"[0-9a-f]{40}", run_key(identity))
    assert run_key(dict(reversed(list(identity.items())))) == run_key(identity)
    assert run_key({**identity, "repeat!": 1}) != run_key(identity)


def test_the_key_of_a_known_identity_does_not_drift() -> None:
    assert run_key({"backend": "local", "cell": "force-on", "repeat": 0}) == "7922f0812f3d09c678b4d3be25c7b1904c5f2de4"
