"""One deadline for a question: a place, a secret, a login, a price and a run all draw on the same seconds."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest

from gateway.engines.base import Engine, EngineBusy, EngineCancelled, EngineError, EngineTimeout, Identity
from gateway.engines.flights import Flights
from gateway.settings.file import DuckDBSettings
from tests.gateway.engines import snowflake_house, warehouse
from tests.gateway.engines.bigquery_house import Bighouse
from tests.gateway.engines.snowflake_house import Snowhouse
from tests.gateway.engines.warehouse import LIMITS, Warehouse
from tests.servers.proxy import Proxy

pytestmark = pytest.mark.faults

BUDGET, GRACE, LEAVES = 1.0, 1.0, 1.0
"""Seconds of a question, by how much its end may come late, and how soon who leaves is let go."""
SHORT = replace(LIMITS, seconds=BUDGET)
ENDLESS = "SELECT count(*) FROM events a, events b, events c WHERE a.kind <> b.kind"
ANN, ALICE = Identity("ann", "analyst"), warehouse.ALICE
_asked, _told = threading.Event(), threading.Event()


def slow_secret(login: str, place: Mapping[str, str]) -> str:
    """Stand for a token service that does not answer before it is told to."""
    _asked.set()
    _told.wait(10)
    return snowflake_house.token_of(login, place)


@dataclass(frozen=True, slots=True)
class Far:
    """A database behind a network that a test can stall: how to open an engine there, and who may ask."""

    network: Proxy
    engine: Callable[..., Engine]
    who: Identity
    count: str


def _postgres(house: Warehouse, request: pytest.FixtureRequest) -> Far:
    network: Proxy = request.getfixturevalue("proxy")

    def engine(**settings: Any) -> Engine:
        return house.engine(port=network.port, **settings)

    return Far(network, engine, ALICE, "SELECT count(*) FROM sales")


@pytest.fixture(
    params=[pytest.param(n, marks=pytest.mark.engine(n)) for n in ("postgres", "snowflake", "bigquery")]
)
def far(request: pytest.FixtureRequest) -> Iterator[Far]:
    """Each database that is reached over a network."""
    _asked.clear()
    _told.clear()
    if request.param == "postgres":
        yield _postgres(request.getfixturevalue("warehouse"), request)
    else:
        name = "snowhouse" if request.param == "snowflake" else "bighouse"
        house: Snowhouse | Bighouse = request.getfixturevalue(name)
        with Proxy(("127.0.0.1", house.standin.port)) as network:
            yield Far(
                network,
                lambda **settings: house.engine(port=network.port, **settings),
                ANN,
                "SELECT count(*) FROM orders",
            )
            house.close()
    _told.set()


def _ends(work: Callable[[], object], within: float) -> EngineError:
    began = time.monotonic()
    with pytest.raises(EngineError) as caught:
        work()
    assert time.monotonic() - began < within
    assert caught.value.next_step
    return caught.value


def _waits_and_has_what_is_left(engine: Engine, who: Identity, pool: ThreadPoolExecutor) -> None:
    """The place of `holds` comes free late: wait and run together end with the question's seconds."""
    seconds, wait = 4 * BUDGET, 2.5 * BUDGET
    began = time.monotonic()
    waits = pool.submit(engine.run, ENDLESS, who, replace(LIMITS, seconds=seconds), "waits")
    with pytest.raises(TimeoutError):
        waits.result(timeout=wait)
    engine.cancel("holds")
    with pytest.raises(EngineTimeout, match=f"{seconds:g} s"):
        waits.result(timeout=10)
    assert time.monotonic() - began < seconds + GRACE < wait + seconds


@pytest.mark.parametrize("verb", ["explain", "run", "pin"])
def test_a_login_that_is_not_answered_ends_with_its_question(far: Far, verb: str) -> None:
    engine = far.engine(connections=1, members={"analyst": ("ann",), "seller": ("alice",)})
    far.network.stall()
    calls: dict[str, Callable[[], object]] = {
        "explain": lambda: engine.explain(far.count, far.who, SHORT, "q"),
        "run": lambda: engine.run(far.count, far.who, SHORT, "q"),
        "pin": lambda: engine.pin(BUDGET, "q"),
    }
    fault = _ends(calls[verb], BUDGET + GRACE)
    assert fault.code in {"database_unreachable", "query_timeout"} and fault.retryable
    far.network.resume()
    assert _until_answered(engine, far)


