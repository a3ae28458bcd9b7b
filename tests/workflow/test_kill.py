"""Killed at any moment, the same command goes on: no run is lost, none is launched twice, the results are the same."""

from __future__ import annotations

import os
import signal

import pytest
from project import SMOKE, Project, wait_until


def kill_at(project: Project, lines: int, *, group: bool) -> None:
    """Start the pair and kill -9 it as soon as the journal has so many lines: the whole group, or its head alone."""
    process = project.start(*SMOKE)
    try:
        wait_until(lambda: len(project.journal()) >= lines or process.poll() is not None, seconds=120)
        assert process.poll() is None, "the command ended before it could be killed"
        if group:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)
    finally:
        process.stdout.close()  # type: ignore[union-attr]
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "group"), [(1, True), (2, False), (12, True), (17, False)])
def test_a_killed_command_goes_on_where_it_was(project: Project, smoke_once: Project, lines: int, group: bool) -> None:
    kill_at(project, lines, group=group)
    ended = project.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    planned = project.keys("0.6.8") | project.keys("0.6.9")
    assert project.invokes() == dict.fromkeys(planned, 1)
    assert project.summaries() == smoke_once.summaries()


def test_a_second_workflow_beside_the_first_is_refused_with_its_pid(project: Project) -> None:
    first = project.start(*SMOKE)
    try:
        wait_until(lambda: (project.folder / "work" / "workflow.lock").exists())
        wait_until(lambda: (project.folder / "work" / "workflow.lock").read_text().strip() != "")
        second = project.snakemake(*SMOKE)
        assert second.code == 3
        assert f"process {first.pid} is working in this folder" in second.text
        looking = project.snakemake("-n", *SMOKE)
        assert looking.code == 0, looking.text
    finally:
        text, _ = first.communicate(timeout=240)
    assert first.returncode == 0, text
