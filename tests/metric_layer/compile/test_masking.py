"""Masks on real databases: what is left of a value, the same once more, and the same on every one of them."""

from collections.abc import Callable, Iterator

import duckdb
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.compile import HERE, KEY, Mask, mask_text
from metric_layer.compile.masking import MaskKind
from metric_layer.definitions import ColumnType
from tests.servers.postgres import Server

HIDDEN = "•••"
CASES: tuple[tuple[MaskKind, ColumnType, str, str], ...] = (
    ("hide", "string", "'Ana'", HIDDEN),
    ("last_four", "string", "'+1 555 0183 9614'", "•••9614"),
    ("last_four", "string", "'1234567'", HIDDEN),
    ("first_letter", "string", "'Ana Novak'", "A•••"),
    ("first_letter", "string", "'A'", HIDDEN),
    ("domain", "string", "'ana@example.org'", "•••@example.org"),
    ("domain", "string", "'ana'", HIDDEN),
    ("generalise", "string", "'10115'", "101•••"),
    ("generalise", "string", "'101'", HIDDEN),
    ("generalise", "date", "DATE '1985-03-02'", "1985"),
    ("generalise", "timestamp", "TIMESTAMP '1985-03-02 10:00:00'", "1985"),
    ("generalise", "integer", "47", "40"),
    ("generalise", "integer", "-7", "-10"),
    ("generalise", "decimal", "1234.5", "1000"),
    ("generalise", "float", "CAST(987.9 AS DOUBLE PRECISION)", "900"),
    ("generalise", "float", "CAST('NaN' AS DOUBLE PRECISION)", HIDDEN),
    ("generalise", "boolean", "TRUE", HIDDEN),
    ("token", "string", "'0123456789abcdef'", "0123456789abcdef"),
    ("token", "string", "'0123456789abcdef0'", HIDDEN),
    ("token", "string", "'Ana'", HIDDEN),
)
Ask = Callable[[str], object]


@pytest.fixture
def duck() -> Iterator[Ask]:
    with duckdb.connect(":memory:") as database:

        def ask(sql: str) -> object:
            row = database.execute(sql).fetchone()
            assert row is not None
            return row[0]

        yield ask


def on(dialect: str, mask: Mask, value: str) -> str:
    return f"SELECT {mask_text(mask, dialect).replace(HERE, 'v')} FROM (SELECT {value} AS v) AS t"


@pytest.mark.parametrize(("kind", "type_", "value", "left"), CASES)
def test_duckdb_leaves_what_the_mask_says_and_the_same_once_more(
    duck: Ask, kind: MaskKind, type_: ColumnType, value: str, left: str
) -> None:
    mask = Mask(kind, HIDDEN, type_)
    assert duck(on("duckdb", mask, value)) == left
    if left != HIDDEN or type_ == "string":
        assert duck(on("duckdb", mask, f"'{left}'")) == left
    assert duck(on("duckdb", mask, f"CASE WHEN FALSE THEN {value} END")) is None


def test_postgresql_leaves_the_same(postgres_server: Server, postgres_database: str) -> None:
    with psycopg.connect(postgres_server.dsn(database=postgres_database)) as database:
        for kind, type_, value, left in CASES:
            found = database.execute(on("postgres", Mask(kind, HIDDEN, type_), value).encode()).fetchone()
            assert found == (left,), (kind, type_, value)


def test_a_hash_is_the_same_for_the_same_value_and_another_under_another_key(duck: Ask) -> None:
    text = on("duckdb", Mask("hash", HIDDEN), "'ana@example.org'")
    one, other = (duck(text.replace(KEY, key)) for key in ("k" * 64, "l" * 64))
    assert one == duck(text.replace(KEY, "k" * 64)) != other
    assert isinstance(one, str) and len(one) == 16


@given(st.text(max_size=30), st.sampled_from(["hide", "last_four", "first_letter", "domain", "generalise"]))
def test_no_mask_of_a_text_tells_more_than_its_part(value: str, kind: MaskKind) -> None:
    value = value.replace("\0", "").replace(HIDDEN, "")
    mask = mask_text(Mask(kind, HIDDEN), "duckdb").replace(HERE, "v")
    with duckdb.connect(":memory:") as database:
        row = database.execute(
            f"SELECT {mask} FROM (SELECT CAST(? AS VARCHAR) AS v) AS t", [value]
        ).fetchone()
    assert row is not None
    left = str(row[0]).replace(HIDDEN, "")
    most = {"hide": "", "last_four": value[-4:], "first_letter": value[:1], "generalise": value[:3]}
    assert left in ("", most.get(kind, value[value.find("@") :] if "@" in value else ""))
    assert len(value) < 2 or left != value or kind == "domain"
