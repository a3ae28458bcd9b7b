"""The WSGI front: routes each request to moto (S3, DynamoDB) or to our own answers (CloudFormation, Lambda, admin).

Everything that touches the state runs under its one lock: moto itself loses concurrent updates. Bodies are read and
answers are sent outside of it.
"""

from __future__ import annotations

import io
import json
import os
import socket
import struct
import time
import traceback
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape

from moto.moto_server.werkzeug_app import create_backend_app

from idpbench.files.errors import Refusal
from idpbench.localstack import capture, reads
from idpbench.localstack.cloudformation import CloudFormation
from idpbench.localstack.faults import Faults, Rule
from idpbench.localstack.functions import Functions
from idpbench.localstack.pipeline import Pipeline
from idpbench.localstack.state import State

ADMIN = "/_idpbench/"
_REASONS = {200: "OK", 202: "Accepted", 204: "No Content", 400: "Bad Request", 404: "Not Found"}

# How each service says that it is asked too often.
_THROTTLED = {
    "s3": (503, "SlowDown"),
    "dynamodb": (400, "ThrottlingException"),
    "lambda": (429, "TooManyRequestsException"),
    "cloudformation": (400, "Throttling"),
}

Answer = tuple[str, list[tuple[str, str]], bytes]
StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class Front:
    """The application. `admin(method, name, body)` answers what is under `/_idpbench/`."""

    def __init__(
        self,
        state: State,
        stacks: CloudFormation,
        functions: Functions,
        pipeline: Pipeline,
        faults: Faults,
        admin: Callable[[str, str, bytes], Any],
    ) -> None:
        self.state = state
        self.stacks = stacks
        self.functions = functions
        self.pipeline = pipeline
        self.faults = faults
        self.admin = admin
        # moto's own dispatcher looks at its folder of services anew for each request: a third of what a request costs
        self.s3_app = create_backend_app("s3")
        self.dynamodb_app = create_backend_app("dynamodb")
        self.last_request = time.monotonic()
        self.open_requests = 0

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        self.open_requests += 1
        try:
            status, headers, body = self._answer(environ)
        finally:
            self.open_requests -= 1
            self.last_request = time.monotonic()
        start_response(status, headers)
        return [body]

    def _answer(self, environ: dict[str, Any]) -> Answer:
        body = _read_body(environ)
        path = str(environ.get("PATH_INFO", "/"))
        if path.startswith(ADMIN):
            return self._admin(environ, path, body)
        region, service = _scope(environ)
        try:
            return self._with_faults(environ, service, region, body)
        except ConnectionError:
            raise
        except Exception as error:
            traceback.print_exc()
            return _error_answer(service, 500, "InternalError", f"{type(error).__name__}: {error}")

    def _with_faults(self, environ: dict[str, Any], service: str, region: str, body: bytes) -> Answer:
        operation, text = _subject(environ, service, body)
        if rule := self.faults.find("slow", text, service=service, operation=operation):
            time.sleep(rule.seconds)
        for fault in ("throttle", "error"):
            if rule := self.faults.find(fault, text, service=service, operation=operation):
                return _fault_answer(fault, service, rule)
        reset = self.faults.find("reset", text, service=service, operation=operation)
        if reset is not None and reset.when == "before":
            return _reset(environ)
        answer = self._serve(environ, service, region, operation, body)
        return _reset(environ) if reset is not None else answer

    def _serve(self, environ: dict[str, Any], service: str, region: str, operation: str, body: bytes) -> Answer:
        if service == "lambda":
            query, path = str(environ.get("QUERY_STRING", "")), str(environ.get("PATH_INFO", "/"))
            status, headers, content = self.functions.answer(
                region, environ["REQUEST_METHOD"], path, query, environ, body
            )
            return _answer(status, content, headers)
        if service == "cloudformation":
            status, text = self.stacks.answer(region, body)
            return _answer(status, text.encode("utf-8"), {"Content-Type": "text/xml"})
        if service == "dynamodb":
            return self._dynamodb(environ, region, operation, body)
        if service == "s3":
            return self._s3(environ, body)
        message = f"the local stack does not offer {service}"
        return _answer(400, _json({"__type": "UnknownOperationException", "message": message}))

    def _dynamodb(self, environ: dict[str, Any], region: str, operation: str, body: bytes) -> Answer:
        if operation in capture.READS:
            with self.state.lock:
                text = reads.answer(self.state, region, operation, capture.parse_json(body))
                if text is not None:
                    return _answer(200, text.encode("utf-8"), {"Content-Type": "application/x-amz-json-1.0"})
                return _call(self.dynamodb_app, environ, body)
        if operation not in capture.WRITES:
            message = f"the local stack does not offer {operation}"
            return _answer(400, _json({"__type": "UnknownOperationException", "message": message}))
        with self.state.transaction():
            answer = _call(self.dynamodb_app, environ, body)
            if answer[0].startswith("2"):
                capture.keep_dynamodb(self.state, region, operation, capture.parse_json(body))
        return answer

    def _s3(self, environ: dict[str, Any], body: bytes) -> Answer:
        request = capture.s3_request(environ)
        if request.method in ("GET", "HEAD"):
            named = f"{request.bucket}/{request.key}"
            if request.method == "GET" and request.key and self.faults.find("undecryptable", named):
                message = "The ciphertext refers to a customer master key that is pending deletion."
                return _s3_error(400, "KMS.KMSInvalidStateException", message)
            with self.state.lock:
                whole = reads.object_answer(self.state, request, environ)
            if whole is not None:
                return _answer(200, whole[1], whole[0])
            prefix = "" if request.key else request.value("prefix")
            with self.state.lock, self.state.narrowed(request.bucket, prefix):
                return _call(self.s3_app, environ, body)
        with self.state.transaction():
            answer = _call(self.s3_app, environ, body)
            if answer[0].startswith("2"):
                for bucket, key in capture.keep_s3(self.state, request, body):
                    if request.method != "DELETE":
                        self.pipeline.object_created(bucket, key)
        return answer

    def _admin(self, environ: Mapping[str, Any], path: str, body: bytes) -> Answer:
        try:
            return _answer(200, _json(self.admin(environ["REQUEST_METHOD"], path.removeprefix(ADMIN), body)))
        except KeyError as error:
            return _answer(404, _json({"error": f"no such page: {error}"}))
        except Refusal as refusal:
            return _answer(400, _json({"error": str(refusal)}))


