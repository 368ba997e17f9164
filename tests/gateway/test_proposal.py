"""A database's catalogue becomes drafts that load, with joins that are declared or only shown for review."""

import json
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.cli.main import run
from gateway.engines.base import EngineError
from gateway.engines.catalogue import CatalogueColumn, CatalogueTable, ForeignKey
from gateway.proposal import Proposal, propose
from gateway.scaffold.project import ScaffoldRefused, scaffold
from gateway.settings.file import load_settings
from metric_layer.definitions import ColumnType
from metric_layer.layer import Layer
from metric_layer.load import load_layer, load_text
from tests.servers.postgres import Server

SHELVES = """
CREATE TABLE shelves (shelf_id int PRIMARY KEY, floor text NOT NULL, label text UNIQUE);
CREATE TABLE people (id int PRIMARY KEY, email text, born date, plan json);
CREATE TABLE books (
    isbn text PRIMARY KEY, shelf_id int REFERENCES shelves (shelf_id), author_id int REFERENCES people (id),
    editor_id int REFERENCES people (id), price numeric(8, 2), bought timestamptz NOT NULL, sold date);
CREATE TABLE covers (isbn text PRIMARY KEY REFERENCES books (isbn), colour text);
CREATE TABLE loans (loan_id int PRIMARY KEY, isbn text, shelf_id int, "lent on" date, note text[]);
"""
COMMENTS = """
COMMENT ON TABLE books IS 'Every copy''s  title';
COMMENT ON COLUMN books.price IS 'Euros: "net"';
"""
ONLY_POSTGRES = """
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN euros AS numeric(9, 2);
CREATE SCHEMA old;
CREATE TABLE old."Odd.Name" (id int PRIMARY KEY, felt mood, paid euros, at tstzrange);
CREATE UNIQUE INDEX part ON loans (shelf_id) WHERE note IS NOT NULL;
CREATE VIEW recent AS SELECT isbn, bought FROM books;
"""


def check(folder: Path) -> Layer:
    """Load what was written."""
    settings = load_settings(folder)
    return load_layer(settings.at(settings.paths.metrics))


def edges(layer: Layer) -> dict[str, tuple[str, str, str, str]]:
    return {
        edge.name: (edge.from_dataset, edge.to_dataset, edge.cardinality, edge.role)
        for edge in layer.relationships.values()
    }


DECLARED = {
    "books_shelves": ("books", "shelves", "many_to_one", ""),
    "books_author": ("books", "people", "many_to_one", "author"),
    "books_editor": ("books", "people", "many_to_one", "editor"),
    "covers_books": ("covers", "books", "one_to_one", ""),
}


def test_a_duckdb_file_becomes_a_project_whose_drafts_load(tmp_path: Path) -> None:
    file = tmp_path / "books.duckdb"
    with duckdb.connect(str(file)) as database:
        database.execute(SHELVES + COMMENTS)
    made = scaffold(tmp_path / "books", None, url=f"duckdb:{file}")
    layer = check(made.folder)
    assert edges(layer) == DECLARED
    assert layer.datasets["books"].description == "Every copy's title"
    assert layer.datasets["people"].unique_keys == ()
    assert layer.datasets["shelves"].unique_keys == (("label",),)
    assert {c.name: (c.type, c.nullable, c.personal) for c in layer.datasets["people"].columns} == {
        "id": ("integer", False, ""),
        "email": ("string", True, "contact"),
        "born": ("date", True, ""),
    }
    assert {(m.name, m.status) for m in layer.metrics.values()} == {
        (f"{name}_count", "draft") for name in ("shelves", "people", "books", "covers", "loans")
    }
    assert layer.metrics["books_count"].time_field == "bought"
    text = (made.folder / "metrics" / "joins.yml").read_text(encoding="utf-8")
    review = text.partition("no foreign key declares")[2]
    assert "from_dataset: loans" in review and "shelf_id" in review
    assert "isbn" not in review.partition("Left out")[0], "two tables have a key of that name"
    assert "main.people.plan (JSON)" in text and "main.loans.note (VARCHAR[])" in text


@pytest.mark.engine("postgres")
def test_a_postgresql_database_becomes_a_project_whose_drafts_load(
    postgres_server: Server, postgres_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres_server.execute(SHELVES + COMMENTS + ONLY_POSTGRES, postgres_database)
    place = (
        f"{postgres_database}?host={quote(str(postgres_server.folder), safe='')}&port={postgres_server.port}"
    )
    assert run(["init", str(tmp_path / "books"), "--url", f"postgresql://postgres@/{place}", "--json"]) == 0
    assert "metrics/drafts.yml" in json.loads(capsys.readouterr().out)["files"]
    layer = check(tmp_path / "books")
    assert edges(layer) == DECLARED
    odd = layer.datasets["odd_name"]
    assert odd.relation == 'old."Odd.Name"'
    assert {c.name: c.type for c in odd.columns} == {"id": "integer", "felt": "string", "paid": "decimal"}
    assert layer.datasets["loans"].unique_keys == ()
    assert layer.datasets["recent"].primary_key == ()
    assert layer.datasets["books"].description == "Every copy's title"
    assert load_settings(tmp_path / "books").engine.url == f"postgresql:///{place}"
    assert "old.Odd.Name.at (tstzrange)" in (tmp_path / "books/metrics/joins.yml").read_text()


def test_a_database_that_cannot_be_read_leaves_no_folder(tmp_path: Path) -> None:
    empty = tmp_path / "empty.duckdb"
    duckdb.connect(str(empty)).close()
    for url, fault in (
        ("duckdb:no/such.duckdb", EngineError),
        ("duckdb:", EngineError),
        ("mysql://host/db", EngineError),
        (f"duckdb:{empty}", ScaffoldRefused),
    ):
        with pytest.raises(fault):
            scaffold(tmp_path / "project", None, url=url)
        assert [each.name for each in tmp_path.iterdir()] == ["empty.duckdb"]


def test_a_demo_and_a_url_are_not_two_sources_of_one_project(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "p"), "--url", "duckdb:x.duckdb", "--demo", "shop"]) == 2


