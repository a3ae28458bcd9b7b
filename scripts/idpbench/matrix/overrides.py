"""`set=axis=value`: moved axis defaults, checked, and their name in paths."""

from __future__ import annotations

from collections.abc import Mapping

from idpbench.files.canonical import digest
from idpbench.files.errors import bad_input, nearest
from idpbench.settings.model import Settings

LONGEST = 80


def checked(settings: Settings, overrides: Mapping[str, str]) -> dict[str, str]:
    """Overrides sorted by axis, without those that say what the default is anyway; an unknown name is a Refusal."""
    result = {}
    for axis, value in sorted(overrides.items()):
        if axis not in settings.axes:
            raise bad_input("set", axis, "no such axis", "an axis of config/axes.yaml", nearest(axis, settings.axes))
        known = settings.axes[axis].values
        if value not in known:
            raise bad_input("set", axis, repr(value), f"a value of axis {axis}", nearest(value, known))
        if value != settings.axes[axis].default:
            result[axis] = value
    return result


def slug(overrides: Mapping[str, str]) -> str:
    """Name of the overrides in paths, `extraction-model-sonnet5.ocr-bda`; empty without any.

    Sorted by axis, so the order typed does not matter. A long one is cut and carries a digest of the whole.
    """
    text = ".".join(f"{axis}-{value}".replace("_", "-") for axis, value in sorted(overrides.items()))
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 9].rstrip('.-')}.{digest(dict(overrides))[:8]}"
