"""Reading xlsx files: what a cell holds, what is left out, and what no file may cost."""

import datetime as dt
import io
import resource
import time
import zipfile
from dataclasses import fields

import openpyxl
import pytest
from gold_sheets import one_table, recipe
from gold_xlsx import HEAD, MAIN, packed, parts, sheet_xml, xlsx
from openpyxl.styles import Alignment, Font

from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.scalars import ErrorCode
from idpbench.gold.workbook import read_workbook
from idpbench.gold.xlsx.limits import Budget

SECONDS = 10


def cells(data):
    return read_workbook(data).sheets[0].cells


def texts(data):
    return {address: cell.text for address, cell in cells(data).items()}


def reason(data):
    """Why a file is unreadable; it takes little time and memory to find out."""
    start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Unusable) as caught:
        read_workbook(data)
    assert time.process_time() - start < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400 * 1024
    (issue,) = caught.value.issues
    assert (issue.code, issue.path) == ("WORKBOOK_UNREADABLE", "workbook")
    return issue.message


def written(fill):
    made = openpyxl.Workbook()
    fill(made.active)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def test_values_kinds_and_formats_of_cells():
    def fill(sheet):
        values = [
            "a ",
            1,
            2.5,
            True,
            dt.datetime(2020, 1, 2),
            dt.time(9, 30),
            dt.timedelta(hours=26),
            "#N/A",
            " ",
            None,
        ]
        for row, value in enumerate(values, start=1):
            sheet.cell(row, 1, value)
        sheet["A1"].font = Font(bold=True)
        sheet["A2"].alignment = Alignment(indent=3)

    found = cells(written(fill))
    assert [(cell.kind, cell.text) for cell in found.values()] == [
        ("text", "a"),
        ("number", "1"),
        ("number", "2.5"),
        ("boolean", "true"),
        ("date", "2020-01-02"),
        ("date", "09:30:00"),
        ("date", "26:00:00"),
        ("error", "#N/A"),
    ]
    assert [(cell.indent, cell.bold) for cell in found.values()][:3] == [(0, True), (3, False), (0, False)]
    assert found[8, 1].value == ErrorCode("#N/A")


def test_cells_stand_in_row_order_and_the_last_row_and_column_hold_one():
    def fill(sheet):
        sheet["C2"], sheet["A3"], sheet["B1"] = 1, 2, 3
        sheet["E9"].font = Font(bold=True)

    (sheet,) = read_workbook(written(fill)).sheets
    assert list(sheet.cells) == [(1, 2), (2, 3), (3, 1)]
    assert (sheet.last_row, sheet.last_column, sheet.index) == (3, 3, 0)


def test_a_sheet_without_cells():
    (sheet,) = read_workbook(written(lambda sheet: None)).sheets
    assert (sheet.cells, sheet.last_row, sheet.last_column) == ({}, 0, 0)


def test_places_that_are_not_given_follow_each_other():
    found = texts(xlsx("<row><c><v>1</v></c><c><v>2</v></c></row><row><c r='C2'><v>3</v></c><c><v>4</v></c></row>"))
    assert found == {(1, 1): "1", (1, 2): "2", (2, 3): "3", (2, 4): "4"}


def test_escapes_are_decoded_but_not_halves_of_pairs():
    strings = "<si><t>a_x000D__x000a_b</t></si><si><t>_xD800_ _x005F_x0041_ _x41_</t></si>"
    row = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'
    row += '<c r="C1" t="inlineStr"><is><t>_x0041_</t></is></c><c r="D1" t="str"><v>_x0042_</v></c></row>'
    assert list(texts(xlsx(row, strings=strings)).values()) == ["a\nb", "_xD800_ _x0041_ _x41_", "A", "B"]


def test_rich_text_is_its_text():
    strings = "<si><r><t>Total </t></r><r><rPr><b/></rPr><t>(a)</t></r></si>"
    assert texts(xlsx('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', strings=strings)) == {(1, 1): "Total (a)"}


