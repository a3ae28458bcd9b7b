"""What cannot run, and what is expected to fail, told before anything is launched."""

from __future__ import annotations

import math
from collections.abc import Mapping

from idpbench.matrix.sizing import fits, page_image_tokens, usable_window
from idpbench.settings.model import Document, Model, ReferenceSet, Settings

LETTER_300 = (2550, 3300)  # pixels of a Letter page at 300 dpi
NEAR = 0.05  # a request this close to the limit may be refused: pages hold more or less text than an ordinary one
PAGE_TEXT = 780  # tokens of a page besides its image: about 600 of text, the rest what surrounds it (12,000 in all)


def unlaunchable(settings: Settings, resolved: Mapping[str, str], backend: str) -> str | None:
    """Why a cell cannot be launched at all; None if it can."""
    model = settings.models[resolved["extraction_model"]]
    if resolved["extraction_mode"] == "advanced" and not model.agentic:
        return f"{model.label} cannot run advanced mode"
    effort = resolved["reasoning_effort"]
    if effort != "unset" and effort not in model.effort.values:
        accepted = ", ".join(model.effort.values) or "none"
        return f"{model.label} rejects reasoning effort {effort} (accepted: {accepted})"
    if backend == "aws":
        for axis, value in resolved.items():
            text = settings.axes[axis].aws.get(value)
            if text is not None and text.text is None:
                return (
                    f"{axis}={value} needs a text of yours on aws: put it into {text.file} and its sha256 into "
                    f"config/axes.yaml, axes.{axis}.aws.{value}"
                )
    return None


def caveats(settings: Settings, resolved: Mapping[str, str]) -> list[str]:
    """What a reader of the cell's results has to know."""
    model = settings.models[resolved["extraction_model"]]
    found = list(model.notes)
    if resolved["forcing"] == "on" and not model.forced_tool:
        found.append(f"{model.label} rejects a forced tool: forcing is not measured in this cell")
    return found


def page_tokens(model: Model, dpi: int) -> int:
    """Tokens of one ordinary page in a simple request: its image and its text."""
    width, height = (side * dpi // 300 for side in LETTER_300)
    return page_image_tokens(width, height, model.image_tokens.divisor, model.image_tokens.cap) + PAGE_TEXT


def simple_ceiling(model: Model, dpi: int = 300) -> int:
    """Most pages of one simple request: about 11 in a window of 200K, about 61 in one of 1.05M."""
    return usable_window(model.hard_window, model.buffer) // page_tokens(model, dpi)


def pages_per_request(resolved: Mapping[str, str], pages: int, sections: int) -> int:
    """Pages of the largest section that simple mode sends, as far as the plan can know."""
    splitting = resolved["section_splitting"]
    if splitting == "page" or (splitting == "llm_determined" and resolved["boundary_prompt"] == "legacy"):
        return 1
    return pages if splitting == "disabled" else math.ceil(pages / sections)


def expected_failure(settings: Settings, resolved: Mapping[str, str], item: Document | ReferenceSet) -> str | None:
    """Why the runs of a cell on a document will, or may well, fail as too large; None if they should not.

    Simple mode sends a section's page images in one request, to which the hard window applies. Advanced mode sends the
    text of a shard at a time, which fits by construction. Of a labelled set without a page count nothing is expected.
    """
    if resolved["extraction_mode"] != "simple" or item.pages is None:
        return None
    model = settings.models[resolved["extraction_model"]]
    sections = item.sections if isinstance(item, Document) else 1
    pages = pages_per_request(resolved, item.pages, sections)
    tokens = pages * page_tokens(model, int(resolved["ocr_dpi"]))
    usable = usable_window(model.hard_window, model.buffer)
    text = f"{pages} pages are about {tokens:,} tokens, {model.label} takes {usable:,} in one request"
    if not fits(tokens, model.hard_window, model.buffer):
        return f"input too large: {text}"
    return f"input may be too large: {text}" if tokens > (1 - NEAR) * usable else None
