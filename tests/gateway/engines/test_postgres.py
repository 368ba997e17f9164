"""What is special to PostgreSQL: its types, its errors, its url, its credentials, its snapshots."""

import math
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest

from gateway.engines.base import EngineError
from gateway.engines.open import dialect_of, open_engine
from gateway.engines.postgres_credentials import credentials_of
from gateway.engines.postgres_target import target_of
from gateway.settings.file import EngineSettings
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, Warehouse

pytestmark = pytest.mark.engine("postgres")

OWN = "SELECT current_user::text, count(*) FROM sales"


def token_of(login: str, parameters: Mapping[str, str]) -> str:
    """Stand for a cloud's token service."""
    return f"token of {login} for {parameters['dbname']}"


def test_values_keep_their_types(warehouse: Warehouse) -> None:
    rows = warehouse.engine().run(
        "SELECT 12.50::numeric(18, 2), 10::numeric ^ 30, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00',"
        " TIMESTAMPTZ '2024-02-29 12:00:00+02', true, 0.5::double precision, 'x', NULL, TIME '10:30:00',"
        " '{\"a\": 1}'::jsonb, '00000000-0000-0000-0000-000000000001'::uuid, 7::bigint, 'b'::\"char\"",
        ALICE,
        LIMITS,
        "q",
    )
    assert rows.rows == (
        (
            Decimal("12.50"),
            Decimal(10) ** 30,
            date(2024, 2, 29),
            datetime(2024, 2, 29, 12),
            datetime(2024, 2, 29, 10, tzinfo=UTC),
            True,
            0.5,
            "x",
            None,
            "10:30:00",
            '{"a": 1}',
            "00000000-0000-0000-0000-000000000001",
            7,
            "b",
        ),
    )
    assert str(rows.rows[0][0]) == "12.50"
    instant = rows.rows[0][4]
    assert getattr(instant, "tzinfo", None) is UTC
    assert rows.types[:3] == ("numeric(18,2)", "numeric", "date")


