"""The layout of a bank statement: identity block, tables with wrapped cells, page breaks."""

from __future__ import annotations

from dataclasses import dataclass

from idpbench.corpus.content import ADDRESS, BANK, COLUMNS, Entry, Shape, Statement, list_heading, statements
from idpbench.corpus.page import WIDTH, Metrics, Rule, Sheet, Text, wrap

SIZE = 9.0
PITCH = 13.2  # from the last line of a row to the first of the next
LEADING = 10.4  # between the lines of a wrapped cell
FIRST_ROW_TOP = 78.0  # baseline of the first row on a page that only continues
LAST_BASELINE = FIRST_ROW_TOP + 48 * PITCH + 0.1  # 49 single-line rows a page
LEAST_ROWS = 2  # a table is not begun at the foot of a page for fewer rows than these
FOOTER = 768.0
RIGHT_ALIGNED = frozenset({"Amount", "Balance"})
GAPS = {(3, False): 22.5, (3, True): 22.5, (8, False): 9.0, (8, True): 15.0}  # by columns and wrapped descriptions


@dataclass(frozen=True, slots=True)
class Place:
    """Where a column is drawn: its edges in points and whether its text ends at the right one."""

    name: str
    x0: float
    x1: float
    right: bool


def draw(shape: Shape, metrics: Metrics) -> list[Sheet]:
    """The pages of a document in order."""
    sheets: list[Sheet] = []
    for statement in statements(shape):
        sheets += _Writer(shape, statement, metrics).pages()
    if shape.paginate:
        for number, sheet in enumerate(sheets, start=1):
            text = f"Page {number} of {len(sheets)}"
            sheet.texts.append(Text(WIDTH / 2, FOOTER, text, SIZE, align="middle"))
    return sheets


def column_places(shape: Shape, statement: Statement, metrics: Metrics) -> list[Place]:
    """Columns across the page: each as wide as its widest text, the description takes what is left."""
    margin = 54.0 if shape.cols == 3 else 36.0
    names = COLUMNS[shape.cols]
    widest = {
        name: max(metrics.width(text, SIZE) for text in {entry.printed[name] for entry in statement.entries})
        for name in names
        if name != "Description"
    }
    widths = {name: max(width, metrics.width(name, SIZE, True)) for name, width in widest.items()}
    gaps = GAPS[shape.cols, bool(shape.desc_len)]
    room = WIDTH - 2 * margin - sum(widths.values()) - gaps * (len(names) - 1)
    places, x = [], margin
    for name in names:
        width = widths.get(name, room)
        places.append(Place(name, x, x + width, name in RIGHT_ALIGNED))
        x += width + gaps
    return places


class _Writer:
    """Fills pages from the top; `y` is the baseline of what comes next."""

    def __init__(self, shape: Shape, statement: Statement, metrics: Metrics) -> None:
        self.shape, self.statement, self.metrics = shape, statement, metrics
        self.places = column_places(shape, statement, metrics)
        self.left, self.right = self.places[0].x0, self.places[-1].x1
        self.sheets: list[Sheet] = []
        self.y = 0.0

    def pages(self) -> list[Sheet]:
        self._new_page(identity=True)
        begun: set[int] = set()
        for number, (group, entries) in enumerate(self.statement.blocks):
            rows = [self._cells(entry) for entry in entries]
            least = sum(_height(row) for row in rows[:LEAST_ROWS])
            heading = list_heading(self.shape, group) + (" (continued)" if group in begun else "")
            begun.add(group)
            if number and self.y + 45.0 + least - PITCH > LAST_BASELINE:
                self._new_page(identity=self.shape.repeat_header)
                self._heading(heading, top=True)
            else:
                self.y += 11.0 if number else 0.0
                self._heading(heading, top=False)
            for row in rows:
                self._row(row, heading)
        self._text(self.left, self.y + 18.0, "End of statement")
        return self.sheets

    def _new_page(self, *, identity: bool) -> None:
        self.sheets.append(Sheet())
        if not identity:
            self.y = FIRST_ROW_TOP
            return
        self._text(self.left, 58.0, BANK, 16.0, bold=True)
        self._text(self.left, 73.0, ADDRESS)
        self._text(self.left, 96.0, "Account Statement", 12.0, bold=True)
        lines = (("Account Holder", self.statement.holder), ("Account Number", self.statement.account),
                 ("Statement Period", self.statement.period))  # fmt: skip
        for number, (label, value) in enumerate(lines):
            self._text(self.left, 114.0 + 13.5 * number, f"{label}: {value}")
        self.y = 168.0

    def _heading(self, heading: str, *, top: bool) -> None:
        """The list's heading and its column headers; `top` puts both into the head of a continuing page."""
        if top:
            if not self.shape.repeat_header:
                self.y = FIRST_ROW_TOP - 34.0
            if self.shape.lists == 1 and not self.shape.repeat_header:
                heading = ""
        if heading:
            self._text(self.left, self.y, heading, 10.0, bold=True)
        self.y += 18.0
        for place in self.places:
            self._cell(place, place.name, self.y, bold=True)
        self.sheets[-1].rules.append(Rule(self.left, self.right, self.y + 3.6))
        self.y += 16.0

    def _row(self, row: dict[str, list[str]], heading: str) -> None:
        if self.y + _height(row) - PITCH > LAST_BASELINE:
            self._new_page(identity=self.shape.repeat_header)
            again = heading if heading.endswith(" (continued)") else f"{heading} (continued)"
            self._heading(again, top=True)
        for place in self.places:
            for number, text in enumerate(row[place.name]):
                self._cell(place, text, self.y + number * LEADING)
        self.y += _height(row)

    def _cells(self, entry: Entry) -> dict[str, list[str]]:
        return {
            place.name: wrap(entry.printed[place.name], place.x1 - place.x0, SIZE, self.metrics)
            if place.name == "Description"
            else [entry.printed[place.name]]
            for place in self.places
        }

    def _cell(self, place: Place, text: str, y: float, bold: bool = False) -> None:
        x, align = (place.x1, "right") if place.right else (place.x0, "left")
        self.sheets[-1].texts.append(Text(x, y, text, SIZE, bold, align))

    def _text(self, x: float, y: float, text: str, size: float = SIZE, bold: bool = False) -> None:
        self.sheets[-1].texts.append(Text(x, y, text, size, bold))


def _height(row: dict[str, list[str]]) -> float:
    return PITCH + LEADING * (max(len(lines) for lines in row.values()) - 1)
