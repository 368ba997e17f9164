"""The whole house over the Snowflake stand-in: the demo's answers, own rows only, and a caller who leaves."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.cancellation import Cancellation
from gateway.operation.proof import prove_roles
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.servers.snowflake import Standin, running
from tests.servers.snowflake_account import Account, Token
from traces.records import Ask, Caller

pytestmark = pytest.mark.engine("snowflake")

ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), tenant="shop")
SALES = ("customers", "orders", "order_lines", "products")
TABLES = (*SALES, "support_tickets", "events")
HIDDEN = {"customers": ("name", "email", "phone"), "events": ("payload",), "products": ("unit_cost",)}
CUSTOMERS = "customer_id IN (SELECT customer_id FROM shop.public.customers WHERE region = 'EMEA')"
KEPT = {
    "customers": "region = 'EMEA'",
    "orders": CUSTOMERS,
    "order_lines": f"order_id IN (SELECT order_id FROM shop.public.orders WHERE {CUSTOMERS})",
}
# Whole partitions are read here, not single columns: the same question reads more bytes.
POLICY = (
    ("bytes: {warn: 20000000, hard: 40000000}", "bytes: {warn: 500000000, hard: 900000000}"),
    ("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n"),
)
ATTACKS = (
    "SELECT * FROM SNOWFLAKE.ACCOUNT_USAGE.USERS",
    "SELECT SYSTEM$TYPEOF(1)",
    "SELECT email FROM customers",
    'SELECT "EMAIL" FROM "CUSTOMERS"',
    "CALL SYSTEM$SEND_EMAIL('a', 'b', 'c', 'd')",
    "SELECT * FROM TABLE(INFORMATION_SCHEMA.QUERY_HISTORY())",
    "SELECT region FROM customers AT(OFFSET => -3600)",
)


def token_of(login: str, place: object) -> str:
    """Return the token of a login."""
    return f"token-of-{login}"


def _account(shop_file: Path) -> Account:
    account = Account()
    account.duck.execute(f"ATTACH '{shop_file}' AS \"SOURCE\" (READ_ONLY)")
    for table in TABLES:
        account.execute(f"CREATE TABLE {table} AS SELECT * FROM source.main.{table}")
    for user, role in (("ana", "ANALYST"), ("emil", "EMEA_ANALYST")):
        account.add_user(user, role)
        account.tokens[token_of(user, {})] = Token(user, "OAUTH")
        account.grant(role, "USAGE", "WAREHOUSE", "CELLBOUND")
        tables = TABLES if role == "ANALYST" else SALES
        account.grant(role, "SELECT", "TABLE", *(f"SHOP.PUBLIC.{table.upper()}" for table in tables))
        for table in tables:
            name = ("SHOP", "PUBLIC", table.upper())
            hidden = HIDDEN.get(table, ()) + (("shipping_fee",) if user == "emil" else ())
            found = account.duck.execute(f"DESCRIBE shop.public.{table}").fetchall()
            account.shown[name, role] = tuple(str(row[0]) for row in found if row[0] not in hidden)
            if table in KEPT:
                account.row_policies.setdefault(name, {"ANALYST": "TRUE"})["EMEA_ANALYST"] = KEPT[table]
    return account


@pytest.fixture(scope="module")
def standin(shop_file: Path) -> Iterator[Standin]:
    """The demo shop's rows in the stand-in."""
    with running(_account(shop_file)) as found:
        yield found


@pytest.fixture
def house(standin: Standin, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over the stand-in, opened as `serve` opens it."""
    folder = tmp_path / "over_snowflake"
    shutil.copytree(templates() / "shop", folder)
    file = folder / "cellbound.toml"
    url = f"snowflake://acme/SHOP?warehouse=CELLBOUND&host=127.0.0.1&protocol=http&port={standin.port}"
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
    return {**revenue, "dialect": "snowflake"}


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


def test_the_price_and_the_moment_of_the_data_are_on_the_trace(
    house: Gateway, revenue: dict[str, object]
) -> None:
    reply = house.ask(ANA, _plan(revenue))
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.pins is not None
    pins = trace.closed.pins
    assert (pins.engine, pins.mode, pins.data.kind) == ("snowflake", "login", "timestamp")
    assert trace.closed.estimate is not None
    assert trace.closed.estimate.bound == "upper"
    assert (trace.closed.estimate.bytes or 0) > 100_000


def test_a_query_carries_the_id_of_its_trace(
    house: Gateway, standin: Standin, revenue: dict[str, object]
) -> None:
    reply = house.ask(ANA, _plan(revenue))
    tags = [request.parameters.get("QUERY_TAG") for request in standin.account.log]
    assert f"cellbound {reply.trace_id}" in tags


def test_attacks_by_free_sql_are_refused_before_the_database_hears_of_them(
    house: Gateway, standin: Standin
) -> None:
    for attack in ATTACKS:
        heard = len(standin.account.log)
        reply = _reviewed(house, EMIL, attack)
        assert reply.outcome == "denied", attack
        assert not reply.rows
        sent = [request.sql for request in standin.account.log[heard:]]
        assert not [sql for sql in sent if "CURRENT_USER" not in sql and "SYSDATE" not in sql]


def test_free_sql_that_the_checks_let_through_shows_own_rows_only(house: Gateway) -> None:
    reply = _reviewed(house, EMIL, 'SELECT "region", count(*) AS "n" FROM "customers" GROUP BY "region"')
    assert reply.outcome == "answered", reply.issues
    assert [row[0] for row in reply.rows] == ["EMEA"]


def test_each_role_with_users_is_proved_with_their_own_tokens(house: Gateway) -> None:
    found = {finding.name: finding for finding in prove_roles(house.house)}
    for role in ("analyst", "emea_analyst"):
        assert found[f"role {role}"].ok, found[f"role {role}"].detail
    assert "sol" in found["role support_lead"].detail


def test_a_caller_who_leaves_stops_the_query_in_the_database(
    house: Gateway, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = (
        'SELECT count(*) AS "n" FROM "events" AS "a" CROSS JOIN "events" AS "b" CROSS JOIN "events" AS "c"'
        ' WHERE "a"."event_type" <> "b"."event_type" AND "b"."event_type" <> "c"."event_type"'
    )
    leaver, engine = Cancellation(), house.house.engine
    run = engine.run
    monkeypatch.setattr(engine, "run", lambda sql, *rest, **more: run(slow, *rest, **more))
    plan = {"metrics": ["order_count"], "dialect": "snowflake"}
    left: list[Reply] = []
    asking = threading.Thread(target=lambda: left.append(house.ask(ANA, plan, cancellation=leaver)))
    asking.start()
    deadline = time.monotonic() + 10
    while not any(request.sql == slow for request in standin.account.log):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    started = time.monotonic()
    leaver.cancel()
    asking.join(5)
    while standin.at_work():
        assert time.monotonic() - started < 1
        time.sleep(0.01)
    assert left[0].outcome == "left"
