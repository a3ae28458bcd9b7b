"""One grid for the session, so that each document is made and read once."""

from __future__ import annotations

import pytest
from inprocess import Grid

from idpbench.localstack.engine import Cache


@pytest.fixture(scope="session")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Grid:
    """Documents in one folder of the session, what OCR read of them in another."""
    return Grid(tmp_path_factory.mktemp("docs"), Cache(tmp_path_factory.mktemp("ocr")))
