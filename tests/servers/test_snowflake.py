"""The stand-in for Snowflake, as the real connector meets it."""

import base64
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import snowflake.connector
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from snowflake.connector.errors import Error

from tests.servers.snowflake import Standin, running
from tests.servers.snowflake_account import Account, Token

pytestmark = pytest.mark.engine("snowflake")

SALES = ("SHOP", "PUBLIC", "SALES")


@pytest.fixture
def standin() -> Iterator[Standin]:
    account = Account()
    account.execute(
        "CREATE TABLE sales AS SELECT i AS id, ['a', 'b'][1 + i % 2] AS rep FROM range(10) AS t(i)"
    )
    account.add_user("ann", "READER", "WRITER", password="secret")
    account.tokens["good"] = Token("ann", "OAUTH")
    account.tokens["program"] = Token("ann", "PROGRAMMATIC_ACCESS_TOKEN")
    account.grant("READER", "SELECT", "TABLE", "SHOP.PUBLIC.SALES")
    account.grant("READER", "USAGE", "WAREHOUSE", "WH")
    with running(account) as found:
        yield found


def _connect(standin: Standin, **how: Any) -> snowflake.connector.SnowflakeConnection:
    given = {"user": "ann", "password": "secret", "role": "READER", **how}
    return snowflake.connector.connect(
        account="acme",
        host="127.0.0.1",
        port=standin.port,
        protocol="http",
        use_proxy_env=False,
        database="SHOP",
        schema="PUBLIC",
        warehouse="WH",
        retry_backoff_cap_ms=250,
        enable_server_session_keep_alive_auto_detection=False,
        **given,
    )


def _asked(standin: Standin, sql: str, **how: Any) -> list[tuple[Any, ...]]:
    with _connect(standin, **how) as connection, connection.cursor() as cursor:
        rows: list[tuple[Any, ...]] = cursor.execute(sql).fetchall()
        return rows


def _refused(standin: Standin, sql: str, **how: Any) -> tuple[int, str]:
    with pytest.raises(Error) as caught:
        _asked(standin, sql, **how)
    return int(caught.value.errno or 0), str(caught.value.sqlstate)


def _keys() -> tuple[RSAPrivateKey, str]:
    key = generate_private_key(65_537, 2048)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return key, public.decode()


def _der(key: RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"authenticator": "oauth", "token": "good", "password": None},
        {"authenticator": "PROGRAMMATIC_ACCESS_TOKEN", "token": "program", "password": None},
    ],
)
def test_a_user_is_admitted_by_what_proves_them(standin: Standin, how: dict[str, Any]) -> None:
    assert _asked(standin, "SELECT CURRENT_USER(), CURRENT_ROLE()", **how) == [("ANN", "READER")]


def test_a_key_pair_admits_its_user_only(standin: Standin) -> None:
    key, public = _keys()
    standin.account.users["ANN"].public_key = public
    how = {"authenticator": "SNOWFLAKE_JWT", "password": None}
    assert _asked(standin, "SELECT CURRENT_USER()", private_key=_der(key), **how) == [("ANN",)]
    other, _ = _keys()
    assert _refused(standin, "SELECT 1", private_key=_der(other), **how)[0] == 390144


@pytest.mark.parametrize(
    ("how", "number"),
    [
        ({"password": "wrong"}, 390100),
        ({"user": "eve"}, 390100),
        ({"authenticator": "oauth", "token": "bad", "password": None}, 390303),
        ({"authenticator": "oauth", "token": "program", "password": None}, 390303),
        ({"role": "ADMIN"}, 390189),
    ],
)
def test_others_are_refused_by_the_service_own_numbers(
    standin: Standin, how: dict[str, Any], number: int
) -> None:
    assert _refused(standin, "SELECT 1", **how)[0] == number


def test_a_role_reads_what_it_was_granted(standin: Standin) -> None:
    assert _asked(standin, "SELECT count(*) FROM sales") == [(10,)]
    assert _refused(standin, "SELECT count(*) FROM sales", role="WRITER") == (2003, "42S02")
    standin.account.grant("WRITER", "USAGE", "ROLE", "READER")
    standin.account.grant("WRITER", "USAGE", "WAREHOUSE", "WH")
    assert _asked(standin, "SELECT count(*) FROM sales", role="WRITER") == [(10,)]


def test_a_row_policy_holds_for_the_role(standin: Standin) -> None:
    standin.account.row_policies[SALES] = {"READER": "REP = 'a'"}
    assert _asked(standin, "SELECT count(*), count(DISTINCT rep) FROM sales") == [(5, 1)]
    standin.account.row_policies[SALES] = {"OTHER": "TRUE"}
    assert _asked(standin, "SELECT count(*) FROM sales") == [(0,)]


