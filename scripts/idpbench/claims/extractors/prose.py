"""Plain prose: one claim per sentence that states something, with its kind, its standing and its end by cues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import cues, evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.sentences import paragraphs, split_sentences
from idpbench.claims.extractors.validity import document_date, valid_until
from idpbench.claims.extractors.wording import MONTHS, distinct, sentence

TYPES = frozenset({"PLAIN_TEXT", "JOURNAL", "DECISION_RECORD", "NOTICE"})
JOURNAL = "JOURNAL"
HEADING_LENGTH = 200  # characters; a block without an end mark that is longer than this is no heading
SHORTEST = 4  # words; less is a heading, a greeting or a signature
_PRONOUN = re.compile(
    r"^(?:it|its|they|their|he|his|she|her|this|these|that|those|both|the (?:former|latter|same))\b", re.I
)
_NAME = re.compile(
    r"\b(?:(?:St|Dr|Mr|Ms|Mrs)\.|[A-Z][\w'’&-]*\w|[A-Z])(?:\s+(?:(?:of|de|van|von|and|the|du|la)\s+)?[A-Z0-9][\w'’&.-]*)*"
)
_TIME = re.compile(
    rf"\b(?:\d{{1,2}} )?(?:{'|'.join(MONTHS)}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b(?: \d{{1,4}})?"
    r"(?: and \d{1,2}$)?"
)
_OPENERS = frozenset(
    {
        "A", "An", "The", "In", "On", "At", "By", "For", "From", "With", "After", "Before", "Since", "When", "While",
        "We", "I", "It", "They", "He", "She", "This", "These", "That", "Those", "Its", "Their", "Our", "My", "If",
        "But", "And", "As", "Both", "Each", "Every", "No", "Not", "Until", "Under", "Most", "Some", "All", "There",
        "Only", "Another", "One", "Two", "Three", "Four", "Five", "Should", "To", "Because", "Where", "What", "Today",
        "Then", "His", "Her", "So", "Or", "Of", "Over", "About", "Between", "Without", "Despite", "Instead", "However",
    }
)  # fmt: skip


class ProseExtractor:
    """Claims of running text."""

    extractor_id = "plain-prose"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """PLAIN_TEXT, JOURNAL, DECISION_RECORD and NOTICE."""
        return source_type in TYPES

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims in the order of the text; of a journal, its narrative as a whole comes first."""
        text = data.decode("utf-8-sig")
        claims = list(_claims(text, document_date(text)))
        if source_type == JOURNAL and (told := _narrative(claims)) is not None:
            claims.insert(0, told)
        return claims


def _claims(text: str, written: date | None) -> Iterator[Claim]:
    last: tuple[str, ...] = ()
    for line in _statements(text):
        names = _names(line)
        leaning = bool(_PRONOUN.match(line))
        subjects = distinct([*last[:1], *names]) if leaning else names
        standing, kind = cues.polarity(line), cues.modality(line)
        doubts = []
        if evidence.hedged(line) or standing == "HYPOTHETICAL":
            doubts.append(evidence.HEDGE)
        if leaning or kind != "FALSIFIABLE":
            doubts.append(evidence.INFERRED)
        end = valid_until(line, written)
        yield Claim(
            sentence(line),
            evidence.confidence(evidence.SENTENCE, *doubts),
            subjects,
            modality=kind,
            polarity=standing,
            expected_valid_until=None if end is None else end.isoformat(),
        )
        last = names or last


def _statements(text: str) -> Iterator[str]:
    """Sentences that state something: no headings, questions, greetings; parts between semicolons stand alone."""
    for block in paragraphs(text):
        for unit in _units(block):
            for line in split_sentences(unit):
                for part in re.split(r";\s+", line):
                    plain = part.strip(" -*\t")
                    if len(plain.split()) >= SHORTEST and not plain.endswith(("?", ":")):
                        yield plain[0].upper() + plain[1:]


def _units(block: str) -> Iterator[str]:
    """A paragraph, or each point of a list in it; headings and `Label: value` heads are left out."""
    lines = [line for line in block.split("\n") if not re.match(r"^\s*(?:#|={3,}|-{3,}|[A-Z][\w ]{0,20}:\s)", line)]
    running: list[str] = []
    for line in lines:
        if re.match(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", line):
            if running:
                yield " ".join(running)
            running = [re.sub(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", "", line)]
        else:
            running.append(line.strip())
    whole = " ".join(running)
    if re.search(r"[.!]\W*$", whole) or len(whole) > HEADING_LENGTH:
        yield whole


def _names(line: str) -> tuple[str, ...]:
    """Runs of capitalised words; a lone word at the start counts only where it is no usual opener."""
    found = []
    for match in _NAME.finditer(line):
        parts = match.group().split()
        while parts and (parts[0] in _OPENERS or parts[0].isdigit()):
            parts = parts[1:]
        name = " ".join(parts).rstrip(".,'’")
        name = _TIME.sub("", name).strip()
        if re.search(r"[A-Za-z]{2}", name) and not (
            match.start() == 0 and len(parts) == 1 and len(match.group().split()) == 1 and _common(name)
        ):
            found.append(name)
    return distinct(found)


def _common(word: str) -> bool:
    """Whether a word at the start of a sentence is likely capitalised only because it stands there."""
    return word.endswith(("ing", "ly", "ed", "s")) or len(word) <= 3


def _narrative(claims: list[Claim]) -> Claim | None:
    """A journal entry that tells of its writer in several sentences is a narrative too."""
    own = [claim for claim in claims if re.search(r"\b(?:I|we|We|me|my|My)\b", claim.content)]
    if len(own) < 2:
        return None
    told = " ".join(claim.content for claim in claims[:2])
    return Claim(told, evidence.confidence(evidence.SENTENCE, evidence.INFERRED), modality="NARRATIVE")
