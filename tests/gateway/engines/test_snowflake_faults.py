"""Snowflake when something fails: tokens, warehouses, the service, the network, callers who leave."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout, Identity, Rows
from gateway.engines.snowflake import SnowflakeEngine
from tests.gateway.engines.snowflake_house import (
    ANN,
    CARL,
    LIMITS,
    Snowhouse,
    shop_account,
    token_of,
)
from tests.servers.proxy import Proxy
from tests.servers.snowflake import Standin, running

pytestmark = [pytest.mark.engine("snowflake"), pytest.mark.faults]

COUNT = "SELECT count(*) FROM orders"
LONG = "SELECT count(*) FROM orders AS o, orders AS p, orders AS q WHERE o.region <> p.region"
ENDLESS = "SELECT count(*) FROM events a, events b, events c WHERE a.kind <> b.kind AND b.kind <> c.kind"


@pytest.fixture
def own() -> Iterator[Snowhouse]:
    """A stand-in that one test may break."""
    with running(shop_account()) as standin:
        house = Snowhouse(standin)
        yield house
        house.close()


@pytest.fixture
def network(own: Snowhouse) -> Iterator[Proxy]:
    """A network of the test's own before the stand-in."""
    with Proxy(("127.0.0.1", own.standin.port)) as found:
        yield found


def _fault(engine: SnowflakeEngine, sql: str = COUNT, seconds: float = 20.0) -> EngineError:
    with pytest.raises(EngineError) as caught:
        engine.run(sql, ANN, replace(LIMITS, seconds=seconds), "q")
    assert caught.value.next_step
    assert "127.0.0.1" not in str(caught.value)
    return caught.value


def _waiting_for(engine: SnowflakeEngine, standin: Standin, pool: ThreadPoolExecutor) -> Future[Rows]:
    found = pool.submit(engine.run, ENDLESS, ANN, LIMITS, "endless")
    deadline = time.monotonic() + 5
    while not any(request.sql == ENDLESS for request in standin.account.log):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return found


def test_a_token_that_has_expired_is_said_to_have(own: Snowhouse) -> None:
    own.account.tokens[token_of("ann", {})].expired = True
    fault = _fault(own.engine())
    assert (fault.code, fault.retryable) == ("credential_expired", True)


def test_a_token_that_expires_while_a_session_is_open_counts_for_the_next_one(own: Snowhouse) -> None:
    engine = own.engine()
    engine.run(COUNT, ANN, LIMITS, "q")
    own.account.tokens[token_of("ann", {})].expired = True
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)
    own.standin.service.end_sessions()
    assert _fault(engine).code == "credential_expired"
    own.account.tokens[token_of("ann", {})].expired = False
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_the_expired_token_of_one_asker_keeps_nobody_else_from_asking(own: Snowhouse) -> None:
    own.account.tokens[token_of("ann", {})].expired = True
    engine = own.engine()
    assert engine.pin().kind == "timestamp"
    assert engine.run(COUNT, CARL, LIMITS, "q").rows == ((10_000,),)
    for user in ("carl", "alice"):
        own.account.tokens[token_of(user, {})].expired = True
    own.standin.service.end_sessions()
    with pytest.raises(EngineError) as caught:
        engine.pin()
    assert caught.value.code == "credential_expired"


def test_a_session_that_the_service_ended_is_opened_again(own: Snowhouse) -> None:
    engine = own.engine()
    engine.run(COUNT, ANN, LIMITS, "q")
    own.standin.service.end_sessions()
    assert engine.run(COUNT, ANN, LIMITS, "r").rows == ((30_000,),)


