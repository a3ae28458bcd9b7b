"""Room `scoring`: a run record and its truth become rows. Reads nothing, imports nothing heavy."""

from idpbench.scoring.row import score_record

__all__ = ["score_record"]
