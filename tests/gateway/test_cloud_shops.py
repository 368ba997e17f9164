"""The whole house over each cloud's stand-in: the demo's answers, own rows only, and a caller who leaves."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.operation.proof import prove_roles
from gateway.reply import Reply
from gateway.service import Gateway
from tests.gateway import cloud_shop
from tests.gateway.bigquery_shop import bigquery_shop
from tests.gateway.cloud_shop import CloudShop
from tests.gateway.shop_house import (
    ANA,
    EMIL,
    FEW,
    IN_AGGREGATE,
    hides_small_groups,
    opened,
    regions,
    reviewed,
    who_leaves,
)
from tests.gateway.snowflake_shop import snowflake_shop

Plan = dict[str, object]

SHOPS: Mapping[str, Callable[[Path], AbstractContextManager[CloudShop]]] = {
    "snowflake": snowflake_shop,
    "bigquery": bigquery_shop,
}


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.engine(name)) for name in SHOPS])
def cloud(request: pytest.FixtureRequest, shop_file: Path) -> Iterator[CloudShop]:
    """The demo shop's rows in a stand-in."""
    with SHOPS[request.param](shop_file) as found:
        yield found


@pytest.fixture
def house(cloud: CloudShop, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over the stand-in."""
    engine = f'"{cloud.url}"\ncredentials = "hook:{cloud_shop.__name__}:token_of"'
    with opened(tmp_path / "house", engine, cloud.policy) as gateway:
        yield gateway


@pytest.fixture
def plan(cloud: CloudShop, revenue: Plan) -> Plan:
    """The demo's first question, in the stand-in's dialect."""
    return {**revenue, "dialect": cloud.name}


def test_the_same_plan_has_the_same_answer_as_over_duckdb(
    house: Gateway, gateway: Gateway, plan: Plan, revenue: Plan
) -> None:
    there, here = house.ask(ANA, plan), gateway.ask(ANA, revenue)
    assert there.outcome == here.outcome == "answered", there.issues
    assert there.rows == here.rows
    assert there.answer == here.answer
    assert len(there.rows) > 5


def test_small_groups_are_hidden_and_left_out_by_the_warehouse(
    gateway: Gateway, cloud: CloudShop, tmp_path: Path
) -> None:
    engine = f'"{cloud.url}"\ncredentials = "hook:{cloud_shop.__name__}:token_of"'
    with opened(tmp_path / "few", engine, (*cloud.policy, IN_AGGREGATE)) as house:
        hides_small_groups(house, gateway.ask(ANA, dict(FEW)), {**FEW, "dialect": cloud.name})


def test_a_role_is_told_the_rows_of_its_own_policy(house: Gateway, plan: Plan) -> None:
    reply = house.ask(EMIL, plan)
    assert reply.outcome == "answered", reply.issues
    assert regions(reply) == {"EMEA"}


def test_the_price_and_the_moment_of_the_data_are_on_the_trace(
    house: Gateway, cloud: CloudShop, plan: Plan
) -> None:
    """BigQuery hides what is read under row policies: such a price is unknown, and no figure stands in it."""
    trace = house.traces.read(house.ask(ANA, plan).trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.pins is not None
    pins, priced = trace.closed.pins, trace.closed.estimate
    assert (pins.engine, pins.mode, pins.data.kind) == (cloud.name, "login", "timestamp")
    assert priced is not None and priced.bound == cloud.bound
    if cloud.bound == "unknown":
        assert priced.bytes is None
    else:
        assert (priced.bytes or 0) > 100_000


def test_the_price_of_a_window_is_that_of_its_days(house: Gateway, cloud: CloudShop) -> None:
    def asked(end: str) -> Reply:
        time = {"field": "event_time", "from": "2026-01-01", "to": end}
        plan = {"metrics": ["event_count"], "time": time, "dialect": cloud.name}
        return house.ask(ANA, plan, AskOptions(dry_run=True))

    week, month = asked("2026-01-07"), asked("2026-01-31")
    assert week.outcome == month.outcome == "dry_run", (week.issues, month.issues)
    assert week.estimate is not None and month.estimate is not None
    assert week.estimate.bound == cloud.bound_without_rules
    assert 0 < (week.estimate.bytes or 0) < (month.estimate.bytes or 0)
    trace = house.traces.read(week.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.estimate is not None
    assert [scan.full for scan in trace.closed.estimate.scans] == [False]


def test_a_statement_carries_the_id_of_its_trace(house: Gateway, cloud: CloudShop, plan: Plan) -> None:
    reply = house.ask(ANA, plan)
    assert cloud.tag(reply.trace_id) in cloud.tags()


def test_attacks_by_free_sql_are_refused_before_the_database_hears_of_them(
    house: Gateway, cloud: CloudShop
) -> None:
    for attack in cloud.attacks:
        heard = len(cloud.sent())
        reply = reviewed(house, EMIL, attack)
        assert reply.outcome == "denied", attack
        assert not reply.rows
        assert not cloud.sent()[heard:], attack


def test_free_sql_that_the_checks_let_through_shows_own_rows_only(house: Gateway, cloud: CloudShop) -> None:
    reply = reviewed(house, EMIL, cloud.free)
    assert reply.outcome == "answered", reply.issues
    assert [row[0] for row in reply.rows] == ["EMEA"]


def test_each_role_with_users_is_proved_with_their_own_tokens(house: Gateway) -> None:
    found = {finding.name: finding for finding in prove_roles(house.house)}
    for role in ("analyst", "emea_analyst"):
        assert found[f"role {role}"].ok, found[f"role {role}"].detail
    assert "sol" in found["role support_lead"].detail


def test_a_caller_who_leaves_stops_the_statement_in_the_service(
    house: Gateway, cloud: CloudShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"metrics": ["order_count"], "dialect": cloud.name}
    reply = who_leaves(
        house, monkeypatch, cloud.slow, plan, lambda: cloud.slow in cloud.sent() and cloud.at_work()
    )
    assert reply.outcome == "left"
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.outcome == "left"
