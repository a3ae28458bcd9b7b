"""The document pipeline: copies the files of started runs, queues documents, has them read, writes what came out.

All queued work is a row of the store's queue, removed in the same transaction that writes its results. A server that
was killed at any moment therefore finds, when it starts again, exactly the work whose results are not there yet.
"""

from __future__ import annotations

import json
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from idpbench.localstack import configuration, documents
from idpbench.localstack.cloudformation import CloudFormation, resource
from idpbench.localstack.faults import Faults
from idpbench.localstack.state import ACCOUNT, State, now
from idpbench.localstack.worker import Task, Worker, WorkerLost

DELIVERIES = 3  # how often a document is given to a worker before it counts as failed


class Pipeline:
    """The queue and the threads that empty it. `stacks` is set before `start`."""

    stacks: CloudFormation

    def __init__(self, state: State, faults: Faults, config_root: Path, engine: str, cache: Path) -> None:
        self.state = state
        self.faults = faults
        self.config_root = config_root
        self.engine = engine
        self.cache = cache
        self._change = threading.Condition()
        self._waiting: dict[int, tuple[str, dict[str, Any]]] = {}  # by number, in order
        self._running: dict[int, dict[str, Any]] = {}
        self.last_work = time.monotonic()
        for number, kind, document in state.store.queue():
            self._waiting[number] = (kind, document)

    def start(self, workers: int) -> None:
        """Start the copier and `workers` document threads, each with a child process of its own."""
        for action in [self._copies, *[lambda: self._documents(Worker(self.engine, self.cache))] * workers]:
            threading.Thread(target=action, daemon=True).start()

    def in_flight(self, stack: Mapping[str, Any] | None = None) -> int:
        """Queued and running work, of one stack or of all."""
        with self._change:
            every = [*(document for _, document in self._waiting.values()), *self._running.values()]
        if stack is None:
            return len(every)
        return sum(one["stack"] == stack["name"] and one["region"] == stack["region"] for one in every)

    # -- adding work
    def add(self, kind: str, document: dict[str, Any]) -> None:
        """Queue work inside the open transaction; it can be taken once that is on the disk."""
        number = self.state.store.enqueue(kind, document)
        self.state.after_commit(lambda: self._offer(number, kind, document))

    def _offer(self, number: int, kind: str, document: dict[str, Any]) -> None:
        with self._change:
            self._waiting[number] = (kind, document)
            self._change.notify_all()

    def object_created(self, bucket: str, key: str) -> None:
        """The queue sender, for an object that a client put: queues it if the bucket is a stack's input bucket."""
        stack = self.stacks.stack_of_bucket(bucket, "InputBucket")
        if stack is not None:
            self._queue_document(stack, key, context="", run_id=None)

    def _queue_document(self, stack: Mapping[str, Any], key: str, *, context: str, run_id: str | None) -> None:
        bucket = resource(stack, "InputBucket")
        metadata = self.state.object_metadata(bucket, key)
        row = documents.queued_row(key, metadata, now())
        self.state.put_row(stack["region"], resource(stack, "TrackingTable"), row | {"TestRunId": run_id})
        self.add(
            "document",
            {
                "region": stack["region"],
                "stack": stack["name"],
                "key": key,
                "version": metadata.get("config-version"),
                "context": context,
                "run_id": run_id,
                "digest": self.state.object_digest(bucket, key),
                "deliveries": 0,
            },
        )

    # -- taking work
    def _take(self, kind: str) -> tuple[int, dict[str, Any]]:
        """The oldest work of a kind; of documents rather one whose bytes no other worker has in hand, since what
        reading it costs (OCR) is then found in the cache the next time."""
        with self._change:
            while True:
                ready = [number for number, (what, _) in self._waiting.items() if what == kind]
                if ready:
                    busy = {document.get("digest") for document in self._running.values()}
                    fresh = (one for one in ready if self._waiting[one][1].get("digest") not in busy)
                    number = next(fresh, ready[0])
                    _, document = self._waiting.pop(number)
                    self._running[number] = document
                    return number, document
                self._change.wait()

    def _give_back(self, number: int, again: dict[str, Any] | None = None) -> None:
        with self._change:
            self._running.pop(number, None)
            if again is not None:
                self._waiting[number] = ("document", again)
                self._change.notify_all()
            self.last_work = time.monotonic()

    def _stack(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return next(one for one in self.stacks.stacks(document["region"]) if one["name"] == document["stack"])

    # -- copying
    def _copies(self) -> None:
        while True:
            number, document = self._take("copy")
            try:
                with self.state.transaction():
                    self._copy(document)
                    self.state.store.dequeue(number)
            except Exception:
                traceback.print_exc()
                with self.state.transaction():
                    self._fail_run(document, "the files could not be copied")
                    self.state.store.dequeue(number)
            self._give_back(number)

    def _copy(self, document: Mapping[str, Any]) -> None:
        stack, run_id, test_set = self._stack(document), document["run_id"], document["test_set"]
        source = resource(stack, "TestSetBucket")
        names = self._files(source, test_set, document)
        if self.faults.find("copy_failure", f"{test_set} {document['context']}"):
            return self._fail_run(document, "AccessDenied: the files could not be copied")
        if len(names) < document["count"]:
            return self._fail_run(document, f"{test_set}/input/ holds {len(names)} of {document['count']} files")
        metadata = {"submission-source": "test-studio", "test-set-id": test_set}
        if document["version"]:
            metadata["config-version"] = document["version"]
        for name in names:
            origin = f"{test_set}/baseline/{name}/"
            for key in self.state.list_keys(source, origin):
                target = f"{run_id}/{name}/{key.removeprefix(origin)}"
                self.state.copy_object(source, key, resource(stack, "EvaluationBaselineBucket"), target, {})
            key = f"{run_id}/{name}"
            self.state.copy_object(source, f"{test_set}/input/{name}", resource(stack, "InputBucket"), key, metadata)
            self._queue_document(stack, key, context=document["context"], run_id=run_id)
        self._update_run(stack, run_id, {"Status": "RUNNING", "Files": names})

    def _files(self, bucket: str, test_set: str, document: Mapping[str, Any]) -> list[str]:
        prefix = f"{test_set}/input/"
        held = [key.removeprefix(prefix) for key in self.state.list_keys(bucket, prefix) if not key.endswith("/")]
        if document["object_keys"]:
            wanted = {key.removeprefix(prefix) for key in document["object_keys"]}
            held = [name for name in held if name in wanted]
        return held[: document["count"]]

    def _fail_run(self, document: Mapping[str, Any], reason: str) -> None:
        self._update_run(self._stack(document), document["run_id"], {"Status": "FAILED", "Error": reason})

    def _update_run(self, stack: Mapping[str, Any], run_id: str, changes: Mapping[str, Any]) -> None:
        tracking = resource(stack, "TrackingTable")
        self.state.update_row(stack["region"], tracking, documents.test_run_key(run_id), changes)

    # -- documents
    def _documents(self, worker: Worker) -> None:
        while True:
            number, document = self._take("document")
            again = None
            try:
                again = self._process(worker, number, document)
            except Exception as error:
                traceback.print_exc()
                reason = f"{type(error).__name__}: {error}"
                self._end(number, document, _failed(reason))
            self._give_back(number, again)

    def _process(self, worker: Worker, number: int, document: dict[str, Any]) -> dict[str, Any] | None:
        """Take one document to its end; what is to be delivered again, where the worker was lost on it."""
        key = document["key"]
        try:
            worker.ready()
        except WorkerLost:
            return self._lost(number, document)
        task, place, warning = self._begin(document)
        if rule := self.faults.find("update", key):
            self.stacks.force_version(self._stack(document), rule.version)
        if self.faults.find("lost_worker", key):
            with self.state.transaction():
                self.state.store.dequeue(number)
            return None
        if self.faults.find("aborted", key):
            self._end(number, document, lambda _: documents.aborted_changes(now()))
            return None
        if self.faults.find("failed", key):
            self._end(number, document, _failed("States.TaskFailed: the execution failed"))
            return None
        if isinstance(task, str):
            self._end(number, document, _failed(task))
            return None
        try:
            if self.faults.find("worker_crash", key):
                worker.stop()
            outcome = worker.run(task)
        except WorkerLost:
            return self._lost(number, document)

        def write(stack: Mapping[str, Any]) -> dict[str, Any]:
            bucket = resource(stack, "OutputBucket")
            for name, body, kind in documents.output_objects(outcome):
                self.state.put_object(bucket, f"{key}/{name}", body, content_type=kind)
            return documents.finished_changes(
                place, outcome, baseline=task.baseline is not None, warning=warning, moment=now()
            )

        self._end(number, document, write)
        return None

    def _begin(self, document: Mapping[str, Any]) -> tuple[Task | str, documents.Place, str | None]:
        """(task, or why there is none; where results go; warning) of a document; its row says that it has started."""
        key, region = document["key"], document["region"]
        with self.state.transaction():
            stack = self._stack(document)
            table = resource(stack, "ConfigurationTable")
            execution = f"arn:aws:states:{region}:{ACCOUNT}:execution:{stack['name']}-DocumentProcessing:{uuid.uuid4()}"
            place = documents.Place(resource(stack, "OutputBucket"), key, execution)
            task: Task | str
            try:
                resolved = configuration.resolve(
                    document["version"],
                    lambda version: self.state.row(region, table, f"Config#{version}"),
                    lambda: self._active_version(region, table),
                )
            except configuration.Unresolvable as error:
                resolved = configuration.Resolved(document["version"] or configuration.DEFAULT, {}, None)
                task = f"ValidationException: {error}"
            else:
                task = self._task(stack, document, resolved.configuration)
            if resolved.warning:
                print(f"warning: {key}: {resolved.warning}")
            version = document["version"] or resolved.version
            self.state.update_row(
                region,
                resource(stack, "TrackingTable"),
                documents.document_key(key),
                documents.started_changes(place, version, now()),
            )
        return task, place, resolved.warning

    def _task(self, stack: Mapping[str, Any], document: Mapping[str, Any], content: dict[str, Any]) -> Task | str:
        key = document["key"]
        baselines = resource(stack, "EvaluationBaselineBucket")
        try:
            pdf = self.state.read_object(resource(stack, "InputBucket"), key)
            held = [one for one in self.state.list_keys(baselines, f"{key}/") if one.endswith("/result.json")]
            baseline = [json.loads(self.state.read_object(baselines, one)) for one in held]
        except (KeyError, ValueError) as error:
            return f"NoSuchKey: an object of the document cannot be read ({error})"
        return Task(
            pdf=pdf,
            file_name=key.rpartition("/")[2],
            configuration=content,
            config_root=str(self.config_root),
            version=stack["version"],
            run_context=document["context"],
            baseline=baseline or None,
        )

    def _active_version(self, region: str, table: str) -> str:
        for row in self.state.rows(region, table):
            name = str(row["Configuration"])
            if name.startswith("Config#") and row.get("IsActive") is True:
                return name.removeprefix("Config#")
        return configuration.DEFAULT

    def _lost(self, number: int, document: dict[str, Any]) -> dict[str, Any] | None:
        again = document | {"deliveries": document["deliveries"] + 1}
        if again["deliveries"] >= DELIVERIES:
            reason = f"States.Timeout: the worker ended {DELIVERIES} times on this document"
            self._end(number, document, _failed(reason))
            return None
        with self.state.transaction():
            self.state.store.requeue(number, again)
        return again

    def _end(
        self, number: int, document: Mapping[str, Any], write: Callable[[Mapping[str, Any]], dict[str, Any]]
    ) -> None:
        """Everything that the end of a document changes, in one transaction."""
        key, region = document["key"], document["region"]
        with self.state.transaction():
            stack = self._stack(document)
            tracking = resource(stack, "TrackingTable")
            changes = write(stack)
            self.state.update_row(region, tracking, documents.document_key(key), changes)
            row = self.state.row(region, tracking, *documents.document_key(key))
            if row is not None:
                self._keep_version(stack, key, row)
            if document["run_id"]:
                self._count(stack, document["run_id"], completed=changes["ObjectStatus"] == "COMPLETED")
            if self.faults.find("expired_row", key):
                self.state.delete_row(region, tracking, *documents.document_key(key))
            self.state.store.record_finished(key, changes["ObjectStatus"])
            self.state.store.dequeue(number)

    def _keep_version(self, stack: Mapping[str, Any], key: str, row: Mapping[str, Any]) -> None:
        """The immutable row of this processing, and the manifest of the objects that it left."""
        moment, bucket = now(), resource(stack, "OutputBucket")
        self.state.put_row(stack["region"], resource(stack, "TrackingTable"), documents.version_row(key, row, moment))
        left = (one.removeprefix(f"{key}/") for one in self.state.list_keys(bucket, f"{key}/"))
        name, body = documents.manifest(key, row, [one for one in left if not one.startswith("runs/")], moment)
        self.state.put_object(bucket, f"{key}/{name}", body, content_type="application/json")

    def _count(self, stack: Mapping[str, Any], run_id: str, *, completed: bool) -> None:
        row = self.state.row(stack["region"], resource(stack, "TrackingTable"), *documents.test_run_key(run_id))
        if row is None:
            return
        done = row["CompletedFiles"] + completed
        failed = row["FailedFiles"] + (not completed)
        changes: dict[str, Any] = {"CompletedFiles": done, "FailedFiles": failed}
        if done + failed >= len(row.get("Files") or []):
            changes["Status"] = "PARTIAL_COMPLETE" if failed else "COMPLETE"
            changes["CompletedAt"] = now().replace(tzinfo=None).isoformat() + "Z"
        self._update_run(stack, run_id, changes)


def _failed(reason: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """The end of a document that failed without a result."""
    return lambda _: documents.failed_changes(reason, now())
