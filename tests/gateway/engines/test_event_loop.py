"""Work of a waiting kind in a thread of its own: its result, its stop and its deadline."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from gateway.engines.base import EngineCancelled
from gateway.engines.event_loop import EventLoop, Overdue
from gateway.engines.flights import Flights


@pytest.fixture
def loop() -> Iterator[EventLoop]:
    found = EventLoop()
    yield found
    found.close()


async def _answer(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return threading.current_thread().name


def _soon() -> float:
    return time.monotonic() + 5


def test_work_is_done_in_the_loop_and_its_result_is_the_caller_s(loop: EventLoop) -> None:
    with Flights(0.01).flying("q") as flight:
        assert loop.wait(_answer(0), flight, _soon()) == "driver"


def test_what_the_work_raises_is_raised(loop: EventLoop) -> None:
    async def failing() -> None:
        raise TimeoutError("the work's own")

    with Flights(0.01).flying("q") as flight, pytest.raises(TimeoutError, match="own"):
        loop.wait(failing(), flight, _soon())


def test_work_that_is_late_is_told_to_stop(loop: EventLoop) -> None:
    stopped = threading.Event()

    async def endless() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    started = time.monotonic()
    with Flights(0.01).flying("q") as flight, pytest.raises(Overdue):
        loop.wait(endless(), flight, started + 0.1)
    assert stopped.wait(1)
    assert time.monotonic() - started < 1


def test_a_stop_from_another_thread_ends_the_wait_at_once(loop: EventLoop) -> None:
    flights = Flights(0.01)

    def ask() -> None:
        with flights.flying("q") as flight:
            loop.wait(_answer(60), flight, _soon())

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask)
        with pytest.raises(TimeoutError):
            asking.result(timeout=0.1)
        started = time.monotonic()
        flights.stop("q")
        with pytest.raises(EngineCancelled):
            asking.result(timeout=2)
    assert time.monotonic() - started < 1


def test_a_stopped_flight_starts_no_more_work(loop: EventLoop) -> None:
    flights, began = Flights(0.01), threading.Event()

    async def begin() -> None:
        began.set()

    flights.stop("q")
    with flights.flying("q") as flight, pytest.raises(EngineCancelled):
        loop.wait(begin(), flight, _soon())
    loop.close()
    assert not began.is_set()


def test_closing_waits_for_short_work_and_not_for_long() -> None:
    loop, done = EventLoop(), threading.Event()

    async def short() -> None:
        await asyncio.sleep(0.05)
        done.set()

    loop.begin(short())
    loop.close()
    assert done.is_set()
    started = time.monotonic()
    loop.begin(_answer(60))
    loop.close()
    assert time.monotonic() - started < 4


def test_a_closed_loop_starts_again() -> None:
    loop = EventLoop()
    for _ in range(2):
        with Flights(0.01).flying("q") as flight:
            assert loop.wait(_answer(0), flight, _soon()) == "driver"
        loop.close()
