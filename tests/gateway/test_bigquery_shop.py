"""The whole house over the BigQuery stand-in: the demo's answers, own rows only, and a caller who leaves."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.cancellation import Cancellation
from gateway.operation.proof import prove_roles
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.servers.bigquery import Standin, running
from tests.servers.bigquery_project import Project
from traces.records import Ask, Caller

pytestmark = pytest.mark.engine("bigquery")

ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), tenant="shop")
SALES = ("customers", "orders", "order_lines", "products")
TABLES = (*SALES, "support_tickets", "events")
HIDDEN = {"customers": ("name", "email", "phone"), "events": ("payload",), "products": ("unit_cost",)}
CUSTOMERS = "customer_id IN (SELECT customer_id FROM shop.customers WHERE region = 'EMEA')"
KEPT = {
    "customers": "region = 'EMEA'",
    "orders": CUSTOMERS,
    "order_lines": f"order_id IN (SELECT order_id FROM shop.orders WHERE {CUSTOMERS})",
}
# What is read of tables with row policies is kept back from askers: such questions run under the hard caps.
POLICY = (
    ("budget:\n", "budget:\n  unknown: hard_caps\n"),
    ("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n"),
)
ATTACKS = (
    "SELECT * FROM INFORMATION_SCHEMA.JOBS",
    "SELECT * FROM `acme-shop.region-eu.INFORMATION_SCHEMA.TABLES`",
    "SELECT email FROM customers",
    "SELECT `EMAIL` FROM `customers`",
    "EXPORT DATA OPTIONS(uri='gs://a/b*', format='CSV') AS SELECT 1 AS x",
    "SELECT * FROM EXTERNAL_QUERY('a.b.c', 'SELECT 1')",
    "SELECT region FROM customers FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)",
    "SELECT SESSION_USER() AS me",
    "DECLARE x INT64; SELECT 1",
)
HARMLESS = ("SELECT 1",)
"""What is asked for the moment it is."""


def token_of(login: str, place: object) -> str:
    """Return the token of a login."""
    return f"token-of-{login}"


def _email(user: str) -> str:
    return f"{user}@example.com"


def _project(shop_file: Path) -> Project:
    project = Project()
    project.duck.execute(f"ATTACH '{shop_file}' AS source (READ_ONLY)")
    for table in TABLES:
        project.execute(f"CREATE TABLE {table} AS SELECT * FROM source.main.{table}")
    for user in ("ana", "emil"):
        project.tokens[token_of(user, {})] = _email(user)
        for table in TABLES if user == "ana" else SALES:
            name = ("shop", table)
            project.grant(_email(user), table)
            project.tagged[name, _email(user)] = HIDDEN.get(table, ()) + (
                ("shipping_fee",) if user == "emil" else ()
            )
            if table in KEPT:
                policies = project.row_policies.setdefault(name, {})
                policies[_email(user)] = "TRUE" if user == "ana" else KEPT[table]
    project.partitioned["shop", "events"] = "event_time"
    return project


@pytest.fixture(scope="module")
def standin(shop_file: Path) -> Iterator[Standin]:
    """The demo shop's rows in the stand-in."""
    with running(_project(shop_file)) as found:
        yield found


