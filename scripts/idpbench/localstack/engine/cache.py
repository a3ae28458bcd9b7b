"""What depends on a document alone is worked out once per process; OCR also once per disk."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from idpbench.reading.ocr import OcrCache

T = TypeVar("T")


class Cache:
    """Results of pure functions by key, the least recently used dropped first. One per process; not for threads.

    `folder` keeps OCR results on disk, so that other processes and later days need not repeat them.
    """

    def __init__(self, folder: Path | None = None, size: int = 256) -> None:
        self.ocr = OcrCache(folder)
        self._size = size
        self._values: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value under `key`, made now if it is not there. An exception is not kept."""
        if key in self._values:
            self._values.move_to_end(key)
            value: T = self._values[key]
            return value
        value = make()
        self._values[key] = value
        while len(self._values) > self._size:
            self._values.popitem(last=False)
        return value
