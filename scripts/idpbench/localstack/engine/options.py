"""What a configuration asks of the engine: the blocks it reads, validated; everything else is named and ignored.

Values may be spelled as a configuration table stores them: numbers and switches as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from idpbench.files.errors import nearest
from idpbench.localstack.engine.errors import invalid

READ_BLOCKS = frozenset({"ocr", "classification", "extraction", "classes", "use_bda", "assessment"})


def _switch(value: Any) -> Any:
    if isinstance(value, str):
        lowered = value.strip().lower()
        if lowered in {"true", "on", "yes"}:
            return True
        if lowered in {"false", "off", "no"}:
            return False
    return value


def _integer(value: Any) -> Any:
    if value in ("", None):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _word(value: Any) -> Any:
    """Axis words such as off and on may come back from a table as switches."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


def _fraction(value: Any) -> Any:
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


Switch = Annotated[bool, BeforeValidator(_switch)]
Count = Annotated[int | None, BeforeValidator(_integer)]
Fraction = Annotated[float | None, BeforeValidator(_fraction)]


class Block(BaseModel):
    """A block of a configuration; keys that the engine does not read are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class ImageOptions(Block):
    """Raster of a page for OCR by a model and for requests that hold page images."""

    dpi: Count = Field(default=None, ge=36, le=600)


def _features(value: Any) -> Any:
    if isinstance(value, str):
        value = [part for part in value.replace(",", " ").split() if part]
    if isinstance(value, list):
        return tuple(str(item.get("name") if isinstance(item, Mapping) else item).upper() for item in value)
    return () if value is None else value


class OcrOptions(Block):
    """Who reads the page."""

    backend: Literal["textract", "bedrock", "bda"] = "textract"
    features: Annotated[tuple[Literal["TABLES", "LAYOUT", "FORMS", "SIGNATURES"], ...], BeforeValidator(_features)] = (
        "TABLES",
        "LAYOUT",
    )
    image: ImageOptions = ImageOptions()
    model_id: str | None = None
    task_prompt: str | None = None
    system_prompt: str | None = None


class ClassConfidence(Block):
    """Confidence of page classes."""

    mode: Annotated[Literal["topk", "off"], BeforeValidator(_word)] = "topk"


class ClassificationOptions(Block):
    """How pages get classes and sections get borders."""

    model: str = "us.amazon.nova-2-lite-v1:0"
    sectionSplitting: Literal["llm_determined", "disabled", "page"] = "llm_determined"  # noqa: N815
    task_prompt: str | None = None
    system_prompt: str | None = None
    confidence: ClassConfidence = ClassConfidence()


class ConfidenceOptions(Block):
    """Whether and how extracted values get a confidence."""

    mode: Annotated[Literal["separate", "integrated", "off"], BeforeValidator(_word)] = "separate"
    model: str = "us.amazon.nova-lite-v1:0"
    list_batch_size: Count = Field(default=None, ge=1, le=500)
    escalation_enabled: Switch = False
    threshold: Fraction = None
    escalation_threshold: Fraction = None
    escalation_model: str | None = None
    system_prompt: str | None = None
    task_prompt: str | None = None


class GeometryOptions(Block):
    """Where boxes of values come from."""

    mode: Literal["ocr_only", "llm", "llm_grounded"] = "ocr_only"


class EnabledOption(Block):
    """A switch of its own."""

    enabled: Switch = False


class CoercionOptions(Block):
    """Rendered values to schema types."""

    enabled: Switch = True


class ValidationOptions(Block):
    """Check of the result against the class schema, and what a failure leads to."""

    enabled: Switch = True
    fail_action: Literal["warn", "escalate"] = "warn"
    escalation_model: str | None = None


class AgenticOptions(Block):
    """The loop of advanced mode."""

    restate_schema_in_system_prompt: Switch = True
    max_pages_per_shard: Count = Field(default=None, ge=1, le=1000)
    shard_token_budget: Count = Field(default=None, ge=0)


class DetectionOption(Block):
    """Notice that one section holds several documents."""

    enabled: Switch = True


class ExtractionOptions(Block):
    """How a section is read against its class."""

    mode: Literal["simple", "advanced"] = "simple"
    model: str = "us.anthropic.claude-sonnet-4-6"
    system_prompt: str | None = None
    task_prompt: str | None = None
    reasoning_effort: Literal["low", "medium", "high"] | None = None
    confidence: ConfidenceOptions = ConfidenceOptions()
    geometry: GeometryOptions = GeometryOptions()
    coercion: CoercionOptions = CoercionOptions()
    validation: ValidationOptions = ValidationOptions()
    forced_tool: EnabledOption = EnabledOption()
    agentic: AgenticOptions = AgenticOptions()
    multi_instance_detection: DetectionOption = DetectionOption()


class Options(Block):
    """Everything the engine reads from a configuration, besides the classes."""

    use_bda: Switch = False
    ocr: OcrOptions = OcrOptions()
    classification: ClassificationOptions = ClassificationOptions()
    extraction: ExtractionOptions = ExtractionOptions()

    @property
    def ocr_kind(self) -> str:
        """The OCR axis's value that this configuration stands for."""
        if self.use_bda or self.ocr.backend == "bda":
            return "bda"
        if self.ocr.backend == "bedrock":
            return "bedrock_llm"
        return "textract_tables" if "TABLES" in self.ocr.features else "textract_layout"


def _without_empty(value: Any) -> Any:
    """Blocks without the keys that hold nothing: a table stores an unset option as null or as an empty text."""
    if isinstance(value, Mapping):
        return {str(k): _without_empty(v) for k, v in value.items() if v is not None and v != ""}
    return value


def parse_options(configuration: Mapping[str, Any]) -> Options:
    """The configuration's options; a value that no axis knows is a JobError (ValidationException) naming the path."""
    tree = {
        key: _without_empty(configuration[key]) for key in sorted(READ_BLOCKS - {"classes"}) if key in configuration
    }
    _older_spellings(tree)
    try:
        return Options.model_validate(tree)
    except ValidationError as error:
        raise invalid(_explain(error)) from None


def ignored_blocks(configuration: Mapping[str, Any]) -> list[str]:
    """Top-level blocks that the engine does not read, sorted."""
    return sorted(str(key) for key in configuration if key not in READ_BLOCKS)


def _older_spellings(tree: dict[str, Any]) -> None:
    """Earlier releases had `extraction.agentic.enabled` for the mode and a top-level `assessment` for confidence."""
    extraction = dict(tree.get("extraction") or {})
    agentic = extraction.get("agentic")
    if "mode" not in extraction and isinstance(agentic, Mapping) and _switch(agentic.get("enabled")) is True:
        extraction["mode"] = "advanced"
    assessment = tree.pop("assessment", None)
    if isinstance(assessment, Mapping) and "confidence" not in extraction:
        confidence: dict[str, Any] = {"mode": "off" if _switch(assessment.get("enabled")) is False else "separate"}
        if isinstance(assessment.get("model"), str):
            confidence["model"] = assessment["model"]
        extraction["confidence"] = confidence
    if extraction:
        tree["extraction"] = extraction


def _explain(error: ValidationError) -> str:
    problem = error.errors()[0]
    path = ".".join(str(part) for part in problem["loc"])
    found = problem.get("input")
    expected = str((problem.get("ctx") or {}).get("expected", ""))
    if not expected:
        return f"configuration {path}: found {found!r}: {problem['msg']}"
    known = [word for word in expected.replace("'", "").replace(" or ", ", ").split(", ") if word]
    return f"configuration {path}: found {found!r}, expected one of {', '.join(known)}; {nearest(str(found), known)}"
