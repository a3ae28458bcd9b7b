"""What a run left on the stack, as it is: nothing guessed, nothing dropped, no key trusted."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from botocore.response import StreamingBody
from fakes import FakeStack, aws_error
from urllib3.response import HTTPResponse

from idpbench.stack import collect
from idpbench.stack.collect import NotNow, document

PLACES = ("tracking", "output")
PREFIX = "run-1/a.pdf"


def stack_with(objects: dict[str, bytes], sections: tuple[str, ...] = (), **row: Any) -> FakeStack:
    stack = FakeStack()
    stack.objects = {("output", f"{PREFIX}/{name}"): body for name, body in objects.items()}
    listed = [
        {"M": {"Id": {"S": n}, "OutputJSONUri": {"S": f"s3://output/{PREFIX}/sections/{n}/result.json"}}}
        for n in sections
    ]
    attributes = {"ObjectStatus": {"S": "COMPLETED"}, "Metering": {"S": "{}"}, "Sections": {"L": listed}, **row}
    stack.rows[f"doc#{PREFIX}", "none"] = attributes
    return stack


def section(text: str) -> bytes:
    return json.dumps({"inference_result": {"x": text}}).encode()


def test_sections_come_in_the_order_of_their_numbers() -> None:
    stack = stack_with({f"sections/{n}/result.json": section(str(n)) for n in (1, 10, 2)})
    found = document(stack, PLACES, "run-1", "a.pdf")
    assert [(entry["id"], entry["value"]["inference_result"]["x"]) for entry in found["sections"]] == [
        ("1", "1"),
        ("2", "2"),
        ("10", "10"),
    ]


def test_other_objects_are_not_taken_for_results() -> None:
    names = [
        "pages/1/image.jpg",
        "pages/1/rawText.json",
        "summary/result.json",
        "runs/x/manifest.json",
        "sections/x.json",
    ]
    found = document(stack_with(dict.fromkeys(names, b"{}")), PLACES, "run-1", "a.pdf")
    assert found["sections"] == [] and found["pages"] == []


def test_documents_whose_names_begin_alike_stay_apart() -> None:
    stack = stack_with({"sections/1/result.json": section("mine")})
    stack.objects["output", "run-1/a.pdf.bak/sections/1/result.json"] = section("other")
    stack.objects["output", "run-10/a.pdf/sections/1/result.json"] = section("other")
    [entry] = document(stack, PLACES, "run-1", "a.pdf")["sections"]
    assert entry["value"]["inference_result"]["x"] == "mine"


def test_a_key_that_climbs_is_text_and_no_path() -> None:
    stack = stack_with({"sections/../../../../tmp/evil/result.json": section("x")})
    [entry] = document(stack, PLACES, "run-1", "a.pdf")["sections"]
    assert entry["id"] == "../../../../tmp/evil" and entry["state"] == "present"


def test_a_section_that_the_row_names_is_waited_for_and_then_missed() -> None:
    stack = stack_with({"sections/1/result.json": section("1")}, sections=("1", "2", "3"))
    pauses = 0

    def pause() -> None:
        nonlocal pauses
        pauses += 1
        stack.objects["output", f"{PREFIX}/sections/2/result.json"] = section("late")

    found = document(stack, PLACES, "run-1", "a.pdf", pause=pause)
    assert [(entry["id"], entry["state"]) for entry in found["sections"]] == [
        ("1", "present"),
        ("2", "present"),
        ("3", "absent"),
    ]
    assert found["sections"][2]["value"] is None and "tracking row names it" in found["sections"][2]["reason"]
    assert pauses == 2


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (aws_error("NoSuchKey", 404), "absent"),
        (aws_error("NoSuchBucket", 404), "failed"),
        (aws_error("AccessDenied", 403), "failed"),
        (aws_error("KMS.KMSInvalidStateException", 400, "pending deletion"), "failed"),
        (aws_error("SlowDown", 503), "failed"),
    ],
)
def test_only_no_such_key_is_absent(error: Exception, state: str) -> None:
    stack = stack_with({"sections/1/result.json": b"{}"})

    def fail(**_: Any) -> Any:
        raise error

    stack.steps["s3.get_object"] = fail
    found = document(stack, PLACES, "run-1", "a.pdf")
    assert (found["sections"][0]["state"], found["evaluation"]["state"]) == (state, state)
    assert found["sections"][0]["value"] is None


def test_a_busy_service_is_asked_again_when_there_is_patience() -> None:
    stack = stack_with({})

    def busy(**_: Any) -> Any:
        raise aws_error("ThrottlingException")

    stack.steps["dynamodb.get_item"] = busy
    with pytest.raises(NotNow, match="tracking row: ThrottlingException"):
        document(stack, PLACES, "run-1", "a.pdf", patient=True)
    found = document(stack, PLACES, "run-1", "a.pdf")
    assert (found["tracking"]["state"], found["metering"]["state"]) == ("failed", "failed")


def test_a_listing_that_fails_says_so_for_all_that_hangs_on_it() -> None:
    stack = stack_with({"sections/1/result.json": b"{}"}, sections=("1",))

    def deny(**_: Any) -> Any:
        raise aws_error("AccessDenied", 403)

    stack.steps["s3.list_objects_v2"] = deny
    found = document(stack, PLACES, "run-1", "a.pdf")
    assert found["sections_listing"]["state"] == found["evaluation"]["state"] == "failed"
    assert found["sections"] == [] and found["tracking"]["state"] == "present"


def test_metering_is_kept_beside_the_row_and_not_in_it() -> None:
    found = document(stack_with({}, Metering={"S": '{"a/b": {"n": 1}}'}), PLACES, "run-1", "a.pdf")
    assert found["metering"]["value"] == {"a/b": {"n": 1}} and "Metering" not in found["tracking"]["row"]


class Stream(io.BytesIO):
    """A body that counts what was read of it."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


