from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from stackclient import HERE, Client, local_stack


@pytest.fixture(scope="session", autouse=True)
def _workers_find_the_fake_engine() -> Iterator[None]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(HERE)
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="session")
def served(_workers_find_the_fake_engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests that do not end theirs, with the stack IDP at 0.6.9."""
    stack = local_stack(tmp_path_factory.mktemp("work"))
    client = Client(stack)
    client.deploy()
    yield client
    stack.set_faults([])
    assert stack.stop(wait_s=20)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"
