"""A plan that came with the words it was made of is held where it may answer a question near the one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.doors.ask_body import AskBody, split_ask
from gateway.service import Gateway
from tests.gateway.shop_house import ANA, replace
from traces.records import Caller

Plan = dict[str, object]
RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")
STRANGE = "churn by region in Q3 2026"
OTHER = "refunds by region in Q3 2026"


@pytest.fixture
def held_shop(shop: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop whose policy holds nearby questions."""
    replace(
        shop / "policies" / "policy.yml",
        [("hold_minutes: 60\n", "hold_minutes: 60\nagent: {nearby: hold}\n")],
    )
    return open_shop()


def test_words_that_stand_for_nothing_or_for_other_metrics_hold_their_plan(
    held_shop: Gateway, revenue: Plan
) -> None:
    for words, said in ((STRANGE, "unknown metric"), (OTHER, "the words name refunds")):
        reply = held_shop.ask(ANA, revenue, AskOptions(words=words))
        assert reply.outcome == "held" and not reply.rows
        view = held_shop.show_hold(RITA, reply.hold_id)
        (near,) = [each for each in view.findings if each.check == "nearby_question"]  # type: ignore[union-attr]
        assert said in near.seen
        assert "churn" not in near.model_dump_json()


def test_an_accept_is_of_these_words_and_this_plan(held_shop: Gateway, revenue: Plan) -> None:
    held = held_shop.ask(ANA, revenue, AskOptions(words=STRANGE))
    held_shop.decide_hold(RITA, held.hold_id, "accept", "churn is told by revenue here")
    other = held_shop.ask(ANA, revenue, AskOptions(words=OTHER, approval_id=held.hold_id))
    assert other.outcome == "held" and other.hold_id != held.hold_id
    reply = held_shop.ask(ANA, revenue, AskOptions(words=STRANGE, approval_id=held.hold_id))
    assert reply.outcome == "answered"


def test_words_that_name_the_plans_metric_hold_nothing_and_are_kept_sealed(
    held_shop: Gateway, revenue: Plan
) -> None:
    words = "net revenue by region in Q3 2026"
    reply = held_shop.ask(ANA, revenue, AskOptions(words=words))
    assert reply.outcome == "answered"
    own = held_shop.get_trace(ANA, reply.trace_id)
    assert own is not None and own.question == words
    audited = held_shop.get_trace(RITA, reply.trace_id)
    assert audited is not None and words not in audited.model_dump_json()


def test_without_words_or_where_the_policy_allows_it_nothing_is_held(
    held_shop: Gateway, revenue: Plan, shop: Path
) -> None:
    assert held_shop.ask(ANA, revenue).outcome == "answered"
    replace(shop / "policies" / "policy.yml", [("agent: {nearby: hold}\n", "")])
    held_shop.reload()
    assert held_shop.ask(ANA, revenue, AskOptions(words=STRANGE)).outcome == "answered"


def test_words_stand_beside_a_plan_and_not_beside_a_question(revenue: Plan) -> None:
    for sent in ({**revenue, "words": STRANGE}, {"plan": revenue, "words": STRANGE}):
        body = split_ask(sent)
        assert isinstance(body, AskBody) and body.options.words == STRANGE and body.plan == revenue
    refused = split_ask({"question": OTHER, "words": STRANGE})
    assert not isinstance(refused, AskBody) and [issue.code for issue in refused] == ["unknown_key"]
