"""A request sent again with its key gets the reply it had; nothing runs twice."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from gateway.errors import Busy
from gateway.repeated import LEASE
from gateway.reply import Reply
from gateway.service import Gateway
from gateway.state import StateStore
from gateway.stores.rows import Place
from gateway.wiring import open_gateway, utc_now
from traces.records import Caller

Plan = dict[str, object]


def test_the_same_key_gets_the_same_reply_and_runs_nothing(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    first, again = (gateway.once(ana, "k1", "d", lambda: gateway.ask(ana, revenue)) for _ in range(2))
    assert first.outcome == "answered" and again.model_dump_json() == first.model_dump_json()
    assert len(gateway.list_traces(ana)) == 1
    assert gateway.once(ana, "k2", "d", lambda: gateway.ask(ana, revenue)).trace_id != first.trace_id


def test_a_key_is_the_callers_own(gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan) -> None:
    mine = gateway.once(ana, "k", "d", lambda: gateway.ask(ana, revenue))
    theirs = gateway.once(emil, "k", "d", lambda: gateway.ask(emil, revenue))
    assert theirs.trace_id != mine.trace_id and theirs.rows != mine.rows


def test_a_key_with_another_request_is_refused(gateway: Gateway, ana: Caller) -> None:
    gateway.once(ana, "k", "d", lambda: Reply(outcome="no_rows"))
    reply = gateway.once(ana, "k", "other", lambda: Reply(outcome="answered"))
    assert (reply.outcome, reply.issues[0].code) == ("invalid_plan", "idempotency_key_reused")


def test_a_kept_reply_ends_with_the_access_it_was_given_under(gateway: Gateway, ana: Caller) -> None:
    gateway.once(ana, "k", "d", lambda: Reply(outcome="answered", rows=(("secret",),)))
    narrowed = ana.model_copy(update={"roles": ("emea_analyst",)})
    for who in (narrowed, ana.model_copy(update={"roles": ()})):
        reply = gateway.once(who, "k", "d", never)
        assert (reply.rows, reply.issues[0].code) == ((), "idempotency_key_reused")


@pytest.mark.parametrize("outcome", ["left", "busy"])
def test_a_question_that_came_to_nothing_is_asked_again(gateway: Gateway, ana: Caller, outcome: str) -> None:
    gone = Reply(outcome="left") if outcome == "left" else Reply(outcome="failed", retry_after=2)
    gateway.once(ana, "k", "d", lambda: gone)
    assert gateway.once(ana, "k", "d", lambda: Reply(outcome="answered")).outcome == "answered"


def test_a_broken_house_gives_the_key_back(gateway: Gateway, ana: Caller) -> None:
    def broken() -> Reply:
        raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        gateway.once(ana, "k", "d", broken)
    assert gateway.once(ana, "k", "d", lambda: Reply(outcome="answered")).outcome == "answered"


def test_two_at_once_run_once(gateway: Gateway, ana: Caller) -> None:
    inside, ending = Event(), Event()

    def slow() -> Reply:
        inside.set()
        ending.wait(10)
        return Reply(outcome="answered", trace_id="t1")

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(gateway.once, ana, "k", "d", slow)
        inside.wait(10)
        with pytest.raises(Busy):
            gateway.once(ana, "k", "d", slow)
        ending.set()
        assert first.result().trace_id == "t1"
    assert gateway.once(ana, "k", "d", slow).trace_id == "t1"


def test_a_key_is_free_after_an_hour(shop: Path, ana: Caller) -> None:
    late = [utc_now()]
    house = open_gateway(shop, now=lambda: late[0])
    house.once(ana, "k", "d", lambda: Reply(outcome="answered", trace_id="t1"))
    late[0] += timedelta(minutes=61)
    assert house.once(ana, "k", "d", lambda: Reply(outcome="answered", trace_id="t2")).trace_id == "t2"
    house.close()


@pytest.fixture
def now() -> list[datetime]:
    return [utc_now()]


@pytest.fixture
def timed(shop: Path, now: list[datetime]) -> Iterator[Gateway]:
    """The shop on a clock that the test moves."""
    gateway = open_gateway(shop, now=lambda: now[0])
    yield gateway
    gateway.close()


def test_a_key_stays_taken_for_as_long_as_its_question_runs(
    gateway: Gateway, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.repeated.LEASE", timedelta(seconds=1))

    def work() -> Reply:
        ends = time.monotonic() + 3
        while time.monotonic() < ends:
            with pytest.raises(Busy):
                gateway.once(ana, "k", "d", never)
            time.sleep(0.2)
        return Reply(outcome="answered", trace_id="t1")

    assert gateway.once(ana, "k", "d", work).trace_id == "t1"
    assert gateway.once(ana, "k", "d", never).trace_id == "t1"


def claim_and_die(place: Place) -> None:
    """Take a key as a process does that is killed in the middle of its question."""
    state = StateStore(place, clock=utc_now)
    assert state.replies.claim("ana", "k", "d", LEASE).holder == "mine"
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_was_killed_gives_its_key_back_when_its_lease_is_over(place: Place) -> None:
    killed = multiprocessing.get_context("spawn").Process(target=claim_and_die, args=(place,))
    killed.start()
    killed.join(60)
    assert killed.exitcode == -signal.SIGKILL
    later = [utc_now()]
    state = StateStore(place, clock=lambda: later[0])
    assert state.replies.claim("ana", "k", "d", LEASE).holder == "running"
    later[0] += LEASE
    assert state.replies.claim("ana", "k", "d", LEASE).holder == "mine"
    assert state.replies.claim("ana", "k", "d", LEASE).holder == "running"
    state.close()


def test_a_lease_that_was_lost_is_not_renewed(place: Place) -> None:
    later = [utc_now()]
    state = StateStore(place, clock=lambda: later[0])
    first = state.replies.claim("ana", "k", "d", LEASE)
    held = state.replies.renew("ana", "k", first, 2 * LEASE)
    assert held is not None and held.until > first.until
    later[0] += 2 * LEASE
    assert state.replies.claim("ana", "k", "d", LEASE).holder == "mine"
    assert state.replies.renew("ana", "k", held, LEASE) is None
    state.close()


@pytest.mark.parametrize("end", ["answered", "left", "broken"])
@pytest.mark.parametrize("asked", ["d", "other"])
def test_a_request_whose_claim_is_over_changes_nothing_of_the_next_ones(
    timed: Gateway, ana: Caller, now: list[datetime], end: str, asked: str
) -> None:
    def next_one() -> Reply:
        with pytest.raises(Busy):
            timed.once(ana, "k", asked, never)
        return Reply(outcome="answered", trace_id="next")

    def overtaken() -> Reply:
        now[0] += timedelta(days=2)
        timed.once(ana, "k", asked, next_one)
        if end == "broken":
            raise OSError("no disk")
        return Reply(outcome="left" if end == "left" else "answered", trace_id="first")

    with suppress(OSError):
        timed.once(ana, "k", "d", overtaken)
    assert timed.once(ana, "k", asked, never).trace_id == "next"


def test_kept_replies_are_sealed(gateway: Gateway, shop: Path, ana: Caller) -> None:
    gateway.once(ana, "k", "d", lambda: Reply(outcome="answered", answer="a canary in a reply"))
    kept = b"".join(file.read_bytes() for file in (shop / "var").glob("state*"))
    assert b"canary" not in kept


def test_a_reply_survives_the_process(open_shop: Callable[[], Gateway], ana: Caller, revenue: Plan) -> None:
    first = open_shop()
    reply = first.once(ana, "k", "d", lambda: first.ask(ana, revenue))
    again = open_shop().once(ana, "k", "d", never)
    assert again == reply


def never() -> Reply:
    raise AssertionError("the question ran again")
