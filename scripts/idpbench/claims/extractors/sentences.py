"""Running text into sentences, without a model: full stops that end one, and those that do not."""

from __future__ import annotations

import re

# Words whose full stop belongs to them, without it and in lower case; single letters are initials.
_ABBREVIATION = re.compile(
    r"(?:mr|mrs|ms|dr|prof|st|nos?|vols?|figs?|eq|pp?|eds?|approx|ca?|cf|etc|e\.g|i\.e|vs|jan|feb|mar|apr|jun|jul|aug|"
    r"sept?|oct|nov|dec|inc|ltd|co|corp|dept|est|min|max|tel|ext|[a-z])"
)
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]?[A-Z0-9]|\s*$)")


def split_sentences(text: str) -> list[str]:
    """Sentences of one paragraph, blanks folded; what follows the last end counts as one too."""
    line = " ".join(text.split())
    found, start = [], 0
    for end in _END.finditer(line):
        if not _is_end(line, start, end):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    if line[start:].strip():
        found.append(line[start:].strip())
    return found


def _is_end(line: str, start: int, end: re.Match[str]) -> bool:
    """Whether this full stop ends a sentence: not after an abbreviation, an initial or a bare number of a list."""
    if end.group() != ".":
        return True
    before = line[start : end.start()].rsplit(None, 1)
    word = before[-1].strip("(\"'“‘[").lower() if before else ""
    if _ABBREVIATION.fullmatch(word):
        return not line[end.end() :].strip()
    return not (len(before) == 1 and re.fullmatch(r"\d{1,2}", word))


def paragraphs(text: str) -> list[str]:
    """Blocks between blank lines, each as written."""
    return [block for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip()]
