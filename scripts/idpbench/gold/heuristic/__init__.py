"""`local/heuristic-1`: an algorithm of our own that writes a recipe from the sheet and the task alone.

It is the embedded default, so that the benchmark runs offline. It never sees a reference, and comes out well below 1.
"""

from idpbench.gold.heuristic.write import write_recipe

__all__ = ["write_recipe"]
