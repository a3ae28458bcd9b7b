"""The failures a job can end in: each carries the phase it ended in and the text a stack would report."""

from __future__ import annotations


class JobError(Exception):
    """A job that ends FAILED. `str()` is `<Kind>: <message>`; what was metered before it stays metered."""

    def __init__(self, kind: str, message: str, phase: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.phase = phase


def invalid(message: str, phase: str = "") -> JobError:
    """A request or configuration that is refused as it stands; trying again cannot help."""
    return JobError("ValidationException", message, phase)
