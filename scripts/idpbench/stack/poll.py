"""Watch runs in flight: one key per pending document and cycle, at most a hundred a call, never a scan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from idpbench.stack import contract
from idpbench.stack.client import Caller
from idpbench.stack.decode import row

EVALUATION_CYCLES = 60  # after completion, for a document with a baseline
GONE_AFTER = 3  # consecutive looks without a row that was there before
_NAMES = {"#status": "Status", "#error": "Error", "#files": "Files"}
_FIELDS = "PK, ObjectStatus, EvaluationStatus, CompletionTime, CompletedFiles, FailedFiles, #status, #error, #files"


@dataclass
class Watched:
    """One document of a run: its latest status, and why it ended."""

    name: str
    status: str | None = None  # final; None while pending
    reason: str | None = None
    seen: str | None = None  # the latest ObjectStatus
    completed: str | None = None  # CompletionTime
    evaluated: str | None = None  # EvaluationStatus
    misses: int = 0
    waits: int = 0  # cycles spent on its evaluation


@dataclass
class Flight:
    """One run in flight. `files`: its documents where they are known, else they are read from the run's own row."""

    key: str
    run_id: str
    launched_at: str
    evaluates: bool = False  # a baseline exists: wait for the evaluation, too
    documents: list[Watched] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    turn: int = 0

    @property
    def finished(self) -> bool:
        """Every document has come to its end."""
        return bool(self.documents) and all(document.status is not None for document in self.documents)

    @property
    def status(self) -> str:
        """Status of the run: the worst of its documents."""
        return contract.worst([document.status or contract.TIMED_OUT for document in self.documents])

    @property
    def reason(self) -> str | None:
        """Reasons of the documents that have one."""
        told = dict.fromkeys(document.reason for document in self.documents if document.reason)
        return "; ".join(told) or None

    def end(self, status: str, reason: str) -> None:
        """End every pending document alike."""
        self.documents = self.documents or [Watched(name) for name in self.expected or ("",)]
        for document in self.documents:
            if document.status is None and document.seen in contract.FINAL:
                document.status, document.reason = (
                    document.seen,
                    f"its evaluation is {document.evaluated or 'not there'}",
                )
            elif document.status is None:
                document.status, document.reason = status, reason


class Poll:
    """All flights in one loop. `cycle()` asks once and returns the flights that ended."""

    def __init__(self, client: Caller, table: str) -> None:
        self._client = client
        self._table = table
        self._flights: dict[str, Flight] = {}
        self._cycle = 0
        self._answered: dict[str, int] = {}

    def add(self, flight: Flight) -> None:
        """Watch a run; where its documents are known they are asked for by name from the start."""
        if not flight.documents and flight.expected:
            flight.documents = [Watched(name) for name in flight.expected]
        self._flights[flight.key] = flight

    def drop(self, key: str) -> None:
        """Watch no longer."""
        self._flights.pop(key, None)

    def pending(self) -> list[Flight]:
        """Flights still watched."""
        return list(self._flights.values())

    def __len__(self) -> int:
        return len(self._flights)

    def cycle(self) -> list[Flight]:
        """One round of BatchGetItem: at most n/100 + 1 calls for n pending documents; what ended is dropped."""
        self._cycle += 1
        questions: dict[str, tuple[Flight, Watched | None]] = {}
        for flight in self._flights.values():
            for key, about in _questions(flight):
                questions[key] = (flight, about)
        keys = sorted(questions, key=lambda key: self._answered.get(key, 0))  # the longest unanswered first
        for start in range(0, len(keys), 100):
            asked = keys[start : start + 100]
            found, unanswered = self._ask(asked)
            for key in asked:
                if key not in unanswered:  # too much for one answer: the next cycle asks again
                    self._answered[key] = self._cycle
                    flight, about = questions[key]
                    (_judge_run if about is None else _judge_document)(flight, about, found.get(key))
        ended = [flight for flight in self._flights.values() if flight.finished]
        for flight in ended:
            self.drop(flight.key)
        return ended

    def _ask(self, partitions: list[str]) -> tuple[dict[str, dict[str, Any]], set[str]]:
        keys = [
            contract.row_key(
                key,
                contract.DOCUMENT_SORT if key.startswith(contract.DOCUMENT_ROW) else contract.METADATA_SORT,
            )
            for key in partitions
        ]
        answer = self._client.call(
            "dynamodb",
            "batch_get_item",
            RequestItems={
                self._table: {
                    "Keys": keys,
                    "ConsistentRead": True,
                    "ProjectionExpression": _FIELDS,
                    "ExpressionAttributeNames": _NAMES,
                }
            },
        )
        found = {item["PK"]["S"]: row(item).value for item in answer["Responses"].get(self._table, ())}
        left = answer.get("UnprocessedKeys", {}).get(self._table, {}).get("Keys", ())
        return found, {key["PK"]["S"] for key in left}


