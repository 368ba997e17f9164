"""The Snowflake engine over the stand-in: who acts, what is pinned, what is sent, exact values."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, Identity
from gateway.engines.credentials import Logins
from gateway.engines.open import dialect_of, open_engine
from gateway.engines.snowflake import SnowflakeEngine
from gateway.engines.snowflake_target import target_of
from gateway.settings.file import EngineSettings
from tests.canaries import forgive
from tests.gateway.engines.snowflake_house import (
    ANN,
    CARL,
    LIMITS,
    MEMBERS,
    Snowhouse,
    shop_account,
    token_of,
)
from tests.servers.snowflake import Standin, running
from tests.servers.snowflake_account import Token

pytestmark = pytest.mark.engine("snowflake")

COUNT = "SELECT count(*) FROM orders"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Snowhouse]:
    """A stand-in that one test may change."""
    with running(shop_account()) as standin:
        house = Snowhouse(standin)
        yield house
        house.close()


@pytest.fixture(scope="module")
def lasting(snowflake_standin: Standin) -> Iterator[SnowflakeEngine]:
    """One engine for all examples of a property."""
    house = Snowhouse(snowflake_standin)
    yield house.engine()
    house.close()


def _code(house: Snowhouse, who: Identity = ANN, sql: str = COUNT, **how: Any) -> str:
    with pytest.raises(EngineError) as caught:
        house.engine(**how).run(sql, who, LIMITS, "q")
    assert caught.value.next_step
    assert "127.0.0.1" not in str(caught.value)
    return caught.value.code


def test_a_statement_carries_its_limits_and_the_trace_id(own: Snowhouse) -> None:
    own.engine().run(COUNT, ANN, replace(LIMITS, seconds=7.9), "trace-1")
    sent = next(request for request in own.account.log if request.sql == COUNT)
    assert (sent.user, sent.role) == ("ANN", "ANALYST")
    assert sent.parameters["STATEMENT_TIMEOUT_IN_SECONDS"] == "8"
    assert sent.parameters["ROWS_PER_RESULTSET"] == "1001"
    assert sent.parameters["MULTI_STATEMENT_COUNT"] == "1"
    assert sent.parameters["QUERY_TAG"] == "cellbound trace-1"
    assert sent.parameters["TIMEZONE"] == "UTC"
    assert sent.parameters["CLIENT_TELEMETRY_ENABLED"].lower() == "false"
    priced = next(request for request in own.account.log if request.sql == f"EXPLAIN USING JSON {COUNT}")
    assert (priced.user, priced.role) == (sent.user, sent.role)
    assert 0 < int(priced.parameters["STATEMENT_TIMEOUT_IN_SECONDS"]) <= 8
    for name in ("QUERY_TAG", "MULTI_STATEMENT_COUNT", "TIMEZONE"):
        assert priced.parameters[name] == sent.parameters[name]


def test_names_mean_the_same_whatever_their_capitals(snowhouse: Snowhouse) -> None:
    engine = snowhouse.engine()
    rows = engine.run(
        'SELECT "order_id" AS "Order_Id", ORDERS.region FROM "Orders" LIMIT 1', ANN, LIMITS, "q"
    )
    assert rows.names == ("order_id", "region")
    assert engine.run('SELECT count(*) FROM "crm"."tickets"', ANN, LIMITS, "q").rows == ((10,),)


def test_values_are_exact_and_instants_are_in_utc(snowhouse: Snowhouse) -> None:
    sql = (
        "SELECT 12345678901234567890123456789012345678::NUMBER(38, 0) AS whole,"
        " 0.1234567890123456789::NUMBER(38, 19) AS part, 0.5::FLOAT AS near, TRUE AS yes, NULL AS nothing,"
        " '2024-02-29'::DATE AS day, '2024-02-29 23:59:59.123456'::TIMESTAMP_NTZ AS wall,"
        " '2024-03-31 01:30:00+02:00'::TIMESTAMP_TZ AS instant, '10:30:00'::TIME AS clock,"
        " PARSE_JSON('{\"a\": 1}') AS anything, 'ß' AS text"
    )
    rows = snowhouse.engine().run(sql, ANN, LIMITS, "q")
    row = dict(zip(rows.names, rows.rows[0], strict=True))
    assert row["whole"] == 12345678901234567890123456789012345678
    assert row["part"] == Decimal("0.1234567890123456789")
    assert (row["near"], row["yes"], row["nothing"], row["text"]) == (0.5, True, None, "ß")
    assert row["day"] == date(2024, 2, 29)
    assert row["wall"] == datetime(2024, 2, 29, 23, 59, 59, 123456)
    assert row["instant"] == datetime(2024, 3, 30, 23, 30, tzinfo=UTC)
    assert row["clock"] == "10:30:00"
    assert json.loads(str(row["anything"])) == {"a": 1}
    assert rows.types[:2] == ("NUMBER(38,0)", "NUMBER(38,19)")
    assert not any(isinstance(row[name], float) for name in ("whole", "part"))


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**20), max_value=10**20)


@settings(max_examples=20)
@given(st.lists(NUMBERS, min_size=10, max_size=30))
def test_no_digit_of_a_number_is_lost(lasting: SnowflakeEngine, values: list[Decimal]) -> None:
    """Many numbers are asked at once: each question costs more than all that is looked at in its answer."""
    columns = ", ".join(f"{value:f}::NUMBER(38, 6) AS n{at}" for at, value in enumerate(values))
    rows = lasting.run(f"SELECT {columns}", ANN, LIMITS, f"q{len(values)}")
    assert rows.rows == (tuple(values),)


def test_a_token_of_somebody_else_is_refused(own: Snowhouse) -> None:
    own.account.tokens[token_of("ann", {})] = Token("carl", "OAUTH")
    own.account.users["CARL"].roles = ("CLERK", "ANALYST")
    assert _code(own) == "identity_refused"


def test_a_session_with_secondary_roles_is_refused(own: Snowhouse) -> None:
    own.account.secondary = "ALL"
    assert _code(own) == "identity_refused"


def test_a_role_that_was_not_granted_is_refused(snowhouse: Snowhouse) -> None:
    assert _code(snowhouse, Identity("carl", "analyst")) == "login_refused"


def test_a_role_that_may_not_use_the_warehouse_is_told_so(snowhouse: Snowhouse) -> None:
    assert _code(snowhouse, url={"warehouse": "OTHER"}) == "target_refused"


def test_a_role_that_was_taken_back_counts_for_the_next_session(own: Snowhouse) -> None:
    engine = own.engine()
    engine.run(COUNT, CARL, LIMITS, "q")
    own.account.users["CARL"].roles = ("SELLER",)
    engine.close()
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, CARL, LIMITS, "q")
    assert caught.value.code == "login_refused"


def test_a_right_that_was_taken_between_estimate_and_run_counts_at_once(own: Snowhouse) -> None:
    engine = own.engine()
    engine.explain(COUNT, CARL, LIMITS)
    own.account.grants["CLERK"] = {g for g in own.account.grants["CLERK"] if g.privilege != "SELECT"}
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, CARL, LIMITS, "q")
    assert caught.value.code == "bad_sql"


def test_a_changed_schema_is_noticed_and_never_answered_from_what_is_kept(own: Snowhouse) -> None:
    engine, sql = own.engine(), "SELECT max(tier) AS last FROM customers"
    engine.explain(sql, ANN, LIMITS)
    engine.run(sql, ANN, LIMITS, "a")
    own.account.execute("ALTER TABLE customers RENAME COLUMN tier TO rank")
    with pytest.raises(EngineError) as caught:
        engine.run(sql, ANN, LIMITS, "b")
    assert caught.value.code == "bad_sql"


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO orders VALUES (1)",
        "DELETE FROM orders",
        "SELECT 1; SELECT 2",
        "USE ROLE CLERK",
        "ALTER SESSION SET TIMEZONE = 'Europe/Berlin'",
        "SHOW TABLES",
        "CREATE TABLE t AS SELECT 1",
        "",
    ],
)
def test_what_is_not_one_select_reaches_the_database_as_explain_only(own: Snowhouse, sql: str) -> None:
    engine = own.engine()
    for ask in (lambda: engine.explain(sql, ANN, LIMITS), lambda: engine.run(sql, ANN, LIMITS, "q")):
        with pytest.raises(EngineError) as caught:
            ask()
        assert caught.value.code in {"bad_sql", "statement_refused", "not_one_select"}
    sent = [request.sql for request in own.account.log]
    assert all(text.startswith(("EXPLAIN", "SELECT CURRENT_USER()")) for text in sent)


def test_programmatic_tokens_and_key_pairs_prove_a_login_too(own: Snowhouse, tmp_path: Path) -> None:
    own.account.tokens["program"] = Token("ann", "PROGRAMMATIC_ACCESS_TOKEN")
    key = generate_private_key(65_537, 2048)
    own.account.users["ANN"].public_key = (
        key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    for authenticator, secret in (("pat", "program"), ("key_pair", pem)):
        folder = tmp_path / authenticator
        folder.mkdir()
        file = folder / "ann"
        file.write_text(secret)
        file.chmod(0o600)
        forgive(file)
        engine = own.engine(
            url={"authenticator": authenticator}, folder=tmp_path, credentials=f"files:{authenticator}"
        )
        assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


def test_a_secret_that_is_missing_is_named(
    snowhouse: Snowhouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _code(snowhouse, credentials="environment") == "credential_missing"
    assert _code(snowhouse, credentials="files:secrets", folder=tmp_path) == "credential_missing"
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "ann").write_text(token_of("ann", {}))
    (tmp_path / "secrets" / "ann").chmod(0o644)
    assert _code(snowhouse, credentials="files:secrets", folder=tmp_path) == "credential_missing"
    (tmp_path / "secrets" / "ann").chmod(0o600)
    assert snowhouse.engine(credentials="files:secrets", folder=tmp_path).run(COUNT, ANN, LIMITS, "q").rows
    monkeypatch.setenv("CELLBOUND_DB_PASSWORD_ANN", token_of("ann", {}))
    assert snowhouse.engine(credentials="environment").run(COUNT, ANN, LIMITS, "q").rows


def test_a_login_that_names_a_path_gets_no_file(snowhouse: Snowhouse, tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "token").write_text(token_of("ann", {}))
    (tmp_path / "token").chmod(0o600)
    who = Identity("../token", "analyst")
    assert _code(snowhouse, who, credentials="files:secrets", folder=tmp_path) == "credential_missing"


@pytest.mark.parametrize("settings", [{"credentials": "server"}, {"mode": "set_role"}])
def test_an_engine_without_a_proof_of_each_login_does_not_open(
    snowhouse: Snowhouse, settings: dict[str, Any]
) -> None:
    with pytest.raises(EngineError) as caught:
        snowhouse.engine(**settings)
    assert caught.value.code == "credential_missing"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("snowflake://acme", "database_not_pinned"),
        ("snowflake://acme/SHOP", "database_not_pinned"),
        ("snowflake:///SHOP?warehouse=W", "database_not_pinned"),
        ("snowflake://acme/SHOP/A/B?warehouse=W", "database_not_pinned"),
        ("snowflake://ann:secret@acme/SHOP?warehouse=W", "secret_in_url"),
        ("snowflake://acme/SHOP?warehouse=W&token=t", "unknown_url_key"),
        ("snowflake://acme/SHOP?warehouse=W&role=ADMIN", "unknown_url_key"),
        ("snowflake://acme/SHOP?warehouse=W&authenticator=externalbrowser", "unknown_url_key"),
        ("snowflake://acme/SHOP?warehouse=W&protocol=http", "insecure_url"),
        ("snowflake://acme/SHOP?warehouse=W&protocol=http&host=db.example.com", "insecure_url"),
    ],
)
def test_a_url_that_pins_too_little_or_says_too_much_is_refused(url: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        target_of(url)
    assert caught.value.code == code
    assert "secret" not in str(caught.value) or code == "secret_in_url"
    assert caught.value.next_step


def test_a_url_names_the_schema_that_a_bare_name_means() -> None:
    assert dialect_of("snowflake://acme/shop/sales?warehouse=w") == ("snowflake", "SALES")
    target = target_of("snowflake://acme.eu-central-1/shop?warehouse=w")
    assert (target.account, target.database, target.schema) == ("acme.eu-central-1", "SHOP", "PUBLIC")


def test_a_url_of_the_settings_opens_the_engine(snowhouse: Snowhouse, tmp_path: Path) -> None:
    found = EngineSettings(
        url=snowhouse.url(), credentials="hook:tests.gateway.engines.snowflake_house:token_of"
    )
    engine = open_engine(found, {}, LIMITS, folder=tmp_path, temp_directory=tmp_path, logins=Logins(MEMBERS))
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)
    assert engine.capabilities().version
    engine.close()


def test_the_pin_is_a_moment_whose_data_can_be_read_again(own: Snowhouse) -> None:
    engine = own.engine()
    before, rows = engine.pin(), engine.run(COUNT, ANN, LIMITS, "q")
    own.account.execute("DELETE FROM orders WHERE order_id >= 100")
    assert engine.run(COUNT, ANN, LIMITS, "r").rows == ((100,),)
    assert rows.data is not None
    for reference in (before, rows.data):
        assert reference.kind == "timestamp"
        again = f"SELECT count(*) FROM orders AT(TIMESTAMP => '{reference.value}'::TIMESTAMP_TZ) AS orders"
        assert engine.run(again, ANN, LIMITS, "s").rows == rows.rows


def test_data_that_changes_between_a_count_and_its_query_is_not_answered_with(
    own: Snowhouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, sum_ = own.engine(), "SELECT sum(amount) FROM orders"
    engine.run(sum_, ANN, LIMITS, "warm", beside=COUNT)
    start = own.standin.service.start

    def changing(session: Any, request_id: str, sql: str, parameters: Any) -> Any:
        if sql == sum_:
            own.account.execute("INSERT INTO orders VALUES (1, 1, DATE '2024-01-01', 1.00, 'north')")
        return start(session, request_id, sql, parameters)

    monkeypatch.setattr(own.standin.service, "start", changing)
    with pytest.raises(EngineError) as caught:
        engine.run(sum_, ANN, LIMITS, "q", beside=COUNT)
    assert (caught.value.code, caught.value.retryable) == ("data_changed", True)
    alone = engine.run(sum_, ANN, LIMITS, "r")
    assert alone.data is not None and alone.data.kind == "none"


def test_a_session_goes_to_the_same_asker_in_the_same_role_only(own: Snowhouse) -> None:
    own.account.users["CARL"].roles = ("CLERK", "ANALYST")
    engine = own.engine()
    asked = ((ANN, 30_000), (CARL, 10_000), (Identity("carl", "analyst"), 30_000))
    for _ in range(3):
        for who, rows in asked:
            assert engine.run(COUNT, who, LIMITS, "q").rows == ((rows,),)
    logins = [request for request in own.account.log if request.sql.startswith("SELECT CURRENT_USER()")]
    assert len(logins) == len(asked)


def test_a_full_pool_says_busy(snowhouse: Snowhouse) -> None:
    engine = snowhouse.engine(connections=1, waiting=0, wait_seconds=1.0)
    endless = "SELECT count(*) FROM events a, events b, events c WHERE a.kind <> b.kind AND b.kind <> c.kind"
    with ThreadPoolExecutor(1) as pool:
        running_ = pool.submit(engine.run, endless, ANN, LIMITS, "long")
        with pytest.raises(TimeoutError):
            running_.result(timeout=0.3)
        with pytest.raises(EngineBusy) as caught:
            engine.run(COUNT, ANN, LIMITS, "q")
        engine.cancel("long")
        with pytest.raises(EngineCancelled):
            running_.result(timeout=5)
    assert caught.value.retry_after == 1.0
