"""What every settings model shares: nothing unknown, nothing changed after loading."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Frozen(BaseModel):
    """Immutable; a key that no field knows is an error; 1 is no text and "1" no number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_]*$")]  # axes, values, documents, classes
CellName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]  # cells stand in paths and in wildcards
Text = Annotated[str, StringConstraints(min_length=1)]
Count = Annotated[int, Field(ge=1)]
