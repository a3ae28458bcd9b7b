"""How a workflow step ends: a Refusal becomes its message and its exit code, also for the workflow around it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from idpbench.files import redact
from idpbench.files.atomic import write_text
from idpbench.files.errors import Refusal, no_space


def run_step(main: Callable[[], int | None]) -> None:
    """Run a step's main function and exit with its code. What it prints is redacted: it ends up in a log.

    Snakemake turns every failed job into exit code 1; the code meant, and the message under it, are left in the file
    that the environment variable IDPBENCH_EXIT_CODE names, where the workflow's `onerror` finds them.
    """
    told = ""
    sys.stdout, sys.stderr = redact.Stream(sys.stdout), redact.Stream(sys.stderr)
    try:
        code = main() or 0
    except (Refusal, OSError) as error:
        refusal = error if isinstance(error, Refusal) else no_space(error)
        if refusal is None:
            raise
        told = redact.log(f"{Path(sys.argv[0]).stem}: {refusal}")
        print(told, file=sys.stderr)
        code = refusal.exit_code
    if code and (place := os.environ.get("IDPBENCH_EXIT_CODE")):
        with contextlib.suppress(OSError):  # on a full disk not even that can be left behind
            write_text(place, f"{code}\n{told}\n")
    sys.exit(code)
