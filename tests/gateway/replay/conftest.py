"""The market stall, over DuckDB and over a real PostgreSQL, and over the two stand-ins that keep history."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import duckdb
import pytest

from gateway.wiring import open_gateway
from tests.gateway.replay.stall import DUCK, POSTGRES, SCHEMA, Stall, postgres_url, write_project
from tests.servers.bigquery import running as bigquery_running
from tests.servers.bigquery_project import Project
from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing
from tests.servers.snowflake import running as snowflake_running
from tests.servers.snowflake_account import Account, Token

ROLES = {"ann": "analyst", "audrey": "auditor", "stephen": "stand_in", "paula": "stand_in_who_sees"}


def token_of(login: str, place: object) -> str:
    """Return the token of a login."""
    return f"token-of-{login}"


@pytest.fixture
def duckdb_stall(tmp_path: Path) -> Iterator[Stall]:
    """The stall over a file, which nobody changes while it is open."""
    file = tmp_path / "stall.duckdb"

    def owner(sql: str) -> None:
        with duckdb.connect(str(file)) as database:
            database.execute(sql)

    owner(SCHEMA.format(**DUCK))
    folder = write_project(tmp_path / "stall", f"duckdb:{file}")
    stall = Stall(folder, open_gateway(folder), owner, reopens=True)
    yield stall
    stall.gateway.close()


@pytest.fixture(scope="session")
def stall_server() -> Iterator[Server]:
    """A PostgreSQL with a login for each user."""
    if DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    with running(DEFAULT_VERSION) as server:
        for user in ROLES:
            server.execute(f"CREATE ROLE {user} LOGIN")
        yield server


_numbers = count()


@pytest.fixture
def postgres_stall(stall_server: Server, tmp_path: Path) -> Iterator[Stall]:
    """The stall over a database of its own."""
    name = f"stall_{next(_numbers)}"
    stall_server.create_database(name)
    stall_server.execute(SCHEMA.format(**POSTGRES), name)
    stall_server.execute(f"GRANT SELECT ON sales TO {', '.join(ROLES)}", name)
    folder = write_project(tmp_path / "stall", postgres_url(stall_server.folder, stall_server.port, name))
    gateway = open_gateway(folder)
    yield Stall(folder, gateway, lambda sql: stall_server.execute(sql, name))
    gateway.close()
    stall_server.drop_database(name)


@pytest.fixture(
    params=[
        "duckdb_stall",
        pytest.param("postgres_stall", marks=pytest.mark.engine("postgres")),
    ]
)
def stall(request: pytest.FixtureRequest) -> Stall:
    """The stall over DuckDB, and over PostgreSQL."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Stall)
    return found


@pytest.fixture
def snowflake_stall(tmp_path: Path) -> Iterator[Stall]:
    """The stall over the Snowflake stand-in, which keeps what its tables held."""
    account = Account()
    account.execute(SCHEMA.format(**DUCK))
    for user, role in ROLES.items():
        account.add_user(user, role.upper())
        account.tokens[token_of(user, {})] = Token(user, "OAUTH")
        account.grant(role.upper(), "USAGE", "WAREHOUSE", "CELLBOUND")
        account.grant(role.upper(), "SELECT", "TABLE", "SHOP.PUBLIC.SALES")
    with snowflake_running(account) as standin:
        url = f"snowflake://acme/SHOP?warehouse=CELLBOUND&host=127.0.0.1&protocol=http&port={standin.port}"
        folder = write_project(tmp_path / "stall", url, f'credentials = "hook:{__name__}:token_of"')
        gateway = open_gateway(folder)
        yield Stall(folder, gateway, account.execute)
        gateway.close()


@pytest.fixture
def bigquery_stall(tmp_path: Path) -> Iterator[Stall]:
    """The stall over the BigQuery stand-in, which keeps what its tables held."""
    project = Project()
    project.execute(SCHEMA.format(**DUCK))
    for user in ROLES:
        project.tokens[token_of(user, {})] = f"{user}@example.com"
        project.grant(f"{user}@example.com", "sales")
    with bigquery_running(project) as standin:
        keys = "location=EU&principal={user}@example.com"
        url = f"bigquery://acme-shop/shop?{keys}&endpoint=http://127.0.0.1:{standin.port}"
        folder = write_project(tmp_path / "stall", url, f'credentials = "hook:{__name__}:token_of"')
        gateway = open_gateway(folder)
        yield Stall(folder, gateway, project.execute)
        gateway.close()


@pytest.fixture(
    params=[
        pytest.param("snowflake_stall", marks=pytest.mark.engine("snowflake")),
        pytest.param("bigquery_stall", marks=pytest.mark.engine("bigquery")),
    ]
)
def travelling(request: pytest.FixtureRequest) -> Stall:
    """The stall over each engine that reads old data by its moment."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Stall)
    return found
