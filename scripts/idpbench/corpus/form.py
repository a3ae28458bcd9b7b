"""The form `kv_form`: 25 labelled fields of one order, in two columns, without any list."""

from __future__ import annotations

from datetime import date
from typing import Any

from idpbench.corpus.page import WIDTH, Rule, Sheet, Text
from idpbench.corpus.values import spell_amount, spell_date

SIZE = 9.0
LEFT, MIDDLE, RIGHT = 54.0, 318.0, 558.0

_START, _END, _ORDERED, _DELIVERY = date(2024, 3, 18), date(2024, 3, 27), date(2024, 3, 4), date(2024, 3, 15)
_QUANTITY, _DAYS, _RATE, _DISCOUNT, _FEE = 3, 10, 24_000, 12.5, 14_500
_TOTAL = round(_QUANTITY * _DAYS * _RATE * (100 - _DISCOUNT) / 100) + _FEE

# heading, column, (label, truth, text as printed)
_Field = tuple[str, Any, str]
GROUPS: tuple[tuple[str, int, tuple[_Field, ...]], ...] = (
    (
        "Order",
        0,
        (
            ("Order Number", "RO-2024-00871", "RO-2024-00871"),
            ("Order Date", _ORDERED.isoformat(), spell_date(_ORDERED, "long")),
            ("Sales Contact", "Iris Okafor", "Iris Okafor"),
        ),
    ),
    (
        "Customer",
        0,
        (
            ("Customer Name", "Dana Whitlock", "Dana Whitlock"),
            ("Company", "Whitlock Groundworks Inc.", "Whitlock Groundworks Inc."),
            ("Street Address", "2210 Foundry Road", "2210 Foundry Road"),
            ("City", "Millbrook, NH", "Millbrook, NH"),
            ("Postal Code", "03561", "03561"),
            ("Phone", "(603) 555-0142", "(603) 555-0142"),
            ("Email", "dana@whitlock.example", "dana@whitlock.example"),
            ("Tax Exempt", False, "No"),
        ),
    ),
    (
        "Equipment",
        1,
        (
            ("Equipment Category", "Compact excavator", "Compact excavator"),
            ("Equipment Model", "Terrano 35X", "Terrano 35X"),
            ("Serial Number", "TX35-77210-B", "TX35-77210-B"),
            ("Quantity", _QUANTITY, str(_QUANTITY)),
        ),
    ),
    (
        "Rental",
        1,
        (
            ("Rental Start", _START.isoformat(), spell_date(_START, "month_day")),
            ("Rental End", _END.isoformat(), spell_date(_END, "slash")),
            ("Delivery Date", _DELIVERY.isoformat(), spell_date(_DELIVERY, "iso")),
            ("Insurance Included", True, "Yes"),
            ("Operator Required", False, "No"),
        ),
    ),
    (
        "Charges",
        1,
        (
            ("Daily Rate", _RATE / 100, spell_amount(_RATE, "dollar")),
            ("Discount Percent", _DISCOUNT, f"{_DISCOUNT} %"),
            ("Delivery Fee", _FEE / 100, spell_amount(_FEE, "dollar")),
            ("Deposit", 1240.0, spell_amount(124_000, "accounting")),
            ("Total Due", _TOTAL / 100, spell_amount(_TOTAL, "dollar")),
        ),
    ),
)


def fields() -> list[_Field]:
    """(label, truth, printed text) of every field, in reading order of the groups."""
    return [field for _, _, group in GROUPS for field in group]


def draw() -> list[Sheet]:
    """The form's one page."""
    sheet = Sheet()
    sheet.texts.append(Text(LEFT, 60.0, "Stonebridge Equipment", 16.0, bold=True))
    sheet.texts.append(Text(LEFT, 76.0, "7 Depot Lane, Concord, NH 03301", SIZE))
    sheet.texts.append(Text(LEFT, 106.0, "Equipment Rental Order", 13.0, bold=True))
    sheet.rules.append(Rule(LEFT, RIGHT, 116.0, 1.0))
    heights = [142.0, 142.0]
    for heading, column, group in GROUPS:
        x = (LEFT, MIDDLE)[column]
        sheet.texts.append(Text(x, heights[column], heading, 11.0, bold=True))
        sheet.rules.append(Rule(x, (MIDDLE - 24.0, RIGHT)[column], heights[column] + 5.0))
        heights[column] += 24.0
        for label, _, printed in group:
            sheet.texts.append(Text(x, heights[column], f"{label}:", SIZE))
            sheet.texts.append(Text(x + 110.0, heights[column], printed, SIZE))
            heights[column] += 19.0
        heights[column] += 16.0
    foot = max(heights) + 6.0
    notice = (
        "The customer returns all machines clean and with a full tank on the last day of the rental.",
        "Damage is reported within one day. The deposit is paid back when the machines have been checked.",
    )
    for number, line in enumerate(notice):
        sheet.texts.append(Text(LEFT, foot + 13.0 * number, line, SIZE))
    for x, label in ((LEFT, "Signature of customer"), (MIDDLE, "Signature of lessor")):
        sheet.rules.append(Rule(x, x + 190.0, foot + 84.0))
        sheet.texts.append(Text(x, foot + 97.0, label, SIZE))
    if foot + 97.0 > WIDTH + 120.0:  # the page is 792 points high; leave a margin
        raise AssertionError("the form does not fit on its page")
    return [sheet]
