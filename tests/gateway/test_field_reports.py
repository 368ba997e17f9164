"""Faults that users of other systems reported about answers, and what happens here instead."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from gateway.asking import AskOptions
from gateway.engines.base import Identity, Limits, Rows
from gateway.reply import Reply
from gateway.service import Gateway
from traces.records import Caller

Plan = dict[str, object]
PRODUCTS: Plan = {"metrics": ["units_sold"], "dimensions": ["product"]}


@pytest.fixture
def capped(gateway: Gateway) -> Gateway:
    """The shop, whose runs return at most 60 rows."""
    caps = gateway.house.governed.policy.caps.model_copy(update={"rows": 60})
    role = next(role for role in gateway.house.entitlements if role.role_name == "analyst")

    class Capped:
        def of(self, caller: Caller) -> object:
            return replace(role, caps=caps)

    house = replace(gateway.house, entitlements=Capped())  # type: ignore[arg-type]
    return Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations)


def drafted(house: Gateway, caller: Caller, reply: Reply, draft: str) -> str:
    return house.check_answer(caller, draft, [reply.trace_id]).outcome


# BR-069: an answer told the number of preview rows as the number of things there are.


def test_the_number_of_rows_shown_is_no_count_of_what_there_is(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, PRODUCTS)
    assert (len(reply.rows), reply.row_count > 300) == (50, True)
    assert drafted(gateway, ana, reply, "There are 50 products.") == "blocked"


def test_the_number_of_rows_of_a_cut_result_is_no_count_of_what_there_is(
    capped: Gateway, ana: Caller
) -> None:
    reply = capped.ask(ana, PRODUCTS)
    assert (reply.row_count, reply.truncated, reply.limit_source) == (60, True, "rows")
    assert reply.summary is not None and not reply.summary.whole
    for draft in ("There are 60 products.", "In all, 60 rows.", "We sell sixty products."):
        assert drafted(capped, ana, reply, draft) in ("blocked", "abstained")


def test_a_count_comes_from_a_question_of_its_own(capped: Gateway, ana: Caller) -> None:
    counted = capped.ask(ana, {"metrics": ["new_customers"]})
    (number,) = counted.rows[0]
    assert isinstance(number, int) and number > 6000
    assert drafted(capped, ana, counted, f"There are {number:,} new customers.") == "passed"
    assert drafted(capped, ana, counted, f"There are {number + 1:,} new customers.") == "blocked"


# BR-072: with execution switched off, a model made up averages for data it knew by heart.


class Silent:
    """The real engine, which may price and must not run."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        raise AssertionError("a dry run ran")


@pytest.mark.parametrize("draft", ["The average order value is $61.20.", "About sixty dollars.", "{{c:0.x}}"])
def test_no_number_leaves_where_nothing_ran(
    open_shop: Callable[[], Gateway], ana: Caller, draft: str
) -> None:
    gateway = open_shop()
    engine = Silent(gateway.house.engine)
    house = Gateway(
        replace(gateway.house, engine=engine),  # type: ignore[arg-type]
        gateway.traces,
        gateway.results,
        gateway.state,
        gateway.attestations,
    )
    reply = house.ask(ana, {"metrics": ["average_order_value"]}, options=AskOptions(dry_run=True))
    assert reply.outcome == "dry_run" and reply.sql.upper().startswith("SELECT")
    assert not (reply.answer or reply.rows or reply.citations or reply.summary)
    checked = house.check_answer(ana, draft, [reply.trace_id])
    assert (checked.outcome, checked.text) == ("invalid", "")
    (issue,) = checked.issues
    assert (issue.code, issue.seen) == ("no_result", "dry_run")