def test_of_a_merged_range_only_the_top_left_cell_has_a_value():
    row = "".join(f'<c r="{name}1"><v>{n}</v></c>' for n, name in enumerate("ABCD"))
    merges = '<mergeCells><mergeCell ref="B1:C2"/></mergeCells>'
    (sheet,) = read_workbook(xlsx(f'<row r="1">{row}</row><row r="2"><c r="B2"><v>9</v></c></row>', merges)).sheets
    assert list(sheet.cells) == [(1, 1), (1, 2), (1, 4)]
    assert sheet.merges == ((1, 2, 2, 3),)
    assert sheet.last_row == 1


def test_a_linked_cell_that_repeats_its_target_is_blank():
    strings = "".join(f"<si><t>{text}</t></si>" for text in ("http://a.example/", "label", "S!A1"))
    row = "".join(f'<c r="{name}1" t="s"><v>{n}</v></c>' for name, n in zip("ABCDE", (0, 1, 2, 0, 0), strict=True))
    links = (
        '<hyperlinks><hyperlink ref="A1" r:id="l"/><hyperlink ref="B1" r:id="l"/>'
        '<hyperlink ref="C1" location="S!A1"/><hyperlink ref="D1:XFD1048576" r:id="l"/></hyperlinks>'
    )
    found = texts(xlsx(f'<row r="1">{row}</row>', links, strings, {"l": "http://a.example/"}))
    assert found == {(1, 2): "label"}
    assert len(texts(xlsx(f'<row r="1">{row}</row>', "", strings))) == 5


def test_formulas_give_their_stored_results_and_are_blank_without():
    row = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>NOW()</f><v/></c><c r="C1"><f>A1</f></c>'
        '<c r="D1" t="str"><f>""</f><v></v></c><c r="E1"><f t="shared" si="0" ref="E1:F1">RAND()</f><v>1</v></c>'
        '<c r="F1"><f t="shared" si="0"/><v>1</v></c><c r="G1"><f t="array" ref="G1:H1">A1:B1</f><v>1</v></c>'
        '<c r="H1"><v>2</v></c></row>'
    )
    (sheet,) = read_workbook(xlsx(row)).sheets
    assert {address[1]: cell.text for address, cell in sheet.cells.items()} == {1: "2", 5: "1", 6: "1", 7: "1", 8: "2"}
    assert {address[1]: formula.cached for address, formula in sheet.formulas.items()} == {
        1: True, 2: False, 3: False, 4: True, 5: True, 6: True, 7: True,
    }  # fmt: skip
    assert sheet.formulas[1, 6].text == "RAND()"
    assert sheet.formulas[1, 7].area == (1, 7, 1, 8)


def test_a_selected_formula_without_a_result_is_a_blank_value():
    row = '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><v>3</v></c></row>'
    workbook = read_workbook(xlsx(row))
    assert execute(recipe(one_table([], ["R1C1:R1C2"])), workbook).table.rows == (("3",),)
    assert execute(recipe(one_table([], ["R1C1:R1C2"], keep_blank=True)), workbook).table.rows == (("",), ("3",))


def test_numbers_that_are_no_dates_become_error_cells_as_openpyxl_reads_them():
    assert cells(xlsx('<row r="1"><c r="A1" s="2"><v>99999999</v></c></row>'))[1, 1].text == "#VALUE!"


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"not a workbook", b"\xd0\xcf\x11\xe0" * 100, packed({}), packed({"a": "b"})],
    ids=["empty", "two letters", "text", "old xls", "no part", "another part"],
)
def test_what_is_no_workbook_is_unreadable(data):
    assert reason(data)


