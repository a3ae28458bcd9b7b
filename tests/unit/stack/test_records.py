"""Records move without being changed, and nothing is rewritten that did not change."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from fakes import make_side, prepared

from idpbench.files.canonical import gzip_lines
from idpbench.files.errors import Refusal
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launcher import Options
from idpbench.stack.model import Side
from idpbench.stack.records import adopt_committed, joined, write_cells
from idpbench.stack.vault import Vault

OPTIONS = Options(interval=1.0, settle=1.0, workers=1)


def landed(folder: Path, side: Side) -> Vault:
    stack = prepared(side)
    vault = Vault(folder / "vault")
    journal = Journal(folder / "journal.jsonl", stack.clock().now)
    land(side, stack.target(), vault, journal, OPTIONS, files=lambda run: ("d.pdf",), clock=stack.clock())
    return vault


def committed(folder: Path, side: Side) -> Path:
    vault = landed(folder / "elsewhere", side)
    path = folder / "runs.jsonl.gz"
    path.write_bytes(joined(vault.get(key) for key in sorted(vault.keys())))
    return path


def test_committed_records_fill_the_vault(tmp_path: Path) -> None:
    side = make_side(3)
    vault = Vault(tmp_path / "vault")
    assert adopt_committed(side, committed(tmp_path, side), vault) == 3
    assert vault.keys() == side.keys
    assert adopt_committed(side, tmp_path / "runs.jsonl.gz", vault) == 0


def test_only_what_the_side_lacks_is_taken(tmp_path: Path) -> None:
    path = committed(tmp_path, make_side(3))
    vault = landed(tmp_path / "own", make_side(1))
    before = vault.read(make_side(1).runs[0].key)
    assert adopt_committed(make_side(2), path, vault) == 1
    assert vault.keys() == make_side(2).keys and vault.read(make_side(1).runs[0].key) == before


def test_no_committed_file_is_no_record(tmp_path: Path) -> None:
    assert adopt_committed(make_side(1), tmp_path / "none.gz", Vault(tmp_path / "vault")) == 0


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_truncated_file_is_refused_and_nothing_of_it_is_kept(tmp_path: Path, cut: int) -> None:
    path = committed(tmp_path, make_side(3))
    path.write_bytes(path.read_bytes()[:-cut])
    vault = Vault(tmp_path / "vault")
    with pytest.raises(Refusal, match="damaged file"):
        adopt_committed(make_side(3), path, vault)
    assert vault.keys() == set()


def test_an_edited_committed_record_is_refused(tmp_path: Path) -> None:
    path = committed(tmp_path, make_side(2))
    records = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    records[1]["identity"]["repeat"] = 7
    path.write_bytes(gzip_lines(records))
    with pytest.raises(Refusal, match="was edited"):
        adopt_committed(make_side(2), path, Vault(tmp_path / "vault"))


def test_a_cells_file_keeps_its_time_while_nothing_changes(tmp_path: Path) -> None:
    side = make_side(3)
    vault = landed(tmp_path, side)
    cells = write_cells(side, vault, tmp_path / "records")
    [cell] = cells.values()
    path = Path(cell["records"])
    before = path.stat().st_mtime_ns
    assert write_cells(side, vault, tmp_path / "records") == cells
    assert path.stat().st_mtime_ns == before
    keys = [json.loads(line)["key"] for line in path.read_bytes().splitlines()]
    assert keys == sorted(side.keys) == cell["keys"] and (cell["runs"], cell["completed"]) == (3, 3)


def test_the_window_proves_the_order(tmp_path: Path) -> None:
    vault = landed(tmp_path, make_side(3))
    [cell] = write_cells(make_side(3), vault, tmp_path / "records").values()
    window = cell["window"]
    assert window["first_launch"] <= window["last_launch"] < window["last_completion"]
    assert window["fingerprints"] == {'{"status":"UPDATE_COMPLETE","updated":null,"version":"0.6.9"}': 3}


def test_a_cell_that_is_gone_takes_its_file_along(tmp_path: Path) -> None:
    vault = landed(tmp_path, make_side(1))
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "old-cell.jsonl").write_text("{}\n")
    write_cells(make_side(1), vault, tmp_path / "records")
    assert [path.name for path in (tmp_path / "records").iterdir()] == ["core-a.jsonl"]


def test_what_did_not_land_is_not_claimed(tmp_path: Path) -> None:
    vault = landed(tmp_path, make_side(1))
    [cell] = write_cells(make_side(3), vault, tmp_path / "records").values()
    assert cell["runs"] == 3 and len(cell["keys"]) == 1


def test_the_same_records_are_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    vault = landed(tmp_path, make_side(3))
    records = [vault.get(key) for key in sorted(vault.keys())]
    assert joined(records) == joined(reversed(records))
