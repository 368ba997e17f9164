"""A hold over what a reviewer's own role does not show is no hold for them: not listed, shown or decided."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from gateway.reviews.view import HoldList
from tests.gateway.holds.held_shop import Plan, Shop, code, seen
from traces.records import Caller

RAE = Caller(user="rae", roles=("narrow",), teams=("data-governance",), tenant="shop")
TINA = Caller(user="tina", roles=("timeless",), teams=("data-governance",), tenant="shop")
MONTH: dict[str, str] = {"from": "2026-07-01", "to": "2026-07-31"}
COUNT: Plan = {"metrics": ["order_count"], "time": MONTH}
ROLES: dict[str, object] = {
    "narrow": {
        "datasets": ["orders"],
        "metrics": ["order_count"],
        "hidden_columns": ["orders.order_status"],
        "may": ["review"],
    },
    "timeless": {"datasets": ["orders"], "hidden_columns": ["orders.order_date"], "may": ["review"]},
}
EMMA = Caller(user="emma", roles=("emea_reviewer",), teams=("data-governance",), tenant="shop")
ROLES["emea_reviewer"] = {
    "datasets": ["customers", "orders"],
    "rows": [{"field": "region", "op": "in", "values": ["EMEA"]}],
    "may": ["review"],
}
NAMED: dict[str, tuple[Plan, bool]] = {
    "a region of theirs": ({"field": "region", "op": "eq", "values": ["EMEA"]}, True),
    "another region": ({"field": "region", "op": "eq", "values": ["APAC"]}, False),
    "one of two": ({"field": "region", "op": "in", "values": ["EMEA", "APAC"]}, False),
    "a value of the definitions": ({"field": "order_status", "op": "eq", "values": ["completed"]}, True),
    "a value of the data": ({"field": "order_status", "op": "ne", "values": ["seized"]}, False),
    "a bound": ({"field": "customer_since", "op": "ge", "values": ["2026-01-01"]}, True),
    "a day": ({"field": "customer_since", "op": "eq", "values": ["2026-01-01"]}, False),
    "presence": ({"field": "region", "op": "not_null"}, True),
}
PLANS: dict[str, Plan] = {
    "dimension": {**COUNT, "dimensions": ["region"]},
    "filter": {**COUNT, "filters": [{"field": "region", "op": "eq", "values": ["EMEA"]}]},
    "hidden column": {**COUNT, "filters": [{"field": "order_status", "op": "eq", "values": ["completed"]}]},
    "metric filter": {
        **COUNT,
        "metrics": ["order_count", "net_revenue"],
        "filters": [{"metric": "net_revenue", "op": "gt", "values": [7]}],
    },
    "order": {**COUNT, "dimensions": ["order_status"], "order": {"by": "order_status"}},
}
FREE = {
    "table": "SELECT COUNT(*) AS n FROM customers AS c",
    "column": "SELECT o.order_status, COUNT(*) AS n FROM orders AS o GROUP BY o.order_status",
}


@pytest.fixture
def narrow(shop: Path, open_counted: Callable[[], Shop]) -> Shop:
    """The shop with reviewers who see little of it, and free SQL held."""
    file = shop / "policies" / "policy.yml"
    policy = yaml.safe_load(file.read_text(encoding="utf-8"))
    policy["roles"] |= ROLES
    policy["release"] |= {"free": "reviewed"}
    file.write_text(yaml.safe_dump(policy), encoding="utf-8")
    return open_counted()


def is_unseen(house: Shop, reviewer: Caller, hold_id: str) -> bool:
    """Say whether a hold is none for a reviewer, by every verb of the desk."""
    listed = house.gateway.list_holds(reviewer)
    assert isinstance(listed, HoldList)
    told = {code(house.gateway.show_hold(reviewer, hold_id)), code(house.decide(reviewer, hold_id))}
    assert told == {"unknown_hold"} and not house.gateway.hold_waits(reviewer, hold_id)
    return hold_id not in {each.hold_id for each in listed.holds}


@pytest.mark.parametrize("named", PLANS)
def test_a_plan_that_names_something_hidden_anywhere_is_not_theirs_to_decide(
    narrow: Shop, ana: Caller, rita: Caller, named: str
) -> None:
    held = narrow.ask(ana, PLANS[named])
    assert held.outcome == "held", held.issues
    assert is_unseen(narrow, RAE, held.hold_id)
    assert seen(narrow.gateway.show_hold(rita, held.hold_id)).status == "waiting"


@pytest.mark.parametrize("time", [MONTH, {**MONTH, "field": "order_date"}])
def test_a_plan_timed_by_a_hidden_field_is_not_theirs_to_decide(
    narrow: Shop, ana: Caller, time: dict[str, str]
) -> None:
    held = narrow.ask(ana, {**COUNT, "time": time})
    assert held.outcome == "held", held.issues
    assert is_unseen(narrow, TINA, held.hold_id), "also where the metric's own time field is meant"


@pytest.mark.parametrize("read", FREE)
def test_sql_that_reads_something_hidden_is_not_theirs_to_decide(
    narrow: Shop, ana: Caller, rita: Caller, read: str
) -> None:
    held = narrow.gateway.ask_planned(ana, lambda _: FREE[read])
    assert held.outcome == "held", held.issues
    assert is_unseen(narrow, RAE, held.hold_id)
    assert seen(narrow.gateway.show_hold(rita, held.hold_id)).sql


def test_what_their_role_shows_a_reviewer_decides(narrow: Shop, ana: Caller) -> None:
    free = narrow.gateway.ask_planned(ana, lambda _: "SELECT COUNT(*) AS n FROM orders AS o")
    for held in (free, narrow.ask(ana, COUNT)):
        assert narrow.gateway.hold_waits(RAE, held.hold_id)
        assert seen(narrow.decide(RAE, held.hold_id)).status == "accepted"


@pytest.mark.parametrize("about", NAMED)
def test_a_value_that_may_stand_in_rows_a_reviewer_does_not_see_is_not_told_them(
    narrow: Shop, ana: Caller, rita: Caller, about: str
) -> None:
    asked, told = NAMED[about]
    held = narrow.ask(ana, {**COUNT, "filters": [asked]})
    assert held.outcome == "held", held.issues
    assert seen(narrow.gateway.show_hold(rita, held.hold_id)).sql
    if told:
        assert seen(narrow.decide(EMMA, held.hold_id)).status == "accepted"
    else:
        assert is_unseen(narrow, EMMA, held.hold_id)


def test_sql_is_decided_by_who_sees_the_rows_of_its_asker(narrow: Shop, ana: Caller, rita: Caller) -> None:
    sql = "SELECT COUNT(*) AS n FROM customers AS c WHERE c.region = 'APAC'"
    held = narrow.gateway.ask_planned(ana, lambda _: sql)
    assert held.outcome == "held", held.issues
    assert is_unseen(narrow, EMMA, held.hold_id)
    assert seen(narrow.gateway.show_hold(rita, held.hold_id)).sql
