"""What a storm is made of: something done again and again while others ask, and a network that stalls."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.servers.proxy import Proxy

STALL_SECONDS = 0.3


@contextmanager
def again_and_again(work: Callable[[], object], every: float) -> Iterator[None]:
    """Do some work every so many seconds while the block runs."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(every):
            work()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def stalled(network: Proxy) -> None:
    """Let a network pass nothing on for a moment."""
    network.stall()
    time.sleep(STALL_SECONDS)
    network.resume()
