"""Nobody sees another asker's rows: not by any SELECT, nor by any order of failures over shared sessions."""

import os
import pwd
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.postgres import PostgresEngine
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, Warehouse
from tests.servers.postgres import Server, running, versions, why_missing

pytestmark = pytest.mark.engine("postgres")

OWN = "SELECT current_user::text, current_setting('TimeZone'), rep, count(*) FROM sales GROUP BY rep"
BECOME = "set_config('role', '{other}', true)"
ATTACKS = (
    f"SELECT {BECOME}, NULL::numeric UNION ALL SELECT rep, amt FROM sales",
    f"SELECT rep, amt FROM sales, (SELECT {BECOME} AS x OFFSET 0) AS become WHERE x IS NOT NULL",
    f"WITH become AS MATERIALIZED (SELECT {BECOME}) SELECT rep, amt FROM sales, become",
    "SELECT set_config('role', '{other}', false), NULL::numeric UNION ALL SELECT rep, amt FROM sales",
    "SELECT set_config('session_authorization', '{other}', true), 0 UNION ALL SELECT rep, amt FROM sales",
    "SELECT set_config('session_authorization', 'postgres', false), 0 UNION ALL SELECT rep, amt FROM sales",
    "SELECT set_config('row_security', 'off', true), NULL::numeric UNION ALL SELECT rep, amt FROM sales",
    "SELECT query_to_xml('SELECT set_config(''role'', ''{other}'', true)', true, true, '')::text, 0"
    " UNION ALL SELECT rep, amt FROM sales",
    "SELECT word, 0 FROM ts_stat('SELECT to_tsvector(set_config(''role'', ''{other}'', true))')"
    " UNION ALL SELECT rep, amt FROM sales",
    "SELECT becoming('{other}')::text, NULL::numeric UNION ALL SELECT rep, amt FROM sales",
    "SELECT rep, amt FROM sales WHERE becoming('{other}')",
    "SET ROLE {other}",
    "RESET ROLE",
    "SELECT * FROM salaries",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT rolpassword FROM pg_authid",
    "SELECT nextval('counter')",
    "SELECT * FROM sales FOR UPDATE",
    "DO $$ BEGIN PERFORM 1; END $$",
    "CREATE TEMP TABLE t AS SELECT * FROM sales",
    "COPY sales TO PROGRAM 'true'",
    "WITH gone AS (DELETE FROM sales RETURNING rep, amt) SELECT * FROM gone",
    "NOTIFY somebody",
    "LISTEN somebody",
    "COMMIT",
    "SELECT 1; SELECT 2",
)


def _tried(engine: PostgresEngine, sql: str, who: Identity) -> set[object]:
    """Return what the first column told of a statement that may be refused."""
    try:
        return {row[0] for row in engine.run(sql, who, LIMITS, "attack").rows}
    except EngineError as error:
        assert error.code in {"statement_refused", "bad_sql", "not_one_select"}, sql
        assert who.user == "alice" or "alice" not in str(error)
        return set()


@pytest.mark.parametrize("version", [15, 17, 18])
@pytest.mark.parametrize("mode", ["login", "set_role"])
def test_the_database_itself_refuses_what_would_show_another_askers_rows(
    built_servers: Callable[[int], Server], version: int, mode: str
) -> None:
    house = Warehouse(built_servers(version), "shop" if mode == "login" else "switched")
    engine = house.engine(login="" if mode == "login" else GATEWAY, connections=1)
    for attack in ATTACKS:
        for who, other in ((ALICE, "bob"), (BOB, "alice")):
            told = _tried(engine, attack.replace("{other}", other), who)
            assert other not in told, attack
            (mine,) = engine.run(OWN, who, LIMITS, "own").rows
            assert mine == (who.user, "UTC", who.user, 100), attack
    house.close()


def test_what_a_statement_leaves_in_the_session_is_gone_before_the_next_one(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1)
    for left in (
        "SELECT set_config('TimeZone', 'Asia/Tokyo', false)",
        "SELECT set_config('search_path', 'pg_catalog', false)",
        "SELECT set_config('standard_conforming_strings', 'off', false)",
        "SELECT set_config('statement_timeout', '1', false)",
        "SELECT set_config('default_transaction_read_only', 'off', false)",
        "SELECT pg_advisory_lock(7)::text",
    ):
        engine.run(left, ALICE, LIMITS, "leaves")
        assert engine.run(OWN, ALICE, LIMITS, "own").rows == (("alice", "UTC", "alice", 100),)
        (found,) = engine.run(r"SELECT '\', current_setting('search_path')", ALICE, LIMITS, "text").rows
        assert found == ("\\", "public,pg_temp")
        assert warehouse.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == [(0,)]


