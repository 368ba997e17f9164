"""What every engine holds: prices without running, rows up to the caps, stops, askers apart."""

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway.engines.base import Engine, EngineCancelled, EngineError, EngineTimeout, Identity, Limits
from tests.gateway.engines.warehouse import GATEWAY, Warehouse

ENDLESS = "SELECT count(*) FROM events a, events b, events c WHERE a.kind <> b.kind AND b.kind <> c.kind"
LOUD = {
    "duckdb": (
        "SELECT error('it ran')",
        "SELECT CASE WHEN count(*) >= 0 THEN error('it ran') END FROM orders",
        "SELECT CAST(region AS INTEGER) FROM orders WHERE region = 'north'",
        "SELECT * FROM orders WHERE amount = error('it ran')::DECIMAL(18, 2)",
    ),
    "postgres": (
        "SELECT 1 / (order_id - order_id) FROM orders",
        "SELECT CAST(region AS INTEGER) FROM orders WHERE region = 'north'",
        "SELECT * FROM orders WHERE amount = CAST('it ran' || region AS numeric)",
    ),
    "snowflake": (
        "SELECT 1 / (order_id - order_id) FROM orders",
        "SELECT CAST(region AS INTEGER) FROM orders WHERE region = 'north'",
        "SELECT * FROM orders WHERE amount = CAST('it ran' || region AS NUMBER)",
    ),
    "bigquery": (
        "SELECT 1 / (order_id - order_id) FROM orders",
        "SELECT CAST(region AS INT64) FROM orders WHERE region = 'north'",
        "SELECT * FROM orders WHERE amount = CAST('it ran' || region AS NUMERIC)",
    ),
}
NESTED = {
    "duckdb": ("[1, 2]", "{'a': 1}", "MAP {'a': 1}", "'x'::BLOB", "INTERVAL 1 DAY"),
    "postgres": (
        "ARRAY[1, 2]",
        "ROW(1, 2)",
        "'x'::bytea",
        "interval '1 day'",
        "'[1,2)'::int4range",
        "1::money",
    ),
    "snowflake": ("ARRAY_CONSTRUCT(1, 2)", "OBJECT_CONSTRUCT('a', 1)", "TO_BINARY('78', 'HEX')"),
    "bigquery": ("[1, 2]", "STRUCT(1 AS a)", "b'x'", "INTERVAL 1 DAY", "JSON '{}'"),
}
# Work of a second or more that no index and no shortcut spares.
SLOW = {
    "duckdb": "SELECT sum(hash(a.event_id) % 7) FROM events a, range(20) t(i)",
    "postgres": "SELECT sum(hashtext(a.event_id::text) % 7) FROM events a, generate_series(1, 10) AS t(i)",
    "snowflake": "SELECT sum(hash(a.event_id) % 7) FROM events a, TABLE(GENERATOR(ROWCOUNT => 2000))",
    "bigquery": "SELECT sum(mod(a.event_id * i, 7)) FROM events a, UNNEST(GENERATE_ARRAY(1, 2000)) AS i",
}

MISSPELT = ("SELECT * FROM salarie", "SELECT custom_id FROM orders")


ENGINES = (
    pytest.param("duckdb", marks=pytest.mark.engine("duckdb")),
    pytest.param("duckdb-hard", marks=pytest.mark.engine("duckdb")),
    *(
        pytest.param((version, mode), marks=pytest.mark.engine("postgres"), id=f"postgres-{version}-{mode}")
        for version, mode in ((15, "login"), (17, "login"), (18, "login"), (17, "set_role"))
    ),
    pytest.param("snowflake", marks=pytest.mark.engine("snowflake")),
    pytest.param("snowflake-live", marks=[pytest.mark.engine("snowflake"), pytest.mark.live]),
    pytest.param("bigquery", marks=pytest.mark.engine("bigquery")),
    pytest.param("bigquery-live", marks=[pytest.mark.engine("bigquery"), pytest.mark.live]),
)


