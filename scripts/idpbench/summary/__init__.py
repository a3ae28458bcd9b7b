"""Room `summary`: rows become the statistics of their cells and the files of a side."""

from idpbench.summary.summarize import summarize

__all__ = ["summarize"]
