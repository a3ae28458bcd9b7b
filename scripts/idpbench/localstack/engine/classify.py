"""Pages to classes and sections: evidence on the pages, the rules that a prompt stands for, and what asking costs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.columns import header_in_line
from idpbench.localstack.engine.labels import normal, spoken
from idpbench.localstack.engine.limits import check_window, image_tokens, model_of, prompt_tokens, request
from idpbench.localstack.engine.meter import Meter
from idpbench.localstack.engine.options import Options
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile, Rule, prompt_digest
from idpbench.localstack.engine.reader import Reader
from idpbench.localstack.engine.rows import page_columns
from idpbench.localstack.engine.schema import DocumentClass

PHASE = "Classification"
_LEGACY: tuple[Rule, ...] = ()
_V067: tuple[Rule, ...] = ("page_number", "identity")


@dataclass(frozen=True)
class PageClass:
    """A page's class, how sure that is (None when not asked for), and the runners-up."""

    document_class: DocumentClass
    confidence: float | None
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Section:
    """Pages that make one document, by index from 0."""

    number: int
    document_class: DocumentClass
    pages: tuple[int, ...]


def classify(reader: Reader, classes: Sequence[DocumentClass], options: Options) -> list[PageClass]:
    """The class of each page, from its words against each class's name, description and labels."""
    asked = options.classification.confidence.mode == "topk"
    result = []
    for page in reader.pages:
        weights = [_weight(reader, page, one) for one in classes]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        order = sorted(range(len(classes)), key=lambda n: (-shares[n], n))
        top = tuple((classes[n].name, round(shares[n], 4)) for n in order[:3])
        result.append(PageClass(classes[order[0]], top[0][1] if asked else None, top if asked else ()))
    return result


def _weight(reader: Reader, page: PageRead, one: DocumentClass) -> float:
    """How strongly a page speaks for a class: shown labels and columns count most, then its name, then its words."""
    words = set(normal(page.text).split())
    name = spoken(one.name)
    weight = 0.02
    if name and name in normal(page.text):
        weight += 1.0
    weight += 0.5 * _share(words, name)
    weight += 0.3 * _share(words, normal(one.description))
    shown = reader.page_fields(one, page.index)
    if one.scalars:
        weight += 2.0 * len(shown) / len(one.scalars)
    for wanted in one.lists:
        if any(header_in_line(line, wanted) for line in page.all_lines()):
            weight += 1.0
            break
    return weight


def _share(words: set[str], text: str) -> float:
    wanted = {word for word in text.split() if len(word) > 3}
    return len(wanted & words) / len(wanted) if wanted else 0.0


def split(
    reader: Reader,
    page_classes: Sequence[PageClass],
    options: Options,
    profile: Profile,
) -> list[Section]:
    """The sections of a document, as the configured way of splitting finds them."""
    count = len(reader.pages)
    way = options.classification.sectionSplitting
    if way == "disabled":
        starts = [True] + [False] * (count - 1)
    elif way == "page":
        starts = [True] * count
    else:
        starts = _starts(reader, page_classes, _rules(options, profile), profile)
    sections: list[Section] = []
    for index, opens in enumerate(starts):
        if opens:
            sections.append(Section(len(sections) + 1, page_classes[index].document_class, (index,)))
        else:
            last = sections[-1]
            sections[-1] = Section(last.number, last.document_class, (*last.pages, index))
    return sections


def _rules(options: Options, profile: Profile) -> tuple[Rule, ...]:
    prompt = options.classification.task_prompt
    rule_set = profile.prompts.get(prompt_digest(prompt), "current") if prompt else "current"
    return {"legacy": _LEGACY, "v067": _V067, "current": profile.boundary_rules}[rule_set]


def _starts(reader: Reader, page_classes: Sequence[PageClass], rules: Sequence[Rule], profile: Profile) -> list[bool]:
    """For each page whether it opens a section. The first rule that says anything about a page decides."""
    starts = [True]
    for index in range(1, len(reader.pages)):
        if page_classes[index].document_class.name != page_classes[index - 1].document_class.name:
            starts.append(True)
            continue
        opens = True
        for rule in rules:
            verdict = _RULES[rule](reader, page_classes[index].document_class, index, profile)
            if verdict is not None:
                opens = verdict
                break
        starts.append(opens)
    return starts


def _by_page_number(reader: Reader, one: DocumentClass, index: int, profile: Profile) -> bool | None:
    here, before = reader.pages[index].page_number, reader.pages[index - 1].page_number
    if here is None:
        return None
    if here[0] == 1:
        return True
    return False if before is None or before == (here[0] - 1, here[1]) else None


def _by_identity(reader: Reader, one: DocumentClass, index: int, profile: Profile) -> bool | None:
    return True if shows_identity(reader, one, index, profile.identity_share) else None


def _by_table(reader: Reader, one: DocumentClass, index: int, profile: Profile) -> bool | None:
    for wanted in one.lists:
        here, before = page_columns(reader.pages[index], wanted), page_columns(reader.pages[index - 1], wanted)
        if here and before and here == before:
            return False
    return None


def _by_class(reader: Reader, one: DocumentClass, index: int, profile: Profile) -> bool | None:
    return False  # asked only where the page before has the same class


_RULES = {"page_number": _by_page_number, "identity": _by_identity, "table": _by_table, "class": _by_class}


def shows_identity(reader: Reader, one: DocumentClass, index: int, share: float) -> bool:
    """Whether a page shows enough of the class's scalars to be the head of a document."""
    return bool(one.scalars) and len(reader.page_fields(one, index)) >= max(1, share * len(one.scalars))


def meter_classification(
    meter: Meter,
    reader: Reader,
    page_classes: Sequence[PageClass],
    classes: Sequence[DocumentClass],
    options: Options,
    profile: Profile,
    warm: bool,
) -> None:
    """One request a page (only the first when splitting is disabled); finding borders takes the page before along."""
    chosen = options.classification
    model = model_of(profile, chosen.model, "classification.model")
    catalogue = "\n".join(f"{one.name}: {one.description}" for one in classes)
    prefix = prompt_tokens(chosen.system_prompt, chosen.task_prompt) + tokens.count(catalogue)
    pages = reader.pages[:1] if chosen.sectionSplitting == "disabled" else reader.pages
    for number, page in enumerate(pages):
        rest = page.tokens + image_tokens(model, [page])
        if chosen.sectionSplitting == "llm_determined" and number:
            rest += reader.pages[number - 1].tokens
        check_window(model, prefix + rest, PHASE)
        answer = {"class": page_classes[number].document_class.name, "boundary": "continue"}
        candidates = [{"class": name, "confidence": share} for name, share in page_classes[number].candidates]
        output = tokens.count(json.dumps({**answer, **({"candidates": candidates} if candidates else {})}))
        # within a document the prefix written by the first page is read by the others
        meter.request(request(PHASE, model, prefix=prefix, rest=rest, output=output, warm=warm or number > 0))