def test_a_suspended_warehouse_prices_but_does_not_run(own: Snowhouse) -> None:
    engine = own.engine()
    own.account.suspended = True
    assert engine.explain("SELECT sum(amount) FROM orders", ANN, LIMITS).bytes
    fault = _fault(engine)
    assert (fault.code, fault.retryable) == ("warehouse_unavailable", True)
    own.account.suspended, own.account.exhausted = False, True
    fault = _fault(engine)
    assert (fault.code, fault.retryable) == ("warehouse_quota", False)
    own.account.exhausted = False
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_the_service_own_time_limit_is_told_as_one(own: Snowhouse, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = own.engine()
    engine.explain(ENDLESS, ANN, LIMITS)
    start = own.standin.service.start

    def shorter(session: Any, request_id: str, sql: str, given: Any) -> Any:
        return start(session, request_id, sql, {**given, "STATEMENT_TIMEOUT_IN_SECONDS": 1})

    monkeypatch.setattr(own.standin.service, "start", shorter)
    started = time.monotonic()
    fault = _fault(engine, ENDLESS)
    assert isinstance(fault, EngineTimeout)
    assert time.monotonic() - started < 4


def test_a_service_that_answers_503_is_asked_again_and_not_for_ever(own: Snowhouse) -> None:
    engine = own.engine()
    engine.run(COUNT, ANN, LIMITS, "q")
    own.account.broken = 1
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)
    own.account.broken = 10_000
    started = time.monotonic()
    fault = _fault(engine)
    assert (fault.code, fault.retryable) == ("database_unavailable", True)
    assert time.monotonic() - started < 8
    own.account.broken = 0
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_a_service_that_is_not_there_is_said_not_to_be(own: Snowhouse) -> None:
    with Proxy(("127.0.0.1", own.standin.port)) as gone:
        port = gone.port
    started = time.monotonic()
    fault = _fault(own.engine(port=port))
    assert (fault.code, fault.retryable) == ("database_unreachable", True)
    assert time.monotonic() - started < 10


def test_a_connection_that_is_cut_between_questions_is_opened_again(own: Snowhouse, network: Proxy) -> None:
    engine = own.engine(port=network.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    network.cut()
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_a_stalled_network_is_given_up_at_the_deadline_and_its_socket_shut(
    own: Snowhouse, network: Proxy
) -> None:
    engine = own.engine(port=network.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    assert network.left == 0
    network.stall()
    started = time.monotonic()
    fault = _fault(engine, seconds=0.5)
    assert isinstance(fault, EngineTimeout)
    while not network.left:
        assert time.monotonic() - started < 1.5
        time.sleep(0.01)
    engine.close()
    assert time.monotonic() - started < 6
    network.resume()
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_a_caller_who_leaves_a_stalled_network_is_let_go_within_a_second(
    own: Snowhouse, network: Proxy
) -> None:
    engine = own.engine(port=network.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    network.stall()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.run, COUNT, ANN, LIMITS, "left")
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.2)
        started = time.monotonic()
        engine.cancel("left")
        with pytest.raises(EngineCancelled):
            waiting.result(timeout=5)
    assert time.monotonic() - started < 1


def test_a_caller_who_leaves_during_the_login_is_let_go_within_a_second(
    own: Snowhouse, network: Proxy
) -> None:
    engine = own.engine(port=network.port)
    network.stall()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.run, COUNT, ANN, LIMITS, "left")
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.2)
        started = time.monotonic()
        engine.cancel("left")
        with pytest.raises(EngineCancelled):
            waiting.result(timeout=5)
    assert time.monotonic() - started < 1


def test_a_cancelled_query_stops_in_the_database_within_a_second(own: Snowhouse) -> None:
    engine = own.engine()
    with ThreadPoolExecutor(1) as pool:
        waiting = _waiting_for(engine, own.standin, pool)
        time.sleep(0.5)
        started = time.monotonic()
        engine.cancel("endless")
        with pytest.raises(EngineCancelled):
            waiting.result(timeout=5)
        while own.standin.at_work():
            assert time.monotonic() - started < 1
            time.sleep(0.005)
    assert own.standin.service.aborted


