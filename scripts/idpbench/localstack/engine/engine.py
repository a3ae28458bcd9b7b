"""One document through all phases: read, classify, split, extract, enforce, assess, evaluate, meter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.files.canonical import bytes_digest, digest
from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.backends import read_document
from idpbench.localstack.engine.cache import Cache
from idpbench.localstack.engine.classify import PageClass, Section, classify, meter_classification, split
from idpbench.localstack.engine.context import RunContext, parse_context
from idpbench.localstack.engine.errors import JobError
from idpbench.localstack.engine.evaluate import evaluate
from idpbench.localstack.engine.limits import check_window, image_tokens, model_of, prompt_tokens, request
from idpbench.localstack.engine.meter import Meter, Number
from idpbench.localstack.engine.options import Options, ignored_blocks, parse_options
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile
from idpbench.localstack.engine.reader import Reader
from idpbench.localstack.engine.schema import DocumentClass, read_classes
from idpbench.localstack.engine.sections import SectionResult, process_section

_TEXTRACT = {"textract_tables": "analyze_document-Tables", "textract_layout": "analyze_document-Layout"}


@dataclass(frozen=True)
class Job:
    """One document under one configuration. `run_context`: the text that a test run carries (see `context`)."""

    pdf: bytes
    file_name: str
    configuration: Mapping[str, Any]
    profile: Profile
    run_context: str = ""
    baseline: list[dict[str, Any]] | None = None


@dataclass(frozen=True)
class PageOutput:
    """What a page leaves behind: its text, how surely it was read, and its class."""

    text: str
    text_confidence: dict[str, Any]
    classification: str | None = None
    confidence: float | None = None
    image_jpeg: bytes | None = None


@dataclass
class Outcome:
    """What a document left. FAILED keeps pages and the metering of the phases that ran."""

    status: str
    error: str | None
    pages: list[PageOutput] = field(default_factory=list)
    sections: list[dict[str, Any]] = field(default_factory=list)
    page_sections: list[str] = field(default_factory=list)
    page_classes: list[str] = field(default_factory=list)
    metering: dict[str, dict[str, Number]] = field(default_factory=dict)
    evaluation: dict[str, Any] | None = None
    issues: list[dict[str, Any]] = field(default_factory=list)
    ignored_blocks: list[str] = field(default_factory=list)


def process(job: Job, cache: Cache | None = None) -> Outcome:
    """Process a document. The same job gives the same outcome; nothing waits and no clock is read.

    What a stack would report as a failed document is an Outcome, never an exception.
    """
    run = _Run(job, cache or Cache())
    try:
        run.all_phases()
    except JobError as error:
        run.outcome.status = "FAILED"
        where = f" (in {error.phase})" if error.phase else ""
        run.outcome.error = f"{error}{where}"
        run.outcome.sections = []
        run.outcome.evaluation = None
    run.outcome.metering = run.meter.as_dict()
    return run.outcome


class _Run:
    def __init__(self, job: Job, cache: Cache) -> None:
        self.job = job
        self.cache = cache
        self.meter = Meter()
        self.outcome = Outcome("COMPLETED", None, ignored_blocks=ignored_blocks(job.configuration))

    def all_phases(self) -> None:
        job, profile = self.job, self.job.profile
        options = parse_options(job.configuration)
        classes = self.cache.get(
            ("classes", digest(job.configuration.get("classes"))), lambda: read_classes(job.configuration)
        )
        fallback = digest([bytes_digest(job.pdf), digest(dict(job.configuration)), profile.version])
        context = parse_context(job.run_context, fallback)
        _check_models(options, profile)

        reader = self._read(options)
        self.outcome.pages = [_page_output(page) for page in reader.pages]
        self._meter_ocr(options, reader.pages)

        page_classes = self._classify(reader, classes, options, context)
        sections = split(reader, page_classes, options, profile)
        self._function("Classification", len(reader.pages))
        self._note_classes(reader, page_classes, sections)

        results = self._extract(reader, sections, options, context)
        self.outcome.sections = [one.result for one in results]
        self.outcome.issues = [issue for one in results for issue in one.issues]
        if job.baseline is not None:
            self.outcome.evaluation = evaluate(
                job.file_name, self.outcome.sections, page_classes, job.baseline, classes
            )
            self._function("Evaluation", len(reader.pages))

    def _read(self, options: Options) -> Reader:
        job, profile, kind = self.job, self.job.profile, options.ocr_kind
        image_dpi = options.ocr.image.dpi or profile.image_dpi
        bold = kind == "bedrock_llm" and profile.bold_labels
        slip = profile.bold_label_slip if bold else 0.0
        scan_dpi = profile.scan_dpi.bda if kind == "bda" else profile.scan_dpi.textract
        key = ("reader", bytes_digest(job.pdf), kind, image_dpi, scan_dpi, bold, slip, profile.label_match)

        def make() -> Reader:
            pages = read_document(
                job.pdf,
                job.file_name,
                kind,
                image_dpi=image_dpi,
                scan_dpi=scan_dpi,
                bold=bold,
                cache=self.cache,
            )
            return Reader(pages, profile.label_match, slip)

        return self.cache.get(key, make)

    def _meter_ocr(self, options: Options, pages: tuple[PageRead, ...]) -> None:
        kind, count = options.ocr_kind, len(pages)
        if kind in _TEXTRACT:
            self.meter.add(f"OCR/textract/{_TEXTRACT[kind]}", {"pages": count})
        elif kind == "bda":
            self.meter.add("OCR/bda/documents-standard", {"pages": count})
        else:
            model = model_of(self.job.profile, options.ocr.model_id or options.classification.model, "ocr.model_id")
            prefix = prompt_tokens(options.ocr.system_prompt, options.ocr.task_prompt)
            for page in pages:
                rest = image_tokens(model, [page])
                check_window(model, prefix + rest, "OCR")
                self.meter.request(
                    request("OCR", model, prefix=prefix, rest=rest, output=page.tokens, warm=page.index > 0)
                )
        self._function("OCR", count)

    def _classify(
        self, reader: Reader, classes: tuple[DocumentClass, ...], options: Options, context: RunContext
    ) -> list[PageClass]:
        page_classes = classify(reader, classes, options)
        meter_classification(
            self.meter, reader, page_classes, classes, options, self.job.profile, warm=context.repeat > 0
        )
        return page_classes

    def _note_classes(self, reader: Reader, page_classes: list[PageClass], sections: list[Section]) -> None:
        number_of = {index: str(section.number) for section in sections for index in section.pages}
        self.outcome.page_sections = [number_of[page.index] for page in reader.pages]
        self.outcome.page_classes = [one.document_class.name for one in page_classes]
        self.outcome.pages = [
            _page_output(page, one.document_class.name, one.confidence)
            for page, one in zip(reader.pages, page_classes, strict=True)
        ]

    def _extract(
        self, reader: Reader, sections: list[Section], options: Options, context: RunContext
    ) -> list[SectionResult]:
        results = []
        for section in sections:
            one = process_section(reader, section, options, self.job.profile, context)
            for sent in one.requests:
                self.meter.request(sent)
            self._function("Extraction", len(section.pages))
            if any(sent.phase == "Assessment" for sent in one.requests):
                self._function("Assessment", len(section.pages))
            results.append(one)
        return results

    def _function(self, phase: str, pages: int) -> None:
        profile = self.job.profile
        seconds: float = dict(profile.function_seconds_per_page)[phase]  # type: ignore[index]
        self.meter.function(phase, profile.function_gb * seconds * pages)


def _check_models(options: Options, profile: Profile) -> None:
    """Every model that the configuration names must be known before anything is paid for."""
    model_of(profile, options.classification.model, "classification.model")
    model_of(profile, options.extraction.model, "extraction.model")
    if options.extraction.confidence.mode == "separate":
        model_of(profile, options.extraction.confidence.model, "extraction.confidence.model")


def _page_output(page: PageRead, name: str | None = None, sure: float | None = None) -> PageOutput:
    source = "ocr" if page.confidence < 1.0 or page.scanned else "text layer"
    summary = {"mean_confidence": round(page.confidence, 4), "words": page.words, "source": source}
    return PageOutput(page.text, {**summary, "tokens": tokens.count(page.text)}, name, sure)
