"""Rows as JSON carries them: a column of one kind is written like each of its cells alone."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from math import isfinite

from hypothesis import given
from hypothesis import strategies as st

from gateway.json_cells import SAFE_INTEGER, json_cell, json_rows
from gateway.reply import Reply
from traces.records import Value

KINDS = (
    st.integers(),
    st.booleans(),
    st.text(max_size=5),
    st.dates(),
    st.datetimes(timezones=st.sampled_from((None, UTC))),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False),
)
ONE_KIND = st.sampled_from(KINDS).flatmap(lambda kind: st.lists(kind, min_size=3, max_size=3))
MIXED = st.lists(st.one_of(st.none(), *KINDS), min_size=3, max_size=3)


@given(st.lists(st.one_of(ONE_KIND, MIXED), max_size=4))
def test_a_column_is_written_like_its_cells_alone(columns: list[list[Value]]) -> None:
    rows = tuple(zip(*columns, strict=True))
    assert repr(json_rows(rows)) == repr(tuple(tuple(map(json_cell, row)) for row in rows))


def test_rows_without_columns_stay_as_many() -> None:
    assert json_rows([(), ()]) == ((), ())
    assert json_rows([]) == ()


def test_what_json_would_lose_becomes_text() -> None:
    kept: list[Value] = [SAFE_INTEGER, SAFE_INTEGER + 1, Decimal("1E+3"), date(2026, 7, 1), None]
    assert json_rows([kept]) == ((SAFE_INTEGER, str(SAFE_INTEGER + 1), "1000", "2026-07-01", None),)
    assert json_rows([[datetime(2026, 7, 1, 9)]]) == (("2026-07-01T09:00:00",),)


@given(MIXED)
def test_cells_are_sent_as_each_of_their_kinds_is_written(column: list[Value]) -> None:
    (row,) = json_rows([column])
    sent = json.loads(Reply(outcome="answered", rows=(row,)).model_dump_json())["rows"]
    finite = [None if isinstance(cell, float) and not isfinite(cell) else cell for cell in row]
    assert repr(sent) == repr(json.loads(json.dumps([finite])))


def test_a_number_that_json_does_not_have_is_sent_as_null() -> None:
    row = (float("nan"), float("inf"), 1.5)
    assert '"rows":[[null,null,1.5]]' in Reply(outcome="answered", rows=(row,)).model_dump_json()


def test_the_description_of_a_reply_still_says_what_a_cell_may_be() -> None:
    rows = Reply.model_json_schema(mode="serialization")["properties"]["rows"]
    kinds = {each["type"] for each in rows["items"]["items"]["anyOf"]}
    assert kinds == {"boolean", "integer", "number", "string", "null"}
