"""The two ways of scoring: ours, and one that follows the published reference implementation to the letter."""

from __future__ import annotations

from typing import Literal

Mode = Literal["default", "reference"]
MODES: tuple[Mode, ...] = ("default", "reference")
