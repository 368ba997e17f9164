"""Forty askers over three sessions, in a storm: cancels, killed backends, cut and stalled networks."""

import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from gateway.engines.base import EngineError, Identity
from gateway.engines.postgres import PostgresEngine
from tests.gateway.engines.processes import PATIENCE, wait_until
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, Warehouse
from tests.gateway.engines.weather import again_and_again, stalled
from tests.servers.proxy import Proxy

pytestmark = [pytest.mark.engine("postgres"), pytest.mark.faults]

ASKERS, SESSIONS, STORM = 40, 3, 4.0
"""How many ask, over how many sessions, and for how many seconds it storms."""
OWN = "SELECT current_user::text, rep, count(*) FROM sales GROUP BY rep"
SLOW = f"SELECT s.* FROM ({OWN}) AS s, pg_sleep(0.05)"
KILL = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE application_name ~ '^cellbound' AND datname = current_database() ORDER BY random() LIMIT 1
"""
AT_WORK = "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ 'asleep' AND state = 'active'"
OPEN = "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^cellbound' AND usename <> 'postgres'"
NAMED = {
    "query_cancelled",
    "query_timeout",
    "database_unavailable",
    "database_unreachable",
    "database_busy",
    "login_refused",
}


class Storm:
    """Lasts for its seconds, and on a crowded machine until enough was asked in it."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()
        self._began = time.monotonic()
        self._lock = threading.Lock()

    def goes_on(self) -> bool:
        lasted = time.monotonic() - self._began
        with self._lock:
            few = self.ends["answered"] <= ASKERS or "query_cancelled" not in self.ends
        return lasted < STORM or (few and lasted < PATIENCE)

    def count(self, end: str) -> None:
        with self._lock:
            self.ends[end] += 1


def _asked(engine: PostgresEngine, number: int, storm: Storm) -> None:
    """Ask as one of two askers until the storm is over; count how it ended, and demand own rows only."""
    draw, who = random.Random(int(os.environ.get("CELLBOUND_SEED", "11")) + number), (ALICE, BOB)[number % 2]
    while storm.goes_on():
        name, limits = f"{number} {draw.random()}", replace(LIMITS, seconds=draw.choice([0.1, 1.0, 5.0]))
        if draw.random() < 0.4:
            threading.Timer(draw.random() / 10, engine.cancel, (name,)).start()
        try:
            rows = engine.run(draw.choice([OWN, SLOW]), who, limits, name).rows
        except EngineError as error:
            storm.count(error.code)
            continue
        assert rows == ((who.user, who.user, 100),), "somebody else's rows"
        storm.count("answered")


@pytest.mark.parametrize("mode", ["login", "set_role"])
def test_no_place_is_lost_and_nobody_sees_other_rows_after_a_storm(
    warehouse: Warehouse, switched: Warehouse, proxy: Proxy, mode: str
) -> None:
    house = warehouse if mode == "login" else switched
    login = "" if mode == "login" else GATEWAY
    engine = house.engine(login=login, port=proxy.port, connections=SESSIONS, waiting=ASKERS, wait_seconds=30)
    storm = Storm()

    with (
        again_and_again(lambda: house.ask(KILL), 0.05),
        again_and_again(proxy.cut, 0.7),
        again_and_again(partial(stalled, proxy), 1.1),
        ThreadPoolExecutor(ASKERS) as pool,
    ):
        list(pool.map(lambda number: _asked(engine, number, storm), range(ASKERS)))
    assert set(storm.ends) <= NAMED | {"answered"}
    assert storm.ends["answered"] > ASKERS and storm.ends["query_cancelled"] > 0
    _all_places_are_free(engine, house)


def _all_places_are_free(engine: PostgresEngine, house: Warehouse) -> None:
    """Have as many at work at once as there are sessions, and no more sessions than that open."""

    def sleep(number: int) -> str:
        who: Identity = (ALICE, BOB)[number % 2]
        with pytest.raises(EngineError) as caught:
            engine.run("SELECT pg_sleep(60)::text", who, LIMITS, f"asleep {number}")
        return caught.value.code

    for _ in range(SESSIONS * 2):  # what was killed while idle may be noticed only now
        _settled(engine)
    with ThreadPoolExecutor(SESSIONS + 1) as pool:
        asleep = [pool.submit(sleep, number) for number in range(SESSIONS)]
        together = wait_until(lambda: house.ask(AT_WORK) == [(SESSIONS,)], LIMITS.seconds / 2)
        for number in range(SESSIONS):
            engine.cancel(f"asleep {number}")
        assert [each.result(PATIENCE) for each in asleep] == ["query_cancelled"] * SESSIONS
    assert together, "a place is lost"
    assert [len(engine.run(OWN, who, LIMITS, "later").rows) for who in (ALICE, BOB)] == [1, 1]
    assert wait_until(lambda: house.ask(OPEN)[0][0] <= SESSIONS)


def _settled(engine: PostgresEngine) -> None:
    for who in (ALICE, BOB):
        try:
            engine.run(OWN, who, LIMITS, "settles")
        except EngineError as error:
            assert error.retryable, error
