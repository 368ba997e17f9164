"""The whole house over PostgreSQL: the same answers as over DuckDB, and to everybody their own rows only."""

import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import duckdb
import psycopg
import pytest

from gateway.operation.proof import prove_roles
from gateway.service import Gateway
from tests.canaries import forgive
from tests.gateway.shop_house import (
    ANA,
    EMIL,
    FEW,
    IN_AGGREGATE,
    REVIEWED,
    SALES,
    WHOLE_ROWS,
    hides_small_groups,
    opened,
    regions,
    reviewed,
    who_leaves,
)
from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing
from traces.records import Caller

pytestmark = pytest.mark.engine("postgres")

TABLES = {
    "customers": "customer_id int PRIMARY KEY, name text, email text, phone text, region text, segment text,"
    " created_at timestamp",
    "orders": "order_id int PRIMARY KEY, customer_id int, order_date date, order_status text,"
    " shipping_fee numeric(12, 2), refund_amount numeric(12, 2)",
    "order_lines": "order_line_id int PRIMARY KEY, order_id int, product_id int, quantity int,"
    " unit_price numeric(12, 2), discount numeric(12, 2), amount numeric(12, 2)",
    "products": "product_id int PRIMARY KEY, product_name text, category text, brand text,"
    " unit_cost numeric(12, 2), list_price numeric(12, 2)",
    "support_tickets": "ticket_id int PRIMARY KEY, customer_id int, opened_at timestamp, closed_at timestamp,"
    " ticket_status text, priority text, minutes int",
    "events": "event_id int PRIMARY KEY, customer_id int, event_time timestamp, event_type text,"
    " session_id int, payload text",
}
OPEN = {
    "customers": "customer_id, region, segment, created_at",
    "orders": "order_id, customer_id, order_date, order_status, shipping_fee, refund_amount",
    "order_lines": "order_line_id, order_id, product_id, quantity, unit_price, discount, amount",
    "products": "product_id, product_name, category, brand, list_price",
    "support_tickets": "ticket_id, customer_id, opened_at, closed_at, ticket_status, priority, minutes",
    "events": "event_id, customer_id, event_time, event_type, session_id",
}
CLOSED = {**OPEN, "orders": OPEN["orders"].replace(" shipping_fee,", "")}
# Who sees which customers, and with them their orders and lines: ana all, the others a region each.
KEPT = {"ana": "true", "emil": "region = 'EMEA'", "alice": "region = 'EMEA'", "bob": "region = 'AMER'"}
CUSTOMERS = "EXISTS (SELECT FROM customers AS c WHERE c.customer_id = orders.customer_id)"
ORDERS = "EXISTS (SELECT FROM orders AS o WHERE o.order_id = order_lines.order_id)"
USERS = """
[identity.users.alice]
roles = ["analyst"]
tenant = "shop"

[identity.users.bob]
roles = ["analyst"]
tenant = "shop"
"""
ALICE, BOB = (Caller(user=user, roles=("analyst",), tenant="shop") for user in ("alice", "bob"))
PEEKS = (
    "SELECT region, count(*) AS n FROM customers WHERE region = 'AMER' GROUP BY region",
    "SELECT c.region, count(*) AS n FROM orders AS o JOIN customers AS c ON o.customer_id = c.customer_id"
    " GROUP BY c.region",
    "SELECT region FROM customers ORDER BY region LIMIT 50",
)
ATTACKS = (
    "SELECT set_config('role', 'bob', true), NULL::int UNION ALL SELECT region, customer_id FROM customers",
    "SELECT query_to_xml('SELECT * FROM customers', true, true, '')",
    "SELECT current_setting('is_superuser')",
    "SELECT * FROM pg_catalog.pg_authid",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT email FROM customers",
    # What the planner itself would call: functions of a user, declared to be harmless.
    "SELECT told('bob')",
    "SELECT region FROM customers WHERE region = told('bob')",
    "SELECT region FROM customers LIMIT length(told('bob'))",
)
TOLD = """
CREATE FUNCTION told(who text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN RETURN set_config('role', who, true); END $$;
"""
SLOW = "SELECT count(*) FROM events a, events b, events c WHERE a.event_type <> b.event_type"
WORKING = "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'ana' AND state = 'active'"


