"""What one request to a model holds, whether it fits, and what of it is cached."""

from __future__ import annotations

from collections.abc import Sequence

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.errors import invalid
from idpbench.localstack.engine.meter import Request
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile
from idpbench.matrix import sizing
from idpbench.settings.engines import Model


def model_of(profile: Profile, model_id: str, path: str) -> Model:
    """The figures of a model; an id that models.yaml does not have is a JobError naming the configuration path."""
    model = profile.models.get(model_id)
    if model is None:
        known = ", ".join(sorted(profile.models))
        raise invalid(
            f"configuration {path}: found {model_id!r}, which is no model that can be invoked; known: {known}"
        )
    return model


def image_tokens(model: Model, pages: Sequence[PageRead]) -> int:
    """Tokens of the images of `pages`."""
    rule = model.image_tokens
    return sum(sizing.page_image_tokens(*page.image_size, rule.divisor, rule.cap) for page in pages)


def check_window(model: Model, total: int, phase: str) -> None:
    """Refuse a request that is larger than the usable part of the model's window."""
    if not sizing.fits(total, model.hard_window, model.buffer):
        usable = sizing.usable_window(model.hard_window, model.buffer)
        raise invalid(
            f"input is too long for requested model {model.model_id}: about {total} tokens, {usable} usable "
            f"({model.hard_window} less {model.buffer:.0%} kept free)",
            phase,
        )


def request(phase: str, model: Model, *, prefix: int, rest: int, output: int, warm: bool) -> Request:
    """One request whose first `prefix` tokens may be cached: written when the cache is cold, read when it is warm.

    With implicit caching the whole request counts as prefix, and writing it costs nothing extra.
    """
    if model.cache.kind == "implicit":
        total = prefix + rest
        if warm and total >= (model.cache.minimum or 0):
            return Request(phase, model.model_id, 0, output, cacheReadInputTokens=total)
        return Request(phase, model.model_id, total, output)
    if model.cache.kind == "none" or prefix < (model.cache.minimum or 0):
        return Request(phase, model.model_id, prefix + rest, output)
    if warm:
        return Request(phase, model.model_id, rest, output, cacheReadInputTokens=prefix)
    return Request(phase, model.model_id, rest, output, cacheWriteInputTokens=prefix)


def prompt_tokens(*texts: str | None) -> int:
    """Tokens of the prompt texts that a configuration gives."""
    return sum(tokens.count(text) for text in texts if text)
