"""How pages of the local backend say what they are: a self-test, in which no vendor's model took part."""

from __future__ import annotations

from idpbench.report.headline import LOCAL_NOTE
from idpbench.settings.engines import Model

SELF_TEST = (
    f"Self-test: {LOCAL_NOTE}. The local stack stands in for every model that a configuration names; no vendor's model "
    "was called, and nothing here says anything of one. Times are those of one machine. Spread between runs is "
    "simulated spread."
)


def marking(backend: str) -> str | None:
    """The words at the top of a page that is a self-test, None on a page that is not."""
    return SELF_TEST if backend == "local" else None


def model_label(model: Model, backend: str) -> str:
    """A model's name where it was called; the configuration value where the local stack stood in for it."""
    return f"`{model.id}`" if backend == "local" else model.label
