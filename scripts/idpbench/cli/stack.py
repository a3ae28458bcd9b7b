"""`idpbench stack serve|status|stop`: the local stack, by hand."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path
from typing import Any

from idpbench.files.errors import INCOMPLETE, OK, Refusal
from idpbench.files.tables import terminal
from idpbench.localstack.process import LocalStack

_EPILOG = """
examples:
  idpbench stack serve                 serve here until Ctrl-C; point any AWS client at the address it prints
  idpbench stack serve --detach        the same in the background
  idpbench stack status                address, stacks and versions, runs in flight, what was launched so far
  idpbench stack stop                  wait for the runs in flight, then end the server

The workflow starts and ends its own server: none of this is needed for it. State lies in WORK/localstack; removing
that folder removes the stack. Faults (throttling, lost answers, ...) are switched on in WORK/localstack/faults.json.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument("action", choices=("serve", "status", "stop"), help="what to do with the local stack")
    parser.add_argument("--work", type=Path, default=Path("work"), help="work folder (default: work)")
    parser.add_argument("--config", type=Path, default=Path("config"), help="configuration folder (default: config)")
    parser.add_argument("--workers", type=int, default=2, help="documents read at a time (default: 2)")
    parser.add_argument("--detach", action="store_true", help="serve: return once the server answers")
    parser.add_argument("--wait", type=float, default=600.0, metavar="S", help="stop: seconds to wait (default: 600)")


def run(arguments: argparse.Namespace) -> int:
    """Serve, tell or stop."""
    if arguments.workers < 1:
        raise Refusal(f"--workers: found {arguments.workers}, expected 1 or more; each reads one document at a time")
    stack = LocalStack(arguments.work, arguments.config, workers=arguments.workers, lingers=True)
    if arguments.action == "status":
        return _status(stack)
    if arguments.action == "stop":
        return _stop(stack, arguments.wait)
    if arguments.detach:
        endpoint = stack.ensure()
        print(f"local stack at {endpoint.url}, pid {endpoint.pid}; end it with `idpbench stack stop`")
        return OK
    return _serve(stack)


def _serve(stack: LocalStack) -> int:
    stack.check()
    if (status := stack.status()) is not None:
        print(f"already served at {status['url']}, pid {status['pid']}")
        return OK
    print(f"state in {stack.layout.folder}; Ctrl-C ends the server", flush=True)
    words = stack.command()
    os.execve(words[0], words, stack.environment())


def _status(stack: LocalStack) -> int:
    status = stack.status()
    log = stack.log()
    if status is None:
        print(f"no server for {stack.layout.folder}")
    else:
        print(f"local stack at {status['url']}, pid {status['pid']}, {status['in_flight']} in flight")
        rows = [[one["name"], one["region"], one["version"], one["status"]] for one in status["stacks"]]
        print(terminal(["stack", "region", "version", "status"], rows) if rows else "no stack has been created yet")
    print(_totals(log))
    return OK if status is not None else INCOMPLETE


def _totals(log: dict[str, list[Any]]) -> str:
    started = [one for one in log["invokes"] if one["run_id"]]
    refused = sum(1 for one in log["invokes"] if one["error"])
    ended = Counter(status for _, status in log["finished"])
    words = ", ".join(f"{count} {status}" for status, count in sorted(ended.items())) or "none"
    contexts = len({one["context"] for one in started if one["context"]})
    return f"launched {len(started)} runs ({contexts} contexts, {refused} refused); documents ended: {words}"


def _stop(stack: LocalStack, wait_s: float) -> int:
    if stack.status() is None:
        print(f"no server for {stack.layout.folder}")
        return OK
    if stack.stop(wait_s=wait_s):
        print("stopped")
        return OK
    status = stack.status()
    left = "?" if status is None else status["in_flight"]
    raise Refusal(
        f"the server still has {left} runs in flight after {wait_s:.0f} s; it ends when they have", INCOMPLETE
    )
