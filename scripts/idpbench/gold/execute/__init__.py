"""Execution of a recipe on a workbook: selection, header look-up, rows, trace, warnings."""

from idpbench.gold.execute.production import Production
from idpbench.gold.execute.run import execute

__all__ = ["Production", "execute"]
