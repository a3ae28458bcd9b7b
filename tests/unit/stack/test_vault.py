"""The vault keeps what was paid for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idpbench.files.errors import Refusal
from idpbench.matrix.runkey import run_key
from idpbench.stack.vault import Vault


def record(number: int, **more: Any) -> dict[str, Any]:
    identity = {"n": number}
    return {"schema": "idpbench/record/1", "key": run_key(identity), "identity": identity, **more}


def test_what_is_put_is_got(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1, status="FAILED"))
    assert vault.keys() == {record(1)["key"]}
    assert vault.get(record(1)["key"])["status"] == "FAILED"
    assert vault.holds(record(1)["key"]) and not vault.holds(record(2)["key"])


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert Vault(tmp_path / "none").keys() == set()


def test_the_same_record_again_changes_nothing(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1))
    before = vault.path(record(1)["key"]).stat().st_mtime_ns
    vault.put(record(1))
    assert vault.path(record(1)["key"]).stat().st_mtime_ns == before


def test_another_record_of_the_same_run_is_refused_and_the_first_stays(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1, status="COMPLETED"))
    with pytest.raises(Refusal, match="never replaced"):
        vault.put(record(1, status="FAILED"))
    assert vault.get(record(1)["key"])["status"] == "COMPLETED"


def test_half_a_write_is_not_a_record(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1))
    path = vault.path(record(1)["key"])
    (path.parent / f".{path.name}.x7f3.part").write_bytes(b'{"schema"')
    assert vault.keys() == {record(1)["key"]}


def test_an_edited_record_is_refused_by_name(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1))
    path = vault.path(record(1)["key"])
    path.write_bytes(path.read_bytes().replace(b'"n":1', b'"n":2'))
    with pytest.raises(Refusal, match=f"{path.name}.*was edited"):
        vault.get(record(1)["key"])


def test_a_record_under_another_key_is_refused(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.put(record(1))
    other = vault.path(record(2)["key"])
    other.parent.mkdir(exist_ok=True)
    vault.path(record(1)["key"]).rename(other)
    with pytest.raises(Refusal, match="where it belongs"):
        vault.get(record(2)["key"])


@pytest.mark.parametrize("key", ["../../etc/passwd", "", "A" * 40, "0" * 39])
def test_only_a_run_key_names_a_file(tmp_path: Path, key: str) -> None:
    with pytest.raises(Refusal, match="40 hex digits"):
        Vault(tmp_path).path(key)
