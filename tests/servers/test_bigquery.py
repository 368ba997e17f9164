"""The stand-in for BigQuery, asked by the real client as the service is: figures by hand, errors by word."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from google.api_core.exceptions import GoogleAPICallError, NotFound
from google.cloud.bigquery import Client, QueryJobConfig
from google.oauth2.credentials import Credentials
from sqlglot import exp, parse_one

from tests.servers.bigquery import Standin, running
from tests.servers.bigquery_project import Project

pytestmark = pytest.mark.engine("bigquery")

TABLES = """
CREATE TABLE sales AS
    SELECT DATE '2026-01-01' + CAST(i AS INTEGER) AS day, i AS number, 'ab' AS code,
           CAST(i AS DECIMAL(10, 2)) AS amount, CASE WHEN i % 2 = 0 THEN i END AS sparse
      FROM range(10) AS t(i);
CREATE TABLE secret AS SELECT 1 AS one
"""


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    """Ten sales, a day each, that ann may read."""
    project = Project(tokens={"token": "ann@example.com"})
    project.execute(TABLES)
    project.grant("ann@example.com", "sales")
    project.partitioned["shop", "sales"] = "day"
    with running(project) as found:
        yield found


def _client(standin: Standin, project: str = "acme-shop", location: str = "EU") -> Client:
    return Client(
        project=project,
        location=location,
        credentials=Credentials(token="token"),  # type: ignore[no-untyped-call] # the library is typed in part
        client_options={"api_endpoint": f"http://127.0.0.1:{standin.port}"},
        default_query_job_config=QueryJobConfig(default_dataset="acme-shop.shop"),
    )


@pytest.fixture
def client(standin: Standin) -> Iterator[Client]:
    """Ann's client."""
    found = _client(standin)
    yield found
    found.close()  # type: ignore[no-untyped-call]


def _dry(client: Client, sql: str) -> int:
    return int(client.query(sql, job_config=QueryJobConfig(dry_run=True)).total_bytes_processed or 0)


@pytest.mark.parametrize(
    ("sql", "bytes_"),
    [
        ("SELECT count(*) FROM sales", 0),
        ("SELECT number FROM sales", 80),
        ("SELECT number, number + 1 AS more FROM sales", 80),
        ("SELECT code FROM sales", 40),
        ("SELECT amount FROM sales", 160),
        ("SELECT sparse FROM sales", 40),
        ("SELECT * FROM sales", 80 + 80 + 40 + 160 + 40),
        ("SELECT number FROM sales WHERE day >= DATE '2026-01-09'", 32),
        ("SELECT number FROM sales WHERE day > DATE '2026-01-03' AND day < DATE '2026-01-05'", 32),
        ("SELECT number FROM sales WHERE day = DATE '2026-01-03'", 16),
        ("SELECT number FROM sales WHERE number = 3", 80),
        ("SELECT a.number FROM sales AS a JOIN sales AS b ON a.number = b.number", 160),
        ("WITH s AS (SELECT * FROM sales) SELECT code FROM s", 400),
        ("SELECT 1", 0),
    ],
)
def test_a_dry_run_counts_the_columns_in_use_of_the_days_that_are_left(
    client: Client, sql: str, bytes_: int
) -> None:
    assert _dry(client, sql) == bytes_


def test_one_request_may_make_a_job_and_read_its_rows(client: Client) -> None:
    rows = client.query_and_wait("SELECT number FROM sales ORDER BY 1", page_size=3)
    assert [row[0] for row in rows] == list(range(10))


def test_old_rows_are_read_as_of_their_time_and_not_before_it(client: Client, standin: Standin) -> None:
    moment = datetime.now(UTC)
    standin.project.execute("UPDATE sales SET code = 'cd'")
    past = "SELECT DISTINCT code FROM sales FOR SYSTEM_TIME AS OF TIMESTAMP '{}'"
    assert [row[0] for row in client.query_and_wait(past.format(moment.isoformat()))] == ["ab"]
    assert [row[0] for row in client.query_and_wait("SELECT DISTINCT code FROM sales")] == ["cd"]
    with pytest.raises(GoogleAPICallError, match="Invalid snapshot time"):
        client.query(past.format((moment - timedelta(days=9)).isoformat()))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT one FROM secret", "accessDenied"),
        ("SELECT one FROM missing", "accessDenied"),
        ("DELETE FROM sales WHERE TRUE", "accessDenied"),
        ("CREATE TABLE mine (one INT64)", "accessDenied"),
        ("SELECT nothing FROM sales", "invalidQuery"),
        ("SELECT FROM WHERE", "invalidQuery"),
        ("SELECT number / 0 AS n FROM sales", "invalidQuery"),
    ],
)
def test_a_refusal_has_the_reason_of_the_service(client: Client, sql: str, reason: str) -> None:
    with pytest.raises(GoogleAPICallError) as caught:
        client.query(sql, job_retry=None).result()
    assert caught.value.errors[0]["reason"] == reason


def test_a_byte_cap_below_what_is_billed_fails_the_job(client: Client) -> None:
    config = QueryJobConfig(maximum_bytes_billed=10 * 1024**2 - 1)
    with pytest.raises(GoogleAPICallError, match=r"limit for bytes billed: 10485759\. 10485760 or higher"):
        client.query("SELECT number FROM sales", job_config=config).result()


def test_another_place_and_another_project_hold_nothing(standin: Standin) -> None:
    for client in (_client(standin, location="US"), _client(standin, project="elsewhere")):
        with pytest.raises(NotFound):
            client.query("SELECT 1")
        client.close()  # type: ignore[no-untyped-call]


def test_files_and_functions_of_the_engine_beneath_are_out_of_reach(client: Client) -> None:
    for sql in ("SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM `/etc/passwd`"):
        with pytest.raises(GoogleAPICallError):
            client.query(sql, job_retry=None).result()


def test_a_view_reads_what_lies_beneath_with_the_rights_of_its_asker_or_of_its_dataset(
    client: Client, standin: Standin
) -> None:
    project = standin.project
    project.duck.execute("CREATE SCHEMA IF NOT EXISTS views")
    text = "SELECT one, SESSION_USER() AS asker FROM `acme-shop`.`shop`.`secret`"
    project.make_view(("views", "shown"), parse_one(text, read="bigquery", into=exp.Select))
    project.grant("ann@example.com", "views.shown")
    with pytest.raises(GoogleAPICallError, match=r"permission to query table acme-shop:shop\.secret"):
        client.query("SELECT one FROM views.shown", job_retry=None).result()
    project.authorised.add(("shop", "views"))
    try:
        job = client.query("SELECT asker FROM views.shown")
        assert {row[0] for row in job.result()} == {"ann@example.com"}
        assert [table.table_id for table in job.referenced_tables] == ["secret"]
    finally:
        project.authorised.clear()
