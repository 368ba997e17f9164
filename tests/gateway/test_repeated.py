"""A request sent again with its key gets the reply it had; nothing runs twice."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from gateway.errors import Busy
from gateway.reply import Reply
from gateway.service import Gateway
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


def late(gateway: Gateway, now: list[datetime], seconds: float) -> Gateway:
    """Return the gateway with another time limit per query, on a clock that the test moves."""
    governed = gateway.house.governed
    caps = governed.policy.caps.model_copy(update={"seconds": seconds})
    policy = governed.policy.model_copy(update={"caps": caps})
    house = replace(gateway.house, governed=replace(governed, policy=policy), now=lambda: now[0])
    return Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations)


@pytest.fixture
def now() -> list[datetime]:
    return [utc_now()]


@pytest.fixture
def slow(shop: Path, now: list[datetime]) -> Iterator[Gateway]:
    """The shop with an hour per query."""
    gateway = open_gateway(shop, now=lambda: now[0])
    yield late(gateway, now, 3600)
    gateway.close()


def test_a_key_stays_taken_for_as_long_as_its_question_may_run(
    slow: Gateway, ana: Caller, now: list[datetime]
) -> None:
    def work() -> Reply:
        now[0] += timedelta(hours=6)
        with pytest.raises(Busy):
            slow.once(ana, "k", "d", never)
        return Reply(outcome="answered", trace_id="t1")

    assert slow.once(ana, "k", "d", work).trace_id == "t1"
    assert slow.once(ana, "k", "d", never).trace_id == "t1"


@pytest.mark.parametrize("end", ["answered", "left", "broken"])
@pytest.mark.parametrize("asked", ["d", "other"])
def test_a_request_whose_claim_is_over_changes_nothing_of_the_next_ones(
    slow: Gateway, ana: Caller, now: list[datetime], end: str, asked: str
) -> None:
    def next_one() -> Reply:
        with pytest.raises(Busy):
            slow.once(ana, "k", asked, never)
        return Reply(outcome="answered", trace_id="next")

    def overtaken() -> Reply:
        now[0] += timedelta(days=2)
        slow.once(ana, "k", asked, next_one)
        if end == "broken":
            raise OSError("no disk")
        return Reply(outcome="left" if end == "left" else "answered", trace_id="first")

    with suppress(OSError):
        slow.once(ana, "k", "d", overtaken)
    assert slow.once(ana, "k", asked, never).trace_id == "next"


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
