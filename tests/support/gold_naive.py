"""Header look-up and selection as the specification words them, cell by cell: what the indexed ones must equal."""

from __future__ import annotations

from idpbench.gold.recipe.address import read_area, read_cell
from idpbench.gold.recipe.schema import default_fill

FAR = 10**9


def selected(sheet, select):
    """The cells of a selection before its filter, as a set."""

    def cells(texts):
        found = set()
        for text in texts:
            top, left, bottom, right = read_area(text)
            rows = range(top, min(bottom, sheet.last_row) + 1)
            columns = range(left, min(right, sheet.last_column) + 1)
            found |= {(row, column) for row in rows for column in columns}
        return found

    return cells(select.include) - cells(select.exclude)


def assignment(sheet, header, value):
    """(direction, address or None, text or None, state) of one header for one value cell."""
    anchors = [address for address in selected(sheet, header.select) if address in sheet.cells]
    overrides = {read_cell(key): direction for key, direction in header.overrides.items()}
    direction_of = {address: overrides.get(address, header.direction) for address in anchors}
    in_sight = []
    for direction in set(direction_of.values()):
        group = [address for address in anchors if direction_of[address] == direction]
        found = [address for address in group if reaches(sheet, header, direction, group, address, value)]
        if found and header.bands == "nearest":
            nearest = min(distance_along(direction, address, value) for address in found)
            found = [address for address in found if distance_along(direction, address, value) == nearest]
        in_sight += found
    if not in_sight:
        return header.direction, None, None, "missing"
    several = len(set(direction_of.values())) > 1

    def order(address):
        rows, columns = abs(address[0] - value[0]), abs(address[1] - value[1])
        if several:
            return rows + columns, address
        direction = direction_of[address]
        along, across = (rows, columns) if upright(direction) else (columns, rows)
        return along, across, address

    first = min(in_sight, key=order)
    texts = {sheet.cells[address].text for address in in_sight}
    state = "resolved" if len(texts) == 1 else "ambiguous"
    return direction_of[first], first, sheet.cells[first].text, state


def upright(direction):
    return direction.split("-")[0] in ("above", "below")


def distance_along(direction, address, value):
    return abs(address[0] - value[0]) if upright(direction) else abs(address[1] - value[1])


def reaches(sheet, header, direction, group, address, value):
    """Is the anchor strictly on the named side, and does its span hold the value's cross index?"""
    side = direction.split("-")[0]
    (row, column), (value_row, value_column) = address, value
    if not {
        "above": row < value_row,
        "below": row > value_row,
        "left": column < value_column,
        "right": column > value_column,
    }[side]:
        return False
    first, last = span(sheet, header, direction, group, address)
    return first <= (value_column if upright(direction) else value_row) <= last


def span(sheet, header, direction, group, address):
    spans = {read_cell(key): limits for key, limits in header.spans.items()}
    if address in spans:
        return spans[address]
    fill = header.fill if header.fill and direction == header.direction else default_fill(direction)
    along, across = (0, 1) if upright(direction) else (1, 0)
    x = address[across]
    band = [other[across] for other in group if other[along] == address[along]]
    before = max((other for other in band if other < x), default=-FAR)
    after = min((other for other in band if other > x), default=FAR)
    if fill == "merge":
        for top, left, bottom, right in sheet.merges:
            if (top, left) == address:
                return (left, right) if upright(direction) else (top, bottom)
    if fill == "forward":
        return x, after - 1
    if fill == "backward":
        return before + 1, x
    if fill == "closest":
        return (before + x) / 2, (x + after) / 2
    return x, x
