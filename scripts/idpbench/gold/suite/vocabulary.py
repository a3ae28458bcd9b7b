"""The controlled vocabulary of structure features: tag -> meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationError

from idpbench.files.canonical import loads
from idpbench.files.errors import bad_input
from idpbench.gold.suite.manifest import Strict, Tag, Text, first_fault


class Vocabulary(Strict):
    """`gold-vocabulary/1`."""

    schema_name: Literal["gold-vocabulary/1"] = Field(alias="schema")
    features: Annotated[dict[Tag, Text], Field(min_length=1)]


def read_vocabulary(data: bytes, source: object) -> dict[str, str]:
    """Meanings by tag. `source` is named in the Refusal."""
    try:
        return dict(Vocabulary.model_validate(loads(data, source)).features)
    except ValidationError as error:
        place, message = first_fault(error)
        raise bad_input(source, place, message, "a vocabulary gold-vocabulary/1", "mend the file") from None
