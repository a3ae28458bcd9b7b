"""The flags of the landing step, as the workflow writes them and as the step reads them. Imports nothing heavy."""

from __future__ import annotations

import argparse

from idpbench.settings.options import Options


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that `flags_of` writes."""
    parser.add_argument("--max-inflight", type=int, default=20, help="runs that may be on their way at once")
    parser.add_argument("--budget", type=float, help="refuse to launch above this projected cost in dollars")
    parser.add_argument("--pair", default="", help="the comparison that the runs are made for")
    parser.add_argument("--base", action="store_true", help="this is the earlier side of the pair")
    parser.add_argument("--reuse", action="store_true", help="aws: accept runs that another comparison launched")
    parser.add_argument("--profile", help="aws: profile of the credentials")
    parser.add_argument("--template", help="aws: template of the release, {version} for its number")
    parser.add_argument("--build-command", help="aws: what builds the release and prints its template's address last")
    parser.add_argument("--stack-parameters", help="aws: Name=Value,... of the template, or a YAML file of them")
    parser.add_argument("--teardown", action="store_true", help="aws: delete the stack when VERSION has landed")
    parser.add_argument("--confirm", action="store_true", help="aws: the stack may be deployed and money spent")


def flags_of(options: Options, pair: str = "", base: bool = False) -> list[str]:
    """The step's flags for a command's options, one word each; quote them for a shell."""
    words = ["--max-inflight", str(options.max_inflight)]
    for flag, value in (
        ("--budget", options.budget_usd),
        ("--pair", pair or None),
        ("--profile", options.aws_profile),
        ("--template", options.template),
        ("--build-command", None if base else options.build_command),  # PREV is as it was published
        ("--stack-parameters", options.stack_parameters),
    ):
        words += [] if value is None else [flag, str(value)]
    for flag, given in (
        ("--base", base),
        ("--reuse", options.reuse),
        ("--confirm", options.confirm),
        ("--teardown", options.teardown),
    ):
        words += [flag] if given else []
    return words
