"""Room `cli`: argument parsing only. `idpbench.cli:main` is the console command."""

from idpbench.cli.main import main

__all__ = ["main"]
