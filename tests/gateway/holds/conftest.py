"""The shop over which questions are held: processes to open, a clock to move, a second reviewer."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gateway.holds.held_shop import RALF, Clock, Shop
from traces.records import Caller


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_counted(shop: Path, clock: Clock, request: pytest.FixtureRequest) -> Callable[[], Shop]:
    """Opens another process over the same shop."""

    def opened() -> Shop:
        one = Shop(shop, clock)
        request.addfinalizer(one.close)
        return one

    return opened


@pytest.fixture
def house(open_counted: Callable[[], Shop]) -> Shop:
    """The shop, where every question is between the two lines of its budget."""
    return open_counted()


@pytest.fixture
def ralf() -> Caller:
    """A second reviewer."""
    return RALF
