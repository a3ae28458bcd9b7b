"""Publishing: an intent before, a stamp after; a kill between is no obstacle; what somebody else changed stays."""

from __future__ import annotations

import gzip
import subprocess
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from idpbench.files import atomic
from idpbench.files.canonical import read_json
from idpbench.files.errors import Refusal
from idpbench.report.altered import altered
from idpbench.report.evidence import git_head, same_bytes
from idpbench.report.publish import publish

FIRST = {
    "local/a.md": b"a1",
    "local/s/b.json": b"b1",
    "local/s/c.csv": b"c1",
    "local/s/runs.jsonl.gz": gzip.compress(b"r1"),
}
SECOND = {
    "local/a.md": b"a2",
    "local/s/b.json": b"b2",
    "local/s/c.csv": b"c2",
    "local/s/runs.jsonl.gz": gzip.compress(b"r2"),
}
THIRD = {**SECOND, "local/a.md": b"a3"}


class Killed(BaseException):
    """The process is gone: nothing catches it."""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Publish a set into tmp_path/results, without git unless `head` is given."""

    def go(files: dict[str, bytes], **more: object) -> dict[str, str]:
        more.setdefault("head", lambda path: None)
        return publish(
            files,
            results=tmp_path / "results",
            state=tmp_path / "work/publish-state.json",
            stamp=tmp_path / "work/published.json",
            **more,  # type: ignore[arg-type]
        )

    return go


def lying(tmp_path: Path) -> dict[str, bytes]:
    root = tmp_path / "results"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def killed_after(monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Let so many files be written, then kill: JSON of the state counts, as in a real run."""
    real, left = atomic.write_bytes, [writes]

    def write(path: Path | str, data: bytes, *, durable: bool = False) -> None:
        if left[0] == 0:
            raise Killed
        left[0] -= 1
        real(path, data, durable=durable)

    monkeypatch.setattr(atomic, "write_bytes", write)
    monkeypatch.setattr("idpbench.files.canonical.write_bytes", write)


def test_a_set_is_copied_and_stamped(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    digests = run(FIRST)
    assert lying(tmp_path) == FIRST
    assert read_json(tmp_path / "work/published.json", "published")["files"] == digests


def test_publishing_twice_changes_no_byte(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    run(FIRST)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "results").rglob("*")}
    run(FIRST)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "results").rglob("*")} == before


@pytest.mark.parametrize("writes", range(8))
def test_after_a_kill_at_any_write_the_same_command_works(
    tmp_path: Path, run: Callable[..., dict[str, str]], writes: int
) -> None:
    run(FIRST)
    with pytest.MonkeyPatch.context() as patch:
        killed_after(patch, writes)
        if writes < 7:  # state, four files, state, stamp
            with pytest.raises(Killed):
                run(SECOND)
        else:
            run(SECOND)
    run(SECOND)
    assert lying(tmp_path) == SECOND


@pytest.mark.parametrize("writes", range(7))
def test_after_a_kill_a_later_set_replaces_what_the_dead_one_wrote(
    tmp_path: Path, run: Callable[..., dict[str, str]], writes: int
) -> None:
    run(FIRST)
    with pytest.MonkeyPatch.context() as patch:
        killed_after(patch, writes)
        with pytest.raises(Killed):
            run(SECOND)
    with pytest.MonkeyPatch.context() as patch:
        killed_after(patch, 1)  # the intent of the third set is written, none of its files
        with pytest.raises(Killed):
            run(THIRD)
    (tmp_path / "work/published.json").unlink(missing_ok=True)  # Snakemake deletes an output before its job
    run(FIRST)
    assert lying(tmp_path) == FIRST


def test_a_file_that_somebody_changed_is_refused_by_name_and_nothing_is_written(
    tmp_path: Path, run: Callable[..., dict[str, str]]
) -> None:
    run(FIRST)
    (tmp_path / "results/local/s/b.json").write_bytes(b"a colleague's")
    before = lying(tmp_path)
    with pytest.raises(Refusal, match=r"local/s/b\.json") as refusal:
        run(SECOND)
    assert "a.md" not in str(refusal.value)
    assert lying(tmp_path) == before