def test_the_role_and_its_secondary_roles_can_be_changed_by_statements(standin: Standin) -> None:
    with _connect(standin) as connection, connection.cursor() as cursor:
        cursor.execute("USE SECONDARY ROLES NONE")
        cursor.execute("USE ROLE WRITER")
        rows = cursor.execute("SELECT CURRENT_ROLE(), CURRENT_SECONDARY_ROLES()").fetchall()
        assert rows == [("WRITER", '{"roles":"","value":""}')]
        with pytest.raises(Error) as caught:
            cursor.execute("USE ROLE ADMIN")
        assert (caught.value.errno, caught.value.sqlstate) == (3013, "42501")


@pytest.mark.parametrize(
    ("sql", "refusal"),
    [
        ("SELEC 1", (1003, "42000")),
        ("SELECT nothing FROM sales", (904, "42000")),
        ("SELECT * FROM nothing", (2003, "42S02")),
        ("SELECT 1; SELECT 2", (8, "0A000")),
        ("INSERT INTO sales VALUES (1, 'c')", (3001, "42501")),
        ("SELECT 1 / (id - id) FROM sales", (100051, "22012")),
        ("SELECT CAST(rep AS INTEGER) FROM sales", (100038, "22018")),
        ("SELECT SYSTEM$TYPEOF(1)", (2140, "42601")),
        ("SELECT * FROM read_csv('/etc/passwd')", (2003, "42S02")),
        ("SELECT * FROM '/etc/passwd'", (2003, "42S02")),
    ],
)
def test_what_cannot_run_is_refused_by_number_and_state(
    standin: Standin, sql: str, refusal: tuple[int, str]
) -> None:
    assert _refused(standin, sql) == refusal


def test_quoted_names_count_unless_the_session_says_otherwise(standin: Standin) -> None:
    sql = 'SELECT "id" FROM "sales" ORDER BY "id" LIMIT 1'
    assert _refused(standin, sql) == (2003, "42S02")
    folding = {"session_parameters": {"QUOTED_IDENTIFIERS_IGNORE_CASE": True}}
    assert _asked(standin, sql, **folding) == [(0,)]


def test_values_keep_their_type(standin: Standin) -> None:
    (row,) = _asked(
        standin,
        "SELECT 1::NUMBER(38, 0), 1.50::NUMBER(10, 2), -0.25::FLOAT, 'é', TRUE, '2024-02-29'::DATE,"
        " '1969-12-31 23:59:59.5'::TIMESTAMP_NTZ, '2024-03-31 01:30:00+02:00'::TIMESTAMP_TZ, NULL",
    )
    assert row[:7] == (
        1,
        Decimal("1.50"),
        -0.25,
        "é",
        True,
        datetime(2024, 2, 29).date(),
        datetime(1969, 12, 31, 23, 59, 59, 500_000),
    )
    assert row[7].astimezone(UTC) == datetime(2024, 3, 30, 23, 30, tzinfo=UTC)
    assert row[8] is None
    assert isinstance(row[0], int) and isinstance(row[1], Decimal)


def test_explain_gives_the_bytes_that_are_left_and_runs_nothing(standin: Standin) -> None:
    standin.account.execute(
        "CREATE TABLE days AS"
        " SELECT i AS n, TIMESTAMP '2024-01-01' + to_minutes(i) AS moment FROM range(50000) AS t(i)"
    )
    standin.account.grant("READER", "SELECT", "TABLE", "SHOP.PUBLIC.DAYS")

    def price(where: str) -> dict[str, Any]:
        ((text,),) = _asked(standin, f"EXPLAIN USING JSON SELECT 1 / (n - n) FROM days {where}")
        found: dict[str, Any] = json.loads(text)["GlobalStats"]
        return found

    whole, day = (
        price(""),
        price("WHERE moment >= '2024-01-03'::TIMESTAMP AND moment < '2024-01-04'::TIMESTAMP"),
    )
    assert whole["partitionsTotal"] == whole["partitionsAssigned"] == 13
    assert 0 < day["partitionsAssigned"] < 3
    assert 0 < day["bytesAssigned"] < whole["bytesAssigned"] / 4


def test_a_statement_stops_at_its_time_limit(standin: Standin) -> None:
    many = "TABLE(GENERATOR(ROWCOUNT => 1000000))"
    endless = f"SELECT count(*) FROM sales a, {many}, {many}"
    with _connect(standin) as connection, connection.cursor() as cursor:
        started = time.monotonic()
        with pytest.raises(Error) as caught:
            cursor.execute(endless, _statement_params={"STATEMENT_TIMEOUT_IN_SECONDS": 1})
    assert (caught.value.errno, caught.value.sqlstate) == (630, "57014")
    assert 0.9 < time.monotonic() - started < 3


