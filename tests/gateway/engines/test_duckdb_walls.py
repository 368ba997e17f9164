"""What a role's session lets nobody do, tried on the session itself, without the checks above it."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

from gateway.engines.base import EngineError, Identity, Limits, Relation, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_proof import find_faults
from gateway.engines.duckdb_session import open_session

ATTACKS = [
    "SELECT * FROM salaries",
    "SELECT * FROM customers",
    "SELECT * FROM shop.main.salaries",
    "SELECT customer_id FROM orders",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('{path}')",
    "SELECT count(*) FROM read_blob('{path}')",
    "SELECT * FROM read_duckdb('{path}', table_name='salaries')",
    "SELECT max(pay) FROM read_duckdb('{path}', table_name='salaries')",
    "SELECT * FROM '{path}'",
    "SELECT * FROM glob('/*')",
    "COPY orders TO '{path}.csv'",
    "EXPORT DATABASE '{path}.d'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "ATTACH '{path}' AS again (READ_ONLY)",
    "ATTACH ':memory:' AS scratch",
    "SET memory_limit = '8GB'",
    "SET GLOBAL memory_limit = '8GB'",
    "SET max_execution_time = 0",
    "RESET lock_configuration",
    "SET VARIABLE role = 'analyst'",
    "USE main",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CREATE TABLE scratch (a INTEGER)",
    "CREATE OR REPLACE VIEW orders AS SELECT 1",
    "DROP VIEW orders",
    "INSERT INTO orders VALUES (1, 2, 'north')",
    "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
    "WITH more AS (INSERT INTO orders VALUES (1, 2, 'north') RETURNING *) SELECT * FROM more",
    "SELECT nextval('counter')",
    "SELECT * FROM duckdb_databases()",
    "SELECT database_name FROM duckdb_tables()",
    "SELECT count(*) FROM duckdb_columns()",
    "SELECT database_name FROM duckdb_databases() WHERE false",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM duckdb_settings()",
    "SHOW DATABASES",
    "SHOW ALL TABLES",
    "SELECT * FROM query('SELECT * FROM duckdb_tables()')",
    "SELECT * FROM query_table('salaries')",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    "EXPLAIN ANALYZE SELECT 1",
    "ANALYZE",
    "PIVOT orders ON region USING sum(amount)",
    "BEGIN",
    "CREATE SECRET s (TYPE s3)",
    "VACUUM",
    "CHECKPOINT",
]


def _attempt(engine: DuckDBEngine, verb: str, sql: str, who: Identity, limits: Limits) -> EngineError:
    with pytest.raises(EngineError) as caught:
        if verb == "explain":
            engine.explain(sql, who, limits)
        else:
            engine.run(sql, who, limits, "attack")
    return caught.value


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "SELECT * FROM ({})",
        "WITH p AS ({}) SELECT * FROM p",
        "SELECT 1 AS one UNION ALL BY NAME SELECT * FROM ({})",
    ],
)
def test_a_pivot_that_explain_itself_would_run_is_refused_before(
    engine: DuckDBEngine, clerk: Identity, limits: Limits, around: str
) -> None:
    """DuckDB runs the inner query of a PIVOT without values to learn its columns, under EXPLAIN too."""
    pivot = (
        "PIVOT (SELECT error('it ran')::VARCHAR AS region, amount FROM orders) ON region USING sum(amount)"
    )
    assert _attempt(engine, "explain", around.format(pivot), clerk, limits).code == "not_one_select"


@pytest.mark.parametrize("spill_mb", [0, 100])
@pytest.mark.parametrize("verb", ["explain", "run"])
def test_nothing_but_the_roles_relations_can_be_reached(
    make_engine: Callable[..., DuckDBEngine],
    shop: Path,
    clerk: Identity,
    limits: Limits,
    verb: str,
    spill_mb: int,
) -> None:
    engine = make_engine(spill_mb=spill_mb)
    for attack in ATTACKS:
        error = _attempt(engine, verb, attack.replace("{path}", str(shop)), clerk, limits)
        assert error.code in {"not_one_select", "outside_scope", "statement_refused", "bad_sql"}, attack
        assert str(shop.parent) not in str(error)
        assert "src_" not in str(error)
        assert "salaries" in attack or "salaries" not in str(error)
    assert engine.run("SELECT count(*) FROM orders", clerk, limits, "after").rows == ((10_000,),)
    assert engine.probe(RoleScope("clerk", (), "")) == ()


@pytest.mark.parametrize("spill_mb", [0, 100])
def test_a_file_with_a_single_table_cannot_be_read_by_its_path(
    make_engine: Callable[..., DuckDBEngine], tmp_path: Path, limits: Limits, spill_mb: int
) -> None:
    path = tmp_path / "one.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE t AS SELECT 1 AS open, 2 AS hidden")
    scopes = {"r": RoleScope("r", (Relation("t", 'SELECT "open" FROM {source}."main"."t"'),), "d")}
    engine = make_engine(path, scopes, spill_mb=spill_mb)
    for verb in ("explain", "run"):
        _attempt(engine, verb, f"SELECT hidden FROM '{path}'", Identity("u", "r"), limits)
        _attempt(engine, verb, "SELECT hidden FROM one.main.t", Identity("u", "r"), limits)


def test_a_guessed_name_of_the_attached_file_is_refused(
    shop: Path, scopes: dict[str, RoleScope], limits: Limits, tmp_path: Path
) -> None:
    """Even with the secret name in hand, put together where the text does not show it."""
    with closing(open_session(shop, scopes["clerk"], limits, tmp_path)) as session:
        alias = session.alias
        for sql in (
            f"SELECT * FROM {alias}.main.orders",
            f'SELECT * FROM "{alias.upper()}".main.orders',
            f"SELECT * FROM query('SELECT * FROM {alias[:9]}' || '{alias[9:]}.main.salaries')",
            f"SELECT max(pay) FROM query_table('{alias[:9]}' || '{alias[9:]}.main.salaries')",
        ):
            with session.cursor(5) as cursor, pytest.raises(EngineError) as caught:
                session.plan(cursor.driver, sql)
            assert caught.value.code == "outside_scope"
    with closing(open_session(shop, scopes["analyst"], limits, tmp_path)) as other:
        assert other.alias != alias


@pytest.mark.parametrize("telling", ["error(region)", "CAST(region AS INTEGER)", "strptime(region, '%d')"])
def test_an_error_while_rows_are_read_tells_no_value(
    engine: DuckDBEngine, clerk: Identity, limits: Limits, telling: str
) -> None:
    error = _attempt(engine, "run", f"SELECT {telling} FROM orders", clerk, limits)
    assert error.code == "data_error"
    assert "north" not in str(error)


def test_a_mistake_is_explained_without_naming_what_the_role_cannot_see(
    engine: DuckDBEngine, clerk: Identity, limits: Limits
) -> None:
    table = _attempt(engine, "explain", "SELECT * FROM salarie", clerk, limits)
    column = _attempt(engine, "explain", "SELECT custom_id FROM orders", clerk, limits)
    assert "salarie does not exist" in str(table)
    assert "salaries" not in str(table)
    assert "customer_id" not in str(column)
    assert table.next_step


def test_probe_finds_nothing_wrong_with_a_right_scope(
    engine: DuckDBEngine, scopes: dict[str, RoleScope]
) -> None:
    assert engine.probe(scopes["clerk"]) == ()
    assert engine.probe(scopes["analyst"]) == ()


def test_probe_names_each_broken_promise(
    make_engine: Callable[..., DuckDBEngine], scopes: dict[str, RoleScope]
) -> None:
    right = scopes["clerk"].relations[0]
    wrong = replace(right, select='SELECT "order_id", "customer_id", "region" FROM {source}."main"."orders"')
    scope = RoleScope("clerk", (wrong,), "c")
    assert make_engine(roles={"clerk": scope}).probe(scope) == (
        "clerk: orders: shows columns that the role may not see: customer_id",
        "clerk: orders: does not show columns that the role may see: amount",
        "clerk: orders: 20000 rows break the row rule",
    )


def test_probe_sees_a_session_that_is_not_hardened(shop: Path) -> None:
    with duckdb.connect(str(shop), read_only=True) as database:
        faults = find_faults(database.cursor(), RoleScope("clerk", (), ""), "shop")
    assert "clerk: enable_external_access is not false" in faults
    assert "clerk: lock_configuration is not true" in faults
    assert "clerk: the configuration is not locked: a limit could be changed" in faults


def test_probe_sees_a_data_file_that_could_be_written(shop: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copyfile(shop, copy)
    with duckdb.connect(str(copy)) as database:
        faults = find_faults(database.cursor(), RoleScope("clerk", (), ""), "copy")
    assert "clerk: the data file is not attached read-only" in faults


def test_all_relations_that_cannot_be_made_are_named_at_once(
    make_engine: Callable[..., DuckDBEngine], limits: Limits
) -> None:
    scope = RoleScope(
        "r",
        (
            Relation("orders", 'SELECT "no_such_column" FROM {source}."main"."orders"'),
            Relation("gone", 'SELECT * FROM {source}."main"."gone"'),
        ),
        "d",
    )
    error = _attempt(make_engine(roles={"r": scope}), "explain", "SELECT 1", Identity("u", "r"), limits)
    assert error.code == "relation_unreadable"
    assert "orders cannot be read" in str(error)
    assert "no_such_column" in str(error)
    assert "gone cannot be read" in str(error)
    assert "src_" not in str(error)
