"""The example projects load whole, and every plan in them does what its README says."""

import json
from collections.abc import Iterator

import pytest

from gateway.asking import AskOptions
from gateway.reply import Reply
from gateway.scaffold.project import Demo, scaffold, templates
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from metric_layer.load import load_layer
from policies.load import load_policy
from traces.records import Caller

SHOP_PLANS = {
    "net_revenue_by_region": "answered",
    "shipping_and_revenue": "answered",
    "tickets_and_orders": "answered",
    "empty_month": "no_rows",
    "events_two_months": "answered",
    "events_half_year": "held",
    "events_year": "denied",
}
FLIGHTS_PLANS = {
    "delays_by_origin": "answered",
    "delays_by_wind": "answered",
    "seats_by_airline": "answered",
    "cancellations_and_weather": "answered",
    "which_time_zone": "needs_clarification",
}


def opened(tmp_path_factory: pytest.TempPathFactory, demo: Demo) -> Iterator[Gateway]:
    folder = scaffold(tmp_path_factory.mktemp("projects") / demo, demo).folder
    gateway = open_gateway(folder)
    yield gateway
    gateway.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    yield from opened(tmp_path_factory, "shop")


@pytest.fixture(scope="module")
def flights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    yield from opened(tmp_path_factory, "flights")


def caller(demo: str, user: str) -> Caller:
    known = load_settings(templates() / demo).identity.users[user]
    return Caller(user=user, teams=known.teams, roles=known.roles, tenant=known.tenant)


def plan_of(demo: str, name: str) -> object:
    return json.loads((templates() / demo / "plans" / f"{name}.json").read_text())


def cells(reply: Reply, *names: str) -> list[tuple[str, ...]]:
    places = [[column.name for column in reply.columns].index(name) for name in names]
    return [tuple(str(row[place]) for place in places) for row in reply.rows]


@pytest.mark.parametrize("name", ["empty", "shop", "flights"])
def test_definitions_and_policy_of_a_template_are_whole(name: str) -> None:
    layer = load_layer(templates() / name / "metrics")
    governed = load_policy(templates() / name / "policies", layer)
    for user in load_settings(templates() / name).identity.users.values():
        assert set(user.roles) <= set(governed.policy.roles)


@pytest.mark.parametrize(("demo", "plans"), [("shop", SHOP_PLANS), ("flights", FLIGHTS_PLANS)])
def test_every_plan_of_a_template_is_expected_to_do_something(demo: str, plans: dict[str, str]) -> None:
    assert {file.stem for file in (templates() / demo / "plans").glob("*.json")} == set(plans)
    readme = (templates() / demo / "README.md").read_text()
    assert all(f"`plans/{name}.json`" in readme for name in plans)


@pytest.mark.parametrize(("name", "outcome"), SHOP_PLANS.items())
def test_a_plan_of_the_shop_does_what_the_readme_says(shop: Gateway, name: str, outcome: str) -> None:
    reply = shop.ask(caller("shop", "ana"), plan_of("shop", name))
    assert reply.outcome == outcome, reply.issues


@pytest.mark.parametrize(("name", "outcome"), FLIGHTS_PLANS.items())
def test_a_plan_of_the_flights_does_what_the_readme_says(flights: Gateway, name: str, outcome: str) -> None:
    reply = flights.ask(caller("flights", "ana"), plan_of("flights", name))
    assert reply.outcome == outcome, reply.issues


def test_the_shop_answers_with_the_figures_of_its_readme(shop: Gateway) -> None:
    reply = shop.ask(caller("shop", "ana"), plan_of("shop", "net_revenue_by_region"))
    readme = (templates() / "shop" / "README.md").read_text()
    figures = [figure for (figure,) in cells(reply, "net_revenue")]
    assert len(figures) == 12
    assert all(f"{float(figure):,.2f}" in readme for figure in figures)


def test_fees_are_counted_once_per_order(shop: Gateway) -> None:
    reply = shop.ask(caller("shop", "ana"), plan_of("shop", "shipping_and_revenue"))
    assert ("EMEA", "44806.60") in cells(reply, "region", "shipping_fees")


def test_emil_gets_his_region_of_the_same_plan(shop: Gateway) -> None:
    plan = plan_of("shop", "net_revenue_by_region")
    everything = shop.ask(caller("shop", "ana"), plan)
    his = shop.ask(caller("shop", "emil"), plan)
    emea = [row for row in cells(everything, "region", "month", "net_revenue") if row[0] == "EMEA"]
    assert cells(his, "region", "month", "net_revenue") == emea


def test_noah_gets_newark_of_the_same_plan(flights: Gateway) -> None:
    plan = plan_of("flights", "delays_by_origin")
    reply = flights.ask(caller("flights", "noah"), plan)
    assert {origin for (origin,) in cells(reply, "origin")} == {"EWR"}


@pytest.mark.parametrize(
    ("user", "metric"),
    [
        ("emil", "shipping_fees"),
        ("emil", "ticket_count"),
        ("fay", "ticket_count"),
        ("fay", "customers_ordering"),
        ("sol", "net_revenue"),
    ],
)
def test_what_a_role_may_not_ask_is_answered_like_an_unknown_name(
    shop: Gateway, user: str, metric: str
) -> None:
    reply = shop.ask(caller("shop", user), {"metrics": [metric]})
    assert reply.outcome == "invalid_plan"
    assert [issue.code for issue in reply.issues] == ["unknown_metric"]
    assert metric not in {card.name for card in shop.list_metrics(caller("shop", user)).metrics}


def test_the_choice_of_an_airport_settles_the_question(flights: Gateway) -> None:
    # Of no team: the reading is kept for this caller alone, and other tests are asked as before.
    alone = caller("flights", "ana").model_copy(update={"user": "alone", "teams": ()})
    plan = plan_of("flights", "which_time_zone")
    asked = flights.ask(alone, plan)
    option = next(option for issue in asked.issues for option in issue.options if "origin" in option.name)
    term = next(issue.term for issue in asked.issues if issue.options)
    reply = flights.ask(alone, plan, options=AskOptions(choices={term: option.name}))
    assert reply.outcome == "answered", reply.issues
    assert cells(reply, "airport_time_zone") == [("America/New_York",)]


def test_weather_takes_no_flight_away_and_adds_none(flights: Gateway) -> None:
    ana = caller("flights", "ana")
    window = {"field": "flight_date", "from": "2013-01-01", "to": "2013-12-31"}
    reply = flights.ask(ana, {"metrics": ["flight_count"], "dimensions": ["wind"], "time": window})
    assert sum(int(count) for (count,) in cells(reply, "flight_count")) == 336_776