@pytest.fixture(params=ENGINES)
def each(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine over the shop, one after the other."""
    if request.param in ("duckdb", "duckdb-hard"):
        yield request.getfixturevalue("engine" if request.param == "duckdb" else "hard_engine")
        return
    if request.param in ("snowflake", "bigquery"):
        where = "snowhouse" if request.param == "snowflake" else "bighouse"
        yield request.getfixturevalue(where).engine()
        return
    if request.param in ("snowflake-live", "bigquery-live"):
        yield request.getfixturevalue(f"live_{request.param.removesuffix('-live')}")
        return
    version, mode = request.param
    server = request.getfixturevalue("built_servers")(version)
    house = Warehouse(server, "shop" if mode == "login" else "switched")
    yield house.engine(login="" if mode == "login" else GATEWAY)
    house.close()


def _of(each: Engine, texts: Mapping[str, Any]) -> Any:
    return texts[each.dialect]


def test_an_engine_says_what_it_promises(each: Engine) -> None:
    can = each.capabilities()
    assert can.read_only
    assert can.engine == each.dialect
    assert can.enforces_rows and can.time_travel


def test_explain_does_not_run_what_fails_when_it_runs(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    for loud in _of(each, LOUD):
        each.explain(loud, analyst, limits)
        with pytest.raises(EngineError) as caught:
            each.run(loud, analyst, limits, "q")
        assert caught.value.code == "data_error"
        assert "it ran" not in str(caught.value)
        assert "north" not in str(caught.value)


def test_explain_is_quick_where_the_run_would_never_end(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    started = time.monotonic()
    estimate = each.explain(ENDLESS, analyst, limits)
    assert time.monotonic() - started < 5
    if each.dialect == "bigquery":
        pytest.skip("a dry run tells nothing of how rows grow in joins; the SQL checks refuse such joins")
    assert max(join.growth for join in estimate.joins) > 1000


def test_an_estimate_grows_with_the_window(each: Engine, analyst: Identity, limits: Limits) -> None:
    def price(end: str) -> tuple[int, int, bool]:
        sql = (
            "SELECT kind, count(DISTINCT visitor) FROM events"
            " WHERE event_time >= CAST('2023-02-01' AS TIMESTAMP)"
            f" AND event_time < CAST('{end}' AS TIMESTAMP) GROUP BY kind"
        )
        if each.dialect == "bigquery":
            sql = sql.replace("TIMESTAMP", "DATETIME")
        estimate = each.explain(sql, analyst, limits)
        assert estimate.bound in {"exact", "upper", "guess"}
        assert estimate.scans[0].relation.endswith(".events")
        return estimate.rows or 0, estimate.bytes or 0, estimate.scans[0].full

    day, quarter = price("2023-02-02"), price("2023-05-01")
    assert day[0] < quarter[0]
    assert day[1] < quarter[1]
    assert not day[2]


def test_a_recursive_query_has_no_known_price(each: Engine, analyst: Identity, limits: Limits) -> None:
    sql = "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT * FROM t"
    estimate = each.explain(sql, analyst, limits)
    assert estimate.bound == "unknown"
    assert estimate.notes


def test_two_roles_of_one_process_see_their_own_rows_and_columns(
    each: Engine, analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    sql = "SELECT count(*), count(DISTINCT region) FROM orders"
    assert each.run(sql, analyst, limits, "a").rows == ((30_000, 2),)
    assert each.run(sql, clerk, limits, "c").rows == ((10_000, 1),)
    assert each.run("SELECT order_id, amount, region FROM orders", clerk, limits, "d").names == (
        "order_id",
        "amount",
        "region",
    )
    for hidden in ("SELECT customer_id FROM orders", "SELECT * FROM salaries", "SELECT tier FROM customers"):
        with pytest.raises(EngineError):
            each.explain(hidden, clerk, limits)
        with pytest.raises(EngineError):
            each.run(hidden, clerk, limits, "e")


def test_a_relation_with_a_schema_keeps_its_name(each: Engine, analyst: Identity, limits: Limits) -> None:
    assert each.run("SELECT count(*) FROM crm.tickets", analyst, limits, "q").rows == ((10,),)


def test_a_statement_beside_the_query_is_read_with_it(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    beside = "SELECT count(*) FROM customers UNION ALL SELECT count(*) FROM orders ORDER BY 1"
    rows = each.run("SELECT count(*) FROM events", analyst, limits, "q", beside=beside)
    assert rows.beside == ((100,), (30_000,))
    assert len(rows.rows) == 1


def test_a_statement_beside_the_query_is_read_whole_or_nothing_is(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    few = replace(limits, rows=1)
    beside = "SELECT count(*) FROM customers UNION ALL SELECT count(*) FROM orders ORDER BY 1"
    with pytest.raises(EngineError) as caught:
        each.run("SELECT count(*) FROM events", analyst, few, "q", beside=beside)
    assert caught.value.code == "query_too_large"


def test_columns_that_a_result_cannot_carry_are_named(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    for nested in _of(each, NESTED):
        with pytest.raises(EngineError, match="odd") as caught:
            each.run(f"SELECT 1 AS fine, {nested} AS odd", analyst, limits, "q")
        assert caught.value.code == "value_type"


@pytest.mark.parametrize(("wanted", "cut"), [(0, False), (999, False), (1000, False), (1001, True)])
def test_the_row_cap_cuts_and_says_so(
    each: Engine, analyst: Identity, limits: Limits, wanted: int, cut: bool
) -> None:
    rows = each.run(f"SELECT order_id FROM orders LIMIT {wanted}", analyst, limits, "q")
    assert (len(rows.rows), rows.truncated) == (min(wanted, 1000), cut)
    assert rows.limit_source == ("rows" if cut else "")
    assert rows.actual.rows == len(rows.rows)
    assert rows.names == ("order_id",)


def test_a_result_far_above_the_row_cap_is_cut_soon(each: Engine, analyst: Identity, limits: Limits) -> None:
    if each.dialect == "bigquery":
        pytest.skip("it writes a whole result down before its first row is read; checked texts have a LIMIT")
    started = time.monotonic()
    rows = each.run("SELECT a.event_id FROM events a, events b", analyst, limits, "q")
    assert time.monotonic() - started < 5
    assert (len(rows.rows), rows.limit_source) == (1000, "rows")
    assert each.run("SELECT 1", analyst, limits, "r").rows == ((1,),)


def test_the_byte_cap_cuts_and_says_so(each: Engine, analyst: Identity, limits: Limits) -> None:
    rows = each.run("SELECT repeat('é', 50) FROM orders LIMIT 500", analyst, replace(limits, bytes=1000), "q")
    assert len(rows.rows) == 10
    assert (rows.truncated, rows.limit_source) == (True, "bytes")


def test_the_time_limit_stops_a_query(each: Engine, analyst: Identity, limits: Limits) -> None:
    started = time.monotonic()
    with pytest.raises(EngineTimeout) as caught:
        each.run(ENDLESS, analyst, replace(limits, seconds=0.3), "q")
    assert time.monotonic() - started < 5
    assert (caught.value.code, caught.value.retryable) == ("query_timeout", True)


def test_cancel_stops_a_running_query_within_a_second(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(each.run, ENDLESS, analyst, limits, "endless")
        with pytest.raises(TimeoutError):
            running.result(timeout=0.3)
        started = time.monotonic()
        each.cancel("endless")
        with pytest.raises(EngineCancelled):
            running.result(timeout=5)
    assert time.monotonic() - started < 1


def test_a_query_cancelled_before_it_begins_does_not_begin(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    each.cancel("early")
    with pytest.raises(EngineCancelled):
        each.run("SELECT 1", analyst, limits, "early")
    assert each.run("SELECT 1", analyst, limits, "another").rows == ((1,),)


def test_a_price_that_nobody_waits_for_any_more_is_not_asked(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    each.cancel("early")
    with pytest.raises(EngineCancelled):
        each.explain("SELECT sum(amount) FROM orders", analyst, limits, "early")
    assert each.explain("SELECT sum(amount) FROM orders", analyst, limits, "another").rows == 30_000


def test_cancelling_one_query_leaves_the_others_alone(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    with ThreadPoolExecutor(2) as pool:
        kept = pool.submit(each.run, _of(each, SLOW), analyst, limits, "kept")
        stopped = pool.submit(each.run, ENDLESS, analyst, limits, "stopped")
        with pytest.raises(TimeoutError):
            stopped.result(timeout=0.2)
        each.cancel("stopped")
        assert len(kept.result(timeout=20).rows) == 1
        with pytest.raises(EngineCancelled):
            stopped.result(timeout=5)


def test_an_id_in_use_is_refused(each: Engine, analyst: Identity, limits: Limits) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(each.run, ENDLESS, analyst, limits, "same")
        with pytest.raises(TimeoutError):
            running.result(timeout=0.2)
        with pytest.raises(EngineError) as caught:
            each.run("SELECT 1", analyst, limits, "same")
        each.cancel("same")
    assert caught.value.code == "duplicate_query"


def test_eight_threads_of_two_roles_get_their_own_answers(
    each: Engine, analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    sql = "SELECT count(*), sum(amount) FROM orders"
    gate = threading.Barrier(8)

    def ask(number: int) -> bool:
        who = (analyst, clerk)[number % 2]
        gate.wait()
        each.explain(sql, who, limits)
        counts = {each.run(sql, who, limits, f"{number}-{again}").rows[0][0] for again in range(5)}
        return counts == {(30_000, 10_000)[number % 2]}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))


def test_a_mistake_is_explained_without_naming_what_the_asker_cannot_see(
    each: Engine, clerk: Identity, limits: Limits
) -> None:
    for misspelt in MISSPELT:
        with pytest.raises(EngineError) as caught:
            each.explain(misspelt, clerk, limits)
        assert caught.value.next_step
        assert "salaries" not in str(caught.value)
        assert "customer_id" not in str(caught.value)


def test_a_stranger_is_refused(each: Engine, limits: Limits) -> None:
    with pytest.raises(EngineError) as caught:
        each.run("SELECT 1", Identity("eve", "admin"), limits, "q")
    assert caught.value.code in {"unknown_role", "login_refused", "identity_refused"}


def test_an_engine_opens_again_after_close(each: Engine, analyst: Identity, limits: Limits) -> None:
    each.explain("SELECT count(*) FROM orders", analyst, limits)
    each.close()
    assert each.run("SELECT count(*) FROM orders", analyst, limits, "q").rows == ((30_000,),)


def test_the_same_data_has_the_same_pin(each: Engine) -> None:
    if each.pin().kind == "timestamp":
        pytest.skip("its pin is a moment: what was changed since can be read past, so nothing is compared")
    assert each.pin() == each.pin()
    assert each.pin().value


def test_a_run_is_known_by_the_names_that_the_database_has_for_it(
    each: Engine, analyst: Identity, limits: Limits
) -> None:
    sql = "SELECT pg_backend_pid()" if each.dialect == "postgres" else "SELECT count(*) FROM orders"
    rows = each.run(sql, analyst, limits, "trace-7")
    match each.dialect:
        case "postgres":
            assert rows.rows == ((int(rows.backend),),)
        case "duckdb":
            command = Path("/proc", rows.backend, "cmdline").read_bytes()
            assert b"duckdb_worker" in command
        case _:
            again = each.run(sql, analyst, limits, "trace-7")
            assert rows.query_id and rows.query_id != again.query_id and not rows.backend
    can = each.capabilities()
    assert can.search_path
    assert bool(can.driver) == (each.dialect != "duckdb"), "DuckDB is a library: its version is the engine's"
