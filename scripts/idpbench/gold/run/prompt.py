"""The conversation of an attempt, from the sheet and the task alone: nothing of a reference comes near this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from idpbench.files.canonical import digest
from idpbench.gold.issues import Issue
from idpbench.gold.run.context import context
from idpbench.gold.run.template import BLIND, CONTRACT, REVISION, RULES, TASK
from idpbench.gold.suite.manifest import Task
from idpbench.gold.transport.base import Message
from idpbench.gold.workbook import Workbook

Mode = Literal["contract", "blind"]
MODES: tuple[Mode, ...] = ("contract", "blind")
MOST_REPLY = 16 * 1024  # bytes of a reply that its author is shown again
MOST_ISSUES = 25


def initial(workbook: Workbook, task: Task, mode: Mode) -> tuple[Message, ...]:
    """System rules, then the task with its sheet; mode `contract` names the output columns, `blind` does not."""
    return (Message("system", RULES), Message("user", user_text(workbook, task, mode)))


def user_text(workbook: Workbook, task: Task, mode: Mode) -> str:
    """The task and the sheet."""
    if mode == "contract":
        columns = "\n".join(f"- {column.name} ({column.role}): {column.about}" for column in task.columns)
        instruction, asked = task.instruction, CONTRACT.format(columns=columns)
    else:
        instruction, asked = unnamed(task), BLIND
    return TASK.format(instruction=instruction, columns=asked, sheet=context(workbook, task.sheet))


def unnamed(task: Task) -> str:
    """The instruction without output names: those that it quotes as names become `a column`.

    A name that is an everyday word of the sentence too (year, region) stays: it says what is asked, not its spelling.
    """
    text = task.instruction
    for column in task.columns:
        text = text.replace(f"`{column.name}`", "a column")
    return text


def revision(start: Sequence[Message], reply: str, issues: Sequence[Issue]) -> tuple[Message, ...]:
    """The same start, the reply that could not be used (its first 16 KiB), and why."""
    told = "\n".join(f"- {issue.path}: {issue.code}: {issue.message}" for issue in issues[:MOST_ISSUES])
    return (*start, Message("assistant", cut(reply)), Message("user", REVISION.format(issues=told)))


def cut(reply: str) -> str:
    """The first 16 KiB of a reply in whole characters; an empty reply is spelled out, since APIs refuse empty turns."""
    return reply.encode("utf-8")[:MOST_REPLY].decode("utf-8", "ignore") or "(an empty reply)"


def prompt_digest(messages: Sequence[Message]) -> str:
    """Digest of a conversation, for the journal."""
    return f"sha256:{digest([[message.role, message.content] for message in messages])}"
