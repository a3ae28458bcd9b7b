"""Passes on disk: one file each, never changed, from which calibration takes its held-out claims."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from idpbench.files.atomic import sync_folder
from idpbench.files.canonical import pretty

LOG = logging.getLogger(__name__)
STAMP = "%Y%m%dT%H%M%SZ"
MOST_OF_ONE_SECOND = 10_000


def save_pass(folder: Path, result: Mapping[str, Any], now: datetime) -> Path | None:
    """Keep one pass as `<stamp>-benchmark-<extractor>-<suite>[-n].json`; no file is ever written over.

    `now` is the time of the stamp, with its zone. A disk that cannot be written costs the file and not the run: it is
    said, and None is returned.
    """
    stem = f"{now.astimezone(UTC).strftime(STAMP)}-benchmark-{result['extractor_id']}-{result['suite_id']}"
    data = pretty(result).encode("utf-8")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _exclusive(folder, stem, data)
    except OSError as error:
        LOG.warning("%s: this pass is not kept: %s", folder, error.strerror or error)
        return None


def _exclusive(folder: Path, stem: str, data: bytes) -> Path:
    """Write under the first free name: whole and on the disk, then linked, which fails where a name is taken."""
    draft = folder / f".{stem}.{os.getpid()}.part"
    try:
        with open(draft, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        for number in range(1, MOST_OF_ONE_SECOND):
            path = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
            try:
                os.link(draft, path)
            except FileExistsError:
                continue
            sync_folder(folder)
            return path
    finally:
        draft.unlink(missing_ok=True)
    raise OSError(f"{folder}: more than {MOST_OF_ONE_SECOND} passes in one second")