def table(name: str, *columns: str, key: str = "", fks: tuple[ForeignKey, ...] = ()) -> CatalogueTable:
    made = tuple(CatalogueColumn(column, "integer", "int", True) for column in columns)
    return CatalogueTable("main", name, made, (key,) if key else (), (), fks)


def guessed(tables: list[CatalogueTable]) -> str:
    return propose(tables, "main").files.get("joins.yml", "").partition("no foreign key declares")[2]


def test_without_a_foreign_key_nothing_is_joined_unless_name_type_and_key_say_so() -> None:
    users, orders = table("users", "id", key="id"), table("orders", "order_no", "user_id", key="order_no")
    assert "orders_users" in guessed([users, orders])
    assert not guessed([table("users", "id"), orders])
    assert not guessed([users, table("orders", "order_no", "usr", key="order_no")])
    texts = (CatalogueColumn("user_id", "string", "text", True),)
    assert not guessed([users, CatalogueTable("main", "orders", texts)])
    assert not guessed([users, table("user", "id", key="id"), orders])
    layer = load(propose([users, orders], "main"))
    assert not layer.relationships


def load(proposal: Proposal) -> Layer:
    return load_text("\n".join(proposal.files.values()))


ODD = [
    "on",
    "null",
    "month",
    "Order Items",
    "order_items",
    "orderItems",
    "ID",
    'a"b',
    "x.y",
    "é",
    "count",
    "1",
]
LETTERS = st.characters(codec="utf-8", exclude_characters="\0")
NAMES = st.text(LETTERS, min_size=1, max_size=12) | st.sampled_from(ODD)
TYPES: st.SearchStrategy[ColumnType | None] = st.sampled_from(
    ("string", "integer", "decimal", "date", "timestamp", "boolean", None)
)


@st.composite
def catalogues(draw: st.DrawFn) -> list[CatalogueTable]:
    """Draw tables with odd names, and keys between columns that may or may not fit each other."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    columns = {name: draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower)) for name in names}
    tables = []
    for name in names:
        key = tuple(draw(st.lists(st.sampled_from(columns[name]), max_size=2, unique=True)))
        keys = []
        for _ in range(draw(st.integers(0, 2))):
            far = draw(st.sampled_from(names))
            own, theirs = draw(st.sampled_from(columns[name])), draw(st.sampled_from(columns[far]))
            keys.append(ForeignKey((own,), ("main", far), (theirs,)))
        tables.append(
            CatalogueTable(
                schema=draw(st.sampled_from(["main", "old stuff"])) if name == names[0] else "main",
                name=name,
                columns=tuple(
                    CatalogueColumn(each, draw(TYPES), "int", draw(st.booleans()), draw(NAMES))
                    for each in columns[name]
                ),
                primary_key=key,
                foreign_keys=tuple(keys),
                comment=draw(NAMES),
            )
        )
    return tables


@given(catalogues())
def test_whatever_a_catalogue_holds_its_drafts_load_and_are_the_same_twice(
    tables: list[CatalogueTable],
) -> None:
    proposal = propose(tables, "main")
    assert propose(tables, "main") == proposal
    if not proposal.datasets:
        return
    layer = load(proposal)
    assert set(layer.datasets) == set(proposal.datasets)
    assert all(metric.status == "draft" for metric in layer.metrics.values())
    declared = {(key.columns, key.to_columns) for each in tables for key in each.foreign_keys}
    assert {(edge.from_columns, edge.to_columns) for edge in layer.relationships.values()} <= declared


def test_a_name_with_accents_is_proposed_by_its_letters_and_known_as_personal() -> None:
    columns = tuple(CatalogueColumn(each, "string", "text", True) for each in ("Téléphone", "Länge"))
    layer = load(propose([CatalogueTable("main", "Größe", columns, (), (), ())], "main"))
    assert set(layer.datasets) == {"grosse"} and set(layer.dimensions) == {"lange"}
    assert [each.personal for each in layer.datasets["grosse"].columns] == ["contact", ""]


def test_a_large_catalogue_is_spread_over_files_that_can_be_read() -> None:
    columns = [f"column_number_{number}" for number in range(200)]
    tables = [table(f"table_{number}", *columns, key=columns[0]) for number in range(120)]
    proposal = propose(tables, "main")
    assert {"datasets.yml", "datasets_2.yml"} <= set(proposal.files)
    assert "joins.yml" not in proposal.files, "a file that says nothing is not written"
    assert max(map(len, proposal.files.values())) < 500_000
    assert len(proposal.datasets) == 120
