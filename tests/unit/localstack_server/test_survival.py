"""The server's life: killed at any moment, started by many at once, ended when nobody needs it."""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from stackclient import CONFIG, ENGINE, Client, local_stack, wait_until

from idpbench.files.locks import try_lock
from idpbench.localstack.process import LocalStack


def kill(stack: LocalStack) -> None:
    """kill -9, and wait until the kernel has freed what it held."""
    os.kill(stack.ensure().pid, signal.SIGKILL)
    wait_until(lambda: try_lock(stack.layout.lock, shared=True))


def test_a_killed_server_finishes_every_run_once(work: Path) -> None:
    stack = local_stack(work)
    client = Client(stack)
    client.deploy()
    client.configuration("slow", fake={"seconds": "0.1"}, marker="m")
    runs: list[str] = []
    for moment in (0.0, 0.3):
        for number in range(len(runs), len(runs) + 5):
            client.test_set(f"set{number}")
            runs.append(client.run(f"set{number}", configVersion="slow", context=f"idpbench:k{number} repeat=0"))
        time.sleep(moment)
        kill(stack)
        assert stack.ensure().url == client.url  # the same address, so that a client need not look again
    for run in runs:
        row = client.ended(run)
        assert row["ObjectStatus"] == "COMPLETED" and row["PageCount"] == 2
        assert client.output(f"{run}/a.pdf/sections/1/result.json")["inference_result"]["marker"] == "m"
        assert client.test_run(run)["CompletedFiles"] == 1
    log = stack.log()
    assert [one["context"] for one in log["invokes"]] == [f"idpbench:k{number} repeat=0" for number in range(10)]
    assert sorted(key for key, _ in log["finished"]) == sorted(f"{run}/a.pdf" for run in runs)
    assert stack.stop(wait_s=20)


def test_everything_is_as_it_was_after_a_kill(work: Path) -> None:
    stack = local_stack(work)
    client = Client(stack)
    client.deploy("0.6.8")
    client.update("0.6.9")
    bucket = client.names["WorkingBucket"]
    keys = ["plain.txt", "with space+plus", "x%2Fy", "a?b.pdf", "umlaut-ä/日本"]
    for key in keys:
        client.s3.put_object(Bucket=bucket, Key=key, Body=key.encode(), Metadata={"under_score": "1", "a-b": "2"})
    client.s3.put_object(Bucket=bucket, Key="gone", Body=b"x")
    client.s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "gone"}]})
    client.s3.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "plain.txt"})
    client.s3.upload_fileobj(io.BytesIO(b"part" * 2_500_000), bucket, "parts")  # a multipart upload
    client.s3.create_bucket(Bucket="another", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    table = client.table("TrackingTable")
    table.put_item(Item={"PK": "p", "SK": "s", "n": 1, "b": b"\x00\xff", "l": [{"m": None}], "set": {"a", "b"}})
    table.update_item(Key={"PK": "p", "SK": "s"}, UpdateExpression="ADD n :one", ExpressionAttributeValues={":one": 41})
    with table.batch_writer() as batch:
        for number in range(30):
            batch.put_item(Item={"PK": f"batch{number}", "SK": "s"})
    table.delete_item(Key={"PK": "batch7", "SK": "s"})

    def everything() -> object:
        rows = table.scan()["Items"]
        objects = [
            (key, got["Body"].read(), got["Metadata"], got["ETag"], got["LastModified"])
            for key in [*keys, "copy", "parts"]
            for got in [client.s3.get_object(Bucket=bucket, Key=key)]
        ]
        listed = [one["Key"] for one in client.s3.list_objects_v2(Bucket=bucket)["Contents"]]
        stacks = {k: v for k, v in client.stack().items() if k != "Outputs"}
        buckets = [(one["Name"], one["CreationDate"]) for one in client.s3.list_buckets()["Buckets"]]
        return sorted(rows, key=lambda row: (row["PK"], row["SK"])), objects, listed, stacks, sorted(buckets)

    before = everything()
    assert before[2] == sorted([*keys, "copy", "parts"])  # type: ignore[index]
    kill(stack)
    stack.ensure()
    assert everything() == before
    assert stack.stop(wait_s=20)


def test_what_was_acknowledged_is_there_whenever_the_kill_comes(work: Path) -> None:
    stack = local_stack(work)
    client = Client(stack)
    client.deploy()
    api, bucket, kept = client.api("s3", attempts=1), client.names["WorkingBucket"], []

    def killer(enough: int) -> None:
        wait_until(lambda: len(kept) >= enough)
        os.kill(stack.ensure().pid, signal.SIGKILL)

    thread = threading.Thread(target=killer, args=(25,))
    thread.start()
    with pytest.raises((BotoCoreError, ClientError)):  # what was asked last may be there or not: nobody was told
        while True:
            api.put_object(Bucket=bucket, Key=f"k{len(kept):04d}", Body=b"x" * 1000)
            kept.append(f"k{len(kept):04d}")
    thread.join()
    wait_until(lambda: try_lock(stack.layout.lock, shared=True))
    stack.ensure()
    listed = client.s3.list_objects_v2(Bucket=bucket)["Contents"]
    assert len(kept) >= 25 and set(kept) <= {one["Key"] for one in listed}
    assert stack.stop(wait_s=20)


def test_five_starters_at_once_leave_one_server_which_goes_with_its_folder(work: Path) -> None:
    words = f"LocalStack(Path({str(work)!r}), Path({str(CONFIG)!r}), engine={ENGINE!r}, lingers=True)"
    code = f"from pathlib import Path; from idpbench.localstack.process import LocalStack; print({words}.ensure())"
    starters = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(5)]
    answers = {starter.communicate(timeout=60)[0] for starter in starters}
    assert len(answers) == 1 and b"Endpoint(url=" in answers.pop()
    stack = local_stack(work)
    assert stack.layout.log.read_text().count("serving ") == 1
    address = urlsplit(stack.ensure().url)
    shutil.rmtree(stack.layout.folder)  # as a user does who removes work/

    def gone() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((address.hostname, address.port)) != 0

    wait_until(gone, seconds=10)


def test_it_ends_itself_when_idle_and_no_workflow_runs(work: Path) -> None:
    stack = local_stack(work, lingers=False)
    held = try_lock(stack.layout.workflow_lock)
    assert held is not None
    stack.ensure()
    time.sleep(4.0)
    assert try_lock(stack.layout.lock, shared=True) is None  # a workflow is running: it stays
    held.close()
    wait_until(lambda: try_lock(stack.layout.lock, shared=True), seconds=10)
    assert "no workflow is running" in stack.layout.log.read_text()


def test_a_server_of_another_build_finishes_its_runs_and_is_replaced(work: Path, tmp_path: Path) -> None:
    config = tmp_path / "config"
    shutil.copytree(CONFIG, config)
    old = LocalStack(work, config, engine=ENGINE, lingers=True)
    client = Client(old)
    client.deploy()
    client.configuration("slow", fake={"seconds": "0.7"})
    client.test_set("old")
    run = client.run("old", configVersion="slow")
    pid = old.ensure().pid
    with (config / "localstack" / "0.6.9.yaml").open("a") as profile:
        profile.write("\n# edited\n")
    assert old.ensure().pid != pid
    document = client.document(run)
    assert document is not None and document["ObjectStatus"] == "COMPLETED"
    assert [status for _, status in old.log()["finished"]] == ["COMPLETED"]
    assert old.stop(wait_s=20)
