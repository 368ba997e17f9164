"""The shop in the BigQuery stand-in, with askers, row policies and tagged columns, and engines over it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from gateway.engines.base import Identity, Limits
from gateway.engines.bigquery import BigQueryEngine, open_bigquery
from gateway.settings.file import EngineSettings
from tests.servers.bigquery import Standin
from tests.servers.bigquery_project import Project

LIMITS = Limits(rows=1000, bytes=1_000_000, seconds=20.0, memory_mb=512, spill_mb=0)
MEMBERS = {"analyst": ("ann",), "clerk": ("carl",), "seller": ("alice",)}
ANN, CARL = Identity("ann", "analyst"), Identity("carl", "clerk")
LIVE = "CELLBOUND_LIVE_BIGQUERY_URL"
SHOP = """
CREATE TABLE orders AS
    SELECT i AS order_id, i % 100 AS customer_id, DATE '2024-01-01' + CAST(i % 366 AS INTEGER) AS order_date,
           CAST(i % 1000 AS DECIMAL(18, 2)) AS amount, ['north', 'south', NULL][1 + i % 3] AS region
      FROM range(30000) AS t(i);
CREATE TABLE customers AS
    SELECT i AS customer_id, 'person' || i || '@example.org' AS email, ['gold', 'basic'][1 + i % 2] AS tier
      FROM range(100) AS t(i);
CREATE TABLE events AS
    SELECT i AS event_id, TIMESTAMP '2023-01-01' + to_minutes(i * 10) AS event_time,
           ['view', 'cart', 'buy'][1 + i % 3] AS kind, i % 977 AS visitor
      FROM range(100000) AS t(i);
CREATE TABLE salaries AS SELECT 'ann' AS name, 90000 AS pay;
CREATE SCHEMA crm;
CREATE TABLE crm.tickets AS SELECT i AS ticket_id, 'open' AS state FROM range(10) AS t(i)
"""
ORDERS, CUSTOMERS, EVENTS = ("shop", "orders"), ("shop", "customers"), ("shop", "events")


def token_of(login: str, place: Mapping[str, str]) -> str:
    """Return what the identity provider of these tests gives a login."""
    return f"token-of-{login}"


def email(user: str) -> str:
    """Return who a user is to the service."""
    return f"{user}@example.com"


def shop_project() -> Project:
    """Return a project that holds the shop: ann sees every row, carl the north and fewer columns."""
    project = Project()
    project.execute(SHOP)
    for user in ("ann", "carl", "alice"):
        project.tokens[token_of(user, {})] = email(user)
    project.grant(email("ann"), "orders", "customers", "events", "crm.tickets")
    project.grant(email("carl"), "orders")
    project.row_policies[ORDERS] = {email("ann"): "TRUE", email("carl"): "region = 'north'"}
    project.tagged[ORDERS, email("carl")] = ("customer_id", "order_date")
    project.tagged[CUSTOMERS, email("ann")] = ("email",)
    project.partitioned[EVENTS] = "event_time"
    return project


@dataclass(slots=True)
class Bighouse:
    """A stand-in, and the engines that a test opened over it."""

    standin: Standin
    engines: list[BigQueryEngine] = field(default_factory=list)

    @property
    def project(self) -> Project:
        """What the stand-in holds."""
        return self.standin.project

    def url(self, port: int = 0, **more: str) -> str:
        """Return the engine's url, through a proxy's port if one is given."""
        keys = {
            "location": "EU",
            "principal": "{user}@example.com",
            "endpoint": f"http://127.0.0.1:{port or self.standin.port}",
            **more,
        }
        return f"bigquery://{self.project.name}/{self.project.dataset}?{urlencode(keys)}"

    def engine(
        self,
        *,
        port: int = 0,
        url: Mapping[str, str] | None = None,
        members: Mapping[str, tuple[str, ...]] = MEMBERS,
        limits: Limits = LIMITS,
        folder: Path = Path(),
        **settings: Any,
    ) -> BigQueryEngine:
        """Open an engine; askers prove themselves with the tokens of `token_of`."""
        given = {"credentials": f"hook:{__name__}:token_of", **settings}
        found = EngineSettings.model_validate({"url": self.url(port, **(url or {})), **given})
        engine = open_bigquery(found, limits, members, folder)
        self.engines.append(engine)
        return engine

    def close(self) -> None:
        """Close every engine of the test."""
        while self.engines:
            self.engines.pop().close()
