"""The commit that a run record names."""

from __future__ import annotations

import subprocess
from pathlib import Path

from idpbench.stack.session import commit_of


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_only_code_that_differs_from_the_commit_makes_it_dirty(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert commit_of(tmp_path) is None
    for name in ("code.py", "results/page.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    head = git(tmp_path, "rev-parse", "HEAD")
    assert commit_of(tmp_path) == head
    (tmp_path / "results/page.md").write_text("two")
    assert commit_of(tmp_path) == head
    (tmp_path / "code.py").write_text("two")
    assert commit_of(tmp_path) == f"{head}-dirty"


def test_a_folder_without_git_has_no_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path) is None
