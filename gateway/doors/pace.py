"""How long questions take, alone and beside others, and so whether one more may wait for a place."""

from collections import deque
from statistics import fmean, median
from typing import NamedTuple

LATELY = 15
"""How many of the newest questions a time is taken from."""
CLIP = 4.0
"""A question that took more than so many times the usual time counts as so many."""


class Begun(NamedTuple):
    """A question that got its place: when, as which one, and whether nobody else was inside."""

    at: float
    number: int
    alone: bool


class Usual:
    """The seconds that the newest questions usually took, and how far they are from it.

    The middle one, not the mean: some that take very long say nothing of how long the others take. Both are
    worked out when somebody asks, which nobody does while there are places for all.
    """

    def __init__(self) -> None:
        self._newest: deque[float] = deque(maxlen=LATELY)
        self._known: tuple[float, float] | None = (0.0, 0.0)

    def add(self, seconds: float) -> None:
        """Take one more in; the oldest one goes."""
        self._newest.append(seconds)
        self._known = None

    @property
    def seconds(self) -> float:
        """How long a question usually takes; 0 before the first."""
        return self._worked_out()[0]

    @property
    def spread(self) -> float:
        """How far questions usually are from that."""
        return self._worked_out()[1]

    def _worked_out(self) -> tuple[float, float]:
        if self._known is None:
            usual = median(self._newest)
            far = CLIP * usual
            self._known = usual, fmean([abs(min(each, far) - usual) for each in self._newest])
        return self._known


class Pace:
    """Follows the seconds that questions take with a place, and foretells how long one would wait for one.

    `stretch` is how many times as long as alone one may take, its wait included; 0 is no bound.
    """

    def __init__(self, stretch: float = 0.0) -> None:
        self._stretch = stretch
        self._begun = 0
        self._running: dict[int, float] = {}
        self._alone = Usual()
        self._taken = Usual()

    def begin(self, now: float, inside: int) -> Begun:
        """Note that a question got its place, when so many are inside with it."""
        self._begun += 1
        self._running[self._begun] = now
        return Begun(now, self._begun, inside == 1)

    def end(self, begun: Begun, now: float, *, ran: bool = True) -> None:
        """Note that it gave the place back; one whose query never ran says nothing of how long one takes."""
        del self._running[begun.number]
        if not ran:
            return
        spent = max(now - begun.at, 0.0)
        self._taken.add(spent)
        if begun.alone and begun.number == self._begun:
            self._alone.add(spent)

    def allows(self, ahead: int, now: float) -> bool:
        """Say whether one may wait behind so many; yes until it is known how long one takes alone."""
        if not self._stretch or not self._alone.seconds:
            return True
        return self._wait(ahead, now) + self._taken.seconds <= self._stretch * self._alone.seconds

    def _wait(self, ahead: int, now: float) -> float:
        """Return how long until the place after so many comes free; what is overdue may end any time."""
        soonest = now + self._taken.spread
        ends = sorted(max(at + self._taken.seconds, soonest) for at in self._running.values())
        if not ends:
            return 0.0
        rounds, place = divmod(ahead, len(ends))
        return ends[place] - now + rounds * self._taken.seconds