# What may go wrong with a question, and the statement and limits it goes wrong with.
STEPS: Mapping[str, tuple[str, Limits]] = {
    "works": (OWN, LIMITS),
    "fails": ("SELECT 1 / (sale_id - sale_id) FROM sales", LIMITS),
    "is refused": ("SELECT * FROM salaries", LIMITS),
    "attacks": (ATTACKS[0], LIMITS),
    "leaves a role": (ATTACKS[3], LIMITS),
    "is cut": ("SELECT a.sale_id FROM sales a, sales b, sales c", replace(LIMITS, rows=10)),
    "has odd columns": ("SELECT ARRAY[sale_id] FROM sales", LIMITS),
    "times out": ("SELECT pg_sleep(3)", replace(LIMITS, seconds=0.02)),
    "leaves before": (OWN, LIMITS),
    "leaves during": ("SELECT pg_sleep(3)", LIMITS),
    "is killed": (OWN, LIMITS),
}
KILL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^cellbound'"


def _step(engine: PostgresEngine, warehouse: Warehouse, step: str, who: Identity) -> None:
    """Do one thing that can go wrong as somebody; what comes of it is of no matter."""
    sql, limits = STEPS[step]
    query_id = uuid4().hex
    if step == "leaves before":
        engine.cancel(query_id)
    if step == "leaves during":
        threading.Timer(0.01, engine.cancel, (query_id,)).start()
    if step == "is killed":
        warehouse.ask(KILL)
    try:
        engine.explain(sql, who, limits)
        engine.run(sql.replace("{other}", "bob" if who is ALICE else "alice"), who, limits, query_id)
    except EngineError as error:
        assert error.next_step


def _own_rows(engine: PostgresEngine, who: Identity) -> None:
    """Demand own rows and nothing else; the one thing that may happen is a session that was killed."""
    for _ in range(5):
        try:
            assert engine.run(OWN, who, LIMITS, f"own {threading.get_ident()}").rows == (
                (who.user, "UTC", who.user, 100),
            )
        except EngineError as error:
            assert error.code == "database_unavailable"
        else:
            return
    pytest.fail("no session stays alive")


@pytest.mark.parametrize("mode", ["login", "set_role"])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from([ALICE, BOB])), max_size=8))
def test_no_order_of_failures_over_one_session_shows_another_askers_rows(
    warehouse: Warehouse, switched: Warehouse, mode: str, steps: list[tuple[str, Identity]]
) -> None:
    house = warehouse if mode == "login" else switched
    engine = house.engine(login="" if mode == "login" else GATEWAY, connections=1)
    for step, who in steps:
        _step(engine, house, step, who)
        for asker in (BOB, ALICE):
            _own_rows(engine, asker)
    house.close()


@pytest.mark.parametrize("mode", ["login", "set_role"])
def test_no_interleaving_over_few_sessions_shows_another_askers_rows(
    warehouse: Warehouse, switched: Warehouse, mode: str
) -> None:
    house = warehouse if mode == "login" else switched
    engine = house.engine(login="" if mode == "login" else GATEWAY, connections=2, wait_seconds=30)
    seed = int(os.environ.get("CELLBOUND_SEED", "7"))

    def ask(number: int) -> None:
        draw, who = random.Random(seed + number), (ALICE, BOB)[number % 2]
        for step in draw.choices(sorted(STEPS), k=10):
            _step(engine, house, step, who)
            _own_rows(engine, who)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(ask, range(6)))


@contextmanager
def _changed(warehouse: Warehouse, change: str, back: str) -> Iterator[None]:
    warehouse.execute(change)
    try:
        yield
    finally:
        warehouse.execute(back)


@pytest.mark.parametrize(
    ("change", "back", "code"),
    [
        ("REVOKE SELECT ON sales FROM alice", "GRANT SELECT ON sales TO alice", "statement_refused"),
        ("ALTER ROLE alice NOLOGIN", "ALTER ROLE alice LOGIN", "identity_refused"),
        ("ALTER ROLE alice BYPASSRLS", "ALTER ROLE alice NOBYPASSRLS", "identity_refused"),
        ("ALTER ROLE alice SUPERUSER", "ALTER ROLE alice NOSUPERUSER", "identity_refused"),
        (
            "ALTER ROLE alice VALID UNTIL '2020-01-01'",
            "ALTER ROLE alice VALID UNTIL 'infinity'",
            "identity_refused",
        ),
    ],
)
def test_a_right_taken_between_estimate_and_run_counts_at_once(
    warehouse: Warehouse, change: str, back: str, code: str
) -> None:
    engine = warehouse.engine()
    engine.explain(OWN, ALICE, LIMITS)
    with _changed(warehouse, change, back):
        with pytest.raises(EngineError) as caught:
            engine.run(OWN, ALICE, LIMITS, "q")
        assert caught.value.code == code
        assert engine.run(OWN, BOB, LIMITS, "r").rows[0][2] == "bob"
    assert engine.run(OWN, ALICE, LIMITS, "q").rows[0][2] == "alice"


