"""What a stack is asked by name: keys, paths, ids and statuses of the accelerator, in one place."""

from __future__ import annotations

import re

# Tracking table
DOCUMENT_ROW = "doc#"
TEST_SET_ROW = "testset#"
TEST_RUN_ROW = "testrun#"
DOCUMENT_SORT = "none"  # the other rows under a document's key are copies of it by version
METADATA_SORT = "metadata"
TYPE_INDEX = "TypeDateIndex"

# Configuration table
CONFIG_ROW = "Config#"
DEFAULT_CONFIG = "Config#default"
OWN_PREFIX = "bench-"
ITEM_LIMIT = 400_000  # bytes of a DynamoDB item, names included
CONFIG_FORMAT = "_config_format"
CONFIG_DESCRIBING = frozenset(  # attributes of a row that describe it and are no part of the configuration
    {
        "Configuration",
        "CreatedAt",
        "UpdatedAt",
        "IsActive",
        "Description",
        "Managed",
        "BdaProjectArn",
        "BdaSyncStatus",
        "BdaLastSyncedAt",
        "_config_storage",
        "_compressed_config",
        CONFIG_FORMAT,
    }
)

# Test runner
CONTEXT_PREFIX = "idpbench:"
_CONTEXT = re.compile(CONTEXT_PREFIX + r"([0-9a-f]{40}) repeat=[0-9]+")
NAME_LIMIT = 50  # characters of a test set's name
NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]*")
RUN_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,254}")
KEY_PATTERN = re.compile(r"[0-9a-f]{40}")

# ObjectStatus
COMPLETED = "COMPLETED"
FAILED = "FAILED"
ABORTED = "ABORTED"
FINAL = frozenset({COMPLETED, FAILED, ABORTED, "ERROR", "REDACTED_SUPERSEDED"})
EVALUATION_FINAL = frozenset({"COMPLETED", "FAILED", "NO_BASELINE"})
# Ends that no tracking row states
COPY_FAILED = "COPY_FAILED"  # the test run failed before it had a document
ROW_DELETED = "ROW_DELETED"  # the document's row was there and is gone
TIMED_OUT = "TIMED_OUT"  # our deadline, not the stack's
NOT_COPIED = "NOT_COPIED"  # a document of the test set that the run did not take along
INFRA = "INFRA"  # failed since a service was asked too often: about the account's limits, not about the release

_SEVERITY = (COMPLETED, NOT_COPIED, ABORTED, FAILED, "ERROR", INFRA, ROW_DELETED, "REDACTED_SUPERSEDED", COPY_FAILED)
# Ends that say nothing of the release: such a run may be asked for again (`idpbench retry`)
NO_FINDING = frozenset({TIMED_OUT, INFRA, ROW_DELETED, COPY_FAILED})
# What services answer that are asked too often, as failed executions quote it
_THROTTLED = re.compile(
    r"\b(Throttl(?:ing|ed)(?:Exception)?|TooManyRequests(?:Exception)?|RequestLimitExceeded|SlowDown"
    r"|ProvisionedThroughputExceeded(?:Exception)?|ServiceQuotaExceeded(?:Exception)?|Rate exceeded)\b"
)


def worst(statuses: list[str]) -> str:
    """Status of a run of several documents: the worst of them; one unknown here is worse than all but TIMED_OUT."""

    def rank(status: str) -> int:
        if status == TIMED_OUT:
            return len(_SEVERITY) + 1
        return _SEVERITY.index(status) if status in _SEVERITY else len(_SEVERITY)

    return max(statuses, key=rank) if statuses else COPY_FAILED


def throttled(reason: object) -> bool:
    """Whether the reason of a failure names a service that was asked too often."""
    return isinstance(reason, str) and _THROTTLED.search(reason) is not None


def context_of(key: str, repeat: int) -> str:
    """What a launch writes into its test run: finds it again after a crash, and tells a local engine the repeat."""
    return f"{CONTEXT_PREFIX}{key} repeat={repeat}"


def key_of(context: object) -> str | None:
    """The run key in a test run's context, or None when it is not one of ours."""
    match = _CONTEXT.fullmatch(context) if isinstance(context, str) else None
    return match[1] if match else None


def object_key(run_id: str, file_name: str) -> str:
    """Key of a document within the buckets, and after `doc#` in the tracking table."""
    return f"{run_id}/{file_name}"


def document_key(run_id: str, file_name: str) -> dict[str, dict[str, str]]:
    """Primary key of a document's row."""
    return row_key(DOCUMENT_ROW + object_key(run_id, file_name), DOCUMENT_SORT)


def test_run_key(run_id: str) -> dict[str, dict[str, str]]:
    """Primary key of a test run's row."""
    return row_key(TEST_RUN_ROW + run_id, METADATA_SORT)


def test_set_key(name: str) -> dict[str, dict[str, str]]:
    """Primary key of a test set's row."""
    return row_key(TEST_SET_ROW + name, METADATA_SORT)


def row_key(partition: str, sort: str) -> dict[str, dict[str, str]]:
    """A tracking-table key as DynamoDB spells it."""
    return {"PK": {"S": partition}, "SK": {"S": sort}}


def input_path(testset: str, file_name: str) -> str:
    """Where a test set keeps a document."""
    return f"{testset}/input/{file_name}"


def baseline_path(testset: str, file_name: str, section: str) -> str:
    """Where a test set keeps the expected result of a document's section."""
    return f"{testset}/baseline/{file_name}/sections/{section}/result.json"


def part_of(key: str, prefix: str) -> tuple[str, str] | None:
    """(`sections`, `3`) of `<prefix>/sections/3/result.json`; likewise pages; None for any other object.

    The number is text of the stack's choosing: it is never joined to a local path.
    """
    match = re.fullmatch(r"/(sections|pages)/(.+)/result\.json", key.removeprefix(prefix), re.DOTALL)
    return (match[1], match[2]) if match and key.startswith(prefix) else None
