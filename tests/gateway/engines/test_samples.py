"""Samples of servers under a login of their own: few rows, read-only, no value in a fault."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from gateway.engines.base import EngineError
from gateway.engines.open import open_sampler
from gateway.engines.postgres_sample import PostgresSampler
from gateway.engines.sample import Sampler
from gateway.settings.file import DuckDBSettings
from tests.servers.bigquery import running as bigquery_running
from tests.servers.bigquery_project import Project
from tests.servers.postgres import Server
from tests.servers.snowflake import running as snowflake_running
from tests.servers.snowflake_account import Account, Token

PEOPLE = """
CREATE TABLE people (person_id INTEGER, email VARCHAR, born DATE);
INSERT INTO people VALUES
  (1, 'ana@example.org', DATE '1985-03-02'), (2, NULL, NULL), (3, 'bo@example.org', NULL);
CREATE TABLE secrets (code VARCHAR)
"""
VARIABLE = "CELLBOUND_DB_PASSWORD_DISCOVERY"
TOKEN = "token-of-discovery"


def _snowflake() -> Account:
    account = Account()
    account.execute(PEOPLE)
    account.add_user("discovery", "DISCOVERY")
    account.tokens[TOKEN] = Token("discovery", "OAUTH")
    account.grant("DISCOVERY", "USAGE", "WAREHOUSE", "W")
    account.grant("DISCOVERY", "USAGE", "DATABASE", "SHOP")
    account.grant("DISCOVERY", "SELECT", "TABLE", "SHOP.PUBLIC.PEOPLE")
    return account


def _bigquery() -> Project:
    project = Project()
    project.execute(PEOPLE)
    project.tokens[TOKEN] = "discovery@example.com"
    project.grant("discovery@example.com", "people")
    return project


@pytest.fixture(params=["snowflake", "bigquery"])
def cloud(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sampler]:
    """A sampler of a stand-in, through the real driver."""
    monkeypatch.setenv(VARIABLE, TOKEN)
    if request.param == "snowflake":
        with snowflake_running(_snowflake()) as account:
            place = f"host=127.0.0.1&protocol=http&port={account.port}"
            url = f"snowflake://discovery@acme/SHOP?warehouse=W&role=DISCOVERY&{place}"
            yield from opened(url)
        return
    with bigquery_running(_bigquery()) as running:
        place = f"endpoint=http://127.0.0.1:{running.port}"
        who = "location=EU&principal={user}@example.com"
        project = running.project
        yield from opened(f"bigquery://discovery@{project.name}/{project.dataset}?{who}&{place}")


def opened(url: str) -> Iterator[Sampler]:
    sampler = open_sampler(url, Path(), DuckDBSettings(), 10.0)
    yield sampler
    sampler.close()


def test_a_cloud_warehouse_is_sampled_within_the_row_limit(cloud: Sampler) -> None:
    assert [name.lower() for name in cloud.columns(("people",))] == ["person_id", "email", "born"]
    assert set(cloud.values(("people",), "email", 10)) == {"ana@example.org", "bo@example.org"}
    assert len(cloud.values(("people",), "email", 1)) == 1


def test_a_table_that_the_login_may_not_read_is_a_fault_without_words_of_the_server(cloud: Sampler) -> None:
    with pytest.raises(EngineError) as refused:
        cloud.values(("secrets",), "code", 10)
    assert refused.value.code == "sample_unreadable" and "secrets" not in str(refused.value)


def test_postgresql_is_sampled_under_a_login_of_its_own_that_writes_nothing(
    postgres_server: Server, postgres_database: str
) -> None:
    login = f"discovery_{postgres_database[-8:]}"
    postgres_server.execute(f"{PEOPLE}; CREATE ROLE {login} LOGIN", postgres_database)
    postgres_server.execute(f"GRANT SELECT, INSERT ON people TO {login}", postgres_database)
    folder = str(postgres_server.folder).replace("/", "%2F")
    url = f"postgresql://{login}@{folder}:{postgres_server.port}/{postgres_database}"
    sampler = PostgresSampler(url, 10.0)
    try:
        assert sampler.columns(("public", "people")) == ("person_id", "email", "born")
        assert sampler.values(("people",), "email", 1) == ("ana@example.org",)
        assert sampler.values(("people",), "born", 10) == ("1985-03-02",)
        with pytest.raises(EngineError) as refused:
            sampler.values(("secrets",), "code", 10)
        assert refused.value.code == "sample_unreadable"
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            sampler._connection.execute("INSERT INTO people VALUES (9, 'x', NULL)")
    finally:
        sampler.close()
        postgres_server.execute(f"DROP OWNED BY {login}; DROP ROLE {login}", postgres_database)
