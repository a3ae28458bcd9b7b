"""The published form of a side, and what results/ already holds: the reading half of publishing."""

from __future__ import annotations

import gzip
import re
import struct
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

from idpbench.files.canonical import loads, pretty
from idpbench.files.errors import bad_input
from idpbench.report.ownership import Claims, Pair

SIDE_FILES = ("summary.json", "summary.csv", "cell_stats.csv", "meta.json", "runs.jsonl.gz")
_FRONT_MATTER_PAIR = re.compile(r"\A---\n(?:[^\n]*\n)*?pair: ([^\n]+)\n")


def side_files(folder: Path, pair: str | None) -> dict[str, bytes]:
    """The five files of a side as they are published; meta.json names the pair that owns the folder, if one does."""
    files = {}
    for name in SIDE_FILES:
        try:
            files[name] = (folder / name).read_bytes()
        except FileNotFoundError:
            remedy = "run the step that summarizes this side"
            raise bad_input(folder / name, "", "no such file", "a file of a scored side", remedy) from None
    files["meta.json"] = _claimed(files["meta.json"], pair, folder / "meta.json")
    return files


def same_bytes(name: str, left: bytes, right: bytes) -> bool:
    """Equal, or for gzip and PNG equal once unpacked: two zlib builds pack the same content differently."""
    if left == right:
        return True
    unpack = UNPACK.get(name.rpartition(".")[2])
    if unpack is None:
        return False
    try:
        return unpack(left) == unpack(right)
    except (OSError, EOFError, ValueError, struct.error, zlib.error):
        return False


def png_content(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG as (type, content), its packed image data as one unpacked chunk; ValueError if it is none."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError("no PNG")
    chunks, packed, place = [], b"", 8
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + length]
        if kind == b"IDAT":
            packed += content
        else:
            chunks.append((kind, content))
        place += 12 + length
    return [*chunks, (b"IDAT", zlib.decompress(packed))]


UNPACK: dict[str, Callable[[bytes], object]] = {"gz": gzip.decompress, "png": png_content}


def same_evidence(work: Path, committed: Path) -> bool:
    """True where the committed side holds what the work side holds, whichever pair claimed it."""
    ours = side_files(work, None)
    for name in SIDE_FILES:
        try:
            theirs = (committed / name).read_bytes()
        except FileNotFoundError:
            return False
        if name == "meta.json":
            theirs = _claimed(theirs, None, committed / name)
        if not same_bytes(name, ours[name], theirs):
            return False
    return True


def claims(results: Path, pair: Pair, new: Path | None = None, base: Path | None = None) -> Claims:
    """What lies at the addresses of `pair` below `results` (results/<backend>); without sides nothing is same."""
    return Claims(
        page=page_pair(results / "releases" / f"v{pair.version}.md"),
        new=side_pair(results / pair.new_side),
        base=side_pair(results / pair.base_side),
        new_same=new is not None and same_evidence(new, results / pair.new_side),
        base_same=base is not None and same_evidence(base, results / pair.base_side),
    )


def page_pair(page: Path) -> str | None:
    """The pair named in a release page's front matter; None where there is no page, `unknown` where it names none."""
    try:
        text = page.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    match = _FRONT_MATTER_PAIR.match(text)
    return match[1].strip() if match else "unknown"


def side_pair(folder: Path) -> str | None:
    """The pair that claimed a side's folder; None where it is missing or was written by target `suite`."""
    path = folder / "meta.json"
    try:
        pair = loads(path.read_bytes(), path).get("pair")
    except FileNotFoundError:
        return None
    return str(pair) if pair is not None else None


def git_head(path: Path) -> bytes | None:
    """The bytes of `path` in git HEAD; None outside a repository, before the first commit, or if not committed."""
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    try:
        name = path.resolve().relative_to(folder.resolve())
        result = subprocess.run(
            ["git", "cat-file", "blob", f"HEAD:./{name.as_posix()}"], cwd=folder, capture_output=True, check=False
        )
    except (OSError, ValueError):
        return None
    return result.stdout if result.returncode == 0 else None


def _claimed(meta: bytes, pair: str | None, source: Path) -> bytes:
    content = {key: value for key, value in loads(meta, source).items() if key != "pair"}
    return pretty(content | ({"pair": pair} if pair else {})).encode("utf-8")
