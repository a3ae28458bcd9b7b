"""Nothing that a release publishes or logs names the account that it ran in."""

from __future__ import annotations

import gzip
import json
from typing import Any

from project import Project

from idpbench.files import redact
from idpbench.localstack.state import ACCOUNT


def texts(tree: dict[str, bytes]) -> dict[str, str]:
    """Every file as text, gzipped ones unpacked; pictures as their bytes."""
    unpacked = {name: gzip.decompress(data) if name.endswith(".gz") else data for name, data in tree.items()}
    return {name: data.decode("utf-8", "replace") for name, data in unpacked.items()}


def test_the_stack_did_name_its_account(smoke_module: Project) -> None:
    vault = "\n".join(texts(smoke_module.tree("work/vault")).values())
    assert f":{ACCOUNT}:" in vault, "else the tests below could not fail"


def test_no_published_file_names_the_account(smoke_module: Project) -> None:
    published = texts(smoke_module.tree("results"))
    assert len(published) > 20
    for name, text in published.items():
        assert ACCOUNT not in text, name
        assert "arn:aws" not in text, name


def test_published_sides_say_that_it_was_one_account_by_its_label(smoke_module: Project) -> None:
    published = smoke_module.tree("results/local/releases/other/0.6.9-0.6.8-smoke")
    metas: list[dict[str, Any]] = [json.loads(data) for name, data in published.items() if name.endswith("meta.json")]
    assert [meta["account"] for meta in metas] == [redact.account(ACCOUNT)] * 2


def test_no_log_names_the_account(smoke_module: Project) -> None:
    logs = texts(smoke_module.tree("work/logs")) | texts(smoke_module.tree(".snakemake/log"))
    assert len(logs) > 5
    for name, text in logs.items():
        assert ACCOUNT not in text and "arn:aws" not in text, name


def test_a_refused_account_is_not_repeated(project: Project) -> None:
    ended = project.snakemake(
        "-n", "suite", "--config", "backend=aws", "suite=smoke", "account=555566667777", "build=b1", "confirm=maybe"
    )
    assert ended.code == 2 and "confirm" in ended.text
    assert "555566667777" not in ended.text
    dry = project.snakemake(
        "-n", "suite", "-p", "--config", "backend=aws", "suite=smoke", "account=555566667777", "build=b1"
    )
    assert dry.code == 0, dry.text
    assert "555566667777" not in dry.text