@pytest.fixture(scope="module")
def server(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL that holds the demo shop's rows, with a login per asker."""
    if DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    with running(DEFAULT_VERSION) as found:
        found.create_database("shop")
        rows = tmp_path_factory.mktemp("csv")
        forgive(rows)
        _load(found, shop_file, rows)
        found.execute(TOLD, "shop")
        for user, kept in KEPT.items():
            _admit(found, user, kept)
        yield found


def _load(server: Server, shop_file: Path, folder: Path) -> None:
    with (
        duckdb.connect(str(shop_file), read_only=True) as source,
        psycopg.connect(server.dsn(database="shop"), autocommit=True) as target,
    ):
        for table, columns in TABLES.items():
            target.execute(f"CREATE TABLE {table} ({columns})".encode())
            source.execute(f"COPY {table} TO '{folder / table}' (FORMAT csv, HEADER false)")
            with target.cursor().copy(f"COPY {table} FROM STDIN (FORMAT csv)".encode()) as copy:
                copy.write((folder / table).read_bytes())
        target.execute("CREATE INDEX ON events (event_time)")
        target.execute("CREATE INDEX ON order_lines (order_id)")
        target.execute("ANALYZE")


def _admit(server: Server, user: str, kept: str) -> None:
    columns = CLOSED if user == "emil" else OPEN
    tables = SALES if user == "emil" else tuple(TABLES)
    policies = {"customers": kept}
    if kept != "true":
        policies |= {"orders": CUSTOMERS, "order_lines": ORDERS}
    server.execute(
        f"CREATE ROLE {user} LOGIN;"
        + "".join(f"GRANT SELECT ({columns[table]}) ON {table} TO {user};" for table in tables)
        + "".join(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;" for table in SALES[:3])
        + "".join(
            f"CREATE POLICY {user} ON {table} FOR SELECT TO {user} USING ({policies.get(table, 'true')});"
            for table in SALES[:3]
        ),
        "shop",
    )


def _url(server: Server) -> str:
    return f"postgresql:///shop?host={quote(str(server.folder), safe='')}&port={server.port}"


@pytest.fixture
def house(server: Server, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over PostgreSQL, opened as `serve` opens it."""
    url = _url(server)
    with opened(tmp_path / "house", f'"{url}"', (WHOLE_ROWS, REVIEWED), USERS) as gateway:
        yield gateway


def _plan(revenue: dict[str, object]) -> dict[str, object]:
    return {**revenue, "dialect": "postgres"}


def test_the_same_plan_has_the_same_answer_as_over_duckdb(
    house: Gateway, gateway: Gateway, revenue: dict[str, object]
) -> None:
    there, here = house.ask(ANA, _plan(revenue)), gateway.ask(ANA, revenue)
    assert there.outcome == here.outcome == "answered"
    assert there.rows == here.rows
    assert there.answer == here.answer
    assert len(there.rows) > 5


def test_small_groups_are_hidden_and_left_out_by_the_database(
    server: Server, gateway: Gateway, tmp_path: Path
) -> None:
    policy = (WHOLE_ROWS, REVIEWED, IN_AGGREGATE)
    with opened(tmp_path / "few", f'"{_url(server)}"', policy, USERS) as house:
        hides_small_groups(house, gateway.ask(ANA, dict(FEW)), _plan(dict(FEW)))


def test_two_askers_of_one_role_are_told_the_rows_of_their_own_policy(
    house: Gateway, revenue: dict[str, object]
) -> None:
    for _ in range(3):
        alice, bob = house.ask(ALICE, _plan(revenue)), house.ask(BOB, _plan(revenue))
        assert (alice.outcome, bob.outcome) == ("answered", "answered")
        assert regions(alice) == {"EMEA"}
        assert regions(bob) == {"AMER"}
    assert house.ask(EMIL, _plan(revenue)).rows == alice.rows


def test_free_sql_that_the_checks_let_through_shows_own_rows_only(house: Gateway) -> None:
    answered = 0
    for peek in PEEKS:
        for caller, other in ((ALICE, "AMER"), (BOB, "EMEA")):
            reply = reviewed(house, caller, peek)
            answered += reply.outcome == "answered"
            assert other not in {str(value) for row in reply.rows for value in row}
    assert answered >= 4


def test_attacks_by_free_sql_are_refused_before_the_database_hears_of_them(house: Gateway) -> None:
    for attack in ATTACKS:
        reply = reviewed(house, ALICE, attack)
        assert reply.outcome == "denied", attack
        assert not reply.rows
        assert reply.issues


def test_writes_elsewhere_in_the_database_do_not_fail_a_question(
    house: Gateway, server: Server, revenue: dict[str, object]
) -> None:
    server.execute("CREATE TABLE busy (a int)", "shop")
    done = threading.Event()

    def write() -> None:
        with psycopg.connect(server.dsn(database="shop"), autocommit=True) as connection:
            while not done.is_set():
                connection.execute("INSERT INTO busy VALUES (1)")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        replies = [house.ask(ALICE, _plan(revenue)) for _ in range(5)]
    finally:
        done.set()
        writer.join()
        server.execute("DROP TABLE busy", "shop")
    assert {reply.outcome for reply in replies} == {"answered"}
    assert len({reply.rows for reply in replies}) == 1


def test_the_price_comes_from_the_database_and_its_version_is_on_the_trace(
    house: Gateway, revenue: dict[str, object]
) -> None:
    reply = house.ask(ANA, _plan(revenue))
    assert reply.estimate is not None
    assert reply.estimate.bound == "guess"
    assert (reply.estimate.bytes or 0) > 100_000
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.pins is not None
    pins = trace.closed.pins
    assert (pins.engine, pins.mode, pins.data.kind) == ("postgres", "login", "snapshot")
    assert pins.engine_version.startswith(f"{DEFAULT_VERSION}.")


def test_each_role_is_proved_with_the_logins_of_its_users(house: Gateway) -> None:
    found = {finding.name: finding for finding in prove_roles(house.house)}
    assert "sol cannot be tried" in found["role support_lead"].detail
    assert "role analyst" in found
    # bob and alice have row policies that the policy of the project does not know: they see less, never more.
    assert found["role emea_analyst"].ok, found["role emea_analyst"].detail
    assert found["role analyst"].ok, found["role analyst"].detail


def test_a_caller_who_leaves_stops_the_query_in_the_database(
    house: Gateway, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(server.dsn(database="shop"), autocommit=True) as looking:

        def at_work() -> bool:
            return looking.execute(WORKING).fetchone() == (True,)

        plan = {"metrics": ["order_count"], "dialect": "postgres"}
        reply = who_leaves(house, monkeypatch, SLOW, plan, at_work)
    assert reply.outcome == "left"
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.outcome == "left"
