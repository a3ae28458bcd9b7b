"""The project's own model: an algorithm that writes a recipe from the sheet and the task alone, without a network."""

from __future__ import annotations

from collections.abc import Callable

from idpbench.files.canonical import bytes_digest
from idpbench.files.provenance import source_digest
from idpbench.gold.suite.manifest import Task
from idpbench.gold.transport.base import About, Reply, Request
from idpbench.gold.workbook import Workbook

PREFIX = "local/"
MODEL = "local/heuristic-1"
Writer = Callable[[Workbook, Task], str]


class Local:
    """A function as a model. It is never shown the messages: it sees the same sheet and task that they hold."""

    def __init__(self, model: str, write: Writer, client: str) -> None:
        self._model = model
        self._write = write
        self._client = client

    @property
    def about(self) -> About:
        """`client` names the source of the algorithm by digest, since its version is what its code is."""
        return About("local", None, self._client, network=False)

    def send(self, request: Request) -> Reply:
        """What the algorithm writes; it costs nothing and counts no tokens."""
        text = self._write(request.workbook, request.task)
        return Reply(text, f"sha256:{bytes_digest(text.encode('utf-8'))}", self._model, "stop", None, 0.0)


def heuristic() -> Local:
    """The embedded model."""
    from idpbench.gold.heuristic import write_recipe  # loaded only where it is asked

    return Local(MODEL, write_recipe, f"idpbench.gold.heuristic {source_digest('gold.heuristic')[:12]}")
