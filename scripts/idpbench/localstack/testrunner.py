"""The two functions that a test run is started with, as direct invocations see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from idpbench.files.canonical import canonical
from idpbench.localstack import configuration, documents
from idpbench.localstack.cloudformation import resource
from idpbench.localstack.faults import Faults
from idpbench.localstack.state import Refused, State, now

LONGEST_CONTEXT = 500
ADVANCES = 10  # how often a taken run id moves one second on before the launch is refused


class FunctionError(Refused):
    """What a function raises at its caller: `errorType` and `errorMessage` of the answer."""

    def __init__(self, message: str, kind: str = "ValueError") -> None:
        super().__init__(message)
        self.kind = kind


class Copies(Protocol):
    """Where a started run goes next."""

    def add(self, kind: str, document: dict[str, Any]) -> None:
        """Queue work inside the open transaction."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A checked request for a test run."""

    test_set: str
    name: str
    version: str | None
    count: int
    object_keys: list[str] | None
    context: str


class TestRunner:
    """`startTestRun`: puts the test run's row and queues the copying of its files."""

    __test__ = False  # no test case, whatever its name begins with

    def __init__(self, state: State, queue: Copies, faults: Faults) -> None:
        self.state = state
        self.queue = queue
        self.faults = faults

    def __call__(self, stack: Mapping[str, Any], payload: Any, *, conditional: bool) -> dict[str, Any]:
        """The function's answer; FunctionError for a request that it refuses. Runs inside a transaction."""
        region, tracking = str(stack["region"]), resource(stack, "TrackingTable")
        launch = self._checked(region, tracking, payload)
        self._warn_unknown_version(stack, launch)
        moment = now()
        row = self._row(launch, stack)
        run_id, created = self._claim(region, tracking, launch, row, conditional)
        self.queue.add(
            "copy",
            {
                "region": region,
                "stack": stack["name"],
                "run_id": run_id,
                "test_set": launch.test_set,
                "version": launch.version,
                "count": launch.count,
                "object_keys": launch.object_keys,
                "context": launch.context,
            },
        )
        if self.faults.find("config_edited", f"{launch.test_set} {launch.context}") and launch.version:
            self._edit_configuration(stack, launch.version, moment.isoformat())
        return {
            "testRunId": run_id,
            "testSetName": launch.name,
            "status": "QUEUED",
            "filesCount": launch.count,
            "completedFiles": 0,
            "createdAt": created,
        }

    def _checked(self, region: str, tracking: str, payload: Any) -> Launch:
        arguments = payload.get("arguments") if isinstance(payload, Mapping) else None
        given = arguments.get("input") if isinstance(arguments, Mapping) else None
        if not isinstance(given, Mapping):
            raise FunctionError("'arguments.input' is missing", "KeyError")
        test_set = given.get("testSetId")
        if not isinstance(test_set, str) or not test_set:
            raise FunctionError("testSetId is required")
        row = self.state.row(region, tracking, f"testset#{test_set}", "metadata")
        if row is None:
            raise FunctionError(f"Test set {test_set} not found")
        available = int(row.get("fileCount") or 0)
        keys = given.get("objectKeys")
        if keys is not None and (not isinstance(keys, list) or not keys or len(keys) > available):
            raise FunctionError(f"objectKeys must name 1 to {available} files of test set {test_set}")
        count = given.get("numberOfFiles")
        if count is None:
            count = len(keys) if keys else available
        if isinstance(count, bool) or not isinstance(count, int) or count <= 0:
            raise FunctionError(f"numberOfFiles must be a positive number, not {count!r}")
        if count > available:
            raise FunctionError(f"numberOfFiles {count} exceeds the {available} files of test set {test_set}")
        context = given.get("context") or ""
        if not isinstance(context, str) or len(context) > LONGEST_CONTEXT:
            raise FunctionError(f"context must be a text of at most {LONGEST_CONTEXT} characters")
        version = given.get("configVersion")
        return Launch(test_set, str(row.get("name") or test_set), version, int(count), keys, context)

    def _row(self, launch: Launch, stack: Mapping[str, Any]) -> dict[str, Any]:
        captured = None
        if launch.version:
            held = self.state.row(stack["region"], resource(stack, "ConfigurationTable"), f"Config#{launch.version}")
            try:
                captured = None if held is None else canonical(configuration.decode(held)[0]).decode("utf-8")
            except configuration.Unresolvable:
                captured = None  # the pipeline will say so
        return {
            "ItemType": "testrun",
            "TestSetId": launch.test_set,
            "TestSetName": launch.name,
            "Status": "QUEUED",
            "FilesCount": launch.count,
            "CompletedFiles": 0,
            "FailedFiles": 0,
            "BaselineFailedFiles": 0,
            "ConfigVersion": launch.version,
            "Context": launch.context or None,
            "Config": captured,
        }

    def _claim(
        self, region: str, tracking: str, launch: Launch, row: Mapping[str, Any], conditional: bool
    ) -> tuple[str, str]:
        """(run id, creation time) of the row that was put. A run id is the test set's name and a second."""
        forced = self.faults.find("duplicate_run_id", f"{launch.test_set} {launch.context}")
        latest = self.state.store.meta(f"latest run of {launch.test_set}") if forced else None
        moment = now()
        for _ in range(ADVANCES + 1):
            run_id = latest or f"{launch.name}-{moment:%Y%m%d-%H%M%S}"
            created = moment.replace(tzinfo=None).isoformat() + "Z"
            partition, sort = documents.test_run_key(run_id)
            keyed = {
                "PK": partition,
                "SK": sort,
                "TestRunId": run_id,
                "CreatedAt": created,
                "InitialEventTime": created,
                **row,
            }
            if self.state.put_row(region, tracking, keyed, only_if_new=conditional and latest is None):
                self.state.store.set_meta(f"latest run of {launch.test_set}", run_id)
                return run_id, created
            moment += timedelta(seconds=1)
        raise FunctionError(f"no free run id for test set {launch.test_set}: too many starts in a row", "RuntimeError")

    def _warn_unknown_version(self, stack: Mapping[str, Any], launch: Launch) -> None:
        table = resource(stack, "ConfigurationTable")
        if launch.version and self.state.row(stack["region"], table, f"Config#{launch.version}") is None:
            print(f"warning: configuration version {launch.version} does not exist; the run is started all the same")

    def _edit_configuration(self, stack: Mapping[str, Any], version: str, moment: str) -> None:
        table = resource(stack, "ConfigurationTable")
        held = self.state.row(stack["region"], table, f"Config#{version}")
        if held is None:
            return
        content, _ = configuration.decode(held)
        content["notes"] = f"edited by somebody else at {moment}"
        edited = configuration.encode(version, content, created=moment, active=False, text="edited")
        self.state.put_row(stack["region"], table, edited)


