"""JSON in two spellings (for people, for digests), read strictly, and the digests themselves."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from idpbench.files.atomic import write_bytes
from idpbench.files.errors import bad_input


def pretty(value: Any, flat_from: int | None = None) -> str:
    """JSON for files: two spaces, sorted keys, UTF-8, a final newline. NaN and infinities are a ValueError.

    With `flat_from`, maps and lists that many levels down stand on one line each (the outermost is level 0).
    """
    if flat_from is None:
        return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    return "".join(_partly_flat(value, flat_from, "\n")) + "\n"


def _partly_flat(value: Any, levels: int, margin: str) -> Iterator[str]:
    """Pieces of `value` with `levels` levels indented below `margin` (a newline and the indentation)."""
    if levels <= 0 or not value or not isinstance(value, (dict, list, tuple)):
        yield json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
        return
    inner = f"{margin}  "
    entries = sorted(value.items()) if isinstance(value, dict) else [(None, item) for item in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    for index, (key, item) in enumerate(entries):
        yield f"{',' if index else opening}{inner}"
        if key is not None:
            yield f"{json.dumps(key, ensure_ascii=False)}: "
        yield from _partly_flat(item, levels - 1, inner)
    yield f"{margin}{closing}"


def canonical(value: Any) -> bytes:
    """JSON for digests and for lines: compact, sorted keys, UTF-8. NaN and infinities are a ValueError."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON of `value`, 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def bytes_digest(data: bytes) -> str:
    """SHA-256 of `data`, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def file_digest(path: Path | str) -> str:
    """SHA-256 of a file's bytes, read in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def loads(data: bytes | str, source: object) -> Any:
    """Parse JSON strictly: no duplicate keys, no NaN. `source` is named in the Refusal."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) != len(items):
            seen: set[str] = set()
            twice = next(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise bad_input(source, twice, "the key twice", "each key once", "remove one of them")
        return result

    def constant(name: str) -> None:
        raise bad_input(source, "", name, "a finite number or null", "write null where nothing was measured")

    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise bad_input(
            source, "", f"bytes that are not UTF-8 ({error.reason})", "JSON text", "restore the file"
        ) from None
    except json.JSONDecodeError as error:
        raise bad_input(
            source, f"line {error.lineno} column {error.colno}", error.msg, "JSON", "restore or regenerate the file"
        ) from None


def read_json(path: Path | str, kind: str | None = None) -> Any:
    """Read a JSON file; with `kind` it must carry `schema: idpbench/<kind>/1`. Refusal if missing or not JSON."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise bad_input(
            path, "", "no such file", "a JSON file", "check the path, or run the step that makes it"
        ) from None
    except OSError as error:
        raise bad_input(path, "", error.strerror, "a readable JSON file", "check its permissions") from None
    value = loads(data, path)
    if kind is not None:
        expect_kind(value, kind, path)
    return value


def expect_kind(value: Any, kind: str, source: object) -> None:
    """Refuse a document whose `schema` is not `idpbench/<kind>/1`."""
    expected = f"idpbench/{kind}/1"
    found = value.get("schema") if isinstance(value, dict) else type(value).__name__
    if found != expected:
        raise bad_input(source, "schema", repr(found), repr(expected), "regenerate the file with this version")


def write_json(path: Path | str, value: Any, *, durable: bool = False, flat_from: int | None = None) -> None:
    """Write `value` as pretty JSON, whole."""
    write_bytes(path, pretty(value, flat_from).encode("utf-8"), durable=durable)


def gzip_lines(values: Iterable[Any]) -> bytes:
    """Canonical JSON lines, gzipped without time or name: the same values are the same bytes everywhere."""
    return gzip_stream(canonical(value) + b"\n" for value in values)


def gzip_stream(pieces: Iterable[bytes]) -> bytes:
    """Bytes gzipped piece by piece, without time or name."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = [packer.compress(piece) for piece in pieces]
    return b"".join([*packed, packer.flush()])


def read_gzip_lines(path: Path | str) -> Iterator[Any]:
    """Yield the values of a gzipped JSON-lines file; a truncated or damaged file is a Refusal.

    Such files are our own canonical JSON, so the search for a key that stands twice, half of the reading, is left out.
    """
    try:
        with gzip.open(path, "rb") as stream:
            for number, line in enumerate(stream, start=1):
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise bad_input(path, f"line {number}", str(error), "JSON", "restore it from git") from None
    except FileNotFoundError:
        raise bad_input(path, "", "no such file", "run records", "restore it from git") from None
    except (EOFError, gzip.BadGzipFile, OSError) as error:
        raise bad_input(path, "", f"a damaged file ({error})", "gzipped JSON lines", "restore it from git") from None
