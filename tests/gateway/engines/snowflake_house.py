"""The shop in the Snowflake stand-in, with askers, row policies and columns per role, and engines over it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway.engines.base import Identity, Limits
from gateway.engines.snowflake import SnowflakeEngine, open_snowflake
from gateway.settings.file import EngineSettings
from tests.servers.snowflake import Standin
from tests.servers.snowflake_account import Account, Token

LIMITS = Limits(rows=1000, bytes=1_000_000, seconds=20.0, memory_mb=512, spill_mb=0)
MEMBERS = {"analyst": ("ann",), "clerk": ("carl",), "seller": ("alice",)}
ANN, CARL = Identity("ann", "analyst"), Identity("carl", "clerk")
WAREHOUSE = "CELLBOUND"
LIVE = "CELLBOUND_LIVE_SNOWFLAKE_URL"
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
TABLES = ("ORDERS", "CUSTOMERS", "EVENTS")
ORDERS, CUSTOMERS = ("SHOP", "PUBLIC", "ORDERS"), ("SHOP", "PUBLIC", "CUSTOMERS")


def token_of(login: str, place: Mapping[str, str]) -> str:
    """Return what the identity provider of these tests gives a login."""
    return f"token-of-{login}"


def shop_account() -> Account:
    """Return an account that holds the shop: ann sees every row, carl the north and fewer columns."""
    account = Account()
    account.execute(SHOP)
    for user, role in (("ann", "ANALYST"), ("carl", "CLERK"), ("alice", "SELLER")):
        account.add_user(user, role, password=f"password-of-{user}")
        account.tokens[token_of(user, {})] = Token(user, "OAUTH")
        account.grant(role, "USAGE", "WAREHOUSE", WAREHOUSE)
        account.grant(role, "USAGE", "DATABASE", "SHOP")
    account.grant("ANALYST", "SELECT", "TABLE", *(f"SHOP.PUBLIC.{table}" for table in TABLES))
    account.grant("ANALYST", "SELECT", "TABLE", "SHOP.CRM.TICKETS")
    account.grant("CLERK", "SELECT", "TABLE", "SHOP.PUBLIC.ORDERS")
    account.row_policies[ORDERS] = {"ANALYST": "TRUE", "CLERK": "REGION = 'north'"}
    account.shown[ORDERS, "CLERK"] = ("ORDER_ID", "AMOUNT", "REGION")
    account.shown[CUSTOMERS, "ANALYST"] = ("CUSTOMER_ID", "TIER")
    return account


@dataclass(slots=True)
class Snowhouse:
    """A stand-in, and the engines that a test opened over it."""

    standin: Standin
    engines: list[SnowflakeEngine] = field(default_factory=list)

    @property
    def account(self) -> Account:
        """What the stand-in holds."""
        return self.standin.account

    def url(self, port: int = 0, **more: str) -> str:
        """Return the engine's url, through a proxy's port if one is given."""
        keys = {"warehouse": WAREHOUSE, "host": "127.0.0.1", "protocol": "http", **more}
        text = "&".join(f"{key}={value}" for key, value in keys.items())
        return f"snowflake://acme/SHOP?{text}&port={port or self.standin.port}"

    def engine(
        self,
        *,
        port: int = 0,
        url: Mapping[str, str] | None = None,
        members: Mapping[str, tuple[str, ...]] = MEMBERS,
        limits: Limits = LIMITS,
        folder: Path = Path(),
        **settings: Any,
    ) -> SnowflakeEngine:
        """Open an engine; askers prove themselves with the tokens of `token_of`."""
        given = {"credentials": f"hook:{__name__}:token_of", **settings}
        found = EngineSettings.model_validate({"url": self.url(port, **(url or {})), **given})
        engine = open_snowflake(found, limits, members, folder)
        self.engines.append(engine)
        return engine

    def close(self) -> None:
        """Close every engine of the test."""
        while self.engines:
            self.engines.pop().close()
