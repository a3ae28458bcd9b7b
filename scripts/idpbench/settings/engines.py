"""Models of models.yaml: what one request to a model may hold and return."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from idpbench.settings.base import Count, Frozen, Name, Text


class ImageTokens(Frozen):
    """A page image costs width x height / divisor tokens, never more than `cap` (null: no cap)."""

    divisor: Count = 750
    cap: Count | None = None


class Effort(Frozen):
    """Values of reasoning_effort that the model accepts, and the one it takes when none is given."""

    values: list[Literal["low", "medium", "high"]]
    default: Literal["low", "medium", "high"] | None


class Cache(Frozen):
    """Prompt caching: the shortest prefix that is cached, and whether a marker asks for it."""

    kind: Literal["explicit", "implicit", "none"]
    minimum: Count | None


class Model(Frozen):
    """One value of a model axis. Windows, caps and minima are tokens; `buffer` is the share of the window kept free."""

    id: Name
    model_id: Text  # in configurations and, behind `bedrock/`, in metering and rate card
    label: Text
    hard_window: Count  # a request beyond its usable part is refused
    sizing_window: Count  # only sets the shard budget of advanced mode
    buffer: float = Field(ge=0, lt=1)
    output_cap: Count  # tokens of one response
    image_tokens: ImageTokens
    forced_tool: bool
    agentic: bool
    effort: Effort
    cache: Cache
    since: str | None = Field(default=None, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")  # day it joined the matrix
    notes: list[Text] = Field(default_factory=list)
    assumed: list[Text] = Field(default_factory=list)  # figures that no source states, by key

    def identity(self) -> dict[str, Any]:
        """What of this entry can change a result: figures and abilities, without names, notes and prices."""
        return self.model_dump(exclude={"id", "label", "since", "notes", "assumed"})
