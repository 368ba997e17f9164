"""The demo shop in the Snowflake stand-in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.gateway.cloud_shop import CloudShop, token_of
from tests.gateway.shop_house import REVIEWED, SALES, TABLES, WHOLE_ROWS, hidden_from, kept
from tests.servers.snowflake import running
from tests.servers.snowflake_account import Account, Token

ATTACKS = (
    "SELECT * FROM SNOWFLAKE.ACCOUNT_USAGE.USERS",
    "SELECT SYSTEM$TYPEOF(1)",
    "SELECT email FROM customers",
    'SELECT "EMAIL" FROM "CUSTOMERS"',
    "CALL SYSTEM$SEND_EMAIL('a', 'b', 'c', 'd')",
    "SELECT * FROM TABLE(INFORMATION_SCHEMA.QUERY_HISTORY())",
    "SELECT region FROM customers AT(OFFSET => -3600)",
)
FREE = 'SELECT "region", count(*) AS "n" FROM "customers" GROUP BY "region"'
SLOW = (
    'SELECT count(*) AS "n" FROM "events" AS "a" CROSS JOIN "events" AS "b" CROSS JOIN "events" AS "c"'
    ' WHERE "a"."event_type" <> "b"."event_type" AND "b"."event_type" <> "c"."event_type"'
)
OWN_WORDS = ("CURRENT_USER", "SYSDATE")


@contextmanager
def snowflake_shop(shop_file: Path) -> Iterator[CloudShop]:
    """Serve the demo's rows."""
    account = _account(shop_file)
    with running(account) as standin:
        yield CloudShop(
            name="snowflake",
            url=f"snowflake://acme/SHOP?warehouse=CELLBOUND&host=127.0.0.1&protocol=http&port={standin.port}",
            policy=(WHOLE_ROWS, REVIEWED),
            bound="upper",
            bound_without_rules="upper",
            attacks=ATTACKS,
            free=FREE,
            slow=SLOW,
            sent=lambda: [
                request.sql
                for request in list(account.log)
                if not any(word in request.sql for word in OWN_WORDS)
            ],
            tags=lambda: [str(request.parameters.get("QUERY_TAG")) for request in list(account.log)],
            tag="cellbound {}".format,
            at_work=standin.at_work,
            write=account.execute,
        )


def _account(shop_file: Path) -> Account:
    account = Account()
    account.duck.execute(f"ATTACH '{shop_file}' AS \"SOURCE\" (READ_ONLY)")
    for table in TABLES:
        account.execute(f"CREATE TABLE {table} AS SELECT * FROM source.main.{table}")
    rules = kept("shop.public.")
    for user, role in (("ana", "ANALYST"), ("emil", "EMEA_ANALYST")):
        account.add_user(user, role)
        account.tokens[token_of(user, {})] = Token(user, "OAUTH")
        account.grant(role, "USAGE", "WAREHOUSE", "CELLBOUND")
        tables = TABLES if user == "ana" else SALES
        account.grant(role, "SELECT", "TABLE", *(f"SHOP.PUBLIC.{table.upper()}" for table in tables))
        for table in tables:
            name = ("SHOP", "PUBLIC", table.upper())
            found = account.duck.execute(f"DESCRIBE shop.public.{table}").fetchall()
            hidden = hidden_from(user, table)
            account.shown[name, role] = tuple(str(row[0]) for row in found if row[0] not in hidden)
            if table in rules:
                policies = account.row_policies.setdefault(name, {})
                policies[role] = "TRUE" if user == "ana" else rules[table]
    return account
