"""Random markets and random plans over them: DuckDB and PostgreSQL both answer what plain Python counts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.both_engines import BothEngines, sql_of
from tests.metric_layer.market import TABLES, definitions
from tests.metric_layer.market_reference import Asked, Question, Reference, World
from tests.metric_layer.trap_shop import plan_of

pytestmark = pytest.mark.engine("postgres")

SALES = (
    "revenue", "orders", "pieces", "kinds", "dearest", "first_note", "first_order", "rough", "mean", "middle",
    "ninth", "large", "large_abroad", "aov", "large_share",
)  # fmt: skip
RETURNS = ("returned", "back", "back_pieces", "weight", "last_note")
BOTH = ("net", "net_or_none", "per_back")
TIMED = (
    "week_run", "month_run", "year_run", "ever", "month_back", "week_back", "share_back", "run_back",
    "level_back", "two_months", "quarter_back", "year_back",
)  # fmt: skip
STOCK = ("level", "level_first", "level_each", "level_mean")
EVENTS = ("visit_count", "signup_count", "paying", "led", "lead_rate")
PLACES = ("tier", "shop_town_name", "shop_country")
FAMILIES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (SALES, (*PLACES, "ship_town", "bill_country", "sale_pieces", "sale_note")),
    ((*SALES, *RETURNS, *BOTH, *STOCK), PLACES),
    (TIMED, PLACES),
    (EVENTS, ("age", "way", "person")),
    ((*SALES, *RETURNS, *EVENTS, *STOCK), ()),
)
UNTIMED = ("shop_count", *SALES, *RETURNS)
VALUES: dict[str, Sequence[object]] = {
    "tier": ("x", "y"), "shop_town_name": ("T", "U"), "shop_country": ("P", "Q"), "ship_town": ("T", "U"),
    "bill_country": ("P", "Q"), "sale_pieces": (0, 1, 2), "sale_note": ("a", "B"), "age": ("old", "new"),
    "way": ("w", "v"), "person": (1, 2),
}  # fmt: skip
TEXTS = {"first_note", "first_order", "last_note"}
COMPARED = (None, None, "previous_period", "previous_year")
OPERATORS = ("in", "eq", "ne", "not_in", "is_null", "not_null")

SHOPS, TOWNS = st.none() | st.integers(1, 3), st.none() | st.integers(1, 3)
AREAS = st.sampled_from(["a", "b", None])
DAYS = (
    st.none()
    | st.dates(date(2026, 1, 25), date(2026, 4, 5))
    | st.sampled_from([date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 29), date(2026, 3, 31)])
)
MOMENTS = st.none() | st.datetimes(datetime(2026, 3, 25), datetime(2026, 4, 2), timezones=st.just(UTC))
CENTS = st.none() | st.decimals(-999, 999, places=2)
COUNTS = st.none() | st.integers(-1, 3)
QUARTERS = st.none() | st.integers(-8, 8).map(lambda number: number / 4)
CHANNELS = st.sampled_from(["w", "v", None])
NOTES = st.sampled_from([None, "a", "B", "ä", ""])


def rows_of_table(
    size: int, **columns: st.SearchStrategy[object]
) -> st.SearchStrategy[list[dict[str, object]]]:
    return st.lists(st.fixed_dictionaries(columns), max_size=size)


def keyed(
    keys: Sequence[tuple[object, ...]], names: tuple[str, ...], **columns: st.SearchStrategy[object]
) -> st.SearchStrategy[list[dict[str, object]]]:
    def with_key(found: dict[tuple[object, ...], dict[str, object]]) -> list[dict[str, object]]:
        return [dict(zip(names, key, strict=True)) | rest for key, rest in found.items()]

    return st.dictionaries(st.sampled_from(keys), st.fixed_dictionaries(columns)).map(with_key)


WORLDS = st.fixed_dictionaries(
    {
        "sales": rows_of_table(
            9, sale=st.integers(1, 9), shop=SHOPS, area=AREAS, ship=TOWNS, bill=TOWNS, ordered_on=DAYS,
            paid_at=MOMENTS, amount=CENTS, pieces=COUNTS, rough=QUARTERS, note=NOTES,
        ),
        "returns": rows_of_table(
            6, shop=SHOPS, area=AREAS, returned_on=DAYS, worth=st.none() | st.decimals(-99, 99, places=4),
            pieces=st.none() | st.integers(-(2**40), 2**40), weight=QUARTERS, note=NOTES,
        ),
        "shops": keyed(
            [(shop, area) for shop in (1, 2) for area in ("a", "b")], ("shop", "area"), town=TOWNS,
            tier=st.sampled_from(["x", "y", None]),
        ),
        "towns": keyed([(1,), (2,)], ("town_id",), town=st.sampled_from(["T", "U", None]), country=TOWNS),
        "countries": keyed([(1,), (2,)], ("country_id",), country=st.sampled_from(["P", "Q", None])),
        "stock": rows_of_table(7, shop=SHOPS, area=AREAS, seen_on=DAYS, level=COUNTS),
        "visits": rows_of_table(6, person=SHOPS, channel=CHANNELS, visited_at=MOMENTS),
        "signups": rows_of_table(
            6, person=SHOPS, channel=CHANNELS, signed_at=MOMENTS,
            tariff=st.sampled_from(["free", "pro", None]),
        ),
        "people": keyed([(1,), (2,)], ("person_id",), age=st.sampled_from(["old", "new", None])),
        "channels": keyed([("w",)], ("channel",)),
    }
)  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> Question:
    metrics, dimensions = draw(st.sampled_from([*FAMILIES, (UNTIMED, PLACES)]))
    timed = metrics is TIMED or (metrics is not UNTIMED and draw(st.booleans()))
    asked = draw(st.lists(st.sampled_from(metrics), min_size=1, max_size=5, unique=True))
    groups = draw(st.lists(st.sampled_from(dimensions), max_size=2, unique=True)) if dimensions else []
    narrowing = list(dimensions)
    if asked == ["shop_count"]:
        narrowing = ["sale_pieces", "sale_note"]
    filters = (
        draw(st.lists(filters_over(narrowing, below=asked == ["shop_count"]), max_size=2))
        if narrowing
        else []
    )
    if not timed:
        return Question(tuple(asked), tuple(groups), tuple(filters))
    first = draw(st.dates(date(2026, 1, 20), date(2026, 3, 20)).filter(lambda day: day.day < 29))
    last = draw(
        st.integers(0, 70).map(lambda days: first + timedelta(days=days)) | st.just(date(2026, 3, 31))
    )
    grain = draw(st.sampled_from([None, "day", "week", "month", "quarter", "fiscal_quarter", "fiscal_year"]))
    field = "any_day"
    if metrics is SALES and draw(st.booleans()):
        field = "paid_at"
    zone = draw(st.sampled_from(["Europe/Berlin", "America/New_York"]))
    fill = draw(st.sampled_from([None, None, "empty", "zero"])) if grain else None
    numbers = metrics is not TIMED and not TEXTS.intersection(asked)
    compare = draw(st.sampled_from(COMPARED)) if numbers else None
    return Question(
        tuple(asked), tuple(groups), tuple(filters), (first, last), grain, field, zone, fill, compare
    )


def filters_over(names: Sequence[str], *, below: bool) -> st.SearchStrategy[Asked]:
    operators = ("in", "eq", "not_null") if below else OPERATORS

    def of(name: str, op: str, values: list[object]) -> Asked:
        if op in ("is_null", "not_null"):
            return name, op, ()
        return name, op, tuple(values[:1] if op in ("eq", "ne") else values)

    return st.sampled_from(names).flatmap(
        lambda name: st.builds(
            of,
            st.just(name),
            st.sampled_from(operators),
            st.lists(st.sampled_from(VALUES[name]), min_size=1, max_size=2, unique=True),
        )
    )


@cache
def layer() -> Layer:
    return load_text(definitions())


@pytest.fixture(scope="module")
def market(both: BothEngines) -> Iterator[BothEngines]:
    both.execute("; ".join(f"CREATE TABLE {name} ({columns})" for name, columns in TABLES.items()))
    yield both


def filled(engines: BothEngines, world: World) -> BothEngines:
    engines.execute("; ".join(f"DELETE FROM {name}" for name in TABLES))
    for name, rows in world.items():
        columns = [
            column.split()[0] for column in TABLES[name].replace(", 2)", ")").replace(", 4)", ")").split(", ")
        ]
        engines.insert(name, [tuple(row[column] for column in columns) for row in rows])
    return engines


def answers(engines: BothEngines, resolved: ResolvedPlan) -> Iterator[list[tuple[object, ...]]]:
    engines.duckdb.execute(sql_of(resolved, layer(), "duckdb"))
    yield engines.duckdb.fetchall()
    with engines.postgres.cursor() as cursor:
        yield cursor.execute(sql_of(resolved, layer(), "postgres").encode()).fetchall()


@settings(max_examples=100)
@given(
    world=WORLDS,
    asked=questions(),
    today=st.sampled_from([date(2026, 12, 31), date(2026, 3, 18), date(2026, 2, 28)]),
)
def test_every_plan_counts_as_python_does(
    market: BothEngines, world: World, asked: Question, today: date
) -> None:
    resolved = resolve(plan_of(asked.plan()), layer(), visible=Visible(), choices={}, today=today)
    assert isinstance(resolved, ResolvedPlan), resolved
    wanted = Reference(world, asked, today).answer()
    size = len(asked.dimensions) + (asked.grain is not None)
    for rows in answers(filled(market, world), resolved):
        found = {row[:size]: row[size:] for row in rows}
        assert len(found) == len(rows)
        assert found == wanted