def test_a_path_is_named_by_its_file(tmp_path):
    path = tmp_path / "a.xlsx"
    with pytest.raises(Unusable) as caught:
        read_workbook(path)
    assert caught.value.issues[0][:2] == ("WORKBOOK_UNREADABLE", "a.xlsx")
    path.write_bytes(xlsx('<row r="1"><c r="A1"><v>1</v></c></row>'))
    assert read_workbook(path).sheets[0].cells[1, 1].text == "1"


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        ('<c r="A1"><v>1e999</v></c>', "number"),
        ('<c r="A1"><v>NaN</v></c>', "NaN"),
        (f'<c r="A1"><v>{"9" * 400}</v></c>', "large"),
        (f'<c r="A1"><v>{"9" * 10_000}</v></c>', "digits"),
        ('<c r="A1" t="s"><v>7</v></c>', "index"),
        ('<c r="XFE1"><v>1</v></c>', "column"),
        ('<c r="A1048577"><v>1</v></c>', "row"),
        ('<c r="ZZZZZZ1"><v>1</v></c>', ""),
        ('<c r="A1" s="99"><v>1</v></c>', "index"),
        ('<c r="A1" t="inlineStr"><is><t>' + "x" * 32_768 + "</t></is></c>", "characters"),
        ('<c r="A1" t="inlineStr"><is>' + "<r><t>x</t></r>" * 6_000 + "</is></c>", "elements in one cell"),
    ],
)
def test_a_cell_that_no_sheet_can_hold_makes_a_workbook_unreadable(cell, word):
    assert word in reason(xlsx(f'<row r="1">{cell}</row>'))


@pytest.mark.parametrize("number", ["0", "-1", "1048577", "1.5", "a", "1e99", "nan", "inf"])
def test_a_row_beyond_the_sheet_makes_a_workbook_unreadable(number):
    assert reason(xlsx(f'<row r="{number}"><c><v>1</v></c></row>'))


def test_a_title_twice_makes_a_workbook_unreadable():
    content = parts({"S": sheet_xml(""), "T": sheet_xml("")})
    content["xl/workbook.xml"] = content["xl/workbook.xml"].replace('name="T"', 'name="S"')
    assert "twice" in reason(packed(content))


def test_one_part_cannot_be_read_as_many_sheets():
    content = parts({"S": sheet_xml(""), "T": sheet_xml("")})
    relations = "xl/_rels/workbook.xml.rels"
    content[relations] = content[relations].replace("sheet2.xml", "sheet1.xml")
    assert "twice" in reason(packed(content))


