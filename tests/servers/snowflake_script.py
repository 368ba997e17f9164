"""A script of `setup sql`, run in the stand-in's account as an administrator would run it."""

import re
from collections.abc import Callable, Iterator

import sqlglot

from tests.servers.snowflake_account import Account, Name, Policy, quoted

NO_MATTER = re.compile(
    r"(?:ALTER SESSION|USE|CREATE RESOURCE MONITOR|CREATE WAREHOUSE|ALTER WAREHOUSE|REVOKE ALL|CREATE ROLE"
    r"|ALTER USER|GRANT ROLE|CREATE (?:MASKING|ROW ACCESS) POLICY IF NOT EXISTS \S+ AS .+ -> (?:NULL|FALSE)$)"
    r".*",
    re.DOTALL,
)
"""Users, roles and the warehouse are the account's own; a policy counts once it has a body."""
TAKES = re.compile(r"CREATE (?:MASKING|ROW ACCESS) POLICY IF NOT EXISTS (\S+) AS \((.+)\) RETURNS .+")
GRANT = re.compile(r"GRANT (\w+) ON (TABLE|WAREHOUSE|DATABASE|SCHEMA) (\S+) TO ROLE (\S+)")
SCHEMA = re.compile(r"CREATE SCHEMA IF NOT EXISTS (\w+) .+")
BODY = re.compile(r"ALTER (?:MASKING|ROW ACCESS) POLICY (\S+) SET BODY -> (.+)", re.DOTALL)
ROWS = re.compile(r"ALTER TABLE (\S+) ADD ROW ACCESS POLICY (\S+)\s+ON \((.+)\)", re.DOTALL)
MASK = re.compile(r"ALTER TABLE (\S+) MODIFY COLUMN (\S+)\s+SET MASKING POLICY (\S+) FORCE", re.DOTALL)
NAME = re.compile(r'"((?:[^"]|"")+)"')


def run_script(account: Account, script: str) -> None:
    """Run every statement of a script."""
    for statement in _statements(script):
        _run(account, statement)


def _statements(script: str) -> Iterator[str]:
    lines = (line for line in script.splitlines() if not line.startswith("--"))
    parts = re.split(r";[ ]*(?:--[^\n]*)?(?:\n|$)", "\n".join(lines))
    yield from (each.strip() for each in parts if each.strip())


def _run(account: Account, statement: str) -> None:
    commands: tuple[tuple[re.Pattern[str], Callable[..., None]], ...] = (
        (TAKES, _take),
        (NO_MATTER, lambda _: None),
        (GRANT, _grant),
        (SCHEMA, _make_schema),
        (BODY, _set_body),
        (ROWS, _keep_rows),
        (MASK, _mask),
    )
    for pattern, command in commands:
        if found := pattern.fullmatch(statement):
            command(account, *found.groups())
            return
    account.execute(sqlglot.parse_one(statement, read="snowflake").sql("duckdb"))


def _take(account: Account, name: str, takes: str) -> None:
    """Make a policy: until it has a body it shows nothing."""
    names = tuple(each.split()[0].strip('"').upper() for each in re.split(r",\s+(?=\S+ [A-Z])", takes))
    account.policies.setdefault(name, Policy(names, sqlglot.parse_one("NULL", read="snowflake")))


def _grant(account: Account, privilege: str, kind: str, name: str, role: str) -> None:
    held = (
        name.replace('"', "").upper()
        if kind in ("WAREHOUSE", "DATABASE")
        else ".".join(_table(account, name))
    )
    account.grant(role.strip('"'), privilege, kind, held)


def _make_schema(account: Account, name: str) -> None:
    account.duck.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted((account.database, name))}")


def _set_body(account: Account, name: str, body: str) -> None:
    known = account.policies[name]
    account.policies[name] = Policy(known.takes, sqlglot.parse_one(body, read="snowflake"))


def _keep_rows(account: Account, table: str, policy: str, columns: str) -> None:
    names = tuple(each.strip().strip('"').upper() for each in columns.split(","))
    account.kept_by[_table(account, table)] = (policy, names)


def _mask(account: Account, table: str, column: str, policy: str) -> None:
    account.masked_by[_table(account, table), column.strip('"').upper()] = policy


def _table(account: Account, text: str) -> Name:
    return account.full_name([part.upper() for part in NAME.findall(text)])
