"""A release of the local stack: engine options as one file of defaults and one file of documented behaviours."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.settings.engines import Model
from idpbench.settings.yamlfile import load_yaml

RuleSet = Literal["current", "legacy", "v067"]
Rule = Literal["page_number", "identity", "table", "class"]


class Turns(BaseModel):
    """Bounds of the number of turns that one conversation takes; drawn per run."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    least: int = Field(ge=1, le=20)
    most: int = Field(ge=1, le=40)


class ScanDpi(BaseModel):
    """Resolution at which a service scans a page without text layer."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    textract: int = Field(ge=72, le=600)
    bda: int = Field(ge=72, le=600)


class Profile(BaseModel):
    """Options of the engine as one release has them; what each means stands in config/localstack/engine.yaml."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    run_id: Literal["conditional", "unconditional"]
    # reading
    image_dpi: int = Field(ge=72, le=600)
    scan_dpi: ScanDpi
    bold_labels: bool
    bold_label_slip: float = Field(ge=0, lt=1)
    label_match: float = Field(gt=50, le=100)
    text_layer_confidence: float = Field(gt=0, le=1)
    # sections
    boundary_rules: tuple[Rule, ...]
    identity_share: float = Field(gt=0, le=1)
    # requests
    guesses_per_cell: int = Field(ge=1, le=10)
    pages_per_shard: int = Field(ge=1)
    shard_output_share: float = Field(gt=0, le=1)
    conversations_per_shard: int = Field(ge=1, le=5)
    turns: Turns
    turn_input: int = Field(ge=0)
    turn_output: int = Field(ge=0)
    table_tool_share: float = Field(ge=0, le=2)
    declined_table_tool: float = Field(ge=0, lt=1)
    reasoning_share: dict[Literal["low", "medium", "high"], float]
    list_batch_size: int = Field(ge=1)
    batch_output_share: float = Field(gt=0, le=1)
    box_tokens: int = Field(ge=0)
    # confidence
    alert_threshold: float = Field(gt=0, le=1)
    # functions
    function_gb: float = Field(gt=0)
    function_seconds_per_page: dict[Literal["OCR", "Classification", "Extraction", "Assessment", "Evaluation"], float]
    # resolved from other files
    prompts: dict[str, RuleSet] = Field(default_factory=dict)
    models: dict[str, Model] = Field(default_factory=dict)


def versions(config_root: Path) -> list[str]:
    """Releases that have a profile, sorted as versions."""
    found = [path.stem for path in (config_root / "localstack").glob("*.yaml") if path.stem != "engine"]
    return sorted(found, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"[.-]", name)])


def load_profile(config_root: Path, version: str) -> Profile:
    """The profile of `version`; an unknown version or a wrong option is a Refusal that lists what there is.

    A profile is kept while no file that it may rest on changes.
    """
    root = Path(config_root)
    files = [*(root / "localstack").glob("*.yaml"), *(root / "prompts").glob("*.txt"), root / "models.yaml"]
    stamps = tuple((str(file), file.stat().st_mtime_ns) for file in sorted(files) if file.is_file())
    return _load(root, version, stamps)


@lru_cache(maxsize=16)
def _load(root: Path, version: str, stamps: tuple[tuple[str, int], ...]) -> Profile:
    folder = root / "localstack"
    source = folder / f"{version}.yaml"
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z.+-]*", version) or not source.is_file():
        known = versions(root)
        raise bad_input(
            folder, "", f"no profile {version!r}", f"one of {', '.join(known) or 'none'}", nearest(version, known)
        )
    engine_file = folder / "engine.yaml"
    engine, release = _mapping(load_yaml(engine_file), engine_file), _mapping(load_yaml(source), source)
    _only(engine, {"options", "prompts"}, engine_file)
    _only(release, {"version", "run_id", "behaviours"}, source)
    if str(release.get("version")) != version:
        raise bad_input(source, "version", repr(release.get("version")), repr(version), "name the file as the version")
    values: dict[str, Any] = {
        **_mapping(engine.get("options"), engine_file),
        **_behaviours(release.get("behaviours"), source),
        "version": version,
        "run_id": release.get("run_id"),
        "prompts": _prompts(_mapping(engine.get("prompts") or {}, engine_file), root, engine_file),
        "models": load_models(root / "models.yaml"),
    }
    try:
        return Profile.model_validate(values)
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(str(part) for part in problem["loc"])
        remedy = nearest(key, Profile.model_fields)
        raise bad_input(source, key, repr(problem.get("input")), problem["msg"], remedy) from None


def load_models(path: Path) -> dict[str, Model]:
    """models.yaml by the model id that configurations and metering use."""
    entries = _mapping(_mapping(load_yaml(path), path).get("models"), path)
    models: dict[str, Model] = {}
    for name, entry in entries.items():
        try:
            model = Model.model_validate({"id": name, **_mapping(entry, path)})
        except ValidationError as error:
            problem = error.errors()[0]
            key = ".".join([name, *(str(part) for part in problem["loc"])])
            raise bad_input(path, key, repr(problem.get("input")), problem["msg"], "correct the entry") from None
        models[model.model_id] = model
    return models


def _behaviours(entries: Any, source: Path) -> dict[str, Any]:
    values = {}
    for name, entry in _mapping(entries or {}, source).items():
        if not isinstance(entry, dict) or set(entry) != {"value", "source"} or not entry["source"]:
            remedy = "give the option's value and where that behaviour is documented"
            raise bad_input(source, f"behaviours.{name}", repr(entry), "a mapping with value and source", remedy)
        values[name] = entry["value"]
    return values


def _prompts(entries: dict[str, Any], root: Path, source: Path) -> dict[str, RuleSet]:
    known: dict[str, RuleSet] = {}
    for rules, name in entries.items():
        path = root / str(name)
        if not path.is_file():
            raise bad_input(source, f"prompts.{rules}", f"no file {path}", "a prompt text", "restore it")
        known[prompt_digest(path.read_text(encoding="utf-8"))] = rules  # type: ignore[assignment]
    return known


def prompt_digest(text: str) -> str:
    """Digest of a prompt text, whatever newlines it ends with."""
    return bytes_digest(text.rstrip("\n").encode("utf-8"))


def _mapping(value: Any, source: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise bad_input(source, "", type(value).__name__, "a mapping", "correct the file")
    return value


def _only(value: dict[str, Any], known: set[str], source: Path) -> None:
    for key in value:
        if key not in known:
            raise Refusal(
                f"{source}: {key}: found an unknown key, expected {', '.join(sorted(known))}; {nearest(key, known)}"
            )
