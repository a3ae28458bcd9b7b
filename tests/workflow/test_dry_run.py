"""A dry run tells what a command would launch and cost, and talks to nobody."""

from __future__ import annotations

import re
import subprocess
import sys

from project import SMOKE, Project

LISTENING = """
import sys
def hook(event, arguments):
    if event == "socket.connect":
        print("CONNECTED", arguments[1], flush=True)
sys.addaudithook(hook)
from snakemake.cli import main
main(sys.argv[1:])
"""


def test_it_lists_every_stale_cell_with_runs_cost_and_time_and_opens_no_connection(project: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTENING, "-n", *SMOKE],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert "CONNECTED" not in text
    for side in ("local/v0.6.8/smoke", "local/v0.6.9/smoke"):
        after = text.split(side)[-1]
        for cell in ("core-tt-simple-sep", "core-tt-adv-sep"):
            assert re.search(rf"{cell} +2 +\$\d+\.\d\d +\$\d+\.\d\d +\$\d+\.\d\d", after), text
    assert re.search(r"total: 8 runs to launch, \$\d+\.\d\d expected \(.*\), about ", text)
    assert not (project.folder / "work").exists(), "a dry run wrote something"
    assert not project.invokes()
