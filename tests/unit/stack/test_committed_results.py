"""What is committed under results/ names no account and no ARN."""

from __future__ import annotations

import gzip
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[3] / "results"


def test_no_committed_file_names_an_account_or_an_arn() -> None:
    looked = 0
    for path in sorted(RESULTS.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            assert b"arn:aws" not in data, path
            assert b'"account": "1' not in data and b'"account":"1' not in data, path
            assert b"123456789012" not in data, path  # the account of the local stack
            looked += 1
    assert looked > 50, "nothing was looked at"
