"""So many inside, so many in the queue, in order, and nobody waits for ever."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gateway.engines.base import EngineBusy
from gateway.engines.turnstile import Turnstile


def _nothing() -> None:
    pass


def test_no_more_than_its_size_are_inside_at_once() -> None:
    turnstile, lock = Turnstile(3, 50, 10), threading.Lock()
    inside, most = 0, 0

    def enter(_: int) -> None:
        nonlocal inside, most
        with turnstile.inside(_nothing):
            with lock:
                inside += 1
                most = max(most, inside)
            time.sleep(0.005)
            with lock:
                inside -= 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(enter, range(40)))
    assert most == 3


def test_a_full_queue_and_a_long_wait_are_busy_and_say_when_to_come_again() -> None:
    turnstile, queued = Turnstile(1, 1, 1.0), threading.Event()
    with turnstile.inside(_nothing), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(turnstile.inside(queued.set).__enter__)
        assert queued.wait(5)
        with pytest.raises(EngineBusy, match="queue is full") as full:
            turnstile.inside(_nothing).__enter__()
        with pytest.raises(EngineBusy, match="other questions"):
            waiting.result(timeout=5)
        with pytest.raises(EngineBusy, match="other questions"):
            turnstile.inside(_nothing, time.monotonic()).__enter__()
    assert (full.value.code, full.value.retryable, full.value.retry_after) == ("database_busy", True, 1.0)


def test_who_leaves_the_queue_makes_room_for_the_next() -> None:
    turnstile, queued, left = Turnstile(1, 2, 10), threading.Event(), threading.Event()

    def leave() -> None:
        queued.set()
        if left.is_set():
            raise InterruptedError

    with ThreadPoolExecutor(2) as pool:
        with turnstile.inside(_nothing):
            first = pool.submit(turnstile.inside(leave).__enter__)
            assert queued.wait(5)
            second = pool.submit(turnstile.inside(_nothing).__enter__)
            left.set()
            with pytest.raises(InterruptedError):
                first.result(timeout=5)
        second.result(timeout=5)


def test_a_wait_ends_with_its_question_and_a_free_place_is_not_waited_for() -> None:
    turnstile = Turnstile(1, 1, 30.0)
    with turnstile.inside(_nothing):
        began = time.monotonic()
        with pytest.raises(EngineBusy):
            turnstile.inside(_nothing, began + 0.1).__enter__()
        assert time.monotonic() - began < 1
    with turnstile.inside(_nothing, time.monotonic()):
        pass