@pytest.mark.parametrize(
    ("change", "back", "said"),
    [
        (
            "GRANT EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) TO PUBLIC",
            "REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC",
            "set_config",
        ),
        ("GRANT CREATE ON SCHEMA public TO alice", "REVOKE CREATE ON SCHEMA public FROM alice", "create"),
        ("GRANT CREATE ON DATABASE switched TO bob", "REVOKE CREATE ON DATABASE switched FROM bob", "create"),
        (
            "CREATE FUNCTION lively() RETURNS integer VOLATILE LANGUAGE sql AS 'SELECT 1'",
            "DROP FUNCTION lively",
            "public.lively",
        ),
        (
            f"GRANT alice TO {GATEWAY} WITH INHERIT TRUE",
            f"GRANT alice TO {GATEWAY} WITH INHERIT FALSE",
            "INHERIT FALSE",
        ),
        (f"ALTER ROLE {GATEWAY} CREATEROLE", f"ALTER ROLE {GATEWAY} NOCREATEROLE", "manages roles"),
        (f"ALTER ROLE {GATEWAY} BYPASSRLS", f"ALTER ROLE {GATEWAY} NOBYPASSRLS", "row policies"),
    ],
)
def test_switching_roles_is_refused_where_the_database_would_not_hold_it(
    switched: Warehouse, change: str, back: str, said: str
) -> None:
    with _changed(switched, change, back):
        engine = switched.engine(login=GATEWAY)
        who = BOB if " bob" in change else ALICE
        with pytest.raises(EngineError, match=said) as caught:
            engine.run(OWN, who, LIMITS, "q")
        assert caught.value.code == "identity_refused"
    assert engine.run(OWN, ALICE, LIMITS, "q").rows[0][2] == "alice"


@pytest.mark.parametrize("name", [GATEWAY, "dora", "none", "nobody at all", "postgres", 'al"ice', "alice\\"])
def test_the_gateways_login_acts_for_nobody_who_was_not_granted_to_it(switched: Warehouse, name: str) -> None:
    with pytest.raises(EngineError) as caught:
        switched.engine(login=GATEWAY).run(OWN, Identity(name, "seller"), LIMITS, "q")
    assert caught.value.code == "identity_refused"


@pytest.mark.parametrize("version", [15, 17])
def test_a_peer_map_lets_askers_in_without_any_password(version: int) -> None:
    if version not in versions():
        pytest.skip(why_missing(version))
    me = pwd.getpwuid(os.geteuid()).pw_name
    everybody = "+askers" if version >= 16 else "alice"
    with running(version, hba=["local all +askers peer map=gw"], ident=[f"gw {me} {everybody}"]) as server:
        server.execute("CREATE ROLE askers; CREATE ROLE alice LOGIN IN ROLE askers; CREATE ROLE eve LOGIN")
        house = Warehouse(server, "postgres")
        engine = house.engine(members={"seller": ("alice",)})
        (row,) = engine.run("SELECT session_user::text, current_user::text", ALICE, LIMITS, "q").rows
        assert row == ("alice", "alice")
        house.close()


def test_a_wait_for_a_killed_session_is_short(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    engine.run(OWN, ALICE, LIMITS, "q")
    warehouse.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'alice'")
    started = time.monotonic()
    _own_rows(engine, ALICE)
    assert time.monotonic() - started < 2


def test_limits_of_one_asker_are_not_the_limits_of_the_next(switched: Warehouse) -> None:
    engine = switched.engine(login=GATEWAY, connections=1)
    tight = Limits(rows=10, bytes=1000, seconds=0.2, memory_mb=64, spill_mb=1)
    wanted = "SELECT current_setting('statement_timeout'), current_setting('temp_file_limit')"
    ((short, small),) = engine.run(wanted, ALICE, tight, "a").rows
    ((long, large),) = engine.run(wanted, BOB, LIMITS, "b").rows
    assert (small, large) == ("1MB", "100MB")
    assert 0 < int(str(short).removesuffix("ms")) <= 200
    assert 200 < int(str(long).removesuffix("ms").replace("20s", "20000")) <= 20_000