def list_test_sets(state: State, stack: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`getTestSets`: registers folders of the test-set bucket that hold `input/`, then lists every test set."""
    region, tracking = str(stack["region"]), resource(stack, "TrackingTable")
    keys = state.list_keys(resource(stack, "TestSetBucket"), "")
    hidden = {key.partition("/")[0] for key in keys if key.endswith("/.uploading")}
    files: dict[str, int] = {}
    for key in keys:
        name, _, rest = key.partition("/")
        if rest.startswith("input/") and not rest.endswith("/") and name not in hidden:
            files[name] = files.get(name, 0) + 1
    for name, count in files.items():
        if state.row(region, tracking, f"testset#{name}", "metadata") is None:
            state.put_row(region, tracking, _discovered(name, count))
    found = (state.row(region, tracking, f"testset#{name}", "metadata") for name in sorted(files))
    fields = ("id", "name", "filePattern", "fileCount", "status", "createdAt")
    return [{field: row.get(field) for field in fields} for row in found if row is not None]


def _discovered(name: str, count: int) -> dict[str, Any]:
    moment = now().replace(tzinfo=None).isoformat() + "Z"
    return {
        "PK": f"testset#{name}",
        "SK": "metadata",
        "ItemType": "testset",
        "id": name,
        "name": name,
        "filePattern": f"{name}/input/",
        "fileCount": count,
        "status": "COMPLETED",
        "createdAt": moment,
        "InitialEventTime": moment,
    }
