"""The keys of `--config`: typed, checked and explained, so that a wrong one stops before anything is launched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.files import redact
from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.settings.model import Settings
from idpbench.settings.versions import is_version

SOURCE = "--config"
WORD = re.compile(r"^[A-Za-z][A-Za-z0-9._-]{0,39}$")
SERIES = re.compile(r"^[a-z][a-z0-9-]{0,19}$")


@dataclass(frozen=True)
class Options:
    """One command's options; names and defaults are those of config/config.yaml."""

    version: str = "0.6.9"
    prev: str = "0.6.8"
    suite: str = "corefast"
    overrides: Mapping[str, str] = field(default_factory=dict)  # from `set`
    backend: str = "local"
    account: str | None = None
    build: str | None = None
    series: str = "a"
    reuse: bool = False
    stack: str | None = None
    region: str = "us-west-2"
    aws_profile: str | None = None
    template: str | None = None
    build_command: str | None = None
    stack_parameters: str | None = None
    confirm: bool = False
    teardown: bool = False
    repeats: int | None = None
    max_inflight: int = 20
    budget_usd: float | None = None
    reference: str | None = None
    no_reference: bool = False
    testset: str = "docsplit"
    models: tuple[str, ...] = ("haiku45", "haiku55")
    mode: str = "topk"
    sample: int | None = 20
    staged: str | None = None


def parse_options(config: Mapping[str, Any], settings: Settings | None = None, *, pair: bool = True) -> Options:
    """Options from Snakemake's merged config; a key that is absent is at its default.

    With `settings`, names of axes, values, suites, models and local versions are checked too. `pair=False` is for
    targets of one version: equal `version` and `prev` are then no contradiction. Every error is a Refusal.
    """
    for key in config:
        if key not in READERS:
            raise bad_input(SOURCE, str(key), "an unknown key", "a key of config/config.yaml", _near_key(str(key)))
    values = {key: reader(key, config[key]) for key, reader in READERS.items() if key in config}
    if "set" in values:
        values["overrides"] = values.pop("set")
    options = Options(**values)
    if pair and options.version == options.prev and options.series == "a":
        raise bad_input(
            SOURCE,
            "prev",
            f"{options.prev}, which is also the version",
            "another release, or a series of its own for an A/A test",
            "give prev=X.Y.Z, or series=b",
        )
    if settings is not None:
        check_options(options, settings)
    return options


def check_options(options: Options, settings: Settings) -> None:
    """Refuse names that config/ does not define, naming the nearest that it does."""
    if options.suite not in settings.suites:
        raise _unknown("suite", options.suite, "a suite of config/suites.yaml", settings.suites)
    for axis, value in options.overrides.items():
        if axis not in settings.axes:
            raise _unknown("set", axis, "an axis of config/axes.yaml", settings.axes)
        if value not in settings.axes[axis].values:
            raise _unknown("set", f"{axis}={value}", f"a value of axis {axis}", settings.axes[axis].values, value)
    for model in options.models:
        if model not in settings.models:
            raise _unknown("models", model, "a model of config/models.yaml", settings.models)
    if options.backend == "local":
        for key, version in (("version", options.version), ("prev", options.prev)):
            if version not in settings.local_versions:
                known = ", ".join(settings.local_versions)
                raise bad_input(
                    SOURCE,
                    key,
                    version,
                    "a release of the local stack",
                    f"known: {known} (config/localstack/<version>.yaml)" if known else "config/localstack has none",
                )


def parse_overrides(value: Any, source: str = SOURCE, key: str = "set") -> dict[str, str]:
    """`axis=value,axis=value` (or a mapping, from a config file) as a mapping, sorted by axis."""
    if value in (None, ""):
        return {}
    if isinstance(value, Mapping):
        pairs = [(str(axis), _axis_word(v)) for axis, v in value.items()]
    elif isinstance(value, str):
        pairs = []
        for part in (piece.strip() for piece in value.split(",")):
            axis, sign, choice = part.partition("=")
            if not sign or not axis.strip() or not choice.strip():
                raise bad_input(source, key, repr(part), "axis=value", "write set=axis=value,axis=value")
            pairs.append((axis.strip(), choice.strip()))
    else:
        raise bad_input(source, key, repr(value), "axis=value,...", "write set=axis=value,axis=value")
    result: dict[str, str] = {}
    for axis, choice in pairs:
        if result.get(axis, choice) != choice:
            raise bad_input(source, key, f"{axis} as {result[axis]} and as {choice}", "one value", "keep one of them")
        result[axis] = choice
    return dict(sorted(result.items()))


