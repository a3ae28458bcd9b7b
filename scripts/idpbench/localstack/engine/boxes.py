"""Forms with numbered boxes: a label with its number at the top of a box, the value on the lines beneath it."""

from __future__ import annotations

from collections.abc import Sequence

from idpbench.localstack.engine.labels import box_of_label, normal
from idpbench.localstack.engine.pages import Line, Span, cover

_REACH = 8  # lines looked at beneath a label
_JOIN = 3.2  # times the height: words of one value stand closer than this


def box_lines(lines: Sequence[Line], number: int, position: int, page_width: float) -> list[Span]:
    """The printed lines inside the box whose label is span `position` of line `number`, each joined to one span.

    A box reaches right to the next span on the label's line, and down to the next numbered label that begins in it.
    """
    label = lines[number].spans[position]
    following = lines[number].spans[position + 1 :]
    left, right = label.x0 - 4.0, following[0].x0 - 2.0 if following else page_width
    found: list[Span] = []
    for line in lines[number + 1 : number + 1 + _REACH]:
        inside = [span for span in line.spans if left <= span.x0 < right]
        if any(box_of_label(normal(span.text)) and len(span.text.split()) > 1 for span in inside):
            break
        if line.y0 < label.y1 - 0.3 * label.height or not inside:
            continue
        joined = [inside[0]]
        for span in inside[1:]:
            if span.x0 - joined[-1].x1 > _JOIN * label.height * 2:
                break
            joined.append(span)
        found.append(cover([word for span in joined for word in span.words]))
    return found