def _questions(flight: Flight) -> Iterable[tuple[str, Watched | None]]:
    """Keys to ask for this cycle: each pending document, or the run's own row.

    While a document has not shown up, every second question goes to the run's row instead of it: a copy that failed
    ends there, and only there, and it counts the documents whose rows are gone already. So a run never costs more
    keys than it has pending documents.
    """
    flight.turn += 1
    pending = [document for document in flight.documents if document.status is None]
    unseen = next((document for document in pending if not document.seen), None)
    if not pending or (unseen is not None and flight.turn % 2 == 0):
        yield contract.TEST_RUN_ROW + flight.run_id, None
        pending = [document for document in pending if document is not unseen]
    for document in pending:
        yield contract.DOCUMENT_ROW + contract.object_key(flight.run_id, document.name), document


def _judge_run(flight: Flight, _: Watched | None, found: dict[str, Any] | None) -> None:
    """The run's own row: a failed copy ends the run; `Files` names the documents that were really copied."""
    if found is None:
        return
    copied = found.get("Files")
    if isinstance(copied, list) and copied:
        _take_files(flight, [name for name in copied if isinstance(name, str)])
    if found.get("Status") == contract.FAILED and not any(document.seen for document in flight.documents):
        flight.end(
            contract.COPY_FAILED,
            f"the test run failed before it had a document: {found.get('Error') or 'no reason given'}",
        )
    elif _counted(found) >= len(flight.documents):  # all have ended, so one without a row had one
        for document in flight.documents:
            if document.status is None and not document.seen:
                _miss(document, "its tracking row was never there, and its test run counts it as ended")


def _counted(found: dict[str, Any]) -> float:
    """Documents that a test run counts as ended; -1 where it does not count."""
    counts = [found.get(name) for name in ("CompletedFiles", "FailedFiles")]
    known = [count for count in counts if isinstance(count, (int, float))]
    return sum(known) if known else -1


def _miss(document: Watched, reason: str) -> None:
    document.misses += 1
    if document.misses >= GONE_AFTER:
        document.status, document.reason = contract.ROW_DELETED, reason


def _take_files(flight: Flight, copied: list[str]) -> None:
    known = {document.name for document in flight.documents}
    flight.documents += [Watched(name) for name in copied if name not in known]
    for document in flight.documents:
        if document.name not in copied and document.status is None and document.seen is None:
            document.status, document.reason = contract.NOT_COPIED, "not among the files of the test run"


def _judge_document(flight: Flight, about: Watched | None, found: dict[str, Any] | None) -> None:
    assert about is not None
    if found is None:
        if about.seen:
            _miss(about, f"its tracking row is gone; the last status was {about.seen}")
        return
    about.misses = 0
    about.seen = str(found.get("ObjectStatus") or "?")
    about.completed = found.get("CompletionTime")
    about.evaluated = found.get("EvaluationStatus")
    if about.seen not in contract.FINAL:
        return
    about.status = about.seen
    if about.seen == contract.COMPLETED and flight.evaluates and about.evaluated not in contract.EVALUATION_FINAL:
        about.waits += 1
        if about.waits < EVALUATION_CYCLES:
            about.status = None
        else:
            about.reason = f"its evaluation is {about.evaluated or 'not there'}"
