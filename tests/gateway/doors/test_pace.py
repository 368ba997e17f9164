"""So many may wait that nobody takes more than a multiple of the time that one takes alone."""

import asyncio
import heapq
import time
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cancellation import Cancellation
from gateway.doors.fair_queue import FairQueue, Places, Seat
from gateway.doors.pace import Begun, Pace
from gateway.doors.workers import Workers
from gateway.errors import Busy

SECONDS = st.floats(0.001, 10, allow_nan=False)
HEAVY, QUIET = Seat("heavy", "h1"), Seat("quiet", "q1")


def alone(pace: Pace, seconds: float, at: float = 0.0) -> None:
    pace.end(pace.begin(at, 1), at + seconds)


def beside(pace: Pace, seconds: float) -> None:
    pace.end(pace.begin(0.0, 2), seconds)


@given(st.integers(0, 100), SECONDS, SECONDS)
def test_without_a_stretch_the_queue_is_as_long_as_it_is_set(ahead: int, seconds: float, now: float) -> None:
    pace = Pace()
    alone(pace, seconds)
    pace.begin(0.0, 1)
    assert pace.allows(ahead, now)


def test_until_one_was_alone_the_queue_is_as_long_as_it_is_set() -> None:
    pace = Pace(2.0)
    assert pace.allows(9, 0.0)
    beside(pace, 1.0)
    assert pace.allows(9, 0.0)


@given(
    stretch=st.floats(1, 20),
    seconds=SECONDS,
    slower=st.floats(1, 8),
    begun=st.lists(st.floats(0, 1), min_size=1, max_size=8),
    ahead=st.integers(0, 30),
)
def test_who_may_wait_is_answered_within_the_stretch_and_who_may_not_would_not_be(
    stretch: float, seconds: float, slower: float, begun: list[float], ahead: int
) -> None:
    pace, took = Pace(stretch), seconds * slower
    alone(pace, seconds)
    for _ in range(400):
        beside(pace, took)
    for part in begun:
        pace.begin(-part * took, 2)
    ends = sorted((1 - part) * took for part in begun)
    rounds, place = divmod(ahead, len(ends))
    whole = ends[place] + rounds * took + took
    assert pace.allows(ahead, 0.0) or whole >= stretch * seconds * 0.99
    assert not pace.allows(ahead, 0.0) or whole <= stretch * seconds * 1.01


@given(st.lists(st.tuples(st.booleans(), SECONDS), max_size=60), st.floats(1, 9), SECONDS)
def test_whatever_was_measured_behind_fewer_one_may_wait_where_one_may_behind_more(
    measured: list[tuple[bool, float]], stretch: float, now: float
) -> None:
    pace = Pace(stretch)
    for by_itself, seconds in measured:
        (alone if by_itself else beside)(pace, seconds)
    for number in range(3):
        pace.begin(number * 0.1, number + 1)
    allowed = [pace.allows(ahead, now + 0.2) for ahead in range(20)]
    assert allowed == sorted(allowed, reverse=True)


def test_a_question_that_others_joined_says_nothing_of_one_alone() -> None:
    pace = Pace(2.0)
    first = pace.begin(0.0, 1)
    second = pace.begin(0.1, 2)
    pace.end(second, 5.0)
    pace.end(first, 5.0)
    pace.begin(5.0, 1)
    assert pace.allows(9, 5.0), "it is not known yet how long one takes alone"


def test_behind_one_that_is_overdue_one_waits_as_long_as_they_differ() -> None:
    pace = Pace(2.0)
    for _ in range(50):
        alone(pace, 1.0)
    pace.begin(0.0, 1)
    assert pace.allows(0, 30.0), "all took the same, so it must end now"
    for seconds in (0.1, 3.0) * 30:
        beside(pace, seconds)
    assert not pace.allows(0, 30.0), "they differ, so it may go on"


@pytest.mark.anyio
async def test_where_waiting_takes_too_long_one_is_refused_at_once_and_a_quiet_tenant_still_waits() -> None:
    queue = FairQueue(Places(2, 8, stretch=2.0), lambda: 0.1)
    alone(queue.pace, 1.0)
    for _ in range(99):
        beside(queue.pace, 1.8)
    for inside in (1, 2):
        await queue.enter(HEAVY)
        queue.pace.begin(0.0, inside)
    assert queue.refuses(HEAVY)
    with pytest.raises(Busy):
        await queue.enter(HEAVY)
    assert not queue.refuses(QUIET)
    waiting = asyncio.ensure_future(queue.enter(QUIET))
    await asyncio.sleep(0)
    queue.leave(HEAVY)
    await waiting
    assert (queue.inside, queue.waiting) == (2, 0)