def _axis_word(value: Any) -> str:
    """YAML readers other than ours make off and on booleans."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _version(key: str, value: Any) -> str:
    if isinstance(value, float):
        raise bad_input(
            SOURCE,
            key,
            f"{value} (a two-part version is read as a number: 0.10 and 0.1 are then the same)",
            "a version has three parts, as in 0.6.9",
            f"write all three, {key}=X.Y.Z",
        )
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not is_version(text):
        bare = text.removeprefix("v")
        remedy = f"write {key}={bare}" if text != bare and is_version(bare) else f"write {key}=X.Y.Z"
        raise bad_input(SOURCE, key, repr(value), "a version of three parts, as in 0.6.9 or 0.6.9-rc.1", remedy)
    return text


def _flag(key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    if word in ("true", "yes", "on"):
        return True
    if word in ("false", "no", "off", "none", ""):
        return False
    raise bad_input(SOURCE, key, repr(value), "true or false", f"write {key}=true or {key}=false")


def _integer(least: int, *, none: bool) -> Callable[[str, Any], int | None]:
    def read(key: str, value: Any) -> int | None:
        if none and _is_none(value):
            return None
        if isinstance(value, str) and re.fullmatch(r"[0-9]+", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise bad_input(SOURCE, key, repr(value), f"a whole number of at least {least}", f"write {key}=NUMBER")
        return value

    return read


def _money(key: str, value: Any) -> float | None:
    if _is_none(value):
        return None
    try:
        number = float(value) if not isinstance(value, bool) else -1.0
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise bad_input(SOURCE, key, repr(value), "an amount in US dollars, 0 or more", f"write {key}=25 or {key}=7.50")
    return number


def _text(key: str, value: Any) -> str | None:
    return None if _is_none(value) else str(value)


def _word(key: str, value: Any) -> str | None:
    """A label that a number could not be: 1_0, 0.10 and 1e5 would have changed before we saw them."""
    if _is_none(value):
        return None
    if not isinstance(value, str) or not WORD.match(value):
        raise bad_input(
            SOURCE,
            key,
            repr(value),
            "a label that begins with a letter",
            f"write {key}=b-{value}, say; 40 characters at most",
        )
    return value


def _series(key: str, value: Any) -> str:
    if not isinstance(value, str) or not SERIES.match(value):
        raise bad_input(SOURCE, key, repr(value), "a short name in small letters", f"write {key}=b")
    return value


def _account(key: str, value: Any) -> str | None:
    """Twelve digits, or the label that stands for them in results. Snakemake reads digits as a number and loses leading
    zeros, which are known to be missing."""
    if _is_none(value):
        return None
    if isinstance(value, str) and redact.LABEL.fullmatch(value):
        return value
    text = f"{value:012d}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    if not re.fullmatch(r"[0-9]{12}", text):
        raise bad_input(SOURCE, key, repr(value), "an account number of twelve digits", f"write {key}=123456789012")
    return text


def _pairs(key: str, value: Any) -> str | None:
    """`Name=Value,...`, or a file's path; a mapping of a config file is spelt as the former."""
    if isinstance(value, Mapping):
        odd = [name for name, inner in value.items() if "," in str(inner) or inner is None or isinstance(inner, float)]
        if odd:
            remedy = "write the values into a YAML file of their own, and name that"
            raise bad_input(SOURCE, key, f"{odd[0]}: {value[odd[0]]!r}", "a value without commas", remedy)
        spelt = {name: str(v).lower() if isinstance(v, bool) else str(v) for name, v in value.items()}
        return ",".join(f"{name}={word}" for name, word in spelt.items())
    return None if _is_none(value) else str(value)


def _one_of(*choices: str) -> Callable[[str, Any], str]:
    def read(key: str, value: Any) -> str:
        word = _axis_word(value)
        if word not in choices:
            raise bad_input(SOURCE, key, repr(value), " or ".join(choices), nearest(word, choices))
        return word

    return read


def _name(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise bad_input(SOURCE, key, repr(value), "a name", f"write {key}=NAME")
    return value.strip()


def _names(key: str, value: Any) -> tuple[str, ...]:
    if _is_none(value):
        return ()
    parts = value if isinstance(value, list | tuple) else str(value).split(",")
    return tuple(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))


def _is_none(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, str) and value.lower() in ("none", "null"))


def _unknown(key: str, found: str, expected: str, known: Mapping[str, Any], word: str | None = None) -> Refusal:
    return bad_input(SOURCE, key, repr(found), expected, nearest(word or found, known))


def _near_key(key: str) -> str:
    """Snakemake's users abbreviate: `v` means version, though no spelling rule would say so."""
    begins = [name for name in READERS if key and name.startswith(key)]
    return f"did you mean {', '.join(begins)}?" if begins else nearest(key, READERS)


READERS: dict[str, Callable[[str, Any], Any]] = {
    "version": _version,
    "prev": _version,
    "suite": _name,
    "set": lambda key, value: parse_overrides(value, SOURCE, key),
    "backend": _one_of("local", "aws"),
    "account": _account,
    "build": _word,
    "series": _series,
    "reuse": _flag,
    "stack": _text,
    "region": _name,
    "aws_profile": _text,
    "template": _text,
    "build_command": _text,
    "stack_parameters": _pairs,
    "confirm": _flag,
    "teardown": _flag,
    "repeats": _integer(1, none=True),
    "max_inflight": _integer(1, none=False),
    "budget_usd": _money,
    "reference": _text,
    "no_reference": _flag,
    "testset": _name,
    "models": _names,
    "mode": _one_of("topk", "off"),
    "sample": _integer(1, none=True),
    "staged": _text,
}
