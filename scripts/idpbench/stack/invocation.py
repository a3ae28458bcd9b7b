"""One command as typed: its settings and options, the sides they name, and what the vault lacks of them.

The Snakefile asks this while it is read. Nothing here opens a socket or writes a file, and every import is light.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from idpbench.files import locks, redact
from idpbench.files.canonical import digest, read_gzip_lines, read_json
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.matrix.estimate import Projection
from idpbench.settings.load import load
from idpbench.settings.options import Options, parse_options
from idpbench.settings.settled import load_settled, settled_path
from idpbench.settings.yamlfile import load_yaml
from idpbench.stack.classification import SUITE as CLASSIFICATION
from idpbench.stack.classification import ClassificationRequest, Corpus, classification_side, corpus_of
from idpbench.stack.deployment import parameters_of
from idpbench.stack.flags import flags_of
from idpbench.stack.journal import read_events
from idpbench.stack.model import Side, SideRun
from idpbench.stack.projection import missing_text, project_missing, refuse_above
from idpbench.stack.records import committed_files, stands
from idpbench.stack.request import Request, side_of
from idpbench.stack.vault import Vault


class Invocation:
    """Answers of one command; sides are built when first asked for, and kept."""

    def __init__(self, root: Path, config: Mapping[str, Any]) -> None:
        self.root = root
        self.settings = load(root)
        defaults = load_yaml(root / "config" / "config.yaml") or {}
        self.options: Options = parse_options({**defaults, **config}, self.settings, pair=False)
        if self.options.backend == "aws":
            parameters_of(self.options.stack_parameters, root)  # a file that is missing or wrong is refused now
        self._config = config
        self._sides: dict[Request | ClassificationRequest, Side] = {}
        self._settled: dict[str, Mapping[tuple[str, str], int]] = {}  # suite -> what was bought for its pair
        self._pairs: dict[str, str] = {}  # address of VERSION's side -> of PREV's, for the pairs asked for
        self._asked: dict[str, Side] = {}
        self._lock: IO[str] | None = None

    def new_side(self, suite: str | None = None) -> Side:
        """VERSION's side on a suite (default: the command's)."""
        return self._build(suite, base=False)

    def base_side(self, suite: str | None = None) -> Side:
        """PREV's side on a suite."""
        return self._build(suite, base=True)

    def pair(self, suite: str | None = None) -> tuple[Side, Side]:
        """VERSION's and PREV's side of an A/B; from now on VERSION's waits for PREV's. One side twice is refused."""
        new, base = self.new_side(suite), self.base_side(suite)
        if new.address == base.address:
            raise bad_input(
                "--config",
                "prev",
                f"{self.options.prev}, which is also the version",
                "another release, or a series of its own for an A/A test",
                "give prev=X.Y.Z, or series=b",
            )
        self._pairs[new.address] = base.address
        return new, base

    def side(self, address: str) -> Side:
        """A side by its address `<backend>/v<version>/<grid>`; one that the options do not name is refused."""
        if address.rpartition("/")[2].startswith(f"{CLASSIFICATION}__"):
            if (side := self.classification()).address == address:
                self._asked[address] = side
                return side
            raise _other_options(address)
        for suite in dict.fromkeys((self.options.suite, "smoke")):
            for base in (False, True):
                if (side := self._build(suite, base=base)).address == address:
                    self._asked[address] = side
                    return side
        raise _other_options(address)

    def classification(self) -> Side:
        """The side of target `classification`."""
        request = ClassificationRequest.of(self.options)
        if request not in self._sides:
            self._sides[request] = classification_side(self.settings, self.root, request)
        return self._sides[request]

    def testset(self, folder: str) -> Corpus:
        """The test set that is assembled in a folder; a set of other options is refused."""
        corpus = corpus_of(self.settings, self.root, ClassificationRequest.of(self.options))
        if corpus.folder != folder:
            raise _other_options(folder)
        return corpus

    def base_of(self, side: Side) -> str | None:
        """Address of the side that must land before this one."""
        return self._pairs.get(side.address)

    def launch_flags(self, side: Side) -> str:
        """Flags of the landing step for this command, quoted for a shell."""
        base = side.address in self._pairs.values()
        pair = next((_pair_name(*both) for both in self._pairs.items() if side.address in both), "")
        # models are asked one after the other, so that none is throttled on another's account
        options = replace(self.options, max_inflight=1) if side.suite == CLASSIFICATION else self.options
        return " ".join(map(shlex.quote, flags_of(options, pair, base)))

    def request_text(self, side: Side) -> str:
        """A side's request as JSON, from which the step `plan_side` builds it again."""
        request = next(request for request, known in self._sides.items() if known is side)
        return json.dumps(request.to_json(), sort_keys=True)

    @property
    def config_text(self) -> str:
        """The command's own configuration as JSON, for a step that asks the same; the account by its label."""
        known = {"account": redact.account(self.options.account)} if self.options.account else {}
        return json.dumps({**self._config, **known}, sort_keys=True)

    def settled_file(self, new: Side) -> Path:
        """Where the repeats that a settling bought for the pair of VERSION's side `new` are kept."""
        options = self.options
        return settled_path(self.root / "config", options.backend, options.version, options.prev, new.grid)

    def settled(self, suite: str) -> Mapping[tuple[str, str], int]:
        """Repeats that a settling bought for the command's pair on a suite: they are planned on both sides."""
        if suite not in self._settled:
            options = self.options
            folder = settled_path(self.root / "config", options.backend, options.version, options.prev, suite).parent
            # the file is named by the grid, which a side must be built to know: not where nobody has settled anything
            new = self._sided(Request.of(options, suite)) if folder.is_dir() else None
            self._settled[suite] = load_settled(self.settled_file(new)) if new else {}
        return self._settled[suite]

    def _build(self, suite: str | None, *, base: bool) -> Side:
        name = suite or self.options.suite
        return self._sided(Request.of(self.options, name, base=base, settled=self.settled(name)))

    def _sided(self, request: Request) -> Side:
        if request not in self._sides:
            self._sides[request] = side_of(self.settings, self.root, request)
        return self._sides[request]

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """Documents of the committed manifest, by id."""
        documents: Mapping[str, Any] = read_json(self.root / "corpus" / "manifest.json", "manifest")["documents"]
        return documents

    def manifest_entry(self, document: str) -> str:
        """Digest of a document's manifest entry: it changes when the document does."""
        if document not in self.manifest:
            remedy = "python scripts/generate_corpus.py --update-manifest"
            raise bad_input("corpus/manifest.json", document, "no entry", "its digest and parameters", remedy)
        return digest(self.manifest[document])

    def document_files(self, side: Side, cell: str | None = None, suffix: str = ".pdf") -> list[str]:
        """Files of the generated documents that a side runs, or one cell of it; of a test set, its stamp."""
        if side.suite == CLASSIFICATION:
            return [f"{side.reference}/testset.json"] if side.reference and suffix == ".pdf" else []
        names = {run.document for run in side.runs if not run.reference and cell in (None, run.cell)}
        return [f"corpus/docs/{name}{suffix}" for name in sorted(names)]

    @cached_property
    def held(self) -> set[str]:
        """Run keys in the backend's vault."""
        return Vault(self.root / "work" / "vault" / self.options.backend).keys()

    @cached_property
    def paid(self) -> set[str]:
        """Run keys that the journal has as launched and not given up: their price is spent already."""
        events = read_events(self.root / "work" / "journal" / f"{self.options.backend}.jsonl")
        last = {event["key"]: event["event"] for event in events}
        return {key for key, event in last.items() if event in ("launched", "adopted")}

    def missing(self, side: Side) -> list[SideRun]:
        """Runs of a side that are not in the vault, not committed and not launched already."""
        lacking = [run for run in side.runs if run.key not in self.held and run.key not in self.paid]
        for path in committed_files(self.root / "results", side) if lacking else ():
            vault = Vault(self.root / "work" / "vault" / side.backend)
            kept = {record["key"] for record in read_gzip_lines(path) if stands(record, vault)}
            lacking = [run for run in lacking if run.key not in kept]
        return lacking

    def lost(self, side: Side) -> str:
        """`` while everything that landed.json claims is there, else a digest of what is gone: a trigger.

        When it was claimed is part of it: the same may be gone twice, and the second time must trigger as well.
        """
        stamp = self.root / "work" / side.address / "landed.json"
        if not stamp.exists():
            return ""
        cells = read_json(stamp)["cells"].values()
        keys = sorted({key for cell in cells for key in cell["keys"]} & side.keys - self.held)
        files = sorted(cell["records"] for cell in cells if not (self.root / cell["records"]).exists())
        return digest([keys, files, stamp.stat().st_mtime_ns]) if keys or files else ""

    def projection(self) -> str:
        """What the command would launch, per side and cell, with cost and time; for the end of a dry run."""
        if not self._asked:
            return "Nothing to launch: no run of documents belongs to this command."
        return "\n\n".join(filter(None, [missing_text(self._projected()), self.place(), self.left_out()]))

    def place(self) -> str:
        """Where an aws command spends its money, for the person who is to confirm it; `` for a local one."""
        options = self.options
        if options.backend != "aws":
            return ""
        stacks = sorted({side.stack for side in self._asked.values()})
        digits = str(options.account)[-4:] if str(options.account).isdecimal() else "unknown digits"
        label = redact.account(str(options.account))
        word = (
            "confirm=true is given: it is launched without a question"
            if options.confirm
            else ("nothing is launched without confirm=true")
        )
        return (
            f"to be paid by the account that ends in {digits} ({label}), region {options.region}, stack"
            f" {', '.join(stacks) or options.stack}, build {options.build}; {word}"
        )

    def left_out(self) -> str:
        """The documents that the asked sides name and no cell can have, each with what would provide it."""
        reasons = {
            entry["document"]: entry["reason"]
            for side in self._asked.values()
            for entry in side.about["docs_unlaunchable"]
        }
        lines = [f"  {name}: {reason}" for name, reason in sorted(reasons.items())]
        return "\n".join(["NOT MEASURED, so the grid is incomplete:", *lines]) if lines else ""

    def check_budget(self) -> None:
        """Refuse, with exit code 5, what would cost more than `budget_usd`."""
        if self.options.budget_usd is not None:
            refuse_above(self.options.budget_usd, self._projected(), self.root)

    def _projected(self) -> dict[str, Projection]:
        missing = {address: self.missing(side) for address, side in sorted(self._asked.items())}
        return project_missing(self.settings, missing, self.options.backend, self.options.max_inflight)

    def hold_lock(self) -> None:
        """Take this folder's workflow lock until the process ends; refused with the holder's pid where it is taken."""
        path = self.root / "work" / "workflow.lock"
        self._lock = locks.hold(path, wait_s=2.0)
        if self._lock is None:
            pid = locks.holder(path)
            raise Refusal(f"process {pid} is working in this folder; wait for it, or use another clone", INCOMPLETE)
        (self.root / "work" / "exit_code").unlink(missing_ok=True)


def _pair_name(new: str, base: str) -> str:
    """`0.6.9-0.6.8-corefast`, from the addresses of a pair's sides: as published results name the pair."""
    (_, version, grid), (_, prev, _) = new.split("/"), base.split("/")
    return f"{version.removeprefix('v')}-{prev.removeprefix('v')}-{grid}"


def _other_options(place: str) -> Refusal:
    return bad_input(
        place if place.startswith("work/") else f"work/{place}",
        "",
        "a side of other options",
        "one of this command",
        "repeat those options",
    )
