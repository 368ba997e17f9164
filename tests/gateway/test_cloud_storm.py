"""A house over each cloud's stand-in, in a storm: callers leave, limits end, the network breaks or stalls."""

import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gateway.cancellation import Cancellation
from gateway.engines.base import EngineError, Identity, Limits, Rows
from gateway.service import Gateway
from tests.gateway import cloud_shop
from tests.gateway.bigquery_shop import bigquery_shop
from tests.gateway.cloud_shop import CloudShop
from tests.gateway.engines.processes import wait_until
from tests.gateway.engines.weather import again_and_again, stalled
from tests.gateway.shop_house import ANA, EMIL, opened
from tests.gateway.snowflake_shop import snowflake_shop
from tests.servers.proxy import Proxy
from traces.chain import Verified

pytestmark = pytest.mark.faults

Plan = dict[str, object]

SHOPS: Mapping[str, Callable[[Path], AbstractContextManager[CloudShop]]] = {
    "snowflake": snowflake_shop,
    "bigquery": bigquery_shop,
}
ASKERS, TURNS, SESSIONS = 8, 8, 3
"""How many ask, how often each, over how many sessions."""
STORM = 5.0
"""For how many seconds the network breaks and stalls; callers leave for as long as anybody asks."""
PATIENCE = 0.5
"""After how many seconds at most a caller leaves."""
SOON = 0.3
"""The time limit of a question whose caller does not leave, where it would never end."""
TURN = ("asks", "asks", "asks", "leaves", "leaves", "asks too much", "asks too much and leaves")
ENDS = {"answered", "left", "partial", "failed"}


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.engine(name)) for name in SHOPS])
def cloud(request: pytest.FixtureRequest, shop_file: Path) -> Iterator[CloudShop]:
    """The demo shop's rows in a stand-in."""
    with SHOPS[request.param](shop_file) as found:
        yield found


@pytest.fixture
def network(cloud: CloudShop) -> Iterator[Proxy]:
    """A network between the house and the stand-in."""
    with Proxy(("127.0.0.1", _port_of(cloud.url))) as found:
        yield found


@pytest.fixture
def house(cloud: CloudShop, network: Proxy, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over that network, with few sessions and room for everybody to wait."""
    url = cloud.url.replace(str(_port_of(cloud.url)), str(network.port))
    engine = (
        f'"{url}"\ncredentials = "hook:{cloud_shop.__name__}:token_of"\n'
        f"connections = {SESSIONS}\nwaiting = {ASKERS}\nwait_seconds = 30"
    )
    with opened(tmp_path / "house", engine, cloud.policy) as gateway:
        yield gateway


def _port_of(url: str) -> int:
    keys = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    return int(keys.get("port") or urlsplit(keys["endpoint"]).port or 0)


def _endless(cloud: CloudShop, who: Identity) -> str:
    """Return a statement that does not end, over relations that the asker may read."""
    if who.user == ANA.user:
        return cloud.slow
    return cloud.slow.replace("event_type", "status").replace("events", "orders")


class Storming:
    """Asks the house, and now and then has a statement run that never ends in the place of the question's."""

    def __init__(self, house: Gateway, cloud: CloudShop, plan: Plan) -> None:
        self._house = house
        self._cloud = cloud
        self._plan = plan
        self._turn = threading.local()
        self._run = house.house.engine.run

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, **more: Any) -> Rows:
        """Run a question as the engine does, or what its turn has in its place."""
        turn: str = getattr(self._turn, "kind", "asks")
        if "too much" not in turn:
            return self._run(sql, who, limits, query_id, **more)
        # Where its time is long, nothing but the caller who leaves can end it.
        seconds = limits.seconds if "leaves" in turn else min(limits.seconds, SOON)
        return self._run(_endless(self._cloud, who), who, replace(limits, seconds=seconds), query_id)

    def ask(self, number: int, own: tuple[object, ...]) -> Counter[str]:
        """Ask as one of two askers; count how it ended, and demand own rows only."""
        draw = random.Random(int(os.environ.get("CELLBOUND_SEED", "23")) + number)
        caller, ends = (ANA, EMIL)[number % 2], Counter[str]()
        for turn in draw.choices(TURN, k=TURNS):
            leaver, self._turn.kind = Cancellation(), turn
            leaves = threading.Timer(PATIENCE * draw.random(), leaver.cancel)
            if "leaves" in turn:
                leaves.start()
            reply = self._house.ask(caller, self._plan, cancellation=leaver)
            leaves.cancel()
            ends[reply.outcome] += 1
            assert not reply.rows or reply.rows == own, "somebody else's rows"
            trace = self._house.traces.read(reply.trace_id)
            assert trace is not None and trace.closed is not None
            assert trace.closed.outcome == reply.outcome
        return ends


@contextmanager
def _bad_weather(network: Proxy) -> Iterator[None]:
    """Break and stall a network for a while, whoever asks in the meantime."""

    def blow() -> None:
        with again_and_again(network.cut, 0.7), again_and_again(partial(stalled, network), 1.7):
            over.wait(STORM)

    over = threading.Event()
    thread = threading.Thread(target=blow)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_after_a_storm_no_job_runs_no_place_is_lost_every_trace_has_ended_and_rows_were_ones_own(
    house: Gateway, cloud: CloudShop, network: Proxy, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {**revenue, "dialect": cloud.name}
    own = [house.ask(caller, plan).rows for caller in (ANA, EMIL)]
    assert own[0] != own[1] and all(own)
    storming = Storming(house, cloud, plan)
    with monkeypatch.context() as patch, _bad_weather(network), ThreadPoolExecutor(ASKERS) as pool:
        patch.setattr(house.house.engine, "run", storming.run)
        asking = [pool.submit(storming.ask, number, own[number % 2]) for number in range(ASKERS)]
        ends = sum((each.result(200) for each in asking), Counter[str]())
    assert set(ends) <= ENDS
    assert ends["answered"] and ends["left"] > ASKERS, ends
    assert wait_until(lambda: not cloud.at_work(), 5), "a job runs on unseen"
    assert all(line.outcome in ENDS for line in house.traces.list(limit=10_000))
    assert all(isinstance(verdict, Verified) for verdict in house.traces.verify())
    _all_places_are_free(house, cloud)
    for caller, rows in zip((ANA, EMIL), own, strict=True):
        assert house.ask(caller, plan).rows == rows


def _all_places_are_free(house: Gateway, cloud: CloudShop) -> None:
    """Have as many endless statements at work at once as there are sessions, and then end them."""
    engine, who = house.house.engine, Identity("ana", "analyst", "shop")
    before = cloud.sent().count(cloud.slow)
    limits = Limits(rows=10, bytes=1_000_000, seconds=20, memory_mb=512, spill_mb=0)
    with ThreadPoolExecutor(SESSIONS) as pool:
        asleep = [pool.submit(engine.run, cloud.slow, who, limits, f"asleep {n}") for n in range(SESSIONS)]
        together = wait_until(lambda: cloud.sent().count(cloud.slow) == before + SESSIONS, 15)
        awake = [each for each in asleep if each.done()]
        for number in range(SESSIONS):
            engine.cancel(f"asleep {number}")
        ended = [each.exception(10) for each in asleep]
    assert together and not awake, "a place is lost"
    assert [error.code for error in ended if isinstance(error, EngineError)] == ["query_cancelled"] * SESSIONS
    assert wait_until(lambda: not cloud.at_work(), 5)