@pytest.mark.parametrize(("room", "state"), [(-1, "failed"), (0, "present")])
def test_an_object_larger_than_any_result_is_not_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch, room: int, state: str
) -> None:
    body = section("x" * 5000)
    monkeypatch.setattr(collect, "MOST_BYTES", len(body) + room)
    stream = Stream(body + b" " * 10**6 if room < 0 else body)
    stack = stack_with({"sections/1/result.json": body})
    stack.steps["s3.get_object"] = lambda Key, **_: {"Body": stream if "/sections/" in Key else Stream(b"{}")}  # noqa: N803
    [entry] = document(stack, PLACES, "run-1", "a.pdf")["sections"]
    assert entry["state"] == state
    assert stream.taken <= len(body)
    if state == "failed":
        assert entry["value"] is None and entry["reason"] == f"section 1 has more than {len(body) - 1:,} bytes"
        assert stream.closed, "the connection is given back"


def test_a_body_that_breaks_off_is_no_result() -> None:
    raw = HTTPResponse(io.BytesIO(section("x")[:-2]), preload_content=False)
    stack = stack_with({"sections/1/result.json": b"{}"})
    whole = len(section("x"))
    stack.steps["s3.get_object"] = lambda **_: {"Body": StreamingBody(raw, whole)}
    [entry] = document(stack, PLACES, "run-1", "a.pdf")["sections"]
    assert entry["state"] == "failed" and "IncompleteReadError" in entry["reason"]


def test_a_listing_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "MOST_PARTS", 3)
    stack = stack_with({f"sections/{n}/result.json": section(str(n)) for n in range(4)})
    found = document(stack, PLACES, "run-1", "a.pdf")
    assert (found["sections_listing"]["state"], found["sections"]) == ("failed", [])
    assert found["sections_listing"]["reason"] == "listing: more than 3 sections and pages"


@pytest.mark.parametrize("late", ["expired", "undecryptable"])
def test_what_is_collected_too_late_is_null_with_a_reason(late: str) -> None:
    stack = stack_with({"sections/1/result.json": section("1"), "pages/1/result.json": b'{"text": "t"}'}, ("1",))
    if late == "expired":  # rows and objects are removed after the days that the stack keeps them
        stack.rows.clear()
        stack.objects.clear()
    else:

        def pending(**_: Any) -> Any:
            raise aws_error("KMS.KMSInvalidStateException", 400, "the key is pending deletion")

        stack.steps["s3.get_object"] = pending
    found = document(stack, PLACES, "run-1", "a.pdf")
    parts = [found["evaluation"], *found["sections"]]
    if late == "expired":
        parts += [found["tracking"], found["metering"]]
    assert {part["state"] for part in parts} == {"absent" if late == "expired" else "failed"}
    for part in [*parts, *found["pages"]]:
        assert part.get("value", part.get("row", part.get("text"))) is None and part["reason"]


def test_a_page_without_text_is_not_an_empty_page() -> None:
    stack = stack_with({"pages/1/result.json": b'{"text": ""}', "pages/2/result.json": b'{"classification": "x"}'})
    assert [(page["state"], page["text"]) for page in document(stack, PLACES, "run-1", "a.pdf")["pages"]] == [
        ("present", ""),
        ("failed", None),
    ]


def test_a_run_without_a_trace_is_absent_in_every_part() -> None:
    found = document(FakeStack(), PLACES, "run-1", "a.pdf")
    assert {found[name]["state"] for name in ("tracking", "metering", "evaluation")} == {"absent"}
    assert found["sections_listing"]["state"] == "present" and found["sections"] == []