def queried(asked: Cancellation) -> None:
    with asked.within(10, ()) as within:
        within.reached("run")
    time.sleep(0.02)


@given(
    st.lists(st.floats(0, 0.01), min_size=1, max_size=40),
    st.lists(st.floats(0, 100), max_size=40),
    st.integers(0, 20),
)
def test_what_never_ran_changes_nothing_however_often_it_comes(
    quick: list[float], slow: list[float], ahead: int
) -> None:
    told = []
    for others in ([], [*quick, *slow]):
        pace = Pace(2.0)
        for seconds in (1.0, 1.2, 0.9):
            alone(pace, seconds)
        for seconds in others:
            pace.end(pace.begin(0.0, 1), seconds, ran=False)
        pace.begin(0.0, 1)
        told.append(pace.allows(ahead, 0.5))
    assert told[0] == told[1]


@given(
    quick=st.floats(0.01, 1),
    slower=st.floats(1, 10_000),
    places=st.sets(st.integers(0, 14), max_size=5),
)
def test_one_slow_user_does_not_get_the_quick_ones_refused(
    quick: float, slower: float, places: set[int]
) -> None:
    pace = Pace(4.0)
    for _ in range(8):
        alone(pace, quick)
    for at in range(60):
        beside(pace, quick * slower if at % 15 in places else quick)
        slow, other = pace.begin(-quick * slower / 2, 2), pace.begin(0.0, 2)
        assert pace.allows(0, quick / 2)
        pace.end(slow, 0.0, ran=False)
        pace.end(other, 0.0, ran=False)


@pytest.mark.anyio
async def test_only_questions_count_for_how_long_one_takes() -> None:
    workers = Workers(1, 8, stretch=2.0)
    pace = workers._queue.pace
    for _ in range(5):
        await workers.call(lambda: None)
    pace.begin(0.0, 1)
    assert pace.allows(9, 0.0), "no question was measured yet"
    for _ in range(30):
        await workers.call(lambda: None, Cancellation())
    assert pace.allows(9, 0.0), "a plan that is refused says nothing of how long a query takes"
    asked = Cancellation()
    await workers.call(partial(queried, asked), asked)
    assert not pace.allows(9, 0.0)
    await asyncio.to_thread(workers.close)


class Server:
    """Two places on a machine of which one question gets more than a half of two, in time that is made up."""

    def __init__(self, stretch: float) -> None:
        self.now = 0.0
        self.queue = FairQueue(Places(2, 8, seconds=1e6, stretch=stretch), lambda: self.now)
        self.took: list[float] = []
        self.refused = 0
        self._ends: list[tuple[float, int, float, Begun]] = []
        self._asked = 0

    async def loaded(self, per_second: float, count: int) -> None:
        """Ask so many at a rate, whatever becomes of those before them; wait for all."""
        for _ in range(count):
            self.now += 1 / per_second
            await self._until(self.now)
            self._asked += 1
            asking = asyncio.ensure_future(self._ask(self.now))
            await settled()
            if asking.done() and asking.exception() is not None:
                self.refused += 1
        await self._until(float("inf"))

    async def _ask(self, due: float) -> None:
        await self.queue.enter(HEAVY)
        seconds = 1.0 if self.queue.inside == 1 else 1.6
        begun = self.queue.pace.begin(self.now, self.queue.inside)
        heapq.heappush(self._ends, (self.now + seconds, self._asked, due, begun))

    async def _until(self, moment: float) -> None:
        while self._ends and self._ends[0][0] <= moment:
            self.now, _, due, begun = heapq.heappop(self._ends)
            self.took.append(self.now - due)
            self.queue.pace.end(begun, self.now)
            self.queue.leave(HEAVY)
            await settled()
        if moment < float("inf"):
            self.now = moment


async def settled() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


@pytest.mark.anyio
@pytest.mark.parametrize("times", [1, 2, 4])
async def test_under_overload_the_admitted_stay_within_the_stretch_and_everybody_hears(times: float) -> None:
    server, capacity = Server(2.0), 2 / 1.6
    await server.loaded(capacity / 2, 60)
    assert server.took == pytest.approx([1.0] * 60)
    assert not server.refused
    server.took.clear()
    await server.loaded(capacity * times, 2000)
    assert len(server.took) + server.refused == 2000
    assert sorted(server.took)[len(server.took) * 95 // 100] <= 2.0 + 1e-9
    assert len(server.took) >= 2000 / times, "no place stands empty"
    assert (server.queue.inside, server.queue.waiting) == (0, 0)


@pytest.mark.anyio
async def test_a_queue_of_fixed_length_keeps_everybody_waiting_for_the_whole_of_it() -> None:
    server = Server(0.0)
    await server.loaded(5.0, 400)
    assert sorted(server.took)[len(server.took) // 2] > 4
