"""Who is let in next: tenants and their users share the places, whatever crowd one of them sends."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.fair_queue import FairQueue, Places, Seat
from gateway.errors import Busy

pytestmark = pytest.mark.anyio
HEAVY, OTHER, LIGHT = Seat("heavy", "h1"), Seat("heavy", "h2"), Seat("light", "l1")


async def line_up(queue: FairQueue, *seats: Seat, served: list[Seat]) -> list["asyncio.Task[None]"]:
    async def asks(seat: Seat) -> None:
        await queue.enter(seat)
        served.append(seat)

    tasks = [asyncio.ensure_future(asks(seat)) for seat in seats]
    await settled()
    return tasks


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def drained(queue: FairQueue, served: list[Seat]) -> None:
    """Let one after the other leave until nobody is inside."""
    left = 0
    while left < len(served):
        queue.leave(served[left])
        left += 1
        await settled()


async def test_one_question_of_a_quiet_tenant_passes_a_crowd_of_another() -> None:
    queue, served = FairQueue(Places(1, 100)), list[Seat]()
    tasks = await line_up(queue, *[HEAVY] * 20, LIGHT, served=served)
    await drained(queue, served)
    await asyncio.gather(*tasks)
    assert served.index(LIGHT) <= 2
    assert (queue.inside, queue.waiting) == (0, 0)


async def test_two_users_of_a_tenant_take_turns() -> None:
    queue, served = FairQueue(Places(1, 100)), list[Seat]()
    tasks = await line_up(queue, *[HEAVY] * 6, *[OTHER] * 6, served=served)
    await drained(queue, served)
    await asyncio.gather(*tasks)
    assert all(served[:7].count(each) >= 3 for each in (HEAVY, OTHER))


async def test_a_tenant_that_holds_every_place_gets_the_next_one_last() -> None:
    queue, served = FairQueue(Places(3, 100)), list[Seat]()
    tasks = await line_up(queue, *[HEAVY] * 6, *[LIGHT] * 2, served=served)
    assert served == [HEAVY] * 3
    queue.leave(HEAVY)
    await settled()
    queue.leave(HEAVY)
    await settled()
    assert served[3:] == [LIGHT, LIGHT] or served[3:] == [LIGHT, HEAVY]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_full_queue_sends_the_newest_of_the_crowd_away_and_never_the_quiet_one() -> None:
    queue, served = FairQueue(Places(1, 3)), list[Seat]()
    tasks = await line_up(queue, *[HEAVY] * 4, LIGHT, served=served)
    assert isinstance(tasks[3].exception(), Busy), "the newest of the crowd"
    assert not tasks[4].done()
    with pytest.raises(Busy):
        await queue.enter(HEAVY)
    await drained(queue, served)
    assert served.count(LIGHT) == 1


async def test_a_queue_full_of_one_each_is_full_for_everybody() -> None:
    queue, served = FairQueue(Places(1, 2)), list[Seat]()
    tasks = await line_up(queue, Seat("a", "x"), Seat("b", "x"), Seat("c", "x"), served=served)
    with pytest.raises(Busy):
        await queue.enter(Seat("d", "x"))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_who_waits_too_long_is_told_busy_and_holds_no_place() -> None:
    queue = FairQueue(Places(1, 5, seconds=0.01))
    await queue.enter(HEAVY)
    with pytest.raises(Busy, match="in time"):
        await queue.enter(LIGHT)
    queue.leave(HEAVY)
    assert (queue.inside, queue.waiting) == (0, 0)


async def test_a_tenant_and_a_user_have_limits_of_their_own_and_others_pass_them() -> None:
    queue, served = FairQueue(Places(8, 100, tenant=3, user=2)), list[Seat]()
    tasks = await line_up(queue, *[HEAVY] * 4, *[OTHER] * 2, LIGHT, served=served)
    assert Counter(served) == {HEAVY: 2, OTHER: 1, LIGHT: 1}
    queue.leave(HEAVY)
    await settled()
    assert len(served) == 5, "whoever of the tenant is next"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("seconds", [60.0, 0.0])
async def test_who_leaves_the_line_as_a_place_comes_free_takes_none(seconds: float) -> None:
    queue = FairQueue(Places(1, 4, seconds=seconds))
    await queue.enter(HEAVY)
    leaving = asyncio.ensure_future(queue.enter(LIGHT))
    await asyncio.sleep(0)
    leaving.cancel()
    queue.leave(HEAVY)
    await asyncio.gather(leaving, return_exceptions=True)
    assert (queue.inside, queue.waiting, queue.called) == (0, 0, 0)
    await queue.enter(HEAVY)


async def test_a_queue_that_closes_as_a_place_comes_free_refuses_who_waits() -> None:
    queue = FairQueue(Places(1, 4))
    await queue.enter(HEAVY)
    waiting = asyncio.ensure_future(queue.enter(LIGHT))
    await asyncio.sleep(0)
    queue.close()
    queue.leave(HEAVY)
    with pytest.raises(Busy):
        await waiting
    assert (queue.inside, queue.waiting, queue.called) == (0, 0, 0)


SEATS = st.builds(Seat, st.sampled_from("abc"), st.sampled_from("xy"))
STEPS = st.lists(
    st.tuples(st.sampled_from(["ask", "leave", "give up"]), SEATS, st.integers(0, 9), st.booleans()),
    max_size=60,
)
"""What somebody does, who, which one, and whether the loop turns before the next step."""


@given(
    places=st.builds(Places, st.integers(1, 3), st.integers(0, 4), st.just(60.0), st.integers(0, 2)),
    steps=STEPS,
)
def test_no_history_loses_a_place_or_lets_too_many_in(
    places: Places, steps: list[tuple[str, Seat, int, bool]]
) -> None:
    asyncio.run(lived(places, steps))


async def lived(places: Places, steps: list[tuple[str, Seat, int, bool]]) -> None:
    queue, served = FairQueue(places), list[Seat]()
    tasks: list[asyncio.Task[None]] = []
    for verb, seat, number, turns in steps:
        if verb == "ask":
            tasks += await line_up(queue, seat, served=served)
        elif verb == "leave" and served:
            queue.leave(served.pop(number % len(served)))
        elif verb == "give up" and tasks:
            tasks[number % len(tasks)].cancel()
        if not turns:
            continue
        await settled()
        inside = Counter(each.tenant for each in served)
        assert queue.inside == len(served) <= places.inside
        assert queue.waiting <= places.waiting
        assert not places.tenant or all(count <= places.tenant for count in inside.values())
    await settled()
    await drained(queue, served)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (queue.inside, queue.waiting) == (0, 0)
