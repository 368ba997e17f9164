"""So many questions at once, and a caller who leaves stops theirs."""

import asyncio
import threading

import pytest

from gateway.cancellation import Cancellation
from gateway.doors.workers import Workers
from gateway.errors import Busy

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
