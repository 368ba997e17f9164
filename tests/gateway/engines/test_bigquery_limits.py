"""Limits, stops and broken networks of BigQuery: nothing waits for ever and no job runs on unseen."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from gateway.engines import bigquery_session
from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout
from gateway.engines.bigquery import BigQueryEngine
from tests.gateway.engines.bigquery_house import ANN, LIMITS, Bighouse, shop_project
from tests.servers.bigquery import running
from tests.servers.proxy import Proxy

pytestmark = [pytest.mark.engine("bigquery"), pytest.mark.faults]

COUNT = "SELECT count(*) FROM customers"
ENDLESS = "SELECT count(*) FROM events a, events b, events c WHERE a.kind <> b.kind AND b.kind <> c.kind"
SOON = replace(LIMITS, seconds=0.4)


@pytest.fixture
def own() -> Iterator[Bighouse]:
    """A shop that the test may break."""
    with running(shop_project()) as standin:
        house = Bighouse(standin)
        yield house
        house.close()


@pytest.fixture
def proxy(own: Bighouse) -> Iterator[Proxy]:
    """A network between the engine and the service."""
    with Proxy(("127.0.0.1", own.standin.port)) as found:
        yield found


def _fault(engine: BigQueryEngine, sql: str = COUNT, seconds: float = 20.0) -> EngineError:
    with pytest.raises(EngineError) as caught:
        engine.run(sql, ANN, replace(LIMITS, seconds=seconds), "q")
    assert caught.value.next_step
    assert "127.0.0.1" not in str(caught.value)
    return caught.value


def _until(true: Callable[[], object], seconds: float) -> float:
    started = time.monotonic()
    while not true():
        assert time.monotonic() - started < seconds
        time.sleep(0.005)
    return time.monotonic() - started


def _idle(house: Bighouse) -> bool:
    return all(job.done.is_set() for job in list(house.standin.jobs.jobs.values()))


def test_a_query_above_the_byte_cap_fails_before_it_reads(own: Bighouse) -> None:
    engine = own.engine(url={"maximum_bytes_billed": str(10 * 1024**2)})
    fault = _fault(engine, "SELECT count(e.kind) FROM events e JOIN customers c ON e.visitor = c.customer_id")
    assert fault.code == "query_too_large"
    assert not any(digit in str(fault) for digit in "0123456789")
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)


def test_a_result_that_the_service_finds_too_large_is_refused(own: Bighouse) -> None:
    assert _fault(own.engine(), "SELECT a.event_id FROM events a, events b").code == "query_too_large"


@pytest.mark.parametrize(("reason", "retryable"), [("quotaExceeded", False), ("jobRateLimitExceeded", True)])
def test_a_quota_that_is_used_up_is_said(own: Bighouse, reason: str, retryable: bool) -> None:
    own.project.spent = reason
    fault = _fault(own.engine())
    assert (fault.code, fault.retryable) == ("quota_exceeded", retryable)


def test_a_failure_of_a_moment_is_tried_again(own: Bighouse) -> None:
    engine = own.engine()
    own.project.broken = 2
    assert engine.explain(COUNT, ANN, LIMITS).bytes == 0
    own.project.broken = 2
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)


def test_a_service_that_goes_on_failing_is_given_up_soon(
    own: Bighouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bigquery_session, "RETRY_SECONDS", 0.5)
    own.project.broken = most = 1000
    started = time.monotonic()
    fault = _fault(own.engine())
    assert (fault.code, fault.retryable) == ("database_unavailable", True)
    assert time.monotonic() - started < 3
    assert most - own.project.broken < 20


def test_a_job_whose_beginning_was_not_heard_of_is_not_begun_twice(own: Bighouse) -> None:
    engine = own.engine()
    engine.explain(COUNT, ANN, LIMITS)
    own.project.lost = 1
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    assert len(own.standin.jobs.jobs) == 1


def test_a_price_makes_no_job_that_runs(own: Bighouse) -> None:
    own.engine().explain("SELECT kind, count(visitor) FROM events GROUP BY kind", ANN, LIMITS)
    assert own.project.log and all(request.dry_run for request in own.project.log)
    assert not own.standin.jobs.jobs


def test_a_stopped_query_stops_in_the_service_within_a_second(own: Bighouse) -> None:
    engine = own.engine()
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(engine.run, ENDLESS, ANN, LIMITS, "q")
        _until(lambda: own.standin.jobs.jobs, 5)
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            waits.result(timeout=1)
    assert _until(lambda: _idle(own), 1) < 1
    assert len(own.standin.jobs.cancelled) == 1


def test_a_query_stopped_while_its_job_is_made_leaves_none_running(own: Bighouse, proxy: Proxy) -> None:
    engine = own.engine(port=proxy.port)
    engine.explain(ENDLESS, ANN, LIMITS)
    proxy.delay = 0.2
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(engine.run, ENDLESS, ANN, LIMITS, "q")
        _until(lambda: own.project.log and not own.project.log[-1].dry_run, 5)
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            waits.result(timeout=1)
    _until(lambda: own.standin.jobs.jobs and _idle(own), 3)


def test_at_its_time_limit_a_query_is_stopped_in_the_service_too(own: Bighouse) -> None:
    with pytest.raises(EngineTimeout):
        own.engine().run(ENDLESS, ANN, SOON, "q")
    _until(lambda: _idle(own), 2)


def test_the_service_ends_a_job_whose_gateway_has_died(
    own: Bighouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bigquery_session.Session, "_cancel", lambda *_: None)
    with pytest.raises(EngineTimeout):
        own.engine().run(ENDLESS, ANN, SOON, "q")
    _until(lambda: own.standin.jobs.jobs and _idle(own), 2)
    (job,) = own.standin.jobs.jobs.values()
    assert job.failure is not None
    assert "timed out" in job.failure.said


@pytest.mark.parametrize("verb", ["explain", "run"])
def test_a_stalled_network_is_left_at_the_deadline(own: Bighouse, proxy: Proxy, verb: str) -> None:
    engine = own.engine(port=proxy.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    proxy.stall()
    started = time.monotonic()
    with pytest.raises(EngineTimeout):
        if verb == "explain":
            engine.explain("SELECT sum(customer_id) FROM customers", ANN, SOON)
        else:
            engine.run(COUNT, ANN, SOON, "q")
    assert time.monotonic() - started < 1.5
    _until(lambda: proxy.left == proxy.opened, bigquery_session.CANCEL_SECONDS + 1)
    proxy.resume()
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)


def test_who_leaves_while_the_network_stalls_leaves_at_once(own: Bighouse, proxy: Proxy) -> None:
    engine = own.engine(port=proxy.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    proxy.stall()
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(engine.run, COUNT, ANN, replace(LIMITS, seconds=3), "q")
        with pytest.raises(TimeoutError):
            waits.result(timeout=0.2)
        started = time.monotonic()
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            waits.result(timeout=1)
    assert time.monotonic() - started < 1
    proxy.resume()


def test_a_network_that_breaks_is_connected_to_anew(own: Bighouse, proxy: Proxy) -> None:
    engine = own.engine(port=proxy.port)
    engine.run(COUNT, ANN, LIMITS, "q")
    proxy.cut()
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)


def test_where_nobody_answers_is_said_without_the_address(
    own: Bighouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bigquery_session, "RETRY_SECONDS", 0.3)
    fault = _fault(own.engine(port=9))
    assert (fault.code, fault.retryable) == ("database_unreachable", True)


def test_more_askers_than_connections_wait_and_then_hear_busy(own: Bighouse) -> None:
    engine = own.engine(connections=1, waiting=0)
    with ThreadPoolExecutor(1) as pool:
        holds = pool.submit(engine.run, ENDLESS, ANN, LIMITS, "q")
        _until(lambda: own.standin.jobs.jobs, 5)
        with pytest.raises(EngineBusy):
            engine.run(COUNT, ANN, LIMITS, "r")
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            holds.result(timeout=2)
    assert engine.run(COUNT, ANN, LIMITS, "r").rows == ((100,),)


def test_closing_stops_what_runs(own: Bighouse) -> None:
    engine = own.engine()
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(engine.run, ENDLESS, ANN, LIMITS, "q")
        _until(lambda: own.standin.jobs.jobs, 5)
        engine.close()
        with pytest.raises(EngineCancelled):
            waits.result(timeout=2)
    _until(lambda: _idle(own), 2)