def test_a_file_that_nobody_published_is_refused(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    atomic.write_bytes(tmp_path / "results/local/a.md", b"by hand")
    with pytest.raises(Refusal, match="a.md"):
        run(FIRST)


def test_what_git_head_holds_may_be_replaced(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    atomic.write_bytes(tmp_path / "results/local/a.md", b"committed")
    run(FIRST, head=lambda path: b"committed" if path.name == "a.md" else None)
    assert lying(tmp_path) == FIRST


def test_git_head_is_what_git_says(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    page = tmp_path / "results/local/a.md"
    atomic.write_bytes(page, b"one")
    assert git_head(page) is None
    git("add", "results")
    git("commit", "-q", "-m", "one")
    atomic.write_bytes(page, b"two")
    assert git_head(page) == b"one"
    assert git_head(tmp_path / "results/never/there.md") is None


def test_with_work_deleted_what_lies_there_already_is_no_obstacle(
    tmp_path: Path, run: Callable[..., dict[str, str]]
) -> None:
    run(FIRST)
    for path in (tmp_path / "work").iterdir():
        path.unlink()
    run(FIRST)
    assert lying(tmp_path) == FIRST


def test_records_packed_by_another_zlib_count_as_equal_and_their_bytes_stay(
    tmp_path: Path, run: Callable[..., dict[str, str]]
) -> None:
    theirs = gzip.compress(b"r1", compresslevel=1, mtime=7)
    assert theirs != FIRST["local/s/runs.jsonl.gz"]
    atomic.write_bytes(tmp_path / "results/local/s/runs.jsonl.gz", theirs)
    run(FIRST)
    assert lying(tmp_path)["local/s/runs.jsonl.gz"] == theirs


def test_damaged_records_are_not_equal_to_anything() -> None:
    whole = gzip.compress(b"r1")
    assert not same_bytes("runs.jsonl.gz", whole, whole[:-9])
    assert not same_bytes("page.md", b"a", b"b")
    assert not same_bytes("figure.png", b"no png", b"neither")


def test_a_png_is_compared_by_its_picture() -> None:
    def png(picture: bytes, level: int) -> bytes:
        def chunk(kind: bytes, content: bytes) -> bytes:
            body = kind + content
            return len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

        return (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", bytes(13))
            + chunk(b"IDAT", zlib.compress(picture, level))
            + chunk(b"IEND", b"")
        )

    assert png(bytes(500), 1) != png(bytes(500), 9)
    assert same_bytes("f.png", png(bytes(500), 1), png(bytes(500), 9))
    assert not same_bytes("f.png", png(bytes(500), 9), png(bytes(501), 9))


def test_a_figure_that_is_no_longer_drawn_is_taken_away(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    run({**FIRST, "local/s/old.png": b"old"}, owned=["local/s/"])
    run(FIRST, owned=["local/s/"])
    assert lying(tmp_path) == FIRST


def test_a_figure_that_somebody_changed_is_not_taken_away(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    run({**FIRST, "local/s/old.png": b"old"}, owned=["local/s/"])
    (tmp_path / "results/local/s/old.png").write_bytes(b"retouched")
    with pytest.raises(Refusal, match="old.png"):
        run(FIRST, owned=["local/s/"])


def test_shared_files_are_renewed_without_a_question(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    run(FIRST, shared=lambda: {"README.md": b"one page"})
    (tmp_path / "results/README.md").write_bytes(b"renewed by another pair")
    run(FIRST, shared=lambda: {"README.md": b"two pages"})
    assert lying(tmp_path)["README.md"] == b"two pages"


def test_altered_is_empty_while_all_is_well(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    stamp, results = tmp_path / "work/published.json", tmp_path / "results"
    assert altered(stamp, results) == ""
    run(FIRST, shared=lambda: {"README.md": b"one page"})
    assert altered(stamp, results) == ""
    (results / "README.md").write_bytes(b"renewed by another pair")
    assert altered(stamp, results) == ""


@pytest.mark.parametrize("name", ["local/s/b.json", "README.md"])
def test_altered_sees_a_missing_file(tmp_path: Path, run: Callable[..., dict[str, str]], name: str) -> None:
    run(FIRST, shared=lambda: {"README.md": b"one page"})
    (tmp_path / "results" / name).unlink()
    first = altered(tmp_path / "work/published.json", tmp_path / "results")
    assert first
    assert first == altered(tmp_path / "work/published.json", tmp_path / "results")


def test_altered_sees_another_content_and_a_damaged_stamp(tmp_path: Path, run: Callable[..., dict[str, str]]) -> None:
    run(FIRST)
    stamp, results = tmp_path / "work/published.json", tmp_path / "results"
    (results / "local/a.md").write_bytes(b"pulled")
    changed = altered(stamp, results)
    (results / "local/a.md").unlink()
    assert changed and altered(stamp, results) not in ("", changed)
    stamp.write_bytes(b"{")
    assert altered(stamp, results)


def test_of_two_publications_at_once_the_later_shared_file_knows_both(tmp_path: Path) -> None:
    """Each writes a page and an index of the pages there; an index rendered before the other's page would lose it."""
    results, inside = tmp_path / "results", {name: Event() for name in "ab"}

    def page_and_index(name: str, other: str) -> dict[str, bytes]:
        inside[name].set()
        there = {path.stem for path in results.glob("*.page")} | {name}
        inside[other].wait(0.3)  # the other one gets its chance to render from the same state
        return {f"{name}.page": b"", "index": " ".join(sorted(there)).encode()}

    def run(name: str, other: str) -> None:
        work = tmp_path / name
        publish(
            {}, results=results, state=work / "state", stamp=work / "stamp", shared=lambda: page_and_index(name, other)
        )

    with ThreadPoolExecutor() as pool:
        list(pool.map(run, "ab", "ba"))
    assert (results / "index").read_bytes() == b"a b"
