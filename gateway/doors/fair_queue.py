"""Who is let in next: so many at once, the others wait, and nobody's crowd keeps somebody else out."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from gateway.doors.pace import Pace
from gateway.errors import Busy
from metric_layer.issues import Issue

K = TypeVar("K", bound=Hashable)


class Seat(NamedTuple):
    """For whom a place is taken. Tenants share the places evenly, and so do the users of a tenant."""

    tenant: str
    user: str


NOBODY = Seat("", "")


@dataclass(frozen=True, slots=True)
class Places:
    """How many may be inside and wait, and for how many seconds; 0 for a tenant or a user is no limit.

    With a `stretch`, nobody waits who would take more than so many times as long as alone.
    """

    inside: int
    waiting: int
    seconds: float = 10.0
    tenant: int = 0
    user: int = 0
    stretch: float = 0.0


class FairQueue:
    """Lets in whose tenant has the fewest inside, in turns where they have as many; among its users likewise.

    When the queue is full, the newest of whoever holds most places gives way to somebody who holds at least
    two fewer, and hears `busy`. Who holds so few waits also where nobody else may, because it would take too
    long. For one event loop.
    """

    def __init__(self, places: Places, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._clock = clock
        self._lines: dict[Seat, deque[asyncio.Future[None]]] = {}
        self._arrived: dict[asyncio.Future[None], int] = {}
        self._arrivals = 0
        self._called: set[asyncio.Future[None]] = set()
        self._inside: Counter[Seat] = Counter()
        self._of_tenant: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._tenants: _Turns[str] = _Turns()
        self._users: dict[str, _Turns[str]] = {}
        self.pace = Pace(places.stretch)

    @property
    def inside(self) -> int:
        """How many are inside."""
        return self._inside.total()

    @property
    def called(self) -> int:
        """How many of those inside were let in and have not come yet."""
        return len(self._called)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._arrived)

    async def enter(self, seat: Seat) -> None:
        """Wait for a place; whoever gets one gives it back with `leave`. Raises Busy."""
        if self._admits(seat):
            self._take(seat)
            return
        waiter = self._wait(seat)
        try:
            async with asyncio.timeout(self._places.seconds):
                await waiter
        except TimeoutError:
            self._give_up(seat, waiter)
            raise Busy((_TOO_LONG,)) from None
        except BaseException:
            self._give_up(seat, waiter)
            raise
        self._called.discard(waiter)

    def refuses(self, seat: Seat) -> bool:
        """Say whether `enter` would raise Busy at once."""
        return not self._admits(seat) and not self._may_wait(seat) and self._gives_way(seat) is None

    def leave(self, seat: Seat) -> None:
        """Give a place back, and let in whoever is next and has not left."""
        _less(self._inside, seat)
        _less(self._of_tenant, seat.tenant)
        self._release(seat)
        while (found := self._next()) is not None:
            waiter = self._lines[found][0]
            self._drop(found, waiter)
            if waiter.done():
                continue
            self._take(found)
            self._called.add(waiter)
            waiter.set_result(None)

    def close(self) -> None:
        """Refuse everybody who waits. On the thread of the loop."""
        for waiter in self._arrived:
            _refuse(waiter)

    def _admits(self, seat: Seat) -> bool:
        places = self._places
        return (
            self.inside < places.inside
            and (not places.tenant or self._of_tenant[seat.tenant] < places.tenant)
            and (not places.user or self._inside[seat] < places.user)
        )

    def _take(self, seat: Seat) -> None:
        self._inside[seat] += 1
        self._of_tenant[seat.tenant] += 1
        self._held[seat.tenant] += 1
        self._tenants.take(seat.tenant)
        self._users.setdefault(seat.tenant, _Turns()).take(seat.user)

    def _wait(self, seat: Seat) -> "asyncio.Future[None]":
        if not self._may_wait(seat):
            crowded = self._gives_way(seat)
            if crowded is None:
                raise Busy((FULL,))
            newest = self._lines[crowded][-1]
            self._drop(crowded, newest)
            _refuse(newest)
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(seat, deque()).append(waiter)
        self._arrivals += 1
        self._arrived[waiter] = self._arrivals
        self._held[seat.tenant] += 1
        return waiter

    def _may_wait(self, seat: Seat) -> bool:
        if self.waiting >= self._places.waiting:
            return False
        return self.pace.allows(self.waiting, self._clock()) or self._holds_few(seat)

    def _holds_few(self, seat: Seat) -> bool:
        """Say whether a tenant, or a user of the same one, holds at least two places more."""
        return any(self._more(other, seat) >= 2 for other in (*self._inside, *self._lines))

    def _gives_way(self, seat: Seat) -> Seat | None:
        """Return whose newest waiter is sent away for somebody; None where that would be no fairer."""
        crowded = max(self._lines, key=self._crowd, default=None)
        return crowded if crowded is not None and self._more(crowded, seat) >= 2 else None

    def _more(self, other: Seat, seat: Seat) -> int:
        """Return how many places more somebody else's tenant holds, or within one tenant they themselves."""
        if other.tenant == seat.tenant:
            return self._places_of(other) - self._places_of(seat)
        return self._held[other.tenant] - self._held[seat.tenant]

    def _crowd(self, seat: Seat) -> tuple[int, int]:
        return self._held[seat.tenant], self._places_of(seat)

    def _places_of(self, seat: Seat) -> int:
        return self._inside[seat] + len(self._lines.get(seat, ()))

    def _next(self) -> Seat | None:
        return min(filter(self._admits, self._lines), key=self._rank, default=None)

    def _rank(self, seat: Seat) -> tuple[int, int, int, int, int]:
        tenant, users = seat.tenant, self._users.get(seat.tenant)
        return (
            self._of_tenant[tenant],
            self._tenants.of(tenant),
            self._inside[seat],
            users.of(seat.user) if users else 0,
            self._arrived[self._lines[seat][0]],
        )

    def _give_up(self, seat: Seat, waiter: "asyncio.Future[None]") -> None:
        """Take a waiter out; one who was let in at that very moment gives the place back."""
        if waiter in self._arrived:
            self._drop(seat, waiter)
        elif waiter in self._called:
            self._called.discard(waiter)
            self.leave(seat)

    def _drop(self, seat: Seat, waiter: "asyncio.Future[None]") -> None:
        line = self._lines[seat]
        line.remove(waiter)
        if not line:
            del self._lines[seat]
        del self._arrived[waiter]
        self._release(seat)

    def _release(self, seat: Seat) -> None:
        _less(self._held, seat.tenant)
        if not self._held[seat.tenant]:
            self._users.pop(seat.tenant, None)


class _Turns(Generic[K]):
    """Whose turn it is: who was served goes behind all who were not since; who comes anew starts at now."""

    def __init__(self) -> None:
        self._now = 0
        self._after: dict[K, int] = {}

    def of(self, key: K) -> int:
        return max(self._after.get(key, 0), self._now)

    def take(self, key: K) -> None:
        turn = self.of(key)
        if turn > self._now:
            self._after = {each: after for each, after in self._after.items() if after > turn}
            self._now = turn
        self._after[key] = turn + 1


def _less(counts: Counter[K], key: K) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _refuse(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_exception(Busy((FULL,)))


FULL = Issue(
    code="busy",
    message="Too many questions at once.",
    next_step="Try again in a few seconds.",
)
_TOO_LONG = Issue(
    code="busy",
    message="Too many questions at once: no place came free in time.",
    next_step="Try again in a few seconds.",
)
