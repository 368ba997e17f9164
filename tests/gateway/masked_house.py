"""A register of people over each engine, made by `setup sql`: roles see them behind every kind of mask."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from gateway.engines.base import Identity
from gateway.house import limits_of
from gateway.operation.setup import SetupEngine
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway import cloud_shop
from tests.gateway.cloud_shop import token_of
from tests.gateway.lending_house import script_of
from tests.servers import bigquery, snowflake
from tests.servers.bigquery_project import Project
from tests.servers.bigquery_script import run_script as run_in_bigquery
from tests.servers.postgres import Server
from tests.servers.snowflake_account import Account, Token
from tests.servers.snowflake_script import run_script as run_in_snowflake
from traces.records import Value

ROLES: Mapping[str, str] = {
    "last_four": "contact: last_four, identity: last_four",
    "first_letter": "contact: first_letter, identity: first_letter",
    "domain": "contact: domain, identity: mask",
    "generalise": "contact: generalise, identity: generalise, figure: generalise",
    "hash": "contact: hash, identity: hash",
    "mask": "contact: mask, identity: mask, figure: mask",
    "partner": "contact: hash, identity: hash",
}
"""What each role may see of whom, by its name; `partner` belongs to a tenant of its own."""
NORTH = "north"
"""Sees hashes, and the rows of one region."""
USERS: Mapping[str, str] = {f"u_{role}": role for role in (*ROLES, NORTH, "plain")}
PARTNER = "u_partner"
TABLE = """
CREATE TABLE people (id int PRIMARY KEY, name {text}, email {text}, region {text}, born date,
    spent decimal(12, 2));
INSERT INTO people VALUES
    (1, 'Ada Lovelace', 'ada@example.org', 'EMEA', DATE '1815-12-10', 1234.5),
    (2, 'Zoë O''Hara', 'z@b.c', 'AMER', DATE '1990-01-02', 95),
    (3, NULL, NULL, 'EMEA', NULL, NULL),
    (4, '李', 'no address', 'APAC', DATE '2001-05-05', 250);
CREATE TABLE visits (visit int PRIMARY KEY, person int, day date);
INSERT INTO visits VALUES (1, 1, DATE '2026-01-01'), (2, 1, DATE '2026-01-02'), (3, 4, DATE '2026-01-02'),
    (4, 2, DATE '2026-02-01');
"""
EMAILS = ("ada@example.org", "z@b.c", None, "no address")
METRICS = """
datasets:
  - name: people
    relation: {relation}
    primary_key: [id]
    columns:
      - {{name: id, type: integer}}
      - {{name: name, type: string, personal: identity}}
      - {{name: email, type: string, personal: contact}}
      - {{name: region, type: string}}
      - {{name: born, type: date, personal: figure}}
      - {{name: spent, type: decimal, personal: figure}}
  - name: visits
    relation: visits
    primary_key: [visit]
    columns:
      - {{name: visit, type: integer}}
      - {{name: person, type: integer}}
      - {{name: day, type: date}}
relationships:
  - name: visitor
    from_dataset: visits
    from_columns: [person]
    to_dataset: people
    to_columns: [id]
dimensions:
  - {{name: region, dataset: people, column: region}}
metrics:
  - {{name: visit_count, type: count, version: 1, owner: desk, description: Visits., dataset: visits}}
  - {{name: people_count, type: count, version: 1, owner: desk, description: People., dataset: people}}
"""
POLICY = "budget: {unknown: hard_caps}\nrelease: {governed: autonomous, free: reviewed}\n"
SETTINGS = """
[project]
name = "register"

[engine]
url = "{url}"
{more}
connections = 4
"""


@dataclass(frozen=True, slots=True)
class MaskedHouse:
    """A register over one engine. `run` runs a script as its administrator, `key` sets a tenant's key."""

    name: SetupEngine
    folder: Path
    gateway: Gateway
    run: Callable[[str], None]
    key: Callable[[str, str], None]
    mend: Callable[[], None]

    def read(self, user: str, columns: str) -> list[tuple[Value, ...]]:
        """Return what the database gives a user of some columns, in the order of the keys."""
        house, role = self.gateway.house, USERS[user]
        relation = house.layer.datasets["people"].relation
        who = Identity(user=user, role=role, tenant=tenant_of(user))
        sql = f"SELECT {columns} FROM {relation} ORDER BY id LIMIT 50"
        return list(house.engine.run(sql, who, limits_of(house.governed.policy.caps), f"read {user}").rows)


def tenant_of(user: str) -> str:
    """Return the tenant that a user belongs to."""
    return "partners" if user == PARTNER else "house"


