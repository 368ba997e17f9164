"""The demo shop in the BigQuery stand-in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.gateway.cloud_shop import CloudShop, token_of
from tests.gateway.shop_house import REVIEWED, SALES, TABLES, hidden_from, kept
from tests.servers.bigquery import running
from tests.servers.bigquery_project import Project

ATTACKS = (
    "SELECT * FROM INFORMATION_SCHEMA.JOBS",
    "SELECT * FROM `acme-shop.region-eu.INFORMATION_SCHEMA.TABLES`",
    "SELECT email FROM customers",
    "SELECT `EMAIL` FROM `customers`",
    "EXPORT DATA OPTIONS(uri='gs://a/b*', format='CSV') AS SELECT 1 AS x",
    "SELECT * FROM EXTERNAL_QUERY('a.b.c', 'SELECT 1')",
    "SELECT region FROM customers FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)",
    "SELECT SESSION_USER() AS me",
    "DECLARE x INT64; SELECT 1",
)
FREE = "SELECT region, count(*) AS n FROM customers GROUP BY region"
SLOW = (
    "SELECT count(*) AS n FROM events AS a CROSS JOIN events AS b CROSS JOIN events AS c"
    " WHERE a.event_type <> b.event_type AND b.event_type <> c.event_type"
)
MOMENT = "SELECT 1"
"""What the engine asks for the moment it is."""
HARD_CAPS = ("budget:\n", "budget:\n  unknown: hard_caps\n")
"""What is read of tables with row policies is kept back: such questions run under the hard caps."""


@contextmanager
def bigquery_shop(shop_file: Path) -> Iterator[CloudShop]:
    """Serve the demo's rows."""
    project = _project(shop_file)
    with running(project) as standin:
        yield CloudShop(
            name="bigquery",
            url="bigquery://acme-shop/shop?location=EU&principal={user}@example.com"
            f"&endpoint=http://127.0.0.1:{standin.port}",
            policy=(HARD_CAPS, REVIEWED),
            bound="unknown",
            bound_without_rules="exact",
            attacks=ATTACKS,
            free=FREE,
            slow=SLOW,
            sent=lambda: [request.sql for request in list(project.log) if request.sql != MOMENT],
            tags=lambda: [
                request.labels["cellbound"] for request in list(project.log) if not request.dry_run
            ],
            tag=str.lower,
            at_work=lambda: any(not job.done.is_set() for job in list(standin.jobs.jobs.values())),
            write=project.execute,
        )


def _email(user: str) -> str:
    return f"{user}@example.com"


def _project(shop_file: Path) -> Project:
    project = Project()
    project.duck.execute(f"ATTACH '{shop_file}' AS source (READ_ONLY)")
    for table in TABLES:
        project.execute(f"CREATE TABLE {table} AS SELECT * FROM source.main.{table}")
    rules = kept("shop.")
    for user in ("ana", "emil"):
        project.tokens[token_of(user, {})] = _email(user)
        for table in TABLES if user == "ana" else SALES:
            name = ("shop", table)
            project.grant(_email(user), table)
            project.tagged[name, _email(user)] = hidden_from(user, table)
            if table in rules:
                policies = project.row_policies.setdefault(name, {})
                policies[_email(user)] = "TRUE" if user == "ana" else rules[table]
    project.partitioned["shop", "events"] = "event_time"
    return project
