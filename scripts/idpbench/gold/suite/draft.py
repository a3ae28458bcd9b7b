"""The draft that a suite is frozen from: one folder with `draft.json` and the files that it names.

```
draft.json = {
  "schema": "gold-draft/1", "suite_id": "gold-YYYY.MM", "frozen_at": "2026-11-30T00:00:00Z",
  "vocabulary": PATH,
  "members": [ {
    "member_id": [a-z0-9-]{3,64}, "title": str, "source_kind": "bank_asset"|"conformance",
    "difficulty": "easy"|"medium"|"hard", "publisher": slug, "features": [tag, ...], "published_in_bank": bool,
    "workbook": { "path": PATH  (a workbook that the suite will hold)
                | "staged": FILE NAME  (a publisher's workbook, found in the staged folder, never copied),
                  "sha256"?: "sha256:..."  (refused where the file is another),
                  "licence": str, "attribution": str, "source_note": str },
    "task": { "sheet": str|null, "instruction": str,
              "columns": [ {"name": NAME, "role": "header"|"value", "about": str}, ... ] },
    "recipe": PATH,
    "accepts"?: [ {"header": NAME, "state": "missing"|"ambiguous"}, ... ]  (reference headers that may be so)
  }, ... ]
}
```

Every PATH is relative to the folder of draft.json and may not leave the folder above it (`../vocabulary/x.json` is
fine). Members may stand in any order; the manifest sorts them and their features. `task.columns` names exactly the
columns of the reference table: the headers of all tables, and the value names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from idpbench.files.canonical import read_json
from idpbench.files.errors import bad_input
from idpbench.gold.recipe.schema import Name
from idpbench.gold.suite.manifest import Described, FileName, Instant, Sha256, Strict, SuiteId, Text, first_fault

PathText = Annotated[str, Field(min_length=1)]


class DraftWorkbook(Strict):
    """Where a member's workbook is and whose it is; exactly one of `path` and `staged`."""

    path: PathText | None = None
    staged: FileName | None = None
    sha256: Sha256 | None = None
    licence: Text
    attribution: Text
    source_note: Text

    @model_validator(mode="after")
    def _one_place(self) -> DraftWorkbook:
        if (self.path is None) is (self.staged is None):
            raise ValueError("expected exactly one of path and staged")
        return self


class Accepted(Strict):
    """A state other than resolved that the reference may hold for one header, because the sheet is so."""

    header: Name
    state: Literal["missing", "ambiguous"]


class DraftMember(Described):
    """A member that is not frozen yet."""

    workbook: DraftWorkbook
    recipe: PathText
    accepts: Annotated[tuple[Accepted, ...], Field(strict=False)] = ()


class Draft(Strict):
    """A whole draft, `gold-draft/1`."""

    schema_name: Literal["gold-draft/1"] = Field(alias="schema")
    suite_id: SuiteId
    frozen_at: Instant
    vocabulary: PathText
    members: Annotated[tuple[DraftMember, ...], Field(strict=False, min_length=1)]


def read_draft(folder: Path) -> Draft:
    """The draft of a folder. Refusal where draft.json is absent or not of that form."""
    source = folder / "draft.json"
    try:
        return Draft.model_validate(read_json(source))
    except ValidationError as error:
        place, message = first_fault(error)
        raise bad_input(source, place, message, "a draft gold-draft/1", "mend the draft") from None


def draft_file(folder: Path, path: str) -> bytes:
    """The bytes of a file that a draft names. Refusal where it is absent or outside the folder above the draft."""
    place = (folder / path).resolve()
    if not place.is_relative_to(folder.resolve().parent):
        raise bad_input(folder / "draft.json", "", path, "a path near the draft", "move the file into its folder")
    try:
        return place.read_bytes()
    except OSError as error:
        raise bad_input(folder / path, "", error.strerror, "a file of the draft", "make the draft again") from None