def test_a_long_statement_is_asked_for_until_it_is_done(standin: Standin) -> None:
    standin.account.patience = 0.05
    slow = "SELECT count(*) FROM sales a, TABLE(GENERATOR(ROWCOUNT => 200000000)) WHERE id > 100"
    assert _asked(standin, slow) == [(0,)]


def test_a_statement_can_be_asked_without_waiting(standin: Standin) -> None:
    with _connect(standin) as connection, connection.cursor() as cursor:
        cursor.execute_async("SELECT count(*) FROM sales")
        assert cursor.sfqid
        cursor.get_results_from_sfqid(cursor.sfqid)
        assert cursor.fetchall() == [(10,)]


def test_rows_beyond_the_set_are_not_sent_and_the_tag_is_on_the_record(standin: Standin) -> None:
    with _connect(standin) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id FROM sales", _statement_params={"ROWS_PER_RESULTSET": 3, "QUERY_TAG": "t1"})
        assert len(cursor.fetchall()) == 3
    assert "t1" in [request.parameters.get("QUERY_TAG") for request in standin.account.log]


def test_a_table_is_read_as_it_was(standin: Standin) -> None:
    before = datetime.now(UTC)
    standin.account.execute("DELETE FROM sales WHERE id > 3")
    between = datetime.now(UTC)
    standin.account.execute("INSERT INTO sales VALUES (100, 'z')")

    def count(moment: datetime) -> int:
        sql = f"SELECT count(*) FROM sales AT(TIMESTAMP => '{moment.isoformat()}'::TIMESTAMP_TZ) AS s"
        return int(_asked(standin, sql)[0][0])

    assert [count(before), count(between), count(datetime.now(UTC))] == [10, 4, 5]
    early = (before - timedelta(days=2)).isoformat()
    refusal = _refused(standin, f"SELECT * FROM sales AT(TIMESTAMP => '{early}'::TIMESTAMP_TZ)")
    assert refusal == (707, "02000")


def test_the_mark_of_the_last_change_moves_with_a_change(standin: Standin) -> None:
    sql = 'SELECT SYSTEM$LAST_CHANGE_COMMIT_TIME(\'"SHOP"."PUBLIC"."SALES"\')'
    first, again = _asked(standin, sql), _asked(standin, sql)
    standin.account.execute("INSERT INTO sales VALUES (100, 'z')")
    assert first == again != _asked(standin, sql)


def test_a_warehouse_that_cannot_run_says_why(standin: Standin) -> None:
    standin.account.suspended = True
    assert _refused(standin, "SELECT count(*) FROM sales") == (606, "57P03")
    assert _asked(standin, "SELECT 1") == [(1,)]
    assert _asked(standin, "EXPLAIN USING JSON SELECT count(*) FROM sales")
    standin.account.exhausted = True
    assert _refused(standin, "SELECT count(*) FROM sales") == (90073, "22000")


def test_a_session_that_was_ended_is_not_known_any_more(standin: Standin) -> None:
    with pytest.raises(Error) as caught, _connect(standin) as connection, connection.cursor() as cursor:
        standin.service.end_sessions()
        cursor.execute("SELECT 1")
    assert caught.value.errno == 390111


def test_a_broken_service_is_asked_again(standin: Standin) -> None:
    with _connect(standin) as connection, connection.cursor() as cursor:
        standin.account.broken = 2
        assert cursor.execute("SELECT 1").fetchall() == [(1,)]


def test_grants_are_listed_for_a_role_of_the_session(standin: Standin) -> None:
    rows = _asked(standin, "SHOW GRANTS TO ROLE READER")
    assert ("SELECT", "TABLE", "SHOP.PUBLIC.SALES") in [row[1:4] for row in rows]
    assert _refused(standin, "SHOW GRANTS TO ROLE WRITER") == (2003, "42S02")


def test_a_forged_token_admits_nobody(standin: Standin) -> None:
    _, standin.account.users["ANN"].public_key = _keys()
    head = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    claims = json.dumps({"iss": "ACME.ANN.SHA256:x", "exp": time.time() + 60}).encode()
    body = base64.urlsafe_b64encode(claims).decode().rstrip("=")
    data = {"LOGIN_NAME": "ann", "AUTHENTICATOR": "SNOWFLAKE_JWT", "TOKEN": f"{head}.{body}."}
    with pytest.raises(Exception, match="390144"):
        standin.service.log_in(data, {})