ENTITIES = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "part",
    ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", "[Content_Types].xml"],
)
@pytest.mark.parametrize(
    "prologue", [ENTITIES, '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'], ids=["expansion", "external"]
)
def test_entities_are_refused_in_every_part(part, prologue):
    content = parts({"S": sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>')}, "<si><t>a</t></si>")
    content[part] = content[part].replace(HEAD, HEAD + prologue)
    assert "Forbidden" in reason(packed(content))


def zeros(size):
    return b"0" * size


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked():
    content = parts({"S": sheet_xml("")}) | {"xl/media/image1.png": zeros(65 << 20)}
    assert "bytes unpacked" in reason(packed(content))


def test_sizes_that_lie_yield_no_more_than_they_say():
    """The directory says 100 bytes, the data would be many megabytes."""
    data = packed(parts({"S": sheet_xml("")}) | {"xl/styles.xml": zeros(30 << 20)})
    stream = io.BytesIO(data)
    with zipfile.ZipFile(stream) as archive:
        place = archive.getinfo("xl/styles.xml")
        real = place.file_size.to_bytes(4, "little")
    assert reason(data.replace(real, (100).to_bytes(4, "little")))


def test_too_many_parts_are_not_listed():
    content = parts({"S": sheet_xml("")}) | {f"x/{number}": "" for number in range(5_001)}
    assert "parts" in reason(packed(content))


def test_a_huge_file_is_not_opened():
    assert "a file of" in reason(bytes((32 << 20) + 1))


def test_styles_with_too_many_elements_are_not_parsed():
    content = parts({"S": sheet_xml("")})
    content["xl/styles.xml"] = content["xl/styles.xml"].replace("<font/>", "<font/>" * 300_000)
    assert "marks" in reason(packed(content))


def test_a_large_part_that_is_read_whole_is_not_read():
    content = parts({"S": sheet_xml("")})
    content["xl/workbook.xml"] += "<!--" + "x" * (9 << 20) + "-->"
    assert "xl/workbook.xml" in reason(packed(content))


@pytest.mark.parametrize(
    ("rows", "after"),
    [
        ("", '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
        ("", '<hyperlinks><hyperlink ref="A1:XFD1048576" location="a"/></hyperlinks>'),
        ("", '<autoFilter ref="A1:XFD1048576"/>'),
        ('<row r="1"><c r="A1"><f t="array" ref="A1:XFD1048576">B1</f><v>1</v></c></row>', ""),
        ('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', '<cols><col min="1" max="16384"/></cols>'),
    ],
    ids=["merge", "link", "filter", "array", "corner"],
)  # fmt: skip
def test_ranges_over_the_whole_sheet_cost_nothing(rows, after):
    start = time.process_time()
    (sheet,) = read_workbook(xlsx(rows or '<row r="1"><c r="A1"><v>1</v></c></row>', after)).sheets
    assert len(sheet.cells) == 1
    assert time.process_time() - start < 1


def lower(monkeypatch, **limits):
    """Lower limits of a workbook, so that they are reached quickly."""
    names = [field.name for field in fields(Budget)]
    defaults = zip(names, Budget.__init__.__defaults__, strict=True)
    monkeypatch.setattr(Budget.__init__, "__defaults__", tuple((dict(defaults) | limits).values()))


def test_overlapping_merges_over_many_cells_are_refused(monkeypatch):
    lower(monkeypatch, visits=1_000_000)
    rows = "".join(f'<row r="{r}">{"<c><v>1</v></c>" * 20}</row>' for r in range(1, 301))
    merges = "".join(f'<mergeCell ref="A{r}:XFD1048576"/>' for r in range(1000, 5000))
    assert "visits" in reason(xlsx(rows, f"<mergeCells>{merges}</mergeCells>"))


@pytest.mark.parametrize("text", ["A:A", "1:1", "B2:A1", "", "A1:XFE1", "A0", "R1C1", "A1:B2:C3"])
def test_a_merged_range_that_is_none_makes_a_workbook_unreadable(text):
    assert reason(xlsx("", f'<mergeCells><mergeCell ref="{text}"/></mergeCells>'))


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"])
@pytest.mark.parametrize(
    ("middle", "word"),
    [
        ("<a>" * 3_000_000, "nested"),
        ("<si>" + "<r/>" * 100_000, ""),
        ("<a>" + "<r/>" * 100_000, "elements"),
        ("<row><c><is>" + "<r/>" * 100_000, ""),
    ],
    ids=["deep", "string", "wide", "cell"],
)
def test_deep_and_wide_xml_is_refused_without_being_held(part, middle, word, monkeypatch):
    lower(monkeypatch, elements=50_000)
    content = parts({"S": sheet_xml("")})
    content[part] = f'{HEAD}<x xmlns="{MAIN}">{middle}'
    assert word in reason(packed(content))


@pytest.mark.parametrize(("name", "amount"), [("elements", 5), ("cells", 1), ("ranges", 1)])
def test_limits_hold_for_all_sheets_together(name, amount, monkeypatch):
    one = sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>', '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')
    lower(monkeypatch, **{name: amount + (name == "elements") * 20})
    read_workbook(packed(parts({"S": one})))
    lower(monkeypatch, **{name: amount})
    assert name in reason(packed(parts({"S": one, "T": one})))


def test_a_text_shared_by_many_cells_is_held_once_and_refused_where_it_would_be_written_often():
    strings = f"<si><t>{'x' * 30_000}</t></si>"
    rows = "".join(f'<row r="{r}"><c r="A{r}" t="s"><v>0</v></c></row>' for r in range(1, 10_001))
    workbook = read_workbook(xlsx(rows, strings=strings))
    with pytest.raises(Unusable) as caught:
        execute(recipe(one_table([], ["R1C1:R10000C1"])), workbook)
    assert caught.value.issues[0].code == "TOO_LARGE"


def test_damage_anywhere_gives_a_workbook_or_a_coded_issue():
    data = bytearray(written(lambda sheet: sheet.append(["a", 1, 2.5])))
    for place in range(0, len(data), 97):
        flipped = bytearray(data)
        flipped[place] ^= 0x55
        try:
            read_workbook(bytes(flipped))
        except Unusable as fault:
            assert [issue.code for issue in fault.issues] == ["WORKBOOK_UNREADABLE"]
