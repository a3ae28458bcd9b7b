"""What is published or logged names no account, no ARN and no credential."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files import redact

NUMBER = "111122223333"
ARN = f"arn:aws:states:us-west-2:{NUMBER}:execution:IDP-Workflow:1b858391-a5d7"


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (f"User: arn:aws:iam::{NUMBER}:user/me is not authorized", "User: [redacted iam ARN] is not authorized"),
        (f'{{"arn": "{ARN}"}}', '{"arn": "[redacted states ARN]"}'),
        ("arn:aws-us-gov:s3:::bucket/key, and more", "[redacted s3 ARN], and more"),
        ("key AKIAIOSFODNN7EXAMPLE.", "key [redacted access key]."),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPx", "aws_secret_access_key = [redacted]"),
        ('"SessionToken": "IQoJb3JpZ2luX2VjEXAMPLE=="', '"SessionToken": "[redacted]"'),
        (
            "https://b/t.yaml?X-Amz-Credential=ASIAX%2F2026&X-Amz-Signature=fe5f80f77d5fa3be",
            "https://b/t.yaml?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]",
        ),
    ],
)
def test_what_is_never_shown(told: str, wanted: str) -> None:
    assert redact.text(told) == wanted
    assert redact.text(wanted) == wanted


@pytest.mark.parametrize(
    "told",
    [
        "Account Number: 123456789012",  # a bank's, on a document
        "run bench-core-tt-3f9a1c-20261130-172922 of 2026-11-30T17:29:22.764048+00:00",
        "https://s3.us-west-2.amazonaws.com/bucket/idp-main_0.6.9.yaml",
        "signature page, credential check",
    ],
)
def test_what_is_no_secret_stays(told: str) -> None:
    assert redact.text(told) == told


def test_an_account_becomes_a_label_that_stays_a_label() -> None:
    label = redact.account(NUMBER)
    assert redact.LABEL.fullmatch(label)
    assert redact.account(label) == label
    assert redact.account("444455556666") != label
    assert redact.text(f"bucket idp-{NUMBER}-us-west-2", {NUMBER}) == f"bucket idp-{label}-us-west-2"


def test_in_a_log_every_number_of_twelve_digits_is_an_account_and_credentials_are_known_by_value() -> None:
    told = f"account: found {NUMBER}, expected 444455556666; the token is hunter2hunter2"
    shown = redact.log(told, {"AWS_SESSION_TOKEN": "hunter2hunter2"})
    assert shown == (
        f"account: found {redact.account(NUMBER)}, expected {redact.account('444455556666')}; the token is [redacted]"
    )
    assert redact.log("1234567890123 123456789012.5 at 0.123456789012", {}) == (
        "1234567890123 123456789012.5 at 0.123456789012"
    )


@given(st.text(), st.text(), st.sampled_from([ARN, "AKIAIOSFODNN7EXAMPLE", f"arn:aws:iam::{NUMBER}:role/x"]))
def test_once_is_enough(before: str, after: str, secret: str) -> None:
    shown = redact.text(f"{before} {secret} {after}")
    assert secret not in shown
    assert redact.text(shown) == shown
    assert redact.log(redact.log(shown, {}), {}) == redact.log(shown, {})


LEAVES = st.none() | st.booleans() | st.integers() | st.text("abc:1 ")


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text("ab"), inner)))
def test_plain_json_without_secrets_is_left_as_it_is(value: object) -> None:
    assert redact.tree(value) == value
    assert redact.accounts_in(value) == set()


def test_keys_and_values_are_redacted_at_every_depth() -> None:
    value = {"metering": {f"Extraction/bedrock/{ARN}": {"requests": 1}}, "list": [[f"x {NUMBER}"]]}
    assert redact.accounts_in(value) == {NUMBER}
    told = json.dumps(redact.tree(value, redact.accounts_in(value)))
    assert NUMBER not in told and "arn:" not in told


def test_a_stream_redacts_across_the_pieces_it_is_written_in() -> None:
    screen = io.StringIO()
    stream = redact.Stream(screen)
    for piece in ("found arn:aws:ia", f"m::{NUMBER[:5]}", f"{NUMBER[5:]}:user/me\nno", "thing"):
        stream.write(piece)
    stream.flush()
    assert screen.getvalue() == "found [redacted iam ARN]\nnothing"


@pytest.mark.parametrize("ends", ["Refusal", "ValueError"])
def test_whatever_ends_a_step_its_log_is_redacted(ends: str, tmp_path: Path) -> None:
    program = (
        "from idpbench.files.errors import Refusal\nfrom idpbench.files.step import run_step\n"
        f"def main():\n    print('looking at {ARN}')\n    raise {ends}('no right to {ARN} of {NUMBER}')\n"
        "run_step(main)\n"
    )
    left = tmp_path / "exit_code"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"IDPBENCH_EXIT_CODE": str(left), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    shown = done.stdout + done.stderr + (left.read_text() if left.exists() else "")
    assert done.returncode == {"Refusal": 2, "ValueError": 1}[ends]
    assert "looking at [redacted states ARN]" in done.stdout
    assert "no right to [redacted states ARN]" in done.stderr
    assert NUMBER not in shown
