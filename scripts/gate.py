"""Step: print the verdict and end with its exit code, so that a pipeline stops where a release got worse."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import read_json
from idpbench.files.step import run_step
from idpbench.gate import render_text


def main() -> int:
    """Render the one verdict object as text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparison", type=Path, required=True, help="comparison.json")
    comparison = read_json(parser.parse_args().comparison, "comparison")
    print(render_text.render(comparison), end="", flush=True)
    return int(comparison["exit_code"])


if __name__ == "__main__":
    run_step(main)
