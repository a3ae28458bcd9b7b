"""The manifest `gold-suite/1`: what a suite consists of, and the digest that binds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from idpbench.gold.jcs import jcs
from idpbench.gold.metrics import COMPOSITE_VERSION, METRICS_VERSION
from idpbench.gold.recipe.schema import VERSION as RECIPE_VERSION
from idpbench.gold.recipe.schema import Name
from idpbench.gold.tidy import prefixed

SCHEMA = "gold-suite/1"
CONTRACTS = {
    "recipe": RECIPE_VERSION,
    "csv": "tidy-csv/1",
    "metrics": METRICS_VERSION,
    "composite": COMPOSITE_VERSION,
    "context": "gold-context/1",
}

SourceKind = Literal["bank_asset", "conformance"]
Difficulty = Literal["easy", "medium", "hard"]

SuiteId = Annotated[str, StringConstraints(pattern=r"^gold-[0-9]{4}\.(0[1-9]|1[0-2])\z")]
MemberId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{3,64}\z")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*\z")]
Tag = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*\z")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}\z")]
Instant = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?Z\z")
]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]*\z")]
FilePath = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*\z")]
Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Count = Annotated[int, Field(ge=0)]


class Strict(BaseModel):
    """No unknown keys, no conversion of types, nothing changed later."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class FilePin(Strict):
    """A file of the suite, its path relative to the suite's folder, and the digest of its bytes."""

    path: FilePath
    sha256: Sha256


class TablePin(Strict):
    """The reference table. Without a path it is not stored: it is derived from the staged workbook."""

    path: FilePath | None
    sha256: Sha256
    rows: Count
    columns: Count


class TracePin(Strict):
    """The reference trace, one line for each of `value_cells` rows. Without a path it is derived."""

    path: FilePath | None
    sha256: Sha256
    value_cells: Count


class Terms(Strict):
    """Whose a workbook is, under which terms, and where it comes from."""

    licence: Text
    attribution: Text
    source_note: Text


class CommittedWorkbook(Terms):
    """A workbook that is a file of the suite."""

    storage: Literal["committed"]
    path: FilePath
    sha256: Sha256
    bytes: Count


class StagedWorkbook(Terms):
    """A publisher's workbook: `ingest_record` is its file name in the staged folder, where it may be absent."""

    storage: Literal["staged"]
    ingest_record: FileName
    sha256: Sha256
    bytes: Count


Workbook = Annotated[CommittedWorkbook | StagedWorkbook, Field(discriminator="storage")]


class TaskColumn(Strict):
    """A column of the tidy table that is asked for."""

    name: Name
    role: Literal["header", "value"]
    about: Text


class Task(Strict):
    """What is asked. `sheet` is None where finding the sheet is part of the task."""

    sheet: Text | None
    instruction: Text
    columns: Annotated[tuple[TaskColumn, ...], Field(strict=False, min_length=1)]


class Reference(Strict):
    """The reference recipe and what it produces."""

    recipe: FilePin
    table: TablePin
    trace: TracePin


class Described(Strict):
    """What is said of a member, in a draft and in a manifest alike."""

    member_id: MemberId
    title: Text
    source_kind: SourceKind
    difficulty: Difficulty
    publisher: Slug
    features: Annotated[tuple[Tag, ...], Field(strict=False, min_length=1)]
    published_in_bank: bool
    task: Task


class Member(Described):
    """One sheet to tidy, with its reference."""

    workbook: Workbook
    reference: Reference


class Contracts(Strict):
    """Versions of everything that decides a score."""

    recipe: Literal["gold-recipe/1"]
    csv: Literal["tidy-csv/1"]
    metrics: Literal["gold-metrics/1"]
    composite: Literal["provisional-1"]
    context: Literal["gold-context/1"]


class Summary(Strict):
    """How many members there are, in all and by what they are."""

    members: Count
    source_kind: dict[str, Count]
    difficulty: dict[str, Count]
    publisher: dict[str, Count]
    feature: dict[str, Count]
    published_in_bank: Count


class Manifest(Strict):
    """A frozen suite."""

    schema_name: Literal["gold-suite/1"] = Field(alias="schema")
    suite_id: SuiteId
    frozen_at: Instant
    contracts: Contracts
    vocabulary: FilePin
    members: Annotated[tuple[Member, ...], Field(strict=False, min_length=1)]
    summary: Summary
    digest: Sha256

    def as_json(self) -> dict[str, Any]:
        """The manifest as plain JSON."""
        return self.model_dump(mode="json", by_alias=True)

    def member(self, member_id: str) -> Member:
        """The member of that id. KeyError where there is none."""
        for member in self.members:
            if member.member_id == member_id:
                return member
        raise KeyError(member_id)


def suite_digest(manifest: dict[str, Any]) -> str:
    """`sha256:` and 64 hex digits over the RFC 8785 form of the manifest without its `digest`."""
    return prefixed(jcs({key: value for key, value in manifest.items() if key != "digest"}))


def summarise(members: Iterable[Described]) -> Summary:
    """The counts of the members; a member counts once under each of its features."""
    every = list(members)

    def counts(values: Iterable[str]) -> dict[str, int]:
        return dict(sorted(Counter(values).items()))

    return Summary(
        members=len(every),
        source_kind=counts(member.source_kind for member in every),
        difficulty=counts(member.difficulty for member in every),
        publisher=counts(member.publisher for member in every),
        feature=counts(tag for member in every for tag in member.features),
        published_in_bank=sum(member.published_in_bank for member in every),
    )


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Where a document is wrong (`members[3].task.sheet`) and how, for a Refusal."""
    fault = error.errors(include_url=False, include_input=False)[0]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault["loc"])
    return place.removeprefix("."), fault["msg"]
