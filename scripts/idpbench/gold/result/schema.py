"""`gold-result/1`: one model on one frozen suite, complete enough to be scored again without a call."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from idpbench.gold.metrics import Status
from idpbench.gold.suite.manifest import MemberId, SuiteId, Tag
from idpbench.gold.suite.manifest import Sha256 as Digest
from idpbench.settings.base import Frozen

SCHEMA = "gold-result/1"
MOST_ISSUES = 25
MOST_TEXT = 500
MOST_RECIPE = 64 * 1024

Stamp = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$")]
Whole = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{1,64}$")]
Told = Annotated[str, StringConstraints(max_length=MOST_TEXT)]

Ending = Literal[
    "executed", "invalid_json", "invalid_recipe", "execution_error", "empty_output", "transport_error", "interrupted"
]
EXECUTED = ("passed", "partial")
NO_RESPONSE = ("transport_error", "interrupted")


class SuiteName(Frozen):
    """Which frozen suite."""

    suite_id: SuiteId
    digest: Digest


class Contracts(Frozen):
    """Versions of what the suite and the scores rest on, as the suite's manifest states them."""

    recipe: Label
    csv: Label
    metrics: Label
    composite: Label
    context: Label


class ModelName(Frozen):
    """The model asked for, and the names under which the provider answered, sorted."""

    requested_id: Label
    returned_ids: list[Label]


class RequestFields(Frozen):
    """Fields of every request exactly as sent; null where not sent."""

    temperature: float | None
    max_tokens: int | None
    response_format: dict[str, Any] | None
    provider_options: dict[str, Any] | None


class PromptFields(Frozen):
    """What the model was told, by version and digest."""

    mode: Literal["contract", "blind"]
    version: Label
    template_sha256: Digest
    context_version: Label


class TimeFields(Frozen):
    """Of the whole run."""

    started_at: Stamp
    finished_at: Stamp


class Limits(Frozen):
    """What the run was allowed."""

    call_cap: Annotated[int, Field(ge=1)]
    attempts_per_member: Annotated[int, Field(ge=1, le=3)]
    pace_ms: Whole


class Environment(Frozen):
    """Where the runner ran."""

    python: Label
    platform: Label
    packages: dict[str, Label]


class TransportFields(Frozen):
    """How the model was reached. `retries` is 0: no client repeats a call."""

    kind: Literal["openrouter", "replay", "local"]
    base: Label | None
    client: Label
    retries: Literal[0]
    replies_sha256: Digest | None


class Component(Frozen):
    """A deterministic part of the runner, by version and digest of its source."""

    name: Label
    version: Label
    sha256: Digest


class Runner(Frozen):
    """The program that made the document; `invocation` is its command line, without secrets."""

    name: Label
    version: Label
    environment: Environment
    transport: TransportFields
    invocation: list[Annotated[str, StringConstraints(max_length=1000)]]
    deterministic_components: list[Component]


class Declarations(Frozen):
    """What no number of the document shows."""

    model_output_deterministic: Literal[False]
    contamination: Label


class Reason(Frozen):
    """Why a member has no score of its own."""

    code: Code
    message: Told


class IssueFields(Frozen):
    """A finding about a reply, as the model was told it."""

    code: Code
    path: Told
    message: Told


class UsageFields(Frozen):
    """Tokens as the provider counts them."""

    prompt: Whole
    completion: Whole
    total: Whole


class Attempt(Frozen):
    """One call and what became of it; `cost` in US dollars, null where none was reported."""

    n: Annotated[int, Field(ge=1, le=3)]
    kind: Literal["initial", "revision"]
    outcome: Ending
    issues: Annotated[list[IssueFields], Field(max_length=MOST_ISSUES)]
    response_sha256: Digest | None
    finish_reason: Label | None
    usage: UsageFields | None
    cost: Dollars | None
    started_at: Stamp
    duration_ms: Whole | None


class FinalRecipe(Frozen):
    """The recipe that was scored, and the digest of its RFC 8785 form."""

    sha256: Digest
    document: dict[str, Any]


class Produced(Frozen):
    """What it made."""

    table_sha256: Digest
    trace_sha256: Digest
    rows: Whole
    columns: Whole


class Counts(Frozen):
    """The integers that the metrics of an executed member are made of."""

    cells_matched: Whole
    cells_union: Whole
    addresses_reference: Whole
    addresses_produced: Whole
    addresses_shared: Whole
    headers_matched: Whole
    headers_reference: Whole
    headers_produced: Whole


class Metrics(Frozen):
    """The five metrics, in millionths of one as decimal fractions."""

    deterministic_pass_rate: Share
    exact_output_match: Share
    cell_match_rate: Share
    value_address_f1: Share
    header_accuracy: Share


class MismatchRow(Frozen):
    """One row of the sample."""

    row: Annotated[int, Field(ge=1)]
    kind: Literal["different", "missing", "extra"]
    columns: list[str]
    reference: dict[str, str] | None
    produced: dict[str, str] | None
    source_reference: str | None
    source_produced: str | None


class Mismatches(Frozen):
    """How many rows differ, which columns one side lacks, and the first rows of them."""

    mismatch_total: Whole
    columns_missing: list[str]
    columns_extra: list[str]
    rows: Annotated[list[MismatchRow], Field(max_length=20)]


class Member(Frozen):
    """One member of the suite."""

    member_id: MemberId
    status: Status
    failure: Reason | None
    skip: Reason | None
    attempts: Annotated[list[Attempt], Field(max_length=3)]
    recipe: FinalRecipe | None
    produced: Produced | None
    counts: Counts | None
    metrics: Metrics
    warnings: dict[Code, Annotated[int, Field(ge=1)]]
    mismatches: Mismatches


class Cost(Frozen):
    """`complete`: every call that may have been billed reported its cost."""

    currency: Literal["USD"]
    total: Dollars
    complete: bool


class Totals(Frozen):
    """Sums over the members."""

    calls: Whole
    attempts: dict[Ending, Annotated[int, Field(ge=1)]]
    usage: UsageFields
    cost: Cost


class TagCount(Frozen):
    """Members that carry a tag, how many executed, how many were exact."""

    members: Whole
    executed: Whole
    exact: Whole


class Result(Frozen):
    """The whole document. `digest` is the SHA-256 of its RFC 8785 form without this key."""

    schema_: Literal["gold-result/1"] = Field(alias="schema")
    digest: Digest
    suite: SuiteName
    contracts: Contracts
    composite_version: Label
    model: ModelName
    request: RequestFields
    prompt: PromptFields
    pipeline_version: Label
    time: TimeFields
    limits: Limits
    runner: Runner
    declarations: Declarations
    members: list[Member]
    totals: Totals
    metrics: Metrics
    composite: Share
    by_status: dict[Status, Whole]
    by_tag: dict[Tag, TagCount]
