"""Which of the asked columns each header of the sheet is meant to fill: by words and by shape, else by order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from idpbench.gold.heuristic.heads import Found
from idpbench.gold.workbook import Sheet

TIME_WORDS = {"year", "years", "month", "quarter", "day", "date", "period", "week", "weekday", "season", "time"}
UNIT_WORDS = {"unit", "units"}
TITLE_WORDS = {"title", "block", "group", "part", "area", "section", "district", "region", "level"}
YEAR = re.compile(r"^(?:19|20)\d\d(?:$|[-–/.]\d)")
DATE = re.compile(r"^\d{4}-\d\d-\d\d")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
UNIT = re.compile(
    r"^(?:%|['’]?0{3}.*|\$.*|per cent|percentage|number|index|no\.|(?:[kcmgµ]?[glmtWV]+h?|ha|t)(?:/\w+)?)$", re.I
)


def assign(sheet: Sheet, found: Sequence[Found], wanted: Sequence[tuple[str, str]]) -> dict[str, Found | None]:
    """Asked header column -> the header that fills it, or None. `wanted` are (name, meaning) in the task's order.

    Pairs are taken greedily by how well words and shape agree; what agrees with nothing is filled in order.
    """
    scores = sorted(
        (
            (-_agreement(name, about, header, header.texts(sheet)), w, f)
            for w, (name, about) in enumerate(wanted)
            for f, header in enumerate(found)
        ),
    )
    chosen: dict[int, int] = {}
    for score, w, f in scores:
        if score < 0 and w not in chosen and f not in chosen.values():
            chosen[w] = f
    left = [f for f in range(len(found)) if f not in chosen.values()]
    for w in range(len(wanted)):
        if w not in chosen and left:
            chosen[w] = left.pop(0)
    return {name: found[chosen[w]] if w in chosen else None for w, (name, _about) in enumerate(wanted)}


def _agreement(name: str, about: str, header: Found, texts: Sequence[str]) -> int:
    words = set(re.findall(r"[a-z]+", f"{name} {about}".lower().replace("_", " ")))
    points = 0
    if words & TIME_WORDS:
        points += 4 if _share(texts, _is_time) > 0.6 else -2
        points += 2 if name in TIME_WORDS else 0
    if name in UNIT_WORDS:
        points += 6 if _share(texts, lambda text: bool(UNIT.match(text))) > 0.5 else -1
    if words & TITLE_WORDS and header.kind == "title":
        points += 3
    if words & {"line", "item", "label"} and header.kind == "label":
        points += 2
    if words & {"head", "column"} and header.kind == "head":
        points += 2
    said = {word for text in texts for word in re.findall(r"[a-z]+", text.lower())}
    return points + min(3, len(words & said))


def _share(texts: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(1 for text in texts if holds(text)) / len(texts) if texts else 0.0


def _is_time(text: str) -> bool:
    lowered = text.lower()
    return bool(YEAR.match(text) or DATE.match(text)) or lowered[:3] in MONTHS or lowered[:3] in {"mon", "tue", "wed"}
