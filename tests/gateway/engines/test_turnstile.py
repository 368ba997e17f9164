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
    turnstile = Turnstile(1, 1, 0.2)
    with turnstile.inside(_nothing), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(turnstile.inside(_nothing).__enter__)
        while not turnstile.queued:
            time.sleep(0.001)
        with pytest.raises(EngineBusy, match="queue") as full:
            turnstile.inside(_nothing).__enter__()
        with pytest.raises(EngineBusy, match="busy"):
            waiting.result(timeout=5)
    assert (full.value.code, full.value.retryable, full.value.retry_after) == ("database_busy", True, 0.2)
    with turnstile.inside(_nothing):
        assert not turnstile.queued


def test_who_leaves_the_queue_makes_room_for_the_next() -> None:
    turnstile, left = Turnstile(1, 2, 10), threading.Event()

    def leave() -> None:
        if left.is_set():
            raise InterruptedError

    with ThreadPoolExecutor(2) as pool:
        with turnstile.inside(_nothing):
            first = pool.submit(turnstile.inside(leave).__enter__)
            while not turnstile.queued:
                time.sleep(0.001)
            second = pool.submit(turnstile.inside(_nothing).__enter__)
            left.set()
            with pytest.raises(InterruptedError):
                first.result(timeout=5)
        second.result(timeout=5)