def write_register(folder: Path, url: str, more: str = "", *, relation: str = "people") -> Path:
    """Write the project over an engine."""
    users = "".join(
        f'\n[identity.users.{user}]\nroles = ["{role}"]\ntenant = "{tenant_of(user)}"\n'
        for user, role in USERS.items()
    )
    rule = f"    rows: [{{field: region, op: in, values: [EMEA]}}]\n    personal: {{{ROLES['hash']}}}\n"
    roles = "".join(
        f"  {role}:\n    datasets: [people, visits]\n    personal: {{{seen}}}\n"
        for role, seen in ROLES.items()
    )
    roles += f"  {NORTH}:\n    datasets: [people, visits]\n{rule}  plain:\n    datasets: [people, visits]\n"
    for name, text in (
        ("cellbound.toml", SETTINGS.format(url=url, more=more) + users),
        ("metrics/people.yml", METRICS.format(relation=relation)),
        ("policies/policy.yml", f"name: register\nroles:\n{roles}{POLICY}"),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def _view_in(script: str) -> str:
    """Return the views that a script shows for review, as a person takes them out of their comment."""
    lines = [line[5:] for line in script.splitlines() if line.startswith("--   ")]
    return "\n".join(lines[lines.index(next(line for line in lines if line.startswith("CREATE SCHEMA"))) :])


def _reviewed(folder: Path, engine: SetupEngine, url: str, more: str = "") -> tuple[str, str]:
    """The script that shows the view for review, and the one of the project that reads that view."""
    write_register(folder, url, more)
    first = script_of(folder, engine)
    write_register(folder, url, more, relation="cellbound_reviewed.people")
    return first, script_of(folder, engine)


@contextmanager
def over_duckdb(folder: Path) -> Iterator[MaskedHouse]:
    """The register in a file."""
    file = folder / "var/people.duckdb"
    file.parent.mkdir(parents=True)
    with closing(duckdb.connect(str(file))) as connection:
        connection.execute(TABLE.format(text="text"))
    write_register(folder, "duckdb:var/people.duckdb")
    with closing(open_gateway(folder)) as gateway:
        yield MaskedHouse("duckdb", folder, gateway, lambda _: None, lambda _, __: None, lambda: None)


@contextmanager
def over_postgres(folder: Path, server: Server) -> Iterator[MaskedHouse]:
    """The register in a database of a server: reviewed view and all."""
    database = "register"
    server.create_database(database)
    server.execute(TABLE.format(text="text"), database)
    url = f"postgresql:///{database}?host={server.folder}&port={server.port}"

    def run(script: str) -> None:
        server.execute(script, database)

    def key(tenant: str, text: str) -> None:
        run(f"UPDATE cellbound_keys.masks SET key = '{text}' WHERE tenant = '{tenant}'")

    first, second = _reviewed(folder, "postgres", url)

    def mend() -> None:
        run("DROP SCHEMA IF EXISTS cellbound_reviewed CASCADE")
        run(f"REVOKE ALL ON SCHEMA cellbound_keys FROM PUBLIC;{_view_in(first)}{second}")

    run(first)
    mend()
    with closing(open_gateway(folder)) as gateway:
        yield MaskedHouse("postgres", folder, gateway, run, key, mend)


@contextmanager
def over_bigquery(folder: Path) -> Iterator[MaskedHouse]:
    """The register in the stand-in of BigQuery: reviewed view and all."""
    project = Project()
    project.execute(TABLE.format(text="varchar"))
    for user in USERS:
        project.tokens[token_of(user, {})] = f"{user}@example.com"

    def run(script: str) -> None:
        run_in_bigquery(project, script)

    def key(tenant: str, text: str) -> None:
        run(f"UPDATE cellbound_keys.tenants SET key = '{text}' WHERE tenant = '{tenant}';")
        run(script_of(folder, "bigquery"))

    with bigquery.running(project) as standin:
        url = "bigquery://acme-shop/shop?location=EU&principal={user}@example.com"
        url += f"&endpoint=http://127.0.0.1:{standin.port}"
        more = f'credentials = "hook:{cloud_shop.__name__}:token_of"'
        first, second = _reviewed(folder, "bigquery", url, more)

        def mend() -> None:
            run(
                "REVOKE `roles/bigquery.dataViewer` ON TABLE `cellbound_keys`.`masks`"
                ' FROM "user:u_hash@example.com";'
            )
            run(_view_in(first))
            run(second)

        run(first)
        mend()
        with closing(open_gateway(folder)) as gateway:
            yield MaskedHouse("bigquery", folder, gateway, run, key, mend)


@contextmanager
def over_snowflake(folder: Path) -> Iterator[MaskedHouse]:
    """The register in the stand-in of Snowflake, under its masking policies."""
    account = Account()
    account.execute(TABLE.format(text="varchar"))
    for user, role in USERS.items():
        account.add_user(user, role.upper())
        account.tokens[token_of(user, {})] = Token(user, "OAUTH")

    def run(script: str) -> None:
        run_in_snowflake(account, script)

    def key(tenant: str, text: str) -> None:
        run(f"UPDATE CELLBOUND_KEYS.MASKS SET KEY = '{text}' WHERE TENANT = '{tenant}';")

    with snowflake.running(account) as standin:
        url = "snowflake://acme/SHOP?warehouse=CELLBOUND"
        url += f"&host=127.0.0.1&protocol=http&port={standin.port}"
        write_register(folder, url, f'credentials = "hook:{cloud_shop.__name__}:token_of"')
        script = script_of(folder, "snowflake")

        def mend() -> None:
            account.grants["HASH"] = {each for each in account.grants["HASH"] if "KEYS" not in each.name}
            run(script)

        mend()
        with closing(open_gateway(folder)) as gateway:
            yield MaskedHouse("snowflake", folder, gateway, run, key, mend)
