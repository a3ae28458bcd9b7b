"""A benchmark suite as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Expected:
    """A gold claim. `confidence_min` is a floor; `uncertainty_nature` (EPISTEMIC, ALEATORY) is kept, never scored."""

    content: str
    confidence_min: float
    uncertainty_nature: str
    required: bool = True


@dataclass(frozen=True)
class Snapshot:
    """Where an inline source came from. `content_hash` is the SHA-256 of its bytes, 64 hex digits."""

    content_hash: str
    snapshot_id: str | None = None
    captured_at: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    warc_record_type: str | None = None
    archive_path: str | None = None
    refers_to: str | None = None
    extraction_status: str | None = None
    author_id: str | None = None
    author_role: str | None = None
    content_published_at: str | None = None


@dataclass(frozen=True)
class Case:
    """One source and its gold claims; exactly one of `fixture` and `snapshot` is set.

    `inline_content` (text, UTF-8 as bytes) belongs to a snapshot; beside a fixture it is None.
    """

    case_id: str
    expected: tuple[Expected, ...]
    fixture: str | None = None
    snapshot: Snapshot | None = None
    inline_content: str | None = None


@dataclass(frozen=True)
class MetricDeclaration:
    """A further metric that a suite describes; kept and shown, never computed."""

    name: str
    definition: str


@dataclass(frozen=True)
class GoldSubject:
    """A name in a case and the reference that it should resolve to: `namespace:id`, or None where there is none."""

    case_id: str
    name: str
    ref: str | None
    mention: str
    note: str = ""


@dataclass(frozen=True)
class Suite:
    """A suite as loaded. `source` is the file, `digest` the SHA-256 of its bytes."""

    suite_id: str
    name: str
    version: str
    domain: str
    source_types: tuple[str, ...]
    cases: tuple[Case, ...]
    metrics: tuple[MetricDeclaration, ...] = ()
    published_by: str | None = None
    published_at: datetime | None = None
    gold_subjects: tuple[GoldSubject, ...] = ()
    source: str = ""
    digest: str = ""