@pytest.fixture
def house(standin: Standin, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over the stand-in, opened as `serve` opens it."""
    folder = tmp_path / "over_bigquery"
    shutil.copytree(templates() / "shop", folder)
    file = folder / "cellbound.toml"
    keys = "location=EU&principal={user}@example.com"
    url = f"bigquery://acme-shop/shop?{keys}&endpoint=http://127.0.0.1:{standin.port}"
    credentials = f'"\ncredentials = "hook:{__name__}:token_of'
    file.write_text(
        file.read_text(encoding="utf-8").replace("duckdb:var/shop.duckdb", url + credentials),
        encoding="utf-8",
    )
    policy = folder / "policies" / "policy.yml"
    written = policy.read_text(encoding="utf-8")
    for old, new in POLICY:
        assert old in written
        written = written.replace(old, new)
    policy.write_text(written, encoding="utf-8")
    gateway = open_gateway(folder)
    yield gateway
    gateway.close()


def _plan(revenue: dict[str, object]) -> dict[str, object]:
    return {**revenue, "dialect": "bigquery"}


def _reviewed(house: Gateway, caller: Caller, sql: str) -> Reply:
    """Ask with free SQL of a planner, accept it as a reviewer who looks at nothing, and ask again."""
    held = house.ask_planned(caller, lambda _: sql)
    if held.outcome != "held":
        return held
    house.state.holds.rule(held.hold_id, "accept", by="rita")
    recorder = StoreRecorder(house.traces, house.results, house.state, house.attestations)
    return answer(house.house, recorder, caller, Ask(approval_id=held.hold_id), planner=lambda _: sql)


def test_the_same_plan_has_the_same_answer_as_over_duckdb(
    house: Gateway, gateway: Gateway, revenue: dict[str, object]
) -> None:
    there, here = house.ask(ANA, _plan(revenue)), gateway.ask(ANA, revenue)
    assert there.outcome == here.outcome == "answered", there.issues
    assert there.rows == here.rows
    assert there.answer == here.answer
    assert len(there.rows) > 5


def test_a_role_is_told_the_rows_of_its_own_policy(house: Gateway, revenue: dict[str, object]) -> None:
    reply = house.ask(EMIL, _plan(revenue))
    assert reply.outcome == "answered", reply.issues
    at = next(number for number, column in enumerate(reply.columns) if column.name == "region")
    assert {row[at] for row in reply.rows} == {"EMEA"}


def test_the_price_that_row_policies_hide_is_unknown_on_the_trace(
    house: Gateway, revenue: dict[str, object]
) -> None:
    reply = house.ask(ANA, _plan(revenue))
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.pins is not None
    pins = trace.closed.pins
    assert (pins.engine, pins.mode, pins.data.kind) == ("bigquery", "login", "timestamp")
    assert trace.closed.estimate is not None
    assert (trace.closed.estimate.bound, trace.closed.estimate.bytes) == ("unknown", None)


def test_the_price_of_a_window_is_that_of_its_days(house: Gateway) -> None:
    def asked(end: str) -> Reply:
        time = {"field": "event_time", "from": "2026-01-01", "to": end}
        plan = {"metrics": ["event_count"], "time": time, "dialect": "bigquery"}
        return house.ask(ANA, plan, AskOptions(dry_run=True))

    week, month = asked("2026-01-07"), asked("2026-01-31")
    assert week.outcome == month.outcome == "dry_run", (week.issues, month.issues)
    assert week.estimate is not None and month.estimate is not None
    assert week.estimate.bound == "exact"
    assert 0 < (week.estimate.bytes or 0) < (month.estimate.bytes or 0)
    assert not week.estimate.scans[0].full


def test_a_job_carries_the_id_of_its_trace(
    house: Gateway, standin: Standin, revenue: dict[str, object]
) -> None:
    reply = house.ask(ANA, _plan(revenue))
    labels = [request.labels["cellbound"] for request in standin.project.log if not request.dry_run]
    assert reply.trace_id.lower() in labels


def test_attacks_by_free_sql_are_refused_before_the_database_hears_of_them(
    house: Gateway, standin: Standin
) -> None:
    for attack in ATTACKS:
        heard = len(standin.project.log)
        reply = _reviewed(house, EMIL, attack)
        assert reply.outcome == "denied", attack
        assert not reply.rows
        assert not [r.sql for r in standin.project.log[heard:] if r.sql not in HARMLESS], attack


def test_free_sql_that_the_checks_let_through_shows_own_rows_only(house: Gateway) -> None:
    reply = _reviewed(house, EMIL, "SELECT region, count(*) AS n FROM customers GROUP BY region")
    assert reply.outcome == "answered", reply.issues
    assert [row[0] for row in reply.rows] == ["EMEA"]


def test_each_role_with_users_is_proved_with_their_own_tokens(house: Gateway) -> None:
    found = {finding.name: finding for finding in prove_roles(house.house)}
    for role in ("analyst", "emea_analyst"):
        assert found[f"role {role}"].ok, found[f"role {role}"].detail
    assert "sol" in found["role support_lead"].detail


def test_a_caller_who_leaves_stops_the_job_in_the_service(
    house: Gateway, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = (
        "SELECT count(*) AS n FROM events AS a CROSS JOIN events AS b CROSS JOIN events AS c"
        " WHERE a.event_type <> b.event_type AND b.event_type <> c.event_type"
    )
    leaver, engine = Cancellation(), house.house.engine
    run = engine.run
    monkeypatch.setattr(engine, "run", lambda sql, *rest, **more: run(slow, *rest, **more))
    plan = {"metrics": ["order_count"], "dialect": "bigquery"}
    left: list[Reply] = []
    asking = threading.Thread(target=lambda: left.append(house.ask(ANA, plan, cancellation=leaver)))
    asking.start()
    deadline = time.monotonic() + 10
    while not any(request.sql == slow and not request.dry_run for request in standin.project.log):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    started = time.monotonic()
    leaver.cancel()
    asking.join(5)
    while not all(job.done.is_set() for job in list(standin.jobs.jobs.values())):
        assert time.monotonic() - started < 1
        time.sleep(0.01)
    assert left[0].outcome == "left"
