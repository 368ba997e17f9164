"""So many questions at once, and a caller who leaves stops theirs."""

import asyncio
import random
import threading
import time
from contextlib import suppress

import pytest

from gateway.cancellation import Cancellation
from gateway.doors.fair_queue import NOBODY
from gateway.doors.workers import Workers
from gateway.errors import Busy
from traces.records import Caller

pytestmark = pytest.mark.anyio


async def test_what_the_work_returns_or_raises_comes_back() -> None:
    workers = Workers(1, 0)
    assert await workers.call(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await workers.call(lambda: 1 // 0)
    assert workers.inside == 0
    workers.close()


async def test_one_more_than_threads_and_queue_is_refused_at_once() -> None:
    workers, go = Workers(1, 1), threading.Event()
    running = [asyncio.ensure_future(workers.call(lambda: go.wait(10))) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await workers.call(lambda: True)
    go.set()
    assert await asyncio.gather(*running) == [True, True]
    assert await workers.call(lambda: True)
    workers.close()


async def test_a_caller_who_leaves_stops_the_question_and_its_place_stays_taken_until_it_ends() -> None:
    workers, cancellation = Workers(1, 0), Cancellation()
    begun, stopped, end = threading.Event(), threading.Event(), threading.Event()

    def question() -> None:
        with cancellation.stopping(stopped.set):
            begun.set()
            stopped.wait(10)
            end.wait(10)

    task = asyncio.ensure_future(workers.call(question, cancellation))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancellation.cancelled
    assert stopped.is_set()
    assert workers.inside == 1
    end.set()
    await asyncio.to_thread(workers.close)
    await asyncio.sleep(0)
    assert workers.inside == 0


async def test_thousands_who_hang_up_or_wait_too_long_take_no_place_with_them() -> None:
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, said: failures.append(said))
    workers, chance = Workers(4, 32, seconds=0.02), random.Random(1)

    async def one(user: str) -> None:
        with suppress(Busy):
            await workers.call(lambda: time.sleep(0.002), caller=Caller(user=user, teams=(), roles=()))

    tasks: list[asyncio.Task[None]] = []
    for number in range(4_000):
        tasks.append(asyncio.ensure_future(one(f"u{number % 3}")))
        if number % 8 == 0:
            await asyncio.sleep(0.001)
        if chance.random() < 0.3:
            chance.choice(tasks[-30:]).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.to_thread(workers.close)
    await asyncio.sleep(0)
    assert (workers.inside, workers.lost(), failures) == (0, (), [])


async def test_a_place_is_given_back_when_no_thread_takes_the_work() -> None:
    workers = Workers(1, 0)
    workers.close()
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await workers.call(lambda: True)
    assert (workers.inside, workers.lost()) == (0, ())


async def test_a_place_in_which_nothing_runs_is_noticed_and_work_that_runs_is_not() -> None:
    workers, go = Workers(2, 1), threading.Event()
    running = asyncio.ensure_future(workers.call(lambda: go.wait(10)))
    await asyncio.sleep(0)
    assert workers.lost() == ()
    await workers._queue.enter(NOBODY)
    (found,) = workers.lost()
    assert (found.name, found.ok, found.needed) == ("places", False, False)
    go.set()
    await running
    await asyncio.sleep(0)
    await workers._queue.enter(NOBODY)
    (found,) = workers.lost()
    assert (found.needed, found.detail[:6]) == (True, "2 of 2")
    workers.close()
