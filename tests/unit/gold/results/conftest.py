"""A small suite and one run of it that ended in every way: passed, partial, failed, skipped."""

from __future__ import annotations

import pytest
from gold_case import Case, mixed
from gold_small import SUITE, make_repository, run_scripted

from idpbench.gold.place import open_suite


@pytest.fixture(scope="session")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The finished run; tests leave it as it is."""
    root = make_repository(tmp_path_factory.mktemp("results") / "repository")
    (root / "corpus/gold/staged/publisher_book.xlsx").unlink()
    return Case(root, open_suite(root, SUITE, None), run_scripted(root, mixed))
