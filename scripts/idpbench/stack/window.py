"""How many runs may be in flight: halved where the stack says that it is asked too much, grown while it is quiet."""

from __future__ import annotations


class Window:
    """Additive increase, multiplicative decrease (Chiu and Jain 1989) between 1 and `most`.

    One halving per cycle at most, however many answers of it were throttled: they are one event.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = most
        self.smallest = most
        self._heard = False

    def room(self, in_flight: int) -> int:
        """How many runs may be launched now; never negative."""
        return max(0, self.size - in_flight)

    def throttled(self) -> None:
        """Something of this cycle was turned away for being asked too often."""
        if not self._heard:
            self.size = max(1, self.size // 2)
            self.smallest = min(self.smallest, self.size)
        self._heard = True

    def cycle(self) -> None:
        """The cycle is over: one more run may be in flight where it was quiet."""
        if not self._heard:
            self.size = min(self.most, self.size + 1)
        self._heard = False
