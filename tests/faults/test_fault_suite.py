"""The cheap half of the fault suite, and the table of the whole of it in the README."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from faultcases import CASES, Case
from faulttable import HEAD, README, committed, ground, result
from faultworld import Ground


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    made = ground(tmp_path_factory.mktemp("faults"))
    yield made
    made.stop()


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.cheap], ids=lambda case: case.name)
def test_a_fault_loses_nothing_pays_nothing_twice_and_invents_no_number(shared: Ground, case: Case) -> None:
    assert result(shared, case).troubles == []


def test_the_readme_has_a_row_for_every_fault_and_none_of_them_did_harm() -> None:
    rows = committed()
    assert [row[0] for row in rows] == [case.name for case in CASES], f"{README}: write the table anew"
    for row in rows:
        counted = dict(zip(HEAD, row, strict=True))
        assert int(counted["injected"]) > 0, row
        assert (counted["runs lost"], counted["launched twice"], counted["wrong numbers"]) == ("0", "0", "0"), row
        assert counted["what the user is told"], row
