"""Copying a finished set into results/: an intent before the first copy, a stamp after the last, no foreign file lost.

A file in results/ may be replaced when it is missing, or holds what the last publication of this pair wrote, what an
unfinished publication meant to write, what is about to be written, or what git HEAD holds. Anything else is refused by
name before the first byte is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from idpbench.files import atomic, redact
from idpbench.files.canonical import bytes_digest, file_digest, read_json, write_json
from idpbench.files.errors import Refusal
from idpbench.files.locks import alone_in
from idpbench.report.evidence import git_head, same_bytes

TEXTS = (".json", ".md", ".csv", ".svg")
STATE = "publish-state"
STAMP = "published"
Head = Callable[[Path], bytes | None]


@dataclass(frozen=True)
class Memory:
    """What this pair wrote or meant to write: `files` of the last intent, `earlier` those before it not yet stamped."""

    files: Mapping[str, str] = field(default_factory=dict)
    earlier: Mapping[str, list[str]] = field(default_factory=dict)

    def knows(self, name: str, digest: str) -> bool:
        """True where `digest` is one that this pair may have put at `name`."""
        return self.files.get(name) == digest or digest in self.earlier.get(name, [])

    def names(self) -> set[str]:
        """Every destination that this pair may have written."""
        return set(self.files) | set(self.earlier)

    def extended(self, files: Mapping[str, str]) -> Memory:
        """The memory with a new intent: what was meant before may lie there until the stamp is written."""
        earlier = {
            name: sorted({*self.earlier.get(name, []), *([self.files[name]] if name in self.files else [])})
            for name in sorted(self.names())
        }
        return Memory(dict(files), earlier)


def publish(
    files: Mapping[str, bytes],
    *,
    results: Path,
    state: Path,
    stamp: Path,
    owned: Iterable[str] = (),
    shared: Callable[[], Mapping[str, bytes]] = dict,
    head: Head = git_head,
) -> dict[str, str]:
    """Write `files` (destination relative to `results` -> bytes) and return destination -> sha256 as it lies there.

    `state` remembers the intent and must survive a rerun (no declared output of a rule); `stamp` is the rule's output.
    `owned` names folders, ending in `/`, in which a file of an earlier publication that is no longer part of the set
    is removed. `shared` is called after the last copy and gives the files derived from all that lies in results/: they
    are written where they differ, and never refused. Raises Refusal naming every file that somebody else changed.
    """
    memory = _remember(state)
    planned = {name: _settled(name, _redacted(name, data), results / name) for name, data in sorted(files.items())}
    digests = {name: bytes_digest(data) for name, data in planned.items()}
    leftovers = [n for n in sorted(memory.names() - set(planned)) if any(n.startswith(folder) for folder in owned)]
    foreign = [
        name
        for name in [*planned, *leftovers]
        if not _replaceable(name, results / name, digests.get(name), memory, head)
    ]
    if foreign:
        raise refusal(results, foreign)
    intent = memory.extended(digests)
    _write_memory(state, intent)
    for name, data in planned.items():
        if not (results / name).exists() or (results / name).read_bytes() != data:
            atomic.write_bytes(results / name, data)
    for name in leftovers:
        (results / name).unlink(missing_ok=True)
    with alone_in(results):  # two publications at once: the later one must see what the earlier one wrote
        derived = shared()
        for name, data in sorted(derived.items()):
            atomic.write_if_changed(results / name, _redacted(name, data))
    _write_memory(state, Memory(digests))
    write_json(stamp, {"schema": f"idpbench/{STAMP}/1", "files": digests, "shared": sorted(derived)}, durable=True)
    return digests


def refusal(results: Path, names: Iterable[str]) -> Refusal:
    """The message that names each file which this pair may not replace."""
    listed = "\n".join(f"  {results / name}" for name in names)
    return Refusal(
        "these files hold neither what git HEAD holds, nor what this pair published or was publishing, nor "
        f"what it would write now:\n{listed}\n"
        "nothing was written; commit them to keep them, or restore them with git, then run the same command again"
    )


def _redacted(name: str, data: bytes) -> bytes:
    """Text without ARNs and credentials, wherever they came from. Run records were redacted where they left the vault,
    which knows what in them is a document's own text."""
    if not name.endswith(TEXTS):
        return data
    told = data.decode("utf-8")
    return redact.text(told).encode("utf-8")


def _settled(name: str, data: bytes, destination: Path) -> bytes:
    """The bytes that shall lie at a destination: those there stay where only their packing differs."""
    if not destination.exists():
        return data
    present = destination.read_bytes()
    return present if same_bytes(name, present, data) else data


def _replaceable(name: str, destination: Path, wanted: str | None, memory: Memory, head: Head) -> bool:
    if not destination.exists():
        return True
    present = file_digest(destination)
    if present == wanted or memory.knows(name, present):
        return True
    committed = head(destination)
    return committed is not None and bytes_digest(committed) == present


def _remember(state: Path) -> Memory:
    if not state.exists():
        return Memory()
    content: dict[str, Any] = read_json(state, STATE)
    return Memory(content["files"], content["earlier"])


def _write_memory(state: Path, memory: Memory) -> None:
    content = {"schema": f"idpbench/{STATE}/1", "files": dict(memory.files), "earlier": dict(memory.earlier)}
    write_json(state, content, durable=True)
