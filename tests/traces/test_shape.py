"""The shape of a result: a hash that only values change, and ranges that tell of no single person."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.definitions import ColumnType
from metric_layer.resolved import OutputColumn
from tests.traces.samples import table
from traces.keys import KeyStore
from traces.records import Shape, Table, Value
from traces.shape import canonical, shape_of

VALUES: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**127), 2**127),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))])),
    st.text(max_size=8),
)
ROWS = st.lists(st.tuples(VALUES, VALUES), max_size=8)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyStore:
    return KeyStore.open(tmp_path_factory.mktemp("keys") / "keys.json")


def hash_of(rows: list[tuple[Value, ...]], keys: KeyStore) -> str:
    columns = table().columns
    return shape_of(Table.model_construct(columns=columns, rows=tuple(rows)), keys, 5).keyed_hash


@given(rows=ROWS, seed=st.randoms())
def test_the_order_of_rows_does_not_change_the_hash(
    keys: KeyStore, rows: list[tuple[Value, ...]], seed: Random
) -> None:
    shuffled = list(rows)
    seed.shuffle(shuffled)
    assert hash_of(rows, keys) == hash_of(shuffled, keys)


@pytest.mark.parametrize("edge", [datetime.min, datetime.max])
@pytest.mark.parametrize("hours", [5, -5])
def test_a_moment_at_the_edge_of_the_calendar_has_a_hash(keys: KeyStore, edge: datetime, hours: int) -> None:
    there = edge.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert hash_of([(there, None)], keys) == hash_of([(there, None)], keys)
    assert hash_of([(there, None)], keys) != hash_of([(edge, None)], keys)


@given(rows=ROWS.filter(bool), data=st.data())
def test_any_changed_cell_changes_the_hash(
    keys: KeyStore, rows: list[tuple[Value, ...]], data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    at = data.draw(st.integers(0, 1))
    new = data.draw(VALUES.filter(lambda value: canonical(value) != canonical(rows[row][at])))
    changed = list(rows)
    changed[row] = (new, rows[row][1]) if at == 0 else (rows[row][0], new)
    assert hash_of(rows, keys) != hash_of(changed, keys)


def test_a_row_more_a_row_less_or_a_row_twice_changes_the_hash(keys: KeyStore) -> None:
    one: list[tuple[Value, ...]] = [("a", 1)]
    hashes = {hash_of(one * times, keys) for times in range(4)}
    assert len(hashes) == 4


def test_cells_moved_between_columns_or_rows_change_the_hash(keys: KeyStore) -> None:
    variants: list[list[tuple[Value, ...]]] = [
        [("a", "b"), ("c", "d")],
        [("b", "a"), ("c", "d")],
        [("a", "d"), ("c", "b")],
        [("ab", ""), ("c", "d")],
    ]
    assert len({hash_of(rows, keys) for rows in variants}) == 4


def test_the_hash_cannot_be_made_without_the_key(keys: KeyStore, tmp_path: Path) -> None:
    other = KeyStore.open(tmp_path / "keys.json")
    assert hash_of([("a", 1)], keys) != hash_of([("a", 1)], other)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Decimal("1.50"), Decimal("1.5")),
        (Decimal("1E+3"), 1000),
        (Decimal("0.00"), Decimal("-0")),
        (0.1 + 0.2, 0.3),
        (-0.0, 0.0),
        (datetime(2026, 7, 1, 12, tzinfo=UTC), datetime(2026, 7, 1, 14, tzinfo=timezone(timedelta(hours=2)))),
    ],
)
def test_one_value_has_one_spelling(first: Value, second: Value) -> None:
    assert canonical(first) == canonical(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Decimal("1.0000000000000000000000000000000000001"), Decimal(1)),
        (2**100, 2**100 + 1),
        (1.00000000001, 1.0),
        (1, True),
        (0, False),
        (None, ""),
        (None, 0),
        ("1", 1),
        (1.0, 1),
        (date(2026, 7, 1), datetime(2026, 7, 1)),
        (datetime(2026, 7, 1), datetime(2026, 7, 1, tzinfo=UTC)),
        (float("inf"), float("-inf")),
        (float("nan"), None),
        ("\u00e9", "e\u0301"),
    ],
)
def test_different_values_are_spelled_differently(first: Value, second: Value) -> None:
    assert canonical(first) != canonical(second)


@given(value=st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_spelled_exactly_by_value(value: Decimal) -> None:
    spelled = canonical(value)[1:].decode()
    assert Decimal(spelled) == value


def column(kind: str, type_: ColumnType) -> OutputColumn:
    return OutputColumn.model_validate({"name": "c", "kind": kind, "type": type_, "label": "C"})


def ends(kind: str, type_: ColumnType, values: list[Value], keys: KeyStore) -> tuple[str, str]:
    rows = tuple((value,) for value in values)
    made = Table.model_construct(columns=(column(kind, type_),), rows=rows, truncated=False)
    shape = shape_of(made, keys, min_group=3).columns[0]
    return shape.low, shape.high


def test_number_and_time_columns_have_a_range_when_enough_rows_stand_behind_it(keys: KeyStore) -> None:
    assert ends("metric", "decimal", [Decimal(3), Decimal("1.5"), Decimal(2)], keys) == ("1.5", "3")
    assert ends("metric", "float", [3.0, float("nan"), 1.0], keys) == ("", "")
    days: list[Value] = [date(2026, 7, day) for day in (3, 1, 2)]
    assert ends("time", "date", days, keys) == ("2026-07-01", "2026-07-03")
    east = timezone(timedelta(hours=9))
    moments: list[Value] = [
        datetime(2026, 7, 1, 5, tzinfo=east),
        datetime(2026, 6, 30, 21, tzinfo=UTC),
        datetime(2026, 7, 1, tzinfo=UTC),
    ]
    low, high = ends("time", "timestamp", moments, keys)
    assert (low, high) == ("2026-06-30T20:00:00+00:00", "2026-07-01T00:00:00+00:00")


def test_a_group_smaller_than_the_minimum_has_no_range(keys: KeyStore) -> None:
    assert ends("metric", "integer", [1, 2], keys) == ("", "")
    assert ends("metric", "integer", [1, 2, None, None], keys) == ("", "")


def test_text_and_numeric_dimensions_never_have_a_range(keys: KeyStore) -> None:
    names: list[Value] = ["ann", "bob", "eve", "zoe"]
    assert ends("dimension", "string", names, keys) == ("", "")
    assert ends("metric", "string", names, keys) == ("", "")
    assert ends("dimension", "integer", [4917012345, 4917054321, 4917099999], keys) == ("", "")
    assert ends("metric", "boolean", [True, False, True], keys) == ("", "")


def test_counts_of_nulls_and_distinct_values_are_kept_and_no_value_is(keys: KeyStore) -> None:
    rows: tuple[tuple[Value, ...], ...] = (
        ("secret-x", Decimal(1)),
        (None, Decimal("1.0")),
        ("secret-x", None),
    )
    shape = shape_of(table(*rows), keys, min_group=5)
    assert [(column.nulls, column.distinct) for column in shape.columns] == [(1, 1), (1, 1)]
    assert shape.rows == 3
    assert shape.key_id == keys.key_id
    assert "secret-x" not in shape.model_dump_json()


def _over_time(rows: list[tuple[object, ...]], keys: KeyStore) -> Shape:
    columns = (
        OutputColumn(name="month", kind="time", type="date", label="Month", grain="month"),
        OutputColumn(name="region", kind="dimension", type="string", label="Region"),
        OutputColumn(name="paid", kind="metric", type="decimal", label="Paid"),
    )
    return shape_of(Table.model_validate({"columns": columns, "rows": rows}), keys, 1)


JULY, AUGUST = date(2026, 7, 1), date(2026, 8, 1)
MONTHS: list[tuple[object, ...]] = [
    (JULY, "north", Decimal("1.10")),
    (JULY, "south", Decimal("2.20")),
    (AUGUST, "north", Decimal("3.30")),
]


def test_a_change_shows_in_its_own_period_only(keys: KeyStore) -> None:
    before = _over_time(MONTHS, keys)
    after = _over_time([*MONTHS[:2], (AUGUST, "north", Decimal("3.31"))], keys)
    assert [(period.start, period.rows) for period in before.periods] == [
        ("2026-07-01", 2),
        ("2026-08-01", 1),
    ]
    assert before.periods[0] == after.periods[0]
    assert before.periods[1] != after.periods[1]


def test_a_period_says_whether_there_is_any_figure_in_it(keys: KeyStore) -> None:
    filled = _over_time([*MONTHS, (date(2026, 9, 1), "north", None), (date(2026, 10, 1), "x", 0)], keys)
    assert [period.empty for period in filled.periods] == [False, False, True, True]


def test_a_total_is_exact_and_stands_for_figures_that_add_up_only(keys: KeyStore) -> None:
    shape = _over_time(MONTHS, keys)
    assert [column.total for column in shape.columns] == ["", "", "6.60"]
    columns = (OutputColumn(name="share", kind="metric", type="decimal", label="Share", additivity="none"),)
    table = Table(columns=columns, rows=((Decimal(1),), (Decimal(2),)))
    assert shape_of(table, keys, 1).columns[0].total == ""


def test_the_total_of_a_small_group_is_not_told(keys: KeyStore) -> None:
    columns = (OutputColumn(name="paid", kind="metric", type="decimal", label="Paid"),)
    assert shape_of(Table(columns=columns, rows=((Decimal(7),),)), keys, 5).columns[0].total == ""


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (Decimal("1.50"), b"n15e-1"),
        (Decimal("15E-1"), b"n15e-1"),
        (Decimal("-0.0500"), b"n-5e-2"),
        (Decimal("1E+5"), b"n1e5"),
        (Decimal("-0.00"), b"n0"),
        (Decimal("1.2E-9"), b"n12e-10"),
        (Decimal("NaN"), b"nNaN"),
        (100, b"n1e2"),
        (-1020, b"n-102e1"),
        (0, b"n0"),
        (True, b"b1"),
        (1.5, b"f1.50000000000e+00"),
        (None, b"0"),
    ],
)
def test_the_spelling_of_a_value_is_the_one_that_recorded_hashes_were_made_of(
    value: Value, spelled: bytes
) -> None:
    assert canonical(value) == spelled
