"""`idpbench gold run`: one model on one suite."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from idpbench.cli.goldcommands.common import positive, root_flag, staged_flag, whole

EPILOG = """\
A model `local/...` is an algorithm of this project and needs nothing. With --replies the recorded replies of an earlier
run are judged again. Every other model is asked over the network: the key comes from the environment variable that
config/gold.yaml names, and the command refuses on a build server.

The run lies in work/gold/runs/<run id>/ and writes nothing else. It can be stopped at any time and resumed: no call is
made twice. Publishing is a person's step, see docs/gold.md.

exit codes: 0 every member asked for, with its workbook at hand, was asked; 2 refused before the first call; 3 the cap
ended it early, or no call got a reply
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of a run; what is left out is as config/gold.yaml says, or on resuming as it was."""
    parser.add_argument("--suite", metavar="ID", help="the frozen suite (default: the current one)")
    parser.add_argument("--model", metavar="MAKER/NAME", help="local/heuristic-1, or a model as the provider names it")
    parser.add_argument("--max-calls", type=positive, metavar="N", help="most calls of the run, revisions included")
    parser.add_argument("--attempts", type=int, choices=(1, 2, 3), help="most attempts of a member (local: 1)")
    parser.add_argument("--pace-ms", type=whole, metavar="N", help="least time from one call's start to the next's")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--run-id", metavar="ID", help="name of the new run (default: the model and the time)")
    again.add_argument(
        "--resume", metavar="ID", help="go on with a run; suite, configuration and code must be the same"
    )
    parser.add_argument("--member", action="append", default=[], metavar="ID", help="only this one (can be repeated)")
    parser.add_argument(
        "--mode", choices=("contract", "blind"), help="whether output names are shown (default: contract)"
    )
    parser.add_argument(
        "--replies", type=Path, metavar="FILE", help="calls.jsonl of an earlier run, instead of a model"
    )
    staged_flag(parser)
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run to the end and say how it went; progress goes to standard error."""
    from idpbench.cli.goldcommands.spoken import ended
    from idpbench.files.errors import INCOMPLETE, Refusal
    from idpbench.gold.run.start import Asked, exit_code, start

    asked = Asked(
        suite=arguments.suite,
        model=arguments.model,
        max_calls=arguments.max_calls,
        attempts=arguments.attempts,
        pace_ms=arguments.pace_ms,
        run_id=arguments.run_id,
        resume=arguments.resume,
        members=tuple(arguments.member),
        mode=arguments.mode,
        replies=arguments.replies,
        staged=arguments.staged,
    )
    name = ""

    def tell(line: str) -> None:
        nonlocal name
        if line.startswith("run "):
            name = line.removeprefix("run ").partition(":")[0]
        print(line, file=sys.stderr, flush=True)

    try:
        result, folder = start(
            asked, arguments.root, environment=os.environ, argv=["idpbench", *sys.argv[1:]], tell=tell
        )  # fmt: skip
    except KeyboardInterrupt:
        how = f"go on with: idpbench gold run --resume {name}" if name else "nothing had been asked"
        raise Refusal(f"stopped; {how}", INCOMPLETE) from None
    print(ended(result, folder.result))
    return exit_code(result)
