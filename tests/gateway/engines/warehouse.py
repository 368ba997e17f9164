"""A PostgreSQL database with askers, row policies and column grants, and engines over it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from gateway.engines.base import Identity, Limits
from gateway.engines.postgres import PostgresEngine, open_postgres
from gateway.settings.file import EngineSettings
from tests.servers.postgres import Server

LIMITS = Limits(rows=1000, bytes=1_000_000, seconds=20.0, memory_mb=512, spill_mb=100)
ALICE, BOB = Identity("alice", "seller"), Identity("bob", "seller")
MEMBERS = {"analyst": ("ann",), "clerk": ("carl",), "seller": ("alice", "bob")}
USERS = ("ann", "carl", "alice", "bob", "dora")
GATEWAY = "gateway_login"

ROLES = "".join(f"CREATE ROLE {name} LOGIN;" for name in (*USERS, GATEWAY))
SHOP = """
CREATE TABLE orders AS
    SELECT i AS order_id, i % 100 AS customer_id, DATE '2024-01-01' + i % 366 AS order_date,
           (i % 1000)::numeric(18, 2) AS amount, (ARRAY['north', 'south', NULL])[1 + i % 3] AS region
      FROM generate_series(0, 29999) AS t(i);
CREATE TABLE customers AS
    SELECT i AS customer_id, 'person' || i || '@example.org' AS email,
           (ARRAY['gold', 'basic'])[1 + i % 2] AS tier
      FROM generate_series(0, 99) AS t(i);
CREATE TABLE events AS
    SELECT i AS event_id, TIMESTAMP '2023-01-01' + i * interval '10 minutes' AS event_time,
           (ARRAY['view', 'cart', 'buy'])[1 + i % 3] AS kind, i % 977 AS visitor
      FROM generate_series(0, 99999) AS t(i);
CREATE INDEX ON events (event_time);
CREATE TABLE salaries AS SELECT 'ann' AS name, 90000 AS pay;
CREATE SCHEMA crm;
CREATE TABLE crm.tickets AS SELECT i AS ticket_id, 'open' AS state FROM generate_series(0, 9) AS t(i);
CREATE SEQUENCE counter;
CREATE TABLE sales AS
    SELECT i AS sale_id, (ARRAY['alice', 'bob'])[1 + i % 2] AS rep, i::numeric(12, 2) AS amt
      FROM generate_series(1, 200) AS t(i);
ALTER TABLE sales ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON sales FOR SELECT USING (rep = current_user);
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON orders FOR SELECT TO ann USING (true);
CREATE POLICY north ON orders FOR SELECT TO carl USING (region = 'north');
GRANT SELECT ON orders, events, crm.tickets TO ann;
GRANT SELECT (customer_id, tier) ON customers TO ann;
GRANT USAGE ON SCHEMA crm TO ann;
GRANT SELECT (order_id, amount, region) ON orders TO carl;
GRANT SELECT ON sales TO alice, bob;
ANALYZE
"""
# What mode set_role asks for.
# What the planner would run while it prices a statement, and a function that switches the role.
FUNCTIONS = """
CREATE FUNCTION counting(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql
    AS 'BEGIN PERFORM nextval(''counter''); RETURN 1; END';
CREATE FUNCTION sleeping(integer) RETURNS integer STABLE LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_sleep(10); RETURN 1; END';
CREATE FUNCTION becoming(name text) RETURNS boolean VOLATILE LANGUAGE plpgsql
    AS 'BEGIN EXECUTE format(''SET LOCAL ROLE %I'', name); RETURN true; END';
GRANT USAGE ON SEQUENCE counter TO alice
"""
REVOKED = "REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC"
MEMBERSHIP = {
    False: f"ALTER ROLE {GATEWAY} NOINHERIT; GRANT ann, carl, alice, bob TO {GATEWAY}",
    True: f"GRANT ann, carl, alice, bob TO {GATEWAY} WITH INHERIT FALSE, SET TRUE",
}
LEFT_OVER = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE application_name ~ '^cellbound' AND datname = current_database()
"""


@dataclass(slots=True)
class Warehouse:
    """One database of a server, and the engines that a test opened over it."""

    server: Server
    database: str
    engines: list[PostgresEngine] = field(default_factory=list)

    def url(self, login: str = "", port: int = 0) -> str:
        """Return the url through the private socket, or through a proxy's port."""
        who = f"{login}@" if login else ""
        if port:
            return f"postgresql://{who}127.0.0.1:{port}/{self.database}"
        folder = quote(str(self.server.folder), safe="")
        return f"postgresql://{who}/{self.database}?host={folder}&port={self.server.port}"

    def engine(
        self,
        *,
        login: str = "",
        port: int = 0,
        members: Mapping[str, tuple[str, ...]] = MEMBERS,
        limits: Limits = LIMITS,
        **settings: Any,
    ) -> PostgresEngine:
        """Open an engine; with the login of the gateway it switches roles."""
        mode = "set_role" if login else "login"
        found = EngineSettings.model_validate({"url": self.url(login, port), "mode": mode, **settings})
        engine = open_postgres(found, limits, members, Path.cwd())
        self.engines.append(engine)
        return engine

    def execute(self, statement: str) -> None:
        """Run statements in the database as the superuser."""
        self.server.execute(statement, self.database)

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement, run as the superuser."""
        with psycopg.connect(self.server.dsn(database=self.database), autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def close(self) -> None:
        """Close every engine of the test, and end what a broken network has left at work."""
        while self.engines:
            self.engines.pop().close()
        while self.ask(LEFT_OVER):
            time.sleep(0.01)


def build(server: Server) -> None:
    """Make the roles and two databases, `shop` and `switched`, of which the second is fit for set_role."""
    server.execute(f"{ROLES} {MEMBERSHIP[server.version >= 16]}")
    server.execute(f"GRANT SET ON PARAMETER temp_file_limit TO {GATEWAY}")
    server.create_database("shop")
    server.execute(SHOP, "shop")
    server.create_database("switched", template="shop")
    server.execute(FUNCTIONS, "shop")
    server.execute(REVOKED, "switched")