def _read_body(environ: dict[str, Any]) -> bytes:
    stream = environ["wsgi.input"]
    if environ.get("wsgi.input_terminated"):  # chunked: werkzeug ends the stream
        return bytes(stream.read())
    return bytes(stream.read(int(environ.get("CONTENT_LENGTH") or 0)))


def _scope(environ: Mapping[str, Any]) -> tuple[str, str]:
    """(region, service) of the request's signature; unsigned requests, presigned ones too, are S3's."""
    authorization = str(environ.get("HTTP_AUTHORIZATION", ""))
    _, _, credential = authorization.partition("Credential=")
    parts = credential.partition(",")[0].strip().split("/")
    if len(parts) == 5:
        return parts[2], parts[3].lower()
    return "us-east-1", "s3"


def _subject(environ: Mapping[str, Any], service: str, body: bytes) -> tuple[str, str]:
    """(operation, text) that fault rules look at."""
    path = str(environ.get("RAW_URI") or environ.get("PATH_INFO", "/"))
    if service == "dynamodb":
        return capture.dynamodb_operation(environ), body.decode("utf-8", "replace")
    if service == "lambda":
        return (
            "Invoke" if path.endswith("/invocations") else "ListFunctions"
        ), f"{path} {body.decode('utf-8', 'replace')}"
    if service == "cloudformation":
        text = body.decode("utf-8", "replace")
        return text.partition("Action=")[2].partition("&")[0], text
    return capture.s3_request(environ).operation, path


def _call(app: Any, environ: dict[str, Any], body: bytes) -> Answer:
    """Run a WSGI application to its end."""
    environ["wsgi.input"] = io.BytesIO(body)
    environ["wsgi.input_terminated"] = True
    started: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
        started[:] = [status, headers]

    result = app(environ, start)
    try:
        content = b"".join(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    return started[0], started[1], content


def _answer(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Answer:
    named = {"content-type": "application/json", **{name.lower(): value for name, value in (headers or {}).items()}}
    named |= {"content-length": str(len(body)), "x-amzn-requestid": str(uuid.uuid4())}
    return f"{status} {_REASONS.get(status, 'Error')}", list(named.items()), body


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8")


def _s3_error(status: int, code: str, message: str) -> Answer:
    text = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{escape(message)}</Message></Error>"
    return _answer(status, text.encode("utf-8"), {"Content-Type": "application/xml"})


def _fault_answer(fault: str, service: str, rule: Rule) -> Answer:
    """The service's own spelling of a throttled or failed request."""
    if fault == "error":
        return _error_answer(service, rule.status, "InternalError", "an internal error (switched on in faults.json)")
    status, code = _THROTTLED.get(service, (400, "ThrottlingException"))
    return _error_answer(service, status, code, "Rate exceeded (switched on in faults.json)")


def _error_answer(service: str, status: int, code: str, message: str) -> Answer:
    """An error in the protocol of a service."""
    if service == "s3":
        return _s3_error(status, code, message)
    if service == "dynamodb":
        return _answer(status, _json({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": message}))
    if service == "lambda":
        kind = "User" if status < 500 else "Service"
        return _answer(status, _json({"Message": message, "Type": kind}), {"x-amzn-ErrorType": code})
    text = f"<ErrorResponse><Error><Code>{code}</Code><Message>{escape(message)}</Message></Error></ErrorResponse>"
    return _answer(status, text.encode("utf-8"), {"Content-Type": "text/xml"})


def _reset(environ: Mapping[str, Any]) -> Answer:
    """Close the connection so that the peer sees it reset; what is returned then reaches nobody."""
    connection: socket.socket = environ["werkzeug.socket"]
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(connection.detach())  # a plain close would wait for the handler's own files on the socket
    raise ConnectionResetError("closed on purpose (faults.json)")
