"""Print what both sides of a comparison would launch, cost and take; launch nothing. Exit code 5 above the budget."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.stack.invocation import Invocation


def main() -> None:
    """Read the command's configuration, ask for both sides as target `release` does, print their projection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", required=True, help="the keys of `--config`, as a JSON object")
    command = Invocation(Path(), json.loads(parser.parse_args().config))
    for side in command.pair():
        command.side(side.address)
    print(command.projection())
    command.check_budget()


if __name__ == "__main__":
    run_step(main)
