"""The catalogues of Snowflake and BigQuery, through their own drivers, become drafts that load."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.engines.base import EngineError
from gateway.engines.catalogue import CatalogueTable, ForeignKey
from gateway.engines.open import describe_database, pinned
from gateway.scaffold.project import scaffold
from gateway.settings.file import load_settings
from metric_layer.load import load_layer
from policies.load import load_policy
from tests.servers.bigquery import running as bigquery_running
from tests.servers.bigquery_project import Project
from tests.servers.snowflake import running as snowflake_running
from tests.servers.snowflake_account import Account, Token

SHELVES = """
CREATE TABLE shelves (shelf_id BIGINT PRIMARY KEY, floor VARCHAR NOT NULL);
CREATE TABLE books (
    isbn VARCHAR PRIMARY KEY, shelf_id BIGINT REFERENCES shelves (shelf_id), email VARCHAR,
    price DECIMAL(8, 2), bought TIMESTAMP WITH TIME ZONE NOT NULL, seen TIMESTAMP, sold DATE,
    weight DOUBLE, kept BOOLEAN, extra JSON);
CREATE TABLE loans (isbn VARCHAR, day DATE, place VARCHAR, PRIMARY KEY (isbn, day));
CREATE TABLE returns (isbn VARCHAR, day DATE, FOREIGN KEY (isbn, day) REFERENCES loans (isbn, day));
CREATE TABLE secrets (code VARCHAR);
COMMENT ON TABLE books IS 'Every copy';
COMMENT ON COLUMN books.price IS 'Euros'
"""
SEEN = ("shelves", "books", "loans", "returns")
VARIABLE = "CELLBOUND_DB_PASSWORD_ANN"


def _snowflake() -> Account:
    account = Account()
    account.execute(SHELVES)
    account.execute("CREATE SCHEMA crm; CREATE TABLE crm.tickets AS SELECT 1 AS ticket_id")
    account.add_user("ann", "ANALYST")
    account.tokens["token-of-ann"] = Token("ann", "OAUTH")
    account.grant("ANALYST", "USAGE", "WAREHOUSE", "W")
    account.grant("ANALYST", "USAGE", "DATABASE", "SHOP")
    account.grant("ANALYST", "SELECT", "TABLE", *(f"SHOP.PUBLIC.{name.upper()}" for name in SEEN))
    account.grant("ANALYST", "SELECT", "TABLE", "SHOP.CRM.TICKETS")
    return account


def _bigquery() -> Project:
    project = Project()
    project.execute(SHELVES)
    project.tokens["token-of-ann"] = "ann@example.com"
    project.grant("ann@example.com", *SEEN)
    return project


@pytest.fixture(params=["snowflake", "bigquery"])
def url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The url of a stand-in with ann's login in it, whose token is in the environment."""
    monkeypatch.setenv(VARIABLE, "token-of-ann")
    if request.param == "snowflake":
        with snowflake_running(_snowflake()) as account:
            place = f"host=127.0.0.1&protocol=http&port={account.port}"
            yield f"snowflake://ann@acme/SHOP?warehouse=W&role=ANALYST&{place}"
        return
    with bigquery_running(_bigquery()) as project:
        place = f"endpoint=http://127.0.0.1:{project.port}"
        who = "location=EU&principal={user}@example.com"
        yield f"bigquery://ann@{project.project.name}/{project.project.dataset}?{who}&{place}"


def _found(url: str) -> dict[str, CatalogueTable]:
    return {table.name: table for table in describe_database(url, Path())}


def test_tables_columns_keys_and_comments_are_told(url: str) -> None:
    found = _found(url)
    home = found["books"].schema
    assert set(SEEN) <= set(found)
    assert "secrets" not in found
    books = found["books"]
    assert {column.name: column.type for column in books.columns} == {
        "isbn": "string",
        "shelf_id": "integer",
        "email": "string",
        "price": "decimal",
        "bought": "timestamptz",
        "seen": "timestamp",
        "sold": "date",
        "weight": "float",
        "kept": "boolean",
        "extra": None,
    }
    assert [column.name for column in books.columns if not column.nullable] == ["isbn", "bought"]
    assert (books.comment, books.primary_key) == ("Every copy", ("isbn",))
    assert books.foreign_keys == (ForeignKey(("shelf_id",), (home, "shelves"), ("shelf_id",)),)
    assert found["loans"].primary_key == ("isbn", "day")
    assert found["returns"].foreign_keys == (ForeignKey(("isbn", "day"), (home, "loans"), ("isbn", "day")),)
    assert not any(table.enforced for table in found.values())


def test_a_project_of_drafts_is_made_without_a_login_in_it(url: str, tmp_path: Path) -> None:
    made = scaffold(tmp_path / "shelf", None, url=url)
    settings = load_settings(made.folder)
    layer = load_layer(settings.at(settings.paths.metrics))
    load_policy(settings.at(settings.paths.policies), layer)
    assert {(edge.from_dataset, edge.to_dataset) for edge in layer.relationships.values()} == {
        ("books", "shelves"),
        ("returns", "loans"),
    }
    assert layer.datasets["books"].relation == "books"
    assert settings.engine.url == pinned(url)[0]
    assert "ann" not in settings.engine.url
    assert settings.engine.credentials == "environment"
    assert "token-of-ann" not in "".join(
        file.read_text() for file in made.folder.rglob("*") if file.suffix in (".yml", ".toml", ".md")
    )
    assert "does not enforce" in (made.folder / "metrics" / "joins.yml").read_text()


def test_a_login_that_is_not_named_or_not_proved_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineError) as nobody:
        describe_database(pinned(url)[0], Path())
    assert nobody.value.code == "login_not_named"
    monkeypatch.setenv(VARIABLE, "another")
    with pytest.raises(EngineError) as refused:
        describe_database(url, Path())
    assert refused.value.code == "login_refused"
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(EngineError, match=VARIABLE.removeprefix("CELLBOUND_DB_PASSWORD_").lower()) as missing:
        describe_database(url, Path())
    assert missing.value.code == "credential_missing"


def test_a_foreign_schema_is_named_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "token-of-ann")
    with snowflake_running(_snowflake()) as account:
        place = f"host=127.0.0.1&protocol=http&port={account.port}"
        found = _found(f"snowflake://ann@acme/SHOP?warehouse=W&role=ANALYST&{place}")
    assert (found["tickets"].schema, found["books"].schema) == ("crm", "PUBLIC")


@pytest.mark.parametrize(
    ("url", "kept", "user", "role"),
    [
        ("snowflake://A%40B@acme/D?warehouse=W&role=R", "snowflake://acme/D?warehouse=W", "A@B", "R"),
        ("postgresql://me:secret@h:5432/d", "postgresql://h:5432/d", "me", ""),
        ("postgresql:///d?host=%2Frun", "postgresql:///d?host=%2Frun", "", ""),
        ("bigquery://p/d?principal={user}@x.org", "bigquery://p/d?principal={user}@x.org", "", ""),
        ("duckdb:data/a@b.duckdb", "duckdb:data/a@b.duckdb", "", ""),
    ],
)
def test_a_kept_url_holds_nobodys_login(url: str, kept: str, user: str, role: str) -> None:
    found, who = pinned(url)
    assert (found, who.user, who.role) == (kept, user, role)
