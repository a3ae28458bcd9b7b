"""What a result says of the run as a whole, against what its members add up to and what the suite says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from idpbench.gold.issues import Issue
from idpbench.gold.metrics import as_number, composite
from idpbench.gold.result.document import as_numbers, by_status, by_tag, member_score, published, totals
from idpbench.gold.result.schema import Result
from idpbench.gold.result.validate.found import differs, unless
from idpbench.gold.run.clock import read_stamp
from idpbench.gold.run.plan import COMPONENTS, PIPELINE_VERSION, RUNNER
from idpbench.gold.run.template import KNOWN
from idpbench.gold.suite.manifest import Manifest
from idpbench.gold.transport.local import PREFIX


def check_sums(result: Result, manifest: Manifest) -> Iterator[Issue]:
    """Averages, composite, counts by status and tag, calls, tokens, money."""
    averages = published(member_score(member) for member in result.members)
    for name, value in as_numbers(averages).items():
        yield from differs(f"$.metrics.{name}", "AVERAGE", getattr(result.metrics, name), value)
    yield from differs("$.composite", "COMPOSITE", result.composite, as_number(composite(averages)))
    yield from differs("$.by_status", "SUM", result.by_status, by_status(result.members))
    yield from differs("$.by_tag", "SUM", result.by_tag, by_tag(result.members, manifest))
    right = totals(result.members)
    for name in ("calls", "attempts", "usage"):
        yield from differs(f"$.totals.{name}", "SUM", getattr(result.totals, name), getattr(right, name))
    for name in ("total", "complete"):
        yield from differs(
            f"$.totals.cost.{name}", "COST", getattr(result.totals.cost, name), getattr(right.cost, name)
        )
    cap = result.limits.call_cap
    yield from unless(right.calls <= cap, "$.limits.call_cap", "CALL_CAP", f"{right.calls} calls, {cap} were allowed")
    for index, member in enumerate(result.members):
        if member.skip is not None and member.skip.code == "call_cap_reached":
            yield from unless(
                right.calls == cap, f"$.members[{index}].skip.code", "CALL_CAP", f"{right.calls} of {cap} calls made"
            )


def check_frame(result: Result, manifest: Manifest) -> Iterator[Issue]:
    """Versions, transport, times: what holds for every document."""
    contracts = manifest.contracts.model_dump()
    for name, value in contracts.items():
        yield from differs(f"$.contracts.{name}", "CONTRACT", getattr(result.contracts, name), value)
    yield from differs("$.composite_version", "CONTRACT", result.composite_version, contracts["composite"])
    yield from differs("$.prompt.context_version", "CONTRACT", result.prompt.context_version, contracts["context"])
    version = result.prompt.version
    yield from unless(version in KNOWN, "$.prompt.version", "VERSION", f"no prompt {version} is known")
    template = result.prompt.template_sha256
    yield from differs("$.prompt.template_sha256", "VERSION", template, KNOWN.get(version, template))
    yield from differs("$.pipeline_version", "VERSION", result.pipeline_version, PIPELINE_VERSION)
    yield from differs("$.runner.name", "VERSION", result.runner.name, RUNNER)
    components = [(part.name, part.version) for part in result.runner.deterministic_components]
    known = [(name, version) for name, (version, _) in COMPONENTS.items()]
    yield from differs("$.runner.deterministic_components", "VERSION", components, known)
    yield from _transport(result)
    yield from _times(result)
    ids = result.model.returned_ids
    yield from differs("$.model.returned_ids", "ORDER", ids, sorted(set(ids)))


def _transport(result: Result) -> Iterator[Issue]:
    transport = result.runner.transport
    over_network = transport.kind == "openrouter"
    yield from unless(
        (transport.base is not None) == over_network, "$.runner.transport.base", "TRANSPORT", "an API has an address"
    )
    yield from unless(
        (transport.replies_sha256 is not None) == (transport.kind == "replay"),
        "$.runner.transport.replies_sha256",
        "TRANSPORT",
        "a replay, and nothing else, names what it replays",
    )
    for name, value in result.request.model_dump().items():
        yield from unless(
            over_network or value is None, f"$.request.{name}", "TRANSPORT", f"{transport.kind} sends no such field"
        )
    yield from unless(
        (transport.kind == "local") == result.model.requested_id.startswith(PREFIX),
        "$.runner.transport.kind",
        "TRANSPORT",
        f"model {result.model.requested_id} by transport {transport.kind}",
    )


def _times(result: Result) -> Iterator[Issue]:
    moments: dict[str, datetime] = {}
    for name in ("started_at", "finished_at"):
        try:
            moments[name] = read_stamp(getattr(result.time, name))
        except ValueError as error:
            yield Issue("TIME", f"$.time.{name}", str(error))
    if len(moments) == 2:
        yield from unless(
            moments["started_at"] <= moments["finished_at"], "$.time.finished_at", "TIME", "it ended before it began"
        )
