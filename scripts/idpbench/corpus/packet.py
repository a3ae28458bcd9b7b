"""The generator `packet`: documents of several kinds in one PDF, with the class of every page known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from idpbench.corpus.build import Made
from idpbench.corpus.packetkinds import ITEMS, KINDS, Field, Kind
from idpbench.corpus.page import HEIGHT, WIDTH, Rule, Sheet, Text, wrap
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.values import mix, spell_amount, spell_date
from idpbench.files.canonical import pretty

if TYPE_CHECKING:
    from idpbench.settings.packets import Packet

SCHEMA = "idpbench/packet-truth/1"
LEFT, RIGHT, BOTTOM = 54.0, 558.0, HEIGHT - 70.0
SIZE, PITCH = 9.5, 15.0
FIRST_ROWS, MORE_ROWS = (
    14,
    30,
)  # rows of a table on the first page and on each further one, where there are further ones

_FIRMS = ("Alder & Sons", "Brightwater Supply", "Corven Tools", "Dunmore Paper", "Eastgate Fittings", "Farrow Timber",
          "Glenhill Electric", "Harbor Lane Foods", "Ironbridge Metals", "Juniper Print")  # fmt: skip
_PEOPLE = ("Ada Marlow", "Ben Osei", "Clara Whitby", "Dev Rana", "Elsa Brandt", "Finn Calloway", "Greta Holm",
           "Hugo Varga", "Ines Prado", "Jonah Peel")  # fmt: skip
_GOODS = ("hinge, brass", "cable, 5 m", "copy paper, box", "lamp, desk", "bolt set M8", "pine board", "paint, white",
          "filter cartridge", "work gloves", "shelf bracket", "sealant, tube", "storage crate")  # fmt: skip
_EARNINGS = ("Basic pay", "Overtime", "Night shift", "Travel", "Meal allowance", "Pension", "Income tax")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_PROJECTS = ("North yard", "Roof repair", "Stocktaking", "Customer visits", "Office")


@dataclass
class Paper:
    """One document of a packet while it is drawn: its class, its true values by property, its pages."""

    kind: Kind
    values: dict[str, Any] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)  # every value as it stands on the page
    sheets: list[Sheet] = field(default_factory=list)


def build_packet(packet: Packet) -> Made:
    """Generate one packet. The truth has a section per document, as a labelled baseline has it."""
    number = int("".join(filter(str.isdigit, packet.id)) or 0)
    papers = [_Writer(KINDS[kind], pages, number, place).paper for place, (kind, pages) in enumerate(packet.documents)]
    sections, first = [], 0
    for paper in papers:
        sections.append(
            {
                "document_class": {"type": paper.kind.name},
                "split_document": {"page_indices": list(range(first, first + len(paper.sheets)))},
                "inference_result": paper.values,
            }
        )
        first += len(paper.sheets)
    sheets = [sheet for paper in papers for sheet in paper.sheets]
    truth = {"schema": SCHEMA, "id": packet.id, "sections": sections, "printed": [paper.printed for paper in papers]}
    return Made(write_pdf(sheets), truth, pretty(truth, 4).encode("utf-8"), len(sheets))


class _Writer:
    """Draws one document; every choice is drawn from the packet's number and the document's place in it."""

    def __init__(self, kind: Kind, pages: int, number: int, place: int) -> None:
        self.seed = (number, place)
        self.drawn = 0
        self.paper = Paper(kind)
        self.metrics = CanvasMetrics()
        self.y = 0.0
        self.rows = self._rows(FIRST_ROWS + MORE_ROWS * (pages - 1) if pages > 1 else 4 + self._pick(9))
        self._new_page()
        self._head()
        if kind.columns:
            self._table()
        else:
            self._prose(pages)
        self._foot(pages)

    def _pick(self, choices: int) -> int:
        self.drawn += 1
        return mix(*self.seed, self.drawn) % choices

    def _one(self, words: Sequence[str]) -> str:
        return words[self._pick(len(words))]

    def _day(self) -> date:
        return date(2024, 1, 8) + timedelta(days=self._pick(300))

    def _new_page(self) -> None:
        self.paper.sheets.append(Sheet())
        self.y = 64.0

    def _head(self) -> None:
        """Sender, title and labelled values; the total stands below the table."""
        self._text(LEFT, self.y, self._one(_FIRMS), 13.0, bold=True)
        title = self._one(self.paper.kind.titles)
        self.y += 34.0
        if title:
            self._text(LEFT, self.y, title, 15.0, bold=True)
            self.y += 28.0
        for wanted in self.paper.kind.fields:
            value, printed = self._value(wanted)
            self.paper.values[wanted.name] = value
            self.paper.printed.append(printed)
            if wanted.maker != "total":
                self._labelled(wanted, printed)
        self.y += 14.0

    def _labelled(self, wanted: Field, printed: str) -> None:
        self._text(LEFT, self.y, f"{self._one(wanted.labels or (wanted.name,))}:")
        self._text(LEFT + 140.0, self.y, printed)
        self.y += PITCH

    def _value(self, wanted: Field) -> tuple[Any, str]:
        """(typed, printed) of a field."""
        maker, _, rest = wanted.maker.partition(":")
        if maker == "date":
            day = self._day()
            return day.isoformat(), spell_date(day, self._one(("iso", "long", "month_day")))
        if maker in ("money", "total"):
            cents = 500 + self._pick(400_000) if maker == "money" else self._total()
            return cents / 100, spell_amount(cents, self._one(("dollar", "plain")))
        made = {
            "code": lambda: f"{rest}-{10_000 + self._pick(80_000)}",
            "text": lambda: self._one(rest.split("|")),
            "person": lambda: self._one(_PEOPLE),
            "company": lambda: self._one(_FIRMS),
            "email": lambda: f"{self._one(_PEOPLE).split()[0].lower()}{self._pick(90)}@mail.example",
            "phone": lambda: f"(603) 555-01{10 + self._pick(89)}",
        }[maker]()
        return made, made

    def _rows(self, count: int) -> list[dict[str, tuple[Any, str]]]:
        """Rows of the table as column -> (typed, printed)."""
        return [self._row() for _ in range(count if self.paper.kind.columns else 0)]

    def _row(self) -> dict[str, tuple[Any, str]]:
        quantity, cents = 1 + self._pick(24), 120 + self._pick(9_000)
        hours = 1 + self._pick(8)
        words = {"item": _GOODS, "earning": _EARNINGS, "day": _DAYS, "project": _PROJECTS}
        row: dict[str, tuple[Any, str]] = {}
        for column, maker in self.paper.kind.columns:
            if maker in words:
                text = self._one(words[maker])
                row[column] = (text, text)
            elif maker in ("price", "amount"):
                sum_ = cents * quantity if maker == "amount" else cents
                row[column] = (sum_ / 100, spell_amount(sum_, "plain"))
            else:
                whole = {"quantity": quantity, "packages": 1 + quantity // 6, "hours": hours}[maker]
                row[column] = (whole, str(whole))
        return row

    def _total(self) -> int:
        return sum(round(100 * row["Amount"][0]) for row in self.rows)

    def _table(self) -> None:
        self.paper.values[ITEMS] = [{name: typed for name, (typed, _) in row.items()} for row in self.rows]
        self.paper.printed += [printed for row in self.rows for _, printed in row.values()]
        self._columns()
        left = FIRST_ROWS
        for row in self.rows:
            if left == 0:
                left = MORE_ROWS
                self._new_page()
                self._columns()
            left -= 1
            self._cells([printed for _, printed in row.values()])
        for wanted in self.paper.kind.fields:
            if wanted.maker == "total":
                self.y += 8.0
                place = self.paper.kind.fields.index(wanted)
                self._labelled(wanted, self.paper.printed[place])

    def _columns(self) -> None:
        self._cells([name for name, _ in self.paper.kind.columns], bold=True)
        self.paper.sheets[-1].rules.append(Rule(LEFT, RIGHT, self.y - PITCH + 4.0))
        self.y += 4.0

    def _cells(self, texts: Sequence[str], bold: bool = False) -> None:
        """The first column at the left, the others right-aligned over the rest of the width."""
        step = (RIGHT - LEFT - 200.0) / max(1, len(texts) - 1)
        for number, text in enumerate(texts):
            if number:
                self._text(LEFT + 200.0 + number * step, self.y, text, bold=bold, align="right")
            else:
                self._text(LEFT, self.y, text, bold=bold)
        self.y += PITCH

    def _prose(self, pages: int) -> None:
        """Paragraphs in the order of the kind, again from the start where pages are left to fill."""
        paragraphs = self.paper.kind.prose
        least = 3 + self._pick(2)
        begun, first = 0, self._pick(2)
        while begun < least or len(self.paper.sheets) < pages:
            lines = wrap(paragraphs[(first + begun) % len(paragraphs)], RIGHT - LEFT, SIZE, self.metrics)
            limit = BOTTOM if len(self.paper.sheets) == pages else 330.0
            if self.y + PITCH * len(lines) > limit:
                if len(self.paper.sheets) == pages:
                    break
                self._new_page()
                least = begun + 2
            for line in lines:
                self._text(LEFT, self.y, line)
                self.y += PITCH
            self.y += 8.0
            begun += 1

    def _foot(self, pages: int) -> None:
        if self.paper.kind.closing:
            self.y += 16.0
            self._text(LEFT, self.y, self.paper.kind.closing)
        if len(self.paper.sheets) != pages or self.y > BOTTOM:
            raise AssertionError(f"{self.paper.kind.name}: {len(self.paper.sheets)} pages instead of {pages}")
        if self._pick(2):
            for number, sheet in enumerate(self.paper.sheets, start=1):
                sheet.texts.append(Text(WIDTH / 2, HEIGHT - 40.0, f"Page {number} of {pages}", SIZE, align="middle"))

    def _text(self, x: float, y: float, text: str, size: float = SIZE, bold: bool = False, align: str = "left") -> None:
        self.paper.sheets[-1].texts.append(Text(x, y, text, size, bold, align))
