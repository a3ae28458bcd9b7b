"""Extraction of one section: what the model is asked, what of the answer comes back, and what it used.

Simple mode is one request with text and page images. Its answer ends at the model's output cap, and rows that no longer
fit are lost without a word; thinking does not count towards the cap. Advanced mode is an agent per shard of pages, with
text only; it goes on where a turn ended, so that it loses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.context import RunContext, draw, draw_count
from idpbench.localstack.engine.errors import JobError, invalid
from idpbench.localstack.engine.limits import check_window, image_tokens, prompt_tokens, request
from idpbench.localstack.engine.meter import Request
from idpbench.localstack.engine.options import ExtractionOptions
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile
from idpbench.localstack.engine.reader import Path, SectionReading
from idpbench.localstack.engine.record import Record, build, get, put, row_tokens, scalar_tokens
from idpbench.localstack.engine.schema import DocumentClass
from idpbench.matrix import sizing
from idpbench.settings.engines import Model

PHASE = "Extraction"


@dataclass(frozen=True)
class Work:
    """One section to extract: its pages, class, the readings of the documents in it, and what decides the requests."""

    name: str
    pages: tuple[PageRead, ...]
    document_class: DocumentClass
    readings: tuple[SectionReading, ...]
    options: ExtractionOptions
    profile: Profile
    model: Model
    context: RunContext

    @property
    def guesses(self) -> int:
        """Guesses per list cell: none unless confidence is integrated."""
        return self.profile.guesses_per_cell if self.options.confidence.mode == "integrated" else 0

    @property
    def forced(self) -> bool:
        """True when the schema goes as a tool that must be called."""
        return self.options.forced_tool.enabled and self.model.forced_tool


def extract(work: Work) -> tuple[list[Record], list[Request]]:
    """The records of a section (one, unless several are wanted) and the requests that gave them."""
    effort = work.options.reasoning_effort
    if effort is not None and effort not in work.model.effort.values:
        accepted = ", ".join(work.model.effort.values) or "none"
        raise invalid(
            f"configuration extraction.reasoning_effort: {work.model.model_id} does not take {effort!r} ({accepted})",
            PHASE,
        )
    return _simple(work) if work.options.mode == "simple" else _advanced(work)


def _simple(work: Work) -> tuple[list[Record], list[Request]]:
    prefix = _prefix(work, copies=2 if work.forced else 1)
    rest = sum(page.tokens for page in work.pages) + image_tokens(work.model, work.pages)
    check_window(work.model, prefix + rest, PHASE)
    records, output = [], 0
    for reading in work.readings:
        if output >= work.model.output_cap:
            break
        record, output = _up_to_cap(work, reading, output)
        records.append(record)
    warm = work.context.repeat > 0
    return records, [
        request(PHASE, work.model, prefix=prefix, rest=rest, output=_with_thinking(work, output), warm=warm)
    ]


def _up_to_cap(work: Work, reading: SectionReading, used: int) -> tuple[Record, int]:
    """A record whose lists end where the answer would pass the output cap, and the tokens written by then."""
    whole = build(reading, work.document_class)
    cap = work.model.output_cap
    used += scalar_tokens(whole.values, work.document_class)
    kept: dict[Path, int] = {}
    for wanted in work.document_class.lists:
        kept[wanted.path] = 0
        for row in _list(whole, wanted.path):
            size = row_tokens(row, work.guesses)
            if used + size > cap:
                used = cap
                break
            used += size
            kept[wanted.path] += 1
    complete = all(kept[path] == len(rows) for path, rows in whole.rows.items())
    return (whole if complete else build(reading, work.document_class, kept)), used


def _list(record: Record, path: Path) -> list[dict[str, object]]:
    return get(record.values, path) or []


def _advanced(work: Work) -> tuple[list[Record], list[Request]]:
    if not work.model.agentic:
        raise JobError(
            "ModelStreamErrorException", f"{work.model.model_id} ended a tool call with an invalid sequence", PHASE
        )
    records = [build(reading, work.document_class) for reading in work.readings]
    declined = draw(work.context.seed, work.name, "table tool") < work.profile.declined_table_tool
    if declined:
        for record in records:
            _decline(record, work.document_class)
    requests: list[Request] = []
    most = work.options.agentic.max_pages_per_shard or work.profile.pages_per_shard
    budget = work.options.agentic.shard_token_budget or sizing.shard_budget(work.model.sizing_window)
    shards = sizing.shards([page.tokens for page in work.pages], budget, most)
    for number, members in enumerate(shards):
        pages = [work.pages[index] for index in members]
        output = _shard_output(work, records, pages, first=number == 0)
        requests.extend(_shard(work, number, pages, output, declined))
    return records, requests


def _decline(record: Record, document_class: DocumentClass) -> None:
    for wanted in document_class.lists:
        put(record.values, wanted.path, None)
        record.rows[wanted.path] = []


def _shard_output(work: Work, records: Sequence[Record], pages: Sequence[PageRead], first: bool) -> int:
    """Tokens of what a shard returns: the rows that start on its pages, and with the first shard the scalars."""
    places = {page.index for page in pages}
    output = 0
    for record in records:
        if first:
            output += scalar_tokens(record.values, work.document_class)
        for path, evidence in record.rows.items():
            for row, readings in zip(_list(record, path), evidence, strict=True):
                place = next((reading.page for reading in readings.values() if reading is not None), -1)
                if place in places:
                    output += row_tokens(row, work.guesses)
    return output


def _shard(work: Work, number: int, pages: Sequence[PageRead], output: int, declined: bool) -> list[Request]:
    """The turns of a shard's conversations.

    Each conversation writes its cache with the first turn and reads it later. What the turns before have said, and what
    the table tool has returned, is sent again with every turn and is not cached.
    """
    copies = 2 if work.options.agentic.restate_schema_in_system_prompt else 1
    text = sum(page.tokens for page in pages)
    prefix = _prefix(work, copies) + text
    profile, model = work.profile, work.model
    requests: list[Request] = []
    conversations = profile.conversations_per_shard
    least = math.ceil(output / conversations / (profile.shard_output_share * model.output_cap))
    for conversation in range(conversations):
        names = (work.name, number, conversation, "turns")
        turns = max(draw_count(work.context.seed, profile.turns.least, profile.turns.most, *names), least)
        share = math.ceil(output / conversations / turns) + profile.turn_output
        history = 0
        for turn in range(turns):
            rest = history + profile.turn_input
            check_window(model, prefix + rest, PHASE)
            answer = _with_thinking(work, share)
            requests.append(request(PHASE, model, prefix=prefix, rest=rest, output=answer, warm=turn > 0))
            history += share
            if turn == 0 and not declined:
                history += math.ceil(profile.table_tool_share * text)
    return requests


def _prefix(work: Work, copies: int) -> int:
    """System prompt, task and the copies of the schema."""
    texts = prompt_tokens(work.options.system_prompt, work.options.task_prompt)
    return texts + copies * tokens.count(work.document_class.prompt_text)


def _with_thinking(work: Work, output: int) -> int:
    """An answer's tokens and those of the thinking before it, by the effort asked for or the model's own default."""
    effort = work.options.reasoning_effort or work.model.effort.default
    return output + (math.ceil(output * work.profile.reasoning_share[effort]) if effort else 0)


def forced_tool_block(work: Work) -> dict[str, object]:
    """What section metadata say about the forced tool."""
    requested = work.options.forced_tool.enabled
    block: dict[str, object] = {"requested": requested, "honored": work.forced}
    if requested and not work.forced:
        block["skipped"] = f"{work.model.model_id} rejects a forced tool choice; the schema went as prose"
    return block
