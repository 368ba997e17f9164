"""What is BigQuery's own: whose a job is, what it carries, exact values, moments that can be read again."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gateway.engines import bigquery_session
from gateway.engines.base import EngineError, Identity, RoleScope
from gateway.engines.bigquery_session import Session
from gateway.engines.bigquery_target import target_of
from gateway.engines.open import dialect_of, open_engine
from gateway.settings.file import EngineSettings
from tests.gateway.engines import bigquery_house
from tests.gateway.engines.bigquery_house import (
    ANN,
    CARL,
    CUSTOMERS,
    LIMITS,
    ORDERS,
    Bighouse,
    email,
    shop_project,
    token_of,
)
from tests.servers.bigquery import running

pytestmark = pytest.mark.engine("bigquery")

GIVEN: dict[str, str] = {}
ACCOUNT = "cellbound-{role}@acme-shop.iam.gserviceaccount.com"
COUNT = "SELECT count(*) FROM customers"


def given_token(login: str, place: Mapping[str, str]) -> str:
    """Return the token that the test of the moment gives a login."""
    return GIVEN[login]


@pytest.fixture
def given() -> Iterator[dict[str, str]]:
    """The tokens that logins get from `given_token`."""
    GIVEN.clear()
    yield GIVEN
    GIVEN.clear()


@pytest.fixture
def own() -> Iterator[Bighouse]:
    """A shop that the test may change."""
    with running(shop_project()) as standin:
        house = Bighouse(standin)
        yield house
        house.close()


def _refusal(house: Bighouse, sql: str, who: Identity = ANN, **settings: Any) -> EngineError:
    with pytest.raises(EngineError) as caught:
        house.engine(**settings).run(sql, who, LIMITS, "q")
    assert caught.value.next_step or caught.value.code == "not_one_select"
    return caught.value


@pytest.mark.parametrize(
    ("written", "value", "kind"),
    [
        ("CAST('0.1' AS NUMERIC)", Decimal("0.1"), "NUMERIC"),
        (
            "CAST('12345678901234567890.123456789' AS NUMERIC)",
            Decimal("12345678901234567890.123456789"),
            "NUMERIC",
        ),
        ("CAST('0.000000000001' AS BIGNUMERIC)", Decimal("0.000000000001"), "BIGNUMERIC"),
        ("9223372036854775807", 9223372036854775807, "INTEGER"),
        ("CAST(0.5 AS FLOAT64)", 0.5, "FLOAT"),
        ("CAST('inf' AS FLOAT64)", float("inf"), "FLOAT"),
        ("TRUE", True, "BOOLEAN"),
        ("'naïve'", "naïve", "STRING"),
        ("DATE '2024-02-29'", date(2024, 2, 29), "DATE"),
        (
            "CAST('2024-02-29 12:30:00.123456' AS DATETIME)",
            datetime(2024, 2, 29, 12, 30, 0, 123456),
            "DATETIME",
        ),
        (
            "CAST('2024-02-29 12:30:00+02' AS TIMESTAMP)",
            datetime(2024, 2, 29, 10, 30, tzinfo=UTC),
            "TIMESTAMP",
        ),
        ("CAST('12:30:00' AS TIME)", "12:30:00", "TIME"),
        ("CAST(NULL AS NUMERIC)", None, "NUMERIC"),
    ],
)
def test_a_value_arrives_exactly(bighouse: Bighouse, written: str, value: object, kind: str) -> None:
    rows = bighouse.engine().run(f"SELECT {written} AS it", ANN, LIMITS, "q")
    assert (rows.names, rows.types, rows.rows) == (("it",), (kind,), ((value,),))
    assert type(rows.rows[0][0]) is type(value)


def test_every_job_is_labelled_capped_and_timed(bighouse: Bighouse) -> None:
    bighouse.engine(url={"maximum_bytes_billed": "20971520"}).run(COUNT, ANN, LIMITS, "Trace.01")
    priced, ran = bighouse.project.log[-2:]
    assert (priced.dry_run, ran.dry_run) == (True, False)
    assert priced.labels == ran.labels == {"cellbound": "trace_01"}
    assert ran.most_billed == 20_971_520
    assert 0 < ran.timeout_ms <= 20_000
    assert ran.job_id.startswith("cellbound-Trace_01-")
    assert priced.user == ran.user == email("ann")


def test_a_text_is_priced_once_and_run_as_often_as_it_is_asked(bighouse: Bighouse) -> None:
    engine, before = bighouse.engine(), len(bighouse.project.log)
    engine.explain(COUNT, ANN, LIMITS)
    engine.run(COUNT, ANN, LIMITS, "a")
    engine.run(COUNT, ANN, LIMITS, "b")
    assert [request.dry_run for request in bighouse.project.log[before:]] == [True, False, False]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM customers WHERE TRUE",
        "INSERT INTO customers (customer_id) VALUES (1)",
        "CREATE TABLE mine AS SELECT 1 AS one",
        "SELECT 1; SELECT 2",
    ],
)
def test_what_is_not_one_select_never_runs_even_where_the_asker_may_write(own: Bighouse, sql: str) -> None:
    own.project.grant(email("ann"), "customers", more=["bigquery.tables.updateData"])
    own.project.creators.add(email("ann"))
    assert _refusal(own, sql).code == "not_one_select"
    assert [request.dry_run for request in own.project.log] == [True]


def test_another_project_is_out_of_reach_and_another_dataset_needs_its_right(bighouse: Bighouse) -> None:
    assert _refusal(bighouse, "SELECT count(*) FROM `other-project.shop.orders`").code == "statement_refused"
    assert _refusal(bighouse, "SELECT count(*) FROM crm.tickets", CARL).code == "statement_refused"
    rows = bighouse.engine().run("SELECT count(*) FROM `acme-shop.crm.tickets`", ANN, LIMITS, "q")
    assert rows.rows == ((10,),)


def test_a_hint_of_the_service_that_names_a_hidden_column_is_left_out(bighouse: Bighouse) -> None:
    fault = _refusal(bighouse, "SELECT custom_id FROM orders", CARL)
    assert fault.code == "bad_sql"
    assert "custom_id" in str(fault)
    assert "customer_id" not in str(fault)


def test_a_result_comes_in_pages(bighouse: Bighouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bigquery_session, "PAGE", 7)
    rows = bighouse.engine().run("SELECT customer_id FROM customers ORDER BY 1", ANN, LIMITS, "q")
    assert [row[0] for row in rows.rows] == list(range(100))


def test_what_was_read_is_said_beside_the_estimate_and_hidden_where_the_service_hides_it(
    bighouse: Bighouse,
) -> None:
    engine, sql = bighouse.engine(), "SELECT sum(customer_id) FROM customers"
    assert engine.explain(sql, ANN, LIMITS).bytes == engine.run(sql, ANN, LIMITS, "q").actual.bytes == 800
    secured = engine.explain("SELECT sum(amount) FROM orders", ANN, LIMITS)
    assert (secured.bytes, secured.bound, secured.row_secured) == (None, "unknown", True)
    assert engine.run("SELECT sum(amount) FROM orders", ANN, LIMITS, "q").actual.bytes is None


def test_the_moment_of_an_answer_can_be_read_again(own: Bighouse) -> None:
    engine = own.engine()
    data = engine.run(COUNT, ANN, LIMITS, "q").data
    assert data is not None
    assert data.kind == "timestamp"
    own.project.execute("DELETE FROM customers WHERE customer_id < 40")
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((60,),)
    again = f"SELECT count(*) FROM customers FOR SYSTEM_TIME AS OF TIMESTAMP '{data.value}'"
    assert engine.run(again, ANN, LIMITS, "q").rows == ((100,),)


def test_a_moment_is_pinned_by_the_service_and_by_nobody_if_nobody_asks(bighouse: Bighouse) -> None:
    before, pinned = datetime.now(UTC), bighouse.engine().pin()
    assert pinned.kind == "timestamp"
    assert before.replace(microsecond=0) <= datetime.fromisoformat(pinned.value) <= datetime.now(UTC)
    assert bighouse.engine(members={"analyst": ()}).pin().kind == "none"


def test_a_relation_whose_history_is_not_kept_gives_no_moment(own: Bighouse) -> None:
    own.project.kinds[CUSTOMERS] = "EXTERNAL"
    data = own.engine().run(COUNT, ANN, LIMITS, "q").data
    assert data is not None
    assert data.kind == "none"


@pytest.mark.parametrize("untold", ["streaming", "view"])
def test_two_statements_need_tables_whose_changes_are_told(own: Bighouse, untold: str) -> None:
    if untold == "streaming":
        own.project.streaming.add(CUSTOMERS)
    else:
        own.project.kinds[CUSTOMERS] = "VIEW"
    with pytest.raises(EngineError) as caught:
        own.engine().run("SELECT 1 AS one", ANN, LIMITS, "q", beside=COUNT)
    assert (caught.value.code, caught.value.retryable) == ("data_not_pinned", False)


def test_a_change_between_two_statements_is_noticed(own: Bighouse, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Session.ask

    def changed_after(session: Session, call: Any, sql: str, rows: int) -> Any:
        answer = ask(session, call, sql, rows)
        if sql == COUNT:
            own.project.execute("DELETE FROM customers WHERE customer_id = 1")
        return answer

    monkeypatch.setattr(Session, "ask", changed_after)
    with pytest.raises(EngineError) as caught:
        own.engine().run("SELECT sum(customer_id) FROM customers", ANN, LIMITS, "q", beside=COUNT)
    assert (caught.value.code, caught.value.retryable) == ("data_changed", True)


def test_a_token_of_somebody_else_runs_nothing(bighouse: Bighouse, given: dict[str, str]) -> None:
    given["carl"] = token_of("ann", {})
    before = len(bighouse.project.log)
    fault = _refusal(bighouse, COUNT, CARL, credentials=f"hook:{__name__}:given_token")
    assert fault.code == "identity_refused"
    assert all(request.dry_run for request in bighouse.project.log[before:])


def test_no_row_is_read_by_a_job_of_somebody_else_where_only_running_jobs_say_whose_they_are(
    own: Bighouse, given: dict[str, str]
) -> None:
    own.project.terse = True
    given |= {"ann": token_of("ann", {}), "carl": token_of("ann", {})}
    engine = own.engine(credentials=f"hook:{__name__}:given_token")
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, CARL, LIMITS, "q")
    assert caught.value.code == "identity_refused"


def test_a_credential_that_expired_is_asked_anew_once(own: Bighouse, given: dict[str, str]) -> None:
    engine = own.engine(credentials=f"hook:{__name__}:given_token")
    given["ann"] = token_of("ann", {})
    engine.run(COUNT, ANN, LIMITS, "a")
    del own.project.tokens[given["ann"]]
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, ANN, LIMITS, "b")
    assert caught.value.code == "login_refused"
    given["ann"] = "token-of-tomorrow"
    own.project.tokens[given["ann"]] = email("ann")
    engine.run(COUNT, ANN, LIMITS, "c")
    own.project.tokens["token-of-the-day-after"] = own.project.tokens.pop(given["ann"])
    given["ann"] = "token-of-the-day-after"
    assert engine.run(COUNT, ANN, LIMITS, "d").rows == ((100,),)


def test_a_right_that_was_taken_between_estimate_and_run_counts_at_once(own: Bighouse) -> None:
    engine = own.engine()
    engine.explain(COUNT, ANN, LIMITS)
    del own.project.rights[email("ann"), CUSTOMERS]
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, ANN, LIMITS, "q")
    assert caught.value.code == "statement_refused"


def test_a_changed_schema_is_noticed_and_never_answered_from_what_is_kept(own: Bighouse) -> None:
    engine, sql = own.engine(), "SELECT max(tier) AS last FROM customers"
    engine.explain(sql, ANN, LIMITS)
    engine.run(sql, ANN, LIMITS, "a")
    own.project.execute("ALTER TABLE customers RENAME COLUMN tier TO rank")
    with pytest.raises(EngineError) as caught:
        engine.run(sql, ANN, LIMITS, "b")
    assert caught.value.code in {"bad_sql", "data_error"}


def test_the_gateway_acts_as_the_account_of_a_role(own: Bighouse, given: dict[str, str]) -> None:
    accounts = {role: ACCOUNT.replace("{role}", role) for role in ("analyst", "clerk")}
    own.project.impersonators["token-of-the-gateway"] = (accounts["analyst"],)
    own.project.grant(accounts["analyst"], "customers")
    given |= {"ann": "token-of-the-gateway", "carl": "token-of-the-gateway"}
    engine = own.engine(
        url={"authenticator": "impersonate", "principal": ACCOUNT},
        credentials=f"hook:{__name__}:given_token",
    )
    assert engine.capabilities().mode == "impersonation"
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    assert own.project.log[-1].user == accounts["analyst"]
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, CARL, LIMITS, "q")
    assert caught.value.code == "login_refused"


def test_tokens_come_from_files_and_from_the_environment(
    bighouse: Bighouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ann").write_text(token_of("ann", {}))
    (tmp_path / "ann").chmod(0o600)
    monkeypatch.setenv("CELLBOUND_DB_PASSWORD_ANN", token_of("ann", {}))
    for credentials in ("files:.", "environment"):
        engine = bighouse.engine(credentials=credentials, folder=tmp_path)
        assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    assert (
        _refusal(bighouse, COUNT, CARL, credentials="files:.", folder=tmp_path).code == "credential_missing"
    )
    refusals: tuple[dict[str, Any], ...] = ({"credentials": "server"}, {"mode": "set_role"})
    for refused in refusals:
        with pytest.raises(EngineError) as caught:
            bighouse.engine(**refused)
        assert caught.value.code == "credential_missing"


def test_one_asker_never_gets_the_session_of_another(bighouse: Bighouse) -> None:
    engine = bighouse.engine(connections=2)
    gate = threading.Barrier(2)
    seen: dict[str, set[object]] = {"ann": set(), "carl": set()}

    def ask(who: Identity) -> None:
        gate.wait()
        for _ in range(10):
            seen[who.user].add(engine.run("SELECT SESSION_USER() AS me", who, LIMITS, "").rows[0][0])

    threads = [threading.Thread(target=ask, args=(who,)) for who in (ANN, CARL)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {"ann": {email("ann")}, "carl": {email("carl")}}


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("bigquery://p/d?location=EU", "database_not_pinned"),
        ("bigquery://p?location=EU&principal={user}", "database_not_pinned"),
        ("bigquery:///d?location=EU&principal={user}", "database_not_pinned"),
        ("bigquery://p/d?principal={user}", "database_not_pinned"),
        ("bigquery://p/d/e?location=EU&principal={user}", "database_not_pinned"),
        ("bigquery://me:secret@p/d?location=EU&principal={user}", "secret_in_url"),
        ("bigquery://p/d?location=EU&principal={user}&locatoin=US", "unknown_url_key"),
        ("bigquery://p/d?location=EU&principal={user}&authenticator=key", "unknown_url_key"),
        ("bigquery://p/d?location=EU&principal={user}&endpoint=http://example.com", "insecure_url"),
        ("bigquery://p/d?location=EU&principal={user}&maximum_bytes_billed=1000", "bad_byte_cap"),
        ("bigquery://p/d?location=EU&principal={user}&maximum_bytes_billed=lots", "bad_byte_cap"),
    ],
)
def test_a_url_that_pins_too_little_or_says_too_much_is_refused(url: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        target_of(url)
    assert caught.value.code == code
    assert caught.value.next_step
    assert "secret" not in str(caught.value).replace("or a secret", "")


def test_nothing_of_a_target_is_left_to_the_environment(
    bighouse: Bighouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BIGQUERY_EMULATOR_HOST", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "elsewhere")
    assert bighouse.engine().run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    assert (
        target_of("bigquery://p/d?location=EU&principal={user}").endpoint == "https://bigquery.googleapis.com"
    )


def test_a_url_opens_the_engine_in_its_dataset(bighouse: Bighouse, scopes: dict[str, RoleScope]) -> None:
    settings = EngineSettings(url=bighouse.url(), credentials=f"hook:{bigquery_house.__name__}:token_of")
    assert dialect_of(settings.url) == ("bigquery", "shop")
    engine = open_engine(settings, scopes, LIMITS, folder=Path(), temp_directory=Path())
    assert engine.run(COUNT, ANN, LIMITS, "q").rows == ((100,),)
    engine.close()


def test_a_role_that_holds_no_rows_sees_none(own: Bighouse) -> None:
    own.project.row_policies[ORDERS].pop(email("carl"))
    rows = own.engine().run("SELECT count(*) FROM orders", CARL, replace(LIMITS, rows=1), "q")
    assert rows.rows == ((0,),)