def test_a_query_cancelled_as_it_begins_stops_in_the_database_too(own: Snowhouse) -> None:
    """The driver sends no abort for what it has only just sent; the session is ended beside it."""
    engine = own.engine()
    for _ in range(10):
        own.account.log.clear()
        with ThreadPoolExecutor(1) as pool:
            waiting = _waiting_for(engine, own.standin, pool)
            started = time.monotonic()
            engine.cancel("endless")
            with pytest.raises(EngineCancelled):
                waiting.result(timeout=5)
        while own.standin.at_work():
            assert time.monotonic() - started < 1
            time.sleep(0.005)


def test_a_query_at_its_deadline_stops_in_the_database(own: Snowhouse) -> None:
    engine = own.engine()
    engine.explain(ENDLESS, ANN, LIMITS)
    started = time.monotonic()
    assert isinstance(_fault(engine, ENDLESS, seconds=0.3), EngineTimeout)
    while own.standin.at_work():
        assert time.monotonic() - started < 1.3
        time.sleep(0.005)


def test_a_price_sends_nothing_that_runs(own: Snowhouse) -> None:
    engine = own.engine()
    engine.run(COUNT, ANN, LIMITS, "opens the session")
    own.account.log.clear()
    engine.explain(LONG, ANN, LIMITS)
    sent = [request.sql for request in own.account.log]
    assert f"EXPLAIN USING JSON {LONG}" in sent
    assert not [sql for sql in sent if not sql.startswith(("EXPLAIN USING JSON ", "SHOW "))], sent


def test_a_storm_of_cancels_leaves_the_engine_in_order(own: Snowhouse) -> None:
    engine = own.engine(connections=4)
    for number in range(25):
        engine.cancel(f"never {number}")

    def left(number: int) -> bool:
        name = f"q{number}"
        threading.Timer(0.01 * (number % 5), engine.cancel, (name,)).start()
        try:
            engine.run(ENDLESS, (ANN, CARL)[number % 2], LIMITS, name)
        except EngineError as error:
            return error.code in {"query_cancelled", "bad_sql"}
        return False

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(left, range(24)))
    deadline = time.monotonic() + 2
    while own.standin.at_work():
        assert time.monotonic() < deadline, "a statement runs on unseen"
        time.sleep(0.005)
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)
    assert engine.run(COUNT, CARL, LIMITS, "q").rows == ((10_000,),)


def test_a_statement_that_runs_longer_than_a_request_is_waited_for(own: Snowhouse) -> None:
    own.account.patience = 0.05
    slow = "SELECT sum(hash(a.event_id) % 7) FROM events a, TABLE(GENERATOR(ROWCOUNT => 1000))"
    assert len(own.engine().run(slow, ANN, LIMITS, "q").rows) == 1


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["ask", "fail", "cancel", "end"]), st.sampled_from([ANN, CARL])), max_size=12
)


@given(actions=ACTIONS)
@settings(max_examples=25)
def test_no_sequence_of_failures_and_cancels_shows_an_asker_others_rows(
    snowflake_standin: Standin, actions: list[tuple[str, Identity]]
) -> None:
    house = Snowhouse(snowflake_standin)
    engine = house.engine(connections=2)
    try:
        for number, (action, who) in enumerate(actions):
            _act(engine, snowflake_standin, action, who, f"{number}")
    finally:
        house.close()


def _act(engine: SnowflakeEngine, standin: Standin, action: str, who: Identity, name: str) -> None:
    match action:
        case "fail":
            with pytest.raises(EngineError):
                engine.run("SELECT 1 / (order_id - order_id) FROM orders", who, LIMITS, name)
        case "cancel":
            threading.Timer(0.01, engine.cancel, (name,)).start()
            with pytest.raises(EngineError):
                engine.run(
                    f"{COUNT} AS o, orders AS p, orders AS q WHERE o.region <> p.region", who, LIMITS, name
                )
        case "end":
            standin.service.end_sessions()
        case _:
            rows: Any = engine.run(f"{COUNT}", who, LIMITS, name).rows
            assert rows == ((30_000 if who == ANN else 10_000,),)
