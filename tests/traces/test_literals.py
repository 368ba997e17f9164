"""SQL without its literals holds none of them, however a dialect writes them."""

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from metric_layer.plan import Dialect
from traces.store.index_rows import bare_sql

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)
NUMBERS = st.integers(10_000, 10**12) | st.decimals(10_000, 10**9, places=3, allow_nan=False)
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))


def statement(text: str, number: int | Decimal, day: date, dialect: Dialect) -> str:
    """A statement with each value in every place for a literal, spelled as the gateway spells it."""
    column, word, amount = exp.column("c", "t"), exp.Literal.string(text), exp.Literal.number(number)
    moment = exp.Literal.string(datetime(day.year, day.month, day.day, 7, 8, 9).isoformat(" "))
    asked: tuple[exp.Expression, ...] = (
        exp.In(this=column, expressions=[word, exp.Literal.string(text + "Z")]),
        exp.Like(this=column, expression=exp.Literal.string(f"%{text}%")),
        exp.Between(this=column, low=amount, high=exp.Neg(this=amount)),
        exp.GT(this=column, expression=exp.cast(exp.Literal.string(day.isoformat()), "date")),
        exp.LT(this=column, expression=exp.cast(moment, "timestamp")),
        exp.EQ(this=exp.func("COALESCE", column, word), expression=amount),
    )
    found = exp.select(exp.alias_(word, "a"), exp.alias_(exp.Add(this=column, expression=amount), "b"))
    return found.from_("t").where(*asked).limit(7).sql(dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(text=TEXTS, number=NUMBERS, day=DAYS)
def test_no_literal_is_left_whatever_it_is(
    dialect: Dialect, text: str, number: int | Decimal, day: date
) -> None:
    bare = bare_sql(statement(f"Zx{text}qZ", number, day, dialect), dialect)
    assert "Zx" not in bare and "qZ" not in bare
    assert str(number) not in bare and day.isoformat() not in bare and "07:08:09" not in bare
    assert bare == bare_sql(statement("Zx another qZ", 12_345, date(2001, 2, 3), dialect), dialect)


def _spellings() -> Iterator[tuple[Dialect, str]]:
    every = (
        "4711",
        "47.11",
        "4711.",
        "4.711e5",
        "4711E-2",
        "-4711",
        "'4711'",
        "''",
        "N'4711'",
    )
    for dialect in DIALECTS:
        yield from ((dialect, each) for each in every)
    yield from (("postgres", each) for each in ("E'a\\'4711'", "x'4711'", "b'101'", "0x4711", "U&'d\\4711'"))
    yield from (("duckdb", each) for each in ("E'a\\'4711'", "$$4711$$", "4_711"))
    yield from (("snowflake", each) for each in ("x'4711'", "$$47'11$$", "'a\\'4711'"))
    yield from (
        ("bigquery", each) for each in ("0x4711", "b'4711'", 'r"4711\\d"', "'''it's 4711'''", '"4711"')
    )


@pytest.mark.parametrize(("dialect", "literal"), tuple(_spellings()))
def test_each_way_to_write_a_literal_is_known(dialect: Dialect, literal: str) -> None:
    sql = parse_one(f"SELECT {literal} AS v FROM t", read=dialect).sql(dialect)
    bare = bare_sql(sql, dialect)
    assert "711" not in bare and "47.11" not in bare and "101" not in bare, bare
    assert "?" in bare and bare.endswith("as v from t"), bare
