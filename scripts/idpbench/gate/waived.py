"""Which gaps were accepted by name, and which waivers accepted nothing: both are told."""

from __future__ import annotations

from typing import Any

from idpbench.gate.options import GateSettings, Waiver


class Waived:
    """Waivers at work in one comparison. `date` is that of VERSION's last launch (ISO), None where it is not known."""

    def __init__(self, settings: GateSettings, date: str | None) -> None:
        self.settings, self.date = settings, date
        self.entries: list[dict[str, Any]] = []
        self._used: set[Waiver] = set()

    def accepts(self, key: str, metric: str | None) -> bool:
        """Is a gap at this key waived? Then it is noted with the reason and the last day."""
        waiver = self.settings.waiver(key, metric, self.date)
        if waiver is None:
            return False
        self._used.add(waiver)
        self.entries.append({"key": key, "metric": metric, "reason": waiver.reason, "until": waiver.until})
        return True

    def idle(self) -> list[dict[str, Any]]:
        """Waivers that accepted nothing, with why."""
        return [
            {"key": one.key, "metric": one.metric, "reason": one.reason, "until": one.until, "why": self._why(one)}
            for one in self.settings.waivers
            if one not in self._used
        ]

    def _why(self, waiver: Waiver) -> str:
        if waiver.holds(self.date):
            return "matches nothing that needs it"
        if self.date is None:
            return "not in force: the launch date of these runs is not known"
        return f"expired on {waiver.until}, and these runs were launched on {self.date[:10]}"