def _until_answered(engine: Engine, far: Far) -> bool:
    """Say whether the one place is free again, once what nobody waits for has ended."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            return len(engine.run(far.count, far.who, LIMITS, "after").rows) == 1
        except EngineError as error:
            assert error.retryable, error
            time.sleep(0.05)
    return False


def test_who_leaves_during_the_login_is_let_go_and_gives_the_place_back(far: Far) -> None:
    engine = far.engine(connections=1)
    far.network.stall()
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(engine.run, far.count, far.who, LIMITS, "leaves")
        with pytest.raises(TimeoutError):
            asking.result(timeout=0.2)
        began = time.monotonic()
        engine.cancel("leaves")
        with pytest.raises(EngineCancelled):
            asking.result(timeout=5)
    assert time.monotonic() - began < LEAVES
    far.network.resume()
    assert _until_answered(engine, far)


def test_a_secret_that_does_not_come_ends_with_its_question(far: Far) -> None:
    engine = far.engine(connections=1, credentials=f"hook:{__name__}:slow_secret")
    _ends(lambda: engine.run(far.count, far.who, SHORT, "q"), BUDGET + GRACE)
    assert _asked.is_set()
    _told.set()
    assert _until_answered(engine, far)


def test_who_leaves_while_the_secret_does_not_come_is_let_go(far: Far) -> None:
    engine = far.engine(connections=1, credentials=f"hook:{__name__}:slow_secret")
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(engine.run, far.count, far.who, LIMITS, "leaves")
        assert _asked.wait(5)
        began = time.monotonic()
        engine.cancel("leaves")
        with pytest.raises(EngineCancelled):
            asking.result(timeout=5)
    assert time.monotonic() - began < LEAVES


def test_a_wait_for_a_place_ends_with_its_question(far: Far) -> None:
    engine = far.engine(connections=1, wait_seconds=30)
    with ThreadPoolExecutor(1) as pool:
        who = ANN if far.who is ALICE else far.who
        holds = pool.submit(engine.run, ENDLESS, who, LIMITS, "holds")
        with pytest.raises(TimeoutError):
            holds.result(timeout=0.3)
        fault = _ends(lambda: engine.run(far.count, far.who, SHORT, "q"), BUDGET + GRACE)
        engine.cancel("holds")
        with pytest.raises(EngineCancelled):
            holds.result(timeout=5)
    assert isinstance(fault, EngineBusy) and fault.retry_after > 0
    assert _until_answered(engine, far)


def test_what_was_waited_for_is_not_there_for_the_run(far: Far) -> None:
    """The place comes late, and the statement gets what is left: both together are over in time."""
    engine = far.engine(connections=1, wait_seconds=30)
    who = ANN if far.who is ALICE else far.who
    engine.explain(ENDLESS, who, LIMITS)
    with ThreadPoolExecutor(2) as pool:
        holds = pool.submit(engine.run, ENDLESS, who, LIMITS, "holds")
        with pytest.raises(TimeoutError):
            holds.result(timeout=0.3)
        _waits_and_has_what_is_left(engine, who, pool)
        with pytest.raises(EngineCancelled):
            holds.result(timeout=5)


@pytest.mark.engine("postgres")
def test_a_silent_first_server_leaves_time_for_the_second(warehouse: Warehouse, proxy: Proxy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        url = f"postgresql://127.0.0.1:{port},127.0.0.1:{proxy.port}/{warehouse.database}"
        engine = warehouse.engine(url=url)
        rows = engine.run("SELECT count(*) FROM sales", ALICE, replace(LIMITS, seconds=6.0), "q").rows
    assert rows == ((100,),)


@pytest.mark.engine("duckdb")
def test_a_wait_for_a_worker_ends_with_its_question(
    make_engine: Callable[..., Engine], analyst: Identity
) -> None:
    engine = make_engine(duckdb=DuckDBSettings(mode="soft", workers=1, wait_seconds=30))
    engine.run("SELECT 1", analyst, LIMITS, "warm")
    with ThreadPoolExecutor(2) as pool:
        holds = pool.submit(engine.run, ENDLESS, analyst, LIMITS, "holds")
        with pytest.raises(TimeoutError):
            holds.result(timeout=0.3)
        busy = _ends(lambda: engine.run("SELECT 1", analyst, SHORT, "q"), BUDGET + GRACE)
        _waits_and_has_what_is_left(engine, analyst, pool)
        with pytest.raises(EngineCancelled):
            holds.result(timeout=5)
    assert isinstance(busy, EngineBusy)


def test_limits_say_what_is_left_of_the_whole() -> None:
    with Flights(1.0).flying("q", seconds=30.0) as flight:
        left = flight.left(replace(LIMITS, seconds=5.0).leaving(3.0))
        assert (left.seconds, left.whole) == (3.0, 5.0)
        assert 0 < flight.left(replace(LIMITS, seconds=100.0)).seconds <= 30.0
    with Flights(1.0).flying("r", seconds=0.0) as over, pytest.raises(EngineTimeout, match="5 s"):
        over.left(replace(LIMITS, seconds=5.0).leaving(1.0))