def test_numbers_that_are_none_are_floats_and_dates_without_an_end_are_said(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    ((nothing, endless),) = engine.run("SELECT 'NaN'::numeric, 'Infinity'::numeric", ALICE, LIMITS, "q").rows
    assert isinstance(nothing, float)
    assert math.isnan(nothing)
    assert endless == math.inf
    for value in ("'infinity'::date", "'-infinity'::timestamp", "DATE '4000-01-01 BC'"):
        with pytest.raises(EngineError) as caught:
            engine.run(f"SELECT {value}", ALICE, LIMITS, "q")
        assert caught.value.code == "data_error"
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_enumerations_and_domains_are_carried(warehouse: Warehouse) -> None:
    warehouse.execute("CREATE TYPE mood AS ENUM ('calm', 'busy'); CREATE DOMAIN amount AS numeric(9, 2)")
    try:
        rows = warehouse.engine().run("SELECT 'busy'::mood, 3::amount", ALICE, LIMITS, "q")
        assert rows.rows == (("busy", Decimal("3.00")),)
        assert rows.types[0] == "mood"
    finally:
        warehouse.execute("DROP TYPE mood; DROP DOMAIN amount")


@pytest.mark.parametrize(
    "text", ["SELECT 'a\0b'", "SELECT 1; --\0", "SELECT '\ud800'", "SELECT 1 --\0; DROP TABLE sales"]
)
def test_a_text_that_would_not_arrive_whole_is_not_sent(warehouse: Warehouse, text: str) -> None:
    engine = warehouse.engine()
    with pytest.raises(EngineError) as priced:
        engine.explain(text, ALICE, LIMITS)
    with pytest.raises(EngineError) as ran:
        engine.run(text, ALICE, LIMITS, "q")
    assert priced.value.code == ran.value.code == "bad_sql"


def test_a_changed_schema_is_noticed_and_never_answered_from_an_old_plan(warehouse: Warehouse) -> None:
    warehouse.execute("CREATE TABLE changing AS SELECT 1 AS a; GRANT SELECT ON changing TO alice")
    engine, sql = warehouse.engine(connections=1), "SELECT a FROM changing"
    try:
        for _ in range(8):
            engine.explain(sql, ALICE, LIMITS)
            assert engine.run(sql, ALICE, LIMITS, "q").rows == ((1,),)
        warehouse.execute("ALTER TABLE changing ALTER a TYPE text")
        assert engine.run(sql, ALICE, LIMITS, "q").rows == (("1",),)
        warehouse.execute("ALTER TABLE changing RENAME a TO b")
        with pytest.raises(EngineError) as caught:
            engine.run(sql, ALICE, LIMITS, "q")
        assert caught.value.code == "bad_sql"
    finally:
        warehouse.execute("DROP TABLE changing")
    with pytest.raises(EngineError, match="changing"):
        engine.run(sql, ALICE, LIMITS, "q")


def test_a_statement_beside_the_query_reads_the_same_snapshot(warehouse: Warehouse) -> None:
    snapshot = "SELECT pg_current_snapshot()::text"
    engine = warehouse.engine()
    rows = engine.run(snapshot, ALICE, LIMITS, "q", beside=snapshot)
    assert rows.beside == rows.rows
    assert rows.data is not None
    assert rows.data.value.startswith(f"{rows.rows[0][0]}@")


def test_too_many_rows_beside_are_an_error_and_no_other_rows(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    with pytest.raises(EngineError) as caught:
        engine.run(OWN, ALICE, LIMITS, "q", beside="SELECT a.sale_id FROM sales a, sales b")
    assert caught.value.code == "query_too_large"
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_the_pin_changes_with_every_write_and_only_then(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    before = engine.pin()
    assert before.kind == "snapshot"
    assert engine.run(OWN, ALICE, LIMITS, "q").data == engine.run(OWN, BOB, LIMITS, "r").data == before
    warehouse.execute("CREATE TABLE written (a int)")
    try:
        assert engine.pin() != before
    finally:
        warehouse.execute("DROP TABLE written")


def test_an_engine_that_nobody_may_ask_pins_nothing(warehouse: Warehouse) -> None:
    assert warehouse.engine(members={}).pin().kind == "none"


def test_the_trace_says_which_server_and_which_identity(warehouse: Warehouse, switched: Warehouse) -> None:
    engine = warehouse.engine()
    engine.pin()
    can = engine.capabilities()
    assert can.version.startswith(f"{warehouse.server.version}.")
    assert can.mode == "login"
    weaker = switched.engine(login=GATEWAY).capabilities()
    assert weaker.mode == "set_role"
    assert len(weaker.notes) > len(can.notes)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("postgresql://ana:secret@db/shop", "secret_in_url"),
        ("postgresql://db/shop?password=secret", "secret_in_url"),
        ("postgresql://db/shop?options=-crow_security%3Doff", "unknown_url_key"),
        ("postgresql://db/shop?service=other", "unknown_url_key"),
        ("postgresql://db/shop?passfile=x", "unknown_url_key"),
        ("postgresql:///shop", "database_not_pinned"),
        ("postgresql://db", "database_not_pinned"),
        ("postgresql:shop", "bad_url"),
        ("postgresql://db/shop?sslmode", "bad_url"),
        ("postgresql://gw@db/shop", "login_not_pinned"),
    ],
)
def test_a_url_pins_one_database_and_holds_no_secret(tmp_path: Path, url: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        open_engine(EngineSettings(url=url), {}, LIMITS, folder=tmp_path, temp_directory=tmp_path)
    assert caught.value.code == code
    assert caught.value.next_step
    assert "secret" not in str(caught.value).replace(code, "")


def test_mode_set_role_needs_a_login_of_its_own(tmp_path: Path) -> None:
    switching = EngineSettings(url="postgresql://db/shop", mode="set_role")
    with pytest.raises(EngineError) as caught:
        open_engine(switching, {}, LIMITS, folder=tmp_path, temp_directory=tmp_path)
    assert caught.value.code == "login_not_pinned"


def test_the_environment_cannot_point_a_connection_elsewhere(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "services").write_text("[other]\nhost=127.0.0.9\ndbname=other\nuser=bob\n", encoding="utf-8")
    for name, value in {
        "PGHOST": "127.0.0.9",
        "PGHOSTADDR": "127.0.0.9",
        "PGPORT": "1",
        "PGDATABASE": "other",
        "PGUSER": "bob",
        "PGOPTIONS": "-c row_security=off",
        "PGSERVICE": "other",
        "PGSERVICEFILE": str(tmp_path / "services"),
    }.items():
        monkeypatch.setenv(name, value)
    engine = warehouse.engine()
    sql = "SELECT current_user::text, current_database()::text, current_setting('row_security')"
    assert engine.run(sql, ALICE, LIMITS, "q").rows == (("alice", "shop", "on"),)


@pytest.mark.parametrize(
    ("url", "sslmode"),
    [
        ("postgresql://db.example.com/shop", "require"),
        ("postgresql://db.example.com/shop?sslmode=verify-full", "verify-full"),
        ("postgresql://localhost,db.example.com/shop", "require"),
        ("postgresql://127.0.0.1:5433/shop", ""),
        ("postgresql:///shop?host=%2Frun%2Fpostgresql", ""),
    ],
)
def test_another_machine_is_reached_encrypted(url: str, sslmode: str) -> None:
    assert target_of(url).parameters.get("sslmode", "") == sslmode


def test_a_long_statement_and_a_long_answer_cross_each_other(warehouse: Warehouse) -> None:
    numbers = ", ".join(map(str, range(60_000)))
    sql = f"SELECT repeat('x', 500) FROM generate_series(1, 900) AS t(i) WHERE i IN ({numbers})"
    engine = warehouse.engine()
    assert len(engine.run(sql, ALICE, LIMITS, "q", beside=sql.replace("'x', 500", "'y', 500")).beside) == 900


def test_dialect_and_schema_come_from_the_url() -> None:
    assert dialect_of("postgresql://db/shop") == dialect_of("postgres://db/shop") == ("postgres", "public")
    assert target_of("postgresql://gw@db:5433/shop?sslmode=verify-full").login == "gw"


def test_a_missing_driver_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing: ModuleType | None = None
    monkeypatch.setitem(sys.modules, "psycopg", missing)
    with pytest.raises(EngineError) as caught:
        open_engine(
            EngineSettings(url="postgresql://db/shop"), {}, LIMITS, folder=tmp_path, temp_directory=tmp_path
        )
    assert caught.value.code == "driver_missing"
    assert "cellbound[postgres]" in caught.value.next_step


def test_a_password_comes_from_the_environment(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse.execute("ALTER ROLE alice PASSWORD 'right one'; ALTER ROLE bob PASSWORD 'another'")
    monkeypatch.setenv("CELLBOUND_DB_PASSWORD_ALICE", "right one")
    monkeypatch.setenv("CELLBOUND_DB_PASSWORD_BOB", "right one")
    engine = warehouse.engine(port=warehouse.server.port, credentials="environment")
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)
    with pytest.raises(EngineError) as wrong:
        engine.run(OWN, BOB, LIMITS, "q")
    assert wrong.value.code == "login_refused"
    assert "right one" not in str(wrong.value)
    monkeypatch.delenv("CELLBOUND_DB_PASSWORD_BOB")
    with pytest.raises(EngineError) as none:
        engine.run(OWN, BOB, LIMITS, "q")
    assert none.value.code == "credential_missing"
    assert "CELLBOUND_DB_PASSWORD_BOB" in none.value.next_step


def test_a_password_file_is_read_only_where_others_cannot_read_it(tmp_path: Path) -> None:
    file = tmp_path / "pgpass"
    credentials = credentials_of("passfile:pgpass", tmp_path)
    with pytest.raises(EngineError) as missing:
        credentials.of("alice", {})
    file.write_text("*:*:*:alice:right\n", encoding="utf-8")
    file.chmod(0o644)
    with pytest.raises(EngineError) as shared:
        credentials.of("alice", {})
    assert missing.value.code == shared.value.code == "credential_missing"
    file.chmod(0o600)
    assert credentials.of("alice", {}) == {"passfile": str(file)}


def test_a_hook_gives_a_token_for_each_login(tmp_path: Path) -> None:
    credentials = credentials_of(f"hook:{__name__}:token_of", tmp_path)
    assert credentials.of("alice", {"dbname": "shop"}) == {"password": "token of alice for shop"}
    for gone in ("hook:no_such_module:f", f"hook:{__name__}:no_such_function"):
        with pytest.raises(EngineError) as caught:
            credentials_of(gone, tmp_path)
        assert caught.value.code == "hook_missing"
