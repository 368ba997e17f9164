"""Every limit is reached by a test; a model that always answers badly ends within them on every path."""

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from gateway.agent.meter import Exhausted, Meter, limit_issues
from gateway.asking import AskOptions
from gateway.cancellation import Cancellation
from gateway.engines.base import EngineBusy, EngineCancelled
from gateway.models.configured import ConfiguredModel
from gateway.models.reach import look_at
from policies.agent_policy import AgentRules
from tests.gateway.agent.conftest import FREE, GOOD, PLAN, QUESTION, AgentShop
from tests.gateway.agent.plans import MONTHS, NOTHING, TOP, TWO_STEPS
from tests.servers.models import Act, Drop, Fail, Say, by_purpose, in_turn, say

ODD_JOIN = "SELECT c.region FROM customers c JOIN orders o ON c.region = o.order_status"
ENDLESS = "SELECT count(*) FROM events a, events b, events c WHERE a.event_id <> b.event_id"
EARLIER = {**PLAN, "time": {"from": "2020-01-01", "to": "2020-12-31"}}
BAD = say({"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["nonsense"]}}]})


def limit_of(reply: object) -> str:
    issues = getattr(reply, "issues")  # noqa: B009
    (found,) = [issue for issue in issues if issue.code == "agent_limit"]
    assert found.seen and found.next_step
    return str(found.message.rpartition("agent.")[2].rstrip("."))


def runs_endlessly(shop: AgentShop, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let every query be one that never ends; return what gets a True for each that is stopped."""
    engine = shop.gateway.house.engine
    real, stopped = engine.run, []

    def run(_: str, *given: object, **named: object) -> object:
        try:
            return real(ENDLESS, *given, **named)  # type: ignore[arg-type]
        except EngineCancelled:
            stopped.append(True)
            raise

    monkeypatch.setattr(engine, "run", run)
    return stopped


def failed_step(shop: AgentShop, reply: object) -> str:
    closed = shop.trace(reply).closed  # type: ignore[arg-type]
    assert closed is not None
    return closed.failed_step


def test_retries(agent_shop: AgentShop) -> None:
    agent_shop.limits(retries=2)
    agent_shop.plays(lambda _: BAD)
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and limit_of(reply) == "retries"
    assert failed_step(agent_shop, reply) == "plan"
    assert agent_shop.calls(reply) == [("plan", "rejected", ("unknown_metric",))] * 3


def test_calls(agent_shop: AgentShop) -> None:
    agent_shop.limits(calls=2, retries=9)
    agent_shop.plays(lambda _: BAD)
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply), len(agent_shop.endpoint.asked)) == ("partial", "calls", 2)


def test_tokens(agent_shop: AgentShop) -> None:
    agent_shop.limits(tokens=12_000, retries=9)
    agent_shop.plays(lambda _: Say("{", tokens=(4_000, 900)))
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "tokens")
    assert len(agent_shop.endpoint.asked) <= 2
    most = [asked.body["max_completion_tokens"] for asked in agent_shop.endpoint.asked]
    assert all(each <= 2_000 for each in most)


def test_tokens_that_an_endpoint_does_not_count_are_counted_by_length(agent_shop: AgentShop) -> None:
    agent_shop.limits(tokens=20_000, retries=50, calls=200)
    agent_shop.plays(lambda _: Say("{", tokens=(0, 0)))
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "tokens")
    assert len(agent_shop.endpoint.asked) < 8


def test_wall_clock(agent_shop: AgentShop) -> None:
    agent_shop.ask()  # the client library is loaded
    agent_shop.limits(seconds=0.8, retries=50, calls=200)
    agent_shop.plays(lambda _: Say("{", after=0.3))
    began = time.monotonic()
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and limit_of(reply) == "seconds"
    assert time.monotonic() - began < 5


def test_a_model_that_never_answers_is_given_up(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    agent_shop.limits(seconds=0.6, retries=1)
    agent_shop.plays(lambda _: Say("{}", after=5))
    began = time.monotonic()
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and time.monotonic() - began < 4
    assert agent_shop.calls(reply)[0] == ("plan", "failed", ("slow",))


def test_steps(agent_shop: AgentShop) -> None:
    agent_shop.limits(steps=1)
    agent_shop.plays(lambda _: say(TWO_STEPS))
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "steps")
    assert failed_step(agent_shop, reply) == "step 2" and reply.answer == ""
    first = agent_shop.trace(reply).opened.ask.step_of
    assert first and agent_shop.gateway.traces.read(first) is not None


def test_steps_of_plans_that_are_revised_again_and_again(agent_shop: AgentShop) -> None:
    agent_shop.limits(steps=2)
    count = iter(range(100))

    def more(_: object) -> Act:
        return say({"steps": [{"id": f"s{next(count)}", "plan": TOP, "decides": True}]})

    agent_shop.plays(more)
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and failed_step(agent_shop, reply) == "revise"


def test_bytes_are_refused_before_a_step_runs(agent_shop: AgentShop) -> None:
    agent_shop.limits(bytes=1)
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "bytes")
    assert reply.actual is None and failed_step(agent_shop, reply) == "plan"


def test_a_shorter_text_is_asked_for_where_a_reply_was_cut(agent_shop: AgentShop) -> None:
    agent_shop.plays(in_turn(Say('{"steps": [', finish="length"), say(GOOD)))
    reply = agent_shop.ask()
    assert reply.outcome == "answered" and agent_shop.calls(reply)[0] == ("plan", "unreadable", ("cut_off",))


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Fail(429, {"retry-after": "0"}), "rate_limited"),
        (Fail(503), "unavailable"),
        (Fail(500), "unavailable"),
        (Drop(), "dropped"),
    ],
)
def test_a_provider_that_is_busy_is_asked_again_after_a_while(
    agent_shop: AgentShop, act: Act, code: str
) -> None:
    agent_shop.plays(in_turn(act, say(GOOD)))
    reply = agent_shop.ask()
    assert reply.outcome == "answered"
    assert agent_shop.calls(reply) == [("plan", "failed", (code,)), ("plan", "used", ())]


@pytest.mark.parametrize(("status", "code"), [(401, "not_allowed"), (404, "no_such_model"), (400, "refused")])
def test_a_provider_that_refuses_is_not_asked_again(agent_shop: AgentShop, status: int, code: str) -> None:
    agent_shop.plays(lambda _: Fail(status))
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and reply.issues[0].code == f"model_{code}"
    assert len(agent_shop.endpoint.asked) == 1


def test_a_busy_database_is_asked_again_and_its_plan_is_not(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = agent_shop.gateway.house.engine
    real, busy = engine.run, iter([True])

    def run(*given: object, **named: object) -> object:
        if next(busy, False):
            raise EngineBusy("engine_busy", "busy", next_step="wait", retry_after=0.01)
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "run", run)
    assert agent_shop.ask().outcome == "answered"
    assert agent_shop.endpoint.purposes() == ["plan"]


def test_a_database_that_stays_busy_ends_as_partial(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_shop.limits(retries=1)

    def run(*_: object, **__: object) -> object:
        raise EngineBusy("engine_busy", "busy", next_step="wait", retry_after=0.01)

    monkeypatch.setattr(agent_shop.gateway.house.engine, "run", run)
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "retries")
    assert failed_step(agent_shop, reply) == "step 1"


def test_a_caller_who_leaves_stops_the_model_within_a_second(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    agent_shop.plays(lambda _: Say("{}", after=20))
    leaver = Cancellation()
    threading.Timer(0.5, leaver.cancel).start()
    began = time.monotonic()
    reply = agent_shop.gateway.ask_question(agent_shop.caller, QUESTION, AskOptions(), cancellation=leaver)
    assert reply.outcome == "left" and time.monotonic() - began < 2
    closed = agent_shop.trace(reply).closed
    assert closed is not None and (closed.outcome, closed.failed_step) == ("left", "plan")


SLOPPY = {
    "broken JSON": Say('{"steps": [{'),
    "prose": Say("Revenue was fine."),
    "unknown names": BAD,
    "another window": say({"steps": [{"id": "a", "plan": EARLIER}]}),
    "a step of the future": say({"steps": [{"id": "a", "plan": PLAN, "uses": [
        {"field": "region", "step": "b", "column": "region"}]}]}),
    "too many steps": say({"steps": [{"id": f"s{n}", "plan": PLAN} for n in range(40)]}),
    "errors": Fail(503),
    "broken connections": Drop(),
    "no steps and nothing missing": say({"steps": [], "missing": []}),
}  # fmt: skip


@pytest.mark.parametrize("act", SLOPPY.values(), ids=SLOPPY.keys())
def test_a_planner_that_always_answers_badly_ends_as_partial_within_its_limits(
    agent_shop: AgentShop, act: Act
) -> None:
    agent_shop.limits(retries=2, calls=4)
    agent_shop.plays(lambda _: act)
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and reply.rows == () and reply.answer == ""
    assert len(agent_shop.endpoint.asked) <= 4


@pytest.mark.parametrize(
    ("sql", "outcome"),
    [
        ("SELECT region FROM", "partial"),
        ("SELECT nothing FROM customers", "partial"),
        ("SELECT * FROM products", "partial"),
        (ODD_JOIN, "held"),
        (FREE, "held"),
    ],
)
def test_sql_that_never_passes_ends_as_partial_or_held(agent_shop: AgentShop, sql: str, outcome: str) -> None:
    agent_shop.limits(retries=1)
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": sql})}))
    reply = agent_shop.ask()
    assert reply.outcome == outcome, reply.issues
    assert reply.rows == () and len(agent_shop.endpoint.asked) <= 3
    if outcome == "held":
        assert reply.hold_id and reply.sql
    else:
        assert failed_step(agent_shop, reply) == "sql"


def test_a_revised_plan_that_never_passes_ends_as_partial(agent_shop: AgentShop) -> None:
    agent_shop.limits(retries=1)
    first = say({"steps": [{"id": "a", "plan": TOP, "decides": True}, {"id": "b", "plan": MONTHS}]})
    agent_shop.plays(by_purpose({"plan": first, "revise": BAD}))
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and failed_step(agent_shop, reply) == "revise" and reply.answer == ""


@pytest.mark.parametrize("act", [Say("{"), say({"text": "It was 7,777,777."}), Fail(500), Drop()])
def test_a_wording_that_never_passes_leaves_the_words_of_the_code(
    open_agent_shop: Callable[..., AgentShop], act: Act
) -> None:
    shop = open_agent_shop()
    shop.limits(draft="planned", retries=1)
    shop.plays(by_purpose({"plan": say(GOOD), "draft": act}))
    reply = shop.ask()
    assert reply.outcome == "answered" and "7,777,777" not in reply.answer and reply.citations
    assert any("code worded the answer" in note for note in reply.notes)


def test_a_meter_never_goes_over() -> None:
    meter = Meter(AgentRules(calls=3, tokens=1_000, retries=0, steps=1, bytes=10))
    meter.call(400)
    meter.used(0, 400)
    assert meter.tokens == 100
    with pytest.raises(Exhausted, match="tokens"):
        meter.call(4_000)
    with pytest.raises(Exhausted, match="retries"):
        meter.retry()
    meter.step()
    with pytest.raises(Exhausted, match="steps"):
        meter.step()
    meter.read(4)
    meter.foresee(6)
    with pytest.raises(Exhausted, match="bytes"):
        meter.foresee(7)


def test_a_query_is_stopped_at_the_database_when_the_time_of_its_question_is_over(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_shop.ask()  # the client library is loaded
    agent_shop.limits(seconds=2)
    stopped = runs_endlessly(agent_shop, monkeypatch)
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply)) == ("partial", "seconds")
    assert failed_step(agent_shop, reply) == "run" and stopped == [True]


def test_a_time_that_is_over_is_told_apart_from_a_caller_who_left() -> None:
    gone = Cancellation()
    with gone.within(0.01, limit_issues(Exhausted("seconds", 1, 1))) as inner:
        while not inner.cancelled:
            time.sleep(0.005)
        assert inner.because[0].code == "agent_limit" and not gone.cancelled
    with gone.within(60, limit_issues(Exhausted("seconds", 1, 1))) as inner:
        gone.cancel()
        assert inner.cancelled and inner.because == ()


def test_a_model_that_nobody_reaches_is_named_with_its_setting_and_its_variable(
    agent_shop: AgentShop,
) -> None:
    agent_shop.ask()
    agent_shop.limits(retries=1)
    model = agent_shop.gateway.house.model
    assert isinstance(model, ConfiguredModel)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        away = replace(model, settings=model.settings.model_copy(update={"base_url": url}))
        agent_shop.gateway.houses.replace(replace(agent_shop.gateway.house, model=away))
        reply = agent_shop.ask()
        found = look_at(away)
    assert (reply.outcome, reply.issues[0].code) == ("partial", "model_unreachable")
    told = reply.issues[0].message + reply.issues[0].next_step
    assert url.split("/")[2] in told and "base_url" in told and "CELLBOUND_AGENT_KEY" in told
    assert agent_shop.calls(reply) == [("plan", "failed", ("unreachable",))] * 2
    assert (found.name, found.ok, found.needed) == ("model", False, False) and url.split("/")[
        2
    ] in found.detail
    assert look_at(model).ok


def test_without_a_key_the_providers_own_endpoint_is_not_asked(agent_shop: AgentShop) -> None:
    model = agent_shop.gateway.house.model
    assert isinstance(model, ConfiguredModel)
    bare = replace(model, settings=model.settings.model_copy(update={"base_url": ""}))
    agent_shop.gateway.houses.replace(replace(agent_shop.gateway.house, model=bare))
    reply = agent_shop.ask()
    assert (reply.outcome, reply.issues[0].code) == ("partial", "model_no_key")
    assert "CELLBOUND_AGENT_KEY" in reply.issues[0].next_step
    assert look_at(bare).detail == "CELLBOUND_AGENT_KEY is not set"
    secret = replace(bare, key="sk-very-secret", settings=model.settings)
    assert "sk-very" not in str(look_at(secret))


def test_a_provider_that_stays_busy_is_said_as_what_it_is(agent_shop: AgentShop) -> None:
    agent_shop.limits(retries=1)
    agent_shop.plays(lambda _: Fail(503))
    reply = agent_shop.ask()
    assert (reply.outcome, reply.issues[0].code) == ("partial", "model_unavailable")
