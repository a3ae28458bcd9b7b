"""Whatever models say, a run follows its rules and its document is valid: checked by the rules written once more."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from gold_small import MEMBERS, SUITE, FakeClock, recipe, run_scripted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idpbench.gold.place import open_suite
from idpbench.gold.result.document import file_name, stored
from idpbench.gold.result.validate.document import read_result
from idpbench.gold.result.validate.rescore import rescore
from idpbench.gold.transport.base import TransportError

SAYINGS: dict[str, Callable[[str], str | TransportError]] = {
    "right": recipe,
    "other": lambda member: recipe(member, years="R1C2"),
    "empty": lambda member: recipe(member, values="R9C9"),
    "no JSON": lambda member: f"Sure! {recipe(member)}",
    "no recipe": lambda member: "[1]",
    "wrong sheet": lambda member: recipe(member, sheet="Elsewhere"),
    "no reply": lambda member: TransportError("HTTP_502", "down"),
}
TRY = st.lists(st.sampled_from(sorted(SAYINGS)), min_size=3, max_size=3)
numbers = itertools.count(1)


def expected(said: dict[str, list[str]], attempts: int, cap: int) -> tuple[list[tuple[str, int]], list[str]]:
    """Calls in their order and statuses by member, by the rules."""
    calls: list[tuple[str, int]] = []
    statuses = []
    for member in MEMBERS:
        status = "failed"
        for n in range(1, attempts + 1):
            if len(calls) == cap:
                status = "skipped" if n == 1 else status
                break
            calls.append((member, n))
            word = said[member][n - 1]
            if word == "no reply":
                status = "failed"
                break
            if word in ("right", "other"):
                status = "passed" if word == "right" else "partial"
                break
            if word == "empty":
                status = "partial"
        statuses.append(status)
    return calls, statuses


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(TRY, TRY, TRY, TRY), st.integers(1, 3), st.integers(1, 9), st.sampled_from([0, 700]))
def test_a_run_follows_the_rules_and_its_document_is_valid(
    root: Path, tries: tuple[list[str], ...], attempts: int, cap: int, pace: int
) -> None:
    said = dict(zip(MEMBERS, tries, strict=True))
    ran = run_scripted(
        root,
        lambda member, n: SAYINGS[said[member][n - 1]](member),
        FakeClock(),
        run_id=f"p{next(numbers)}",
        attempts=attempts,
        max_calls=cap,
        pace_ms=pace,
    )
    calls, statuses = expected(said, attempts, cap)
    assert ran.calls == calls
    assert [member.status for member in ran.result.members] == statuses
    gaps = [later - earlier for earlier, later in itertools.pairwise(ran.transport.starts)]
    assert all(gap.total_seconds() >= max(0.5, pace / 1000) - 1e-6 for gap in gaps)
    suite = open_suite(root, SUITE, root / "corpus/gold/staged")
    read, issues = read_result(stored(ran.result), file_name(ran.result), {SUITE: suite.manifest})
    assert issues == [] and read == ran.result and list(rescore(ran.result, suite)) == []
