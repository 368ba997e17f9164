"""What an accept is worth when its asker comes back and something else is no longer as it was: nothing."""

from pathlib import Path

import pytest
import yaml

from gateway.doors.status import status_of
from policies.policy import Lines, Measures
from tests.gateway.holds.held_shop import Plan, Shop, seen
from traces.records import Caller

TIGHT = {"bytes": {"warn": 1, "hard": 10**12}}


@pytest.fixture
def shop(shop: Path) -> Path:
    """A shop whose own policy file holds every question, so that it may be changed and read again."""
    edit(shop, budget=TIGHT)
    return shop


def edit(shop: Path, **keys: object) -> None:
    file = shop / "policies" / "policy.yml"
    policy = yaml.safe_load(file.read_text(encoding="utf-8"))
    file.write_text(yaml.safe_dump({**policy, **keys}), encoding="utf-8")


def reloaded(house: Shop) -> None:
    found = house.gateway.reload()
    assert found is not None and found.outcome == "changed", found


def accepted(house: Shop, ana: Caller, rita: Caller, plan: Plan) -> str:
    """Return the id of a question that waits to be run."""
    held = house.ask(ana, plan)
    assert held.outcome == "held", held.issues
    assert seen(house.decide(rita, held.hold_id)).status == "accepted"
    return held.hold_id


def test_a_definition_that_changed_since_the_accept_puts_it_back_in_the_queue_and_says_so(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    """The report BR-088, for a definition."""
    hold_id = accepted(house, ana, rita, revenue)
    file = next(
        each
        for each in sorted((house.folder / "metrics").glob("*.yml"))
        if "name: net_revenue" in each.read_text(encoding="utf-8")
    )
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("description: ", "description: Now otherwise. ", 1), encoding="utf-8")
    reloaded(house)
    again = house.ask(ana, revenue, hold_id)
    assert again.outcome == "held" and again.hold_id != hold_id and status_of(again).http == 409
    assert {issue.code for issue in again.issues} >= {"approval_stale"}
    view = seen(house.gateway.show_hold(rita, again.hold_id))
    assert "definitions" in view.changed and view.status == "waiting"
    assert not house.engine.runs


def test_who_comes_back_in_another_role_waits_again(
    house: Shop, ana: Caller, rita: Caller, ralf: Caller, revenue: Plan
) -> None:
    hold_id = accepted(house, ana, rita, revenue)
    promoted = ana.model_copy(update={"roles": ("reviewer",)})
    again = house.ask(promoted, revenue, hold_id)
    assert again.outcome == "held" and again.hold_id != hold_id
    assert "role" in seen(house.gateway.show_hold(ralf, again.hold_id)).changed
    assert not house.engine.runs
    assert house.ask(ana, revenue, hold_id).outcome == "answered", "the accept itself still stands"


@pytest.mark.parametrize(
    "change",
    [
        {"may": ["check_sql"]},
        {"datasets": ["products"]},
        {"metrics": ["order_count"]},
        {"hidden_columns": ["customers.region"]},
    ],
)
def test_what_a_role_lost_since_the_accept_it_does_not_get_by_it(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, change: dict[str, object]
) -> None:
    hold_id = accepted(house, ana, rita, revenue)
    policy = yaml.safe_load((house.folder / "policies" / "policy.yml").read_text(encoding="utf-8"))
    roles = policy["roles"]
    edit(house.folder, roles={**roles, "analyst": {**roles["analyst"], **change}})
    reloaded(house)
    told = house.ask(ana, revenue, hold_id)
    assert told.outcome in ("denied", "invalid_plan"), (told.outcome, told.issues)
    assert not told.rows and not house.engine.runs


def test_a_class_that_went_down_since_the_accept_tells_nothing(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    hold_id = accepted(house, ana, rita, revenue)
    house.change(release={"governed": "shadow"})
    told = house.ask(ana, revenue, hold_id)
    assert told.outcome in ("held", "not_released") and not told.rows and not told.answer


def test_a_day_that_was_used_up_since_the_accept_stops_it(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    price = house.ask(ana, revenue).estimate
    assert price is not None and price.bytes
    most = int(price.bytes * 1.5)
    house.change(
        budget=house.policy.budget.model_copy(update={"day": Measures(bytes=Lines(warn=most, hard=most))})
    )
    first, second = ({**revenue, "limit": limit} for limit in (10, 11))
    ids = [house.ask(ana, plan).hold_id for plan in (first, second)]
    for hold_id in ids:
        house.decide(rita, hold_id)
    assert house.ask(ana, first, ids[0]).outcome == "answered"
    stopped = house.ask(ana, second, ids[1])
    assert stopped.outcome == "denied" and "day_budget" in {issue.code for issue in stopped.issues}
    assert len(house.engine.runs) == 1
