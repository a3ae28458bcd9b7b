"""`idpbench retry local/v0.6.9/corefast`: ask again for runs whose end says nothing of the release."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.errors import OK
from idpbench.stack.again import again, side_at
from idpbench.stack.contract import ABORTED, FAILED, NO_FINDING


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of this command."""
    parser.add_argument("side", help="the side's folder below work/: <backend>/v<version>/<grid>")
    parser.add_argument(
        "--status",
        action="append",
        choices=sorted({*NO_FINDING, ABORTED, FAILED}),
        help=f"only runs that ended so; may be repeated (default: {', '.join(sorted(NO_FINDING))})",
    )
    parser.add_argument(
        "--relaunch", action="store_true", help="launch anew also those that only passed our deadline (paid again)"
    )
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (this folder)")


def run(arguments: argparse.Namespace) -> int:
    """Set their records aside and say what the next command will do."""
    side = side_at(arguments.root, arguments.side)
    done = again(arguments.root, side, frozenset(arguments.status or NO_FINDING), arguments.relaunch)
    if done.looked_for:
        print(
            f"{len(done.looked_for)} runs that passed our deadline are looked for on the stack first: nothing is paid"
        )
        print("  again where the stack still has them; --relaunch gives them up instead")
    if done.launched:
        print(f"{len(done.launched)} runs are launched, and paid, again")
    print("run the same command again" if done.looked_for or done.launched else "no run of this side ended so")
    return OK
