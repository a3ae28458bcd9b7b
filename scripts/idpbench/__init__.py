"""idpbench: a benchmark and release gate for intelligent document processing.

The rooms below lie in the order in which data flows; each imports only from rooms before it:
files, settings, matrix, reading, corpus, pricing, stack, localstack, scoring, summary, gate, report, gold, claims, cli.
"""

__version__ = "0.1.0"

ROOMS = (
    "files",
    "settings",
    "matrix",
    "reading",
    "corpus",
    "pricing",
    "stack",
    "localstack",
    "scoring",
    "summary",
    "gate",
    "report",
    "gold",
    "claims",
    "cli",
)
