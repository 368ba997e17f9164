"""What a query has really read stands beside its estimate, where the database counts it."""

import pytest

from gateway.engines.base import Identity, Limits
from gateway.engines.duckdb import DuckDBEngine
from tests.gateway.engines.bigquery_house import ANN, Bighouse
from tests.gateway.engines.snowflake_house import LIMITS, Snowhouse
from tests.gateway.engines.warehouse import Warehouse

WINDOW = "SELECT count(*) AS n, max(kind) AS k FROM events WHERE event_time < {} '2023-01-02 00:00:00'"
SMALL = "SELECT count(*) AS n FROM customers"


def test_snowflake_tells_the_bytes_of_each_statement_from_its_history(snowhouse: Snowhouse) -> None:
    engine = snowhouse.engine()
    sql = WINDOW.format("TIMESTAMP")
    estimate = engine.explain(sql, ANN, LIMITS)
    read = engine.run(sql, ANN, LIMITS, "q").actual.bytes
    both = engine.run(sql, ANN, LIMITS, "q", beside=SMALL).actual.bytes
    alone = engine.run(SMALL, ANN, LIMITS, "q").actual.bytes
    assert read is not None and alone is not None
    assert 0 < read <= (estimate.bytes or 0)
    assert both == read + alone


def test_an_answer_is_not_lost_where_the_history_is_kept_back(
    snowhouse: Snowhouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "gateway.engines.snowflake_rows.SCANNED", "SELECT * FROM NO_SUCH_HISTORY WHERE ID = {}"
    )
    rows = snowhouse.engine().run(SMALL, ANN, LIMITS, "q")
    assert rows.rows == ((100,),)
    assert rows.actual.bytes is None


def test_bigquery_tells_the_bytes_of_every_job_of_a_question(bighouse: Bighouse) -> None:
    engine = bighouse.engine()
    sql = WINDOW.format("DATETIME")
    estimate = engine.explain(sql, ANN, LIMITS)
    read = engine.run(sql, ANN, LIMITS, "q").actual.bytes
    both = engine.run(sql, ANN, LIMITS, "q", beside="SELECT max(kind) AS k FROM events").actual.bytes
    assert read is not None and both is not None
    assert 0 < read <= (estimate.bytes or 0)
    assert both > read


def test_what_a_database_does_not_count_is_unknown_and_not_nothing(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, warehouse: Warehouse
) -> None:
    assert engine.run("SELECT count(*) FROM orders", analyst, limits, "q").actual.bytes is None
    alice = Identity("alice", "seller")
    assert warehouse.engine().run("SELECT count(*) FROM sales", alice, limits, "q").actual.bytes is None
