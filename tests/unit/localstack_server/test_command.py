"""`idpbench stack`, as a person types it."""

from __future__ import annotations

from pathlib import Path

import pytest
from stackclient import CONFIG, Client, wait_until

from idpbench.cli import main
from idpbench.files.errors import INCOMPLETE, OK, USAGE


def words(client: Client, *more: str) -> list[str]:
    return ["stack", *more, "--work", str(client.local.layout.work), "--config", str(CONFIG)]


def test_status_tells_address_stacks_and_totals(served: Client, capsys: pytest.CaptureFixture[str]) -> None:
    served.test_set("told")
    served.ended(served.run("told", context="idpbench:told repeat=0"))
    assert main(words(served, "status")) == OK
    told = capsys.readouterr().out
    assert served.url in told and "in flight" in told
    assert "IDP" in told and "us-west-2" in told and "0.6.9" in told
    assert "launched" in told and "COMPLETED" in told


def test_serving_what_is_served_says_where(served: Client, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(served, "serve")) == OK
    assert f"already served at {served.url}" in capsys.readouterr().out


def test_without_a_server_there_is_nothing_to_tell_or_stop(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stack", "status", "--work", str(work)]) == INCOMPLETE
    assert main(["stack", "stop", "--work", str(work)]) == OK
    assert capsys.readouterr().out.count("no server for") == 2


def test_a_folder_without_profiles_is_refused(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stack", "serve", "--work", str(work), "--config", str(work)]) == USAGE
    assert "expected the profiles of the local stack" in capsys.readouterr().err
    assert main(["stack", "serve", "--work", str(work), "--workers", "0"]) == USAGE


def test_a_start_that_fails_shows_the_end_of_the_log(work: Path) -> None:
    from idpbench.files.errors import Refusal
    from idpbench.localstack.process import LocalStack

    (work / "localstack").mkdir(parents=True)
    (work / "localstack" / "state.db").write_text("this is no database")
    with pytest.raises(Refusal, match=r"(?s)before it answered.*server\.log ends with.*not a database"):
        LocalStack(work, CONFIG).ensure()


def test_help_names_the_actions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["stack", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("serve", "status", "stop", "--work", "faults.json"))


def test_stopping_waits_for_runs_in_flight(served: Client, capsys: pytest.CaptureFixture[str]) -> None:
    served.configuration("slow", fake={"seconds": "1.5"})
    served.test_set("stopping")
    run = served.run("stopping", configVersion="slow")
    assert main(words(served, "stop", "--wait", "0.2")) == INCOMPLETE
    assert "1 runs in flight" in capsys.readouterr().err
    wait_until(lambda: served.local.status() is None)  # it has ended once the run had
    assert [status for key, status in served.local.log()["finished"] if key == f"{run}/a.pdf"] == ["COMPLETED"]
    assert served.local.ensure().url == served.url
