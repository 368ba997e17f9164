"""Random days with gaps, orphans and missing values: figures over time come out as plain Python has them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.market_reference import moved, moved_end
from tests.metric_layer.trap_shop import rows_of

DEFINITIONS = """
datasets:
  - name: sales
    relation: sales
    columns: [{name: shop_id, type: integer}, {name: sold_on, type: date}, {name: amount, type: decimal},
      {name: kind, type: integer}]
  - {name: shops, relation: shops, primary_key: [shop_id], columns: [{name: shop_id, type: integer},
     {name: tier, type: string}]}
relationships:
  - {name: sale_shop, from_dataset: sales, to_dataset: shops, from_columns: [shop_id], to_columns: [shop_id]}
dimensions:
  - {name: tier, dataset: shops, column: tier}
  - {name: kind, dataset: sales, column: kind}
  - {name: sold_on, dataset: sales, column: sold_on}
metrics:
"""
AGGREGATES = {
    "sum": "type: sum, column: amount",
    "count": "type: count",
    "distinct": "type: count_distinct, column: kind",
    "middle": "type: median, column: amount",
    "largest": "type: max, column: amount",
}
GRAINS = ("day", "week", "month", "quarter")
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Sale:
    shop_id: int | None
    sold_on: date | None
    amount: Decimal | None
    kind: int | None


@dataclass(frozen=True)
class World:
    sales: list[Sale]
    tiers: dict[int, str | None]

    def tier(self, sale: Sale) -> str | None:
        return None if sale.shop_id is None else self.tiers.get(sale.shop_id)


DAYS = st.dates(date(2026, 1, 1), date(2026, 5, 31))
SALES = st.builds(
    Sale,
    st.none() | st.integers(1, 4),
    st.none() | DAYS | st.sampled_from([date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 31)]),
    st.none() | st.decimals(-99, 99, places=2),
    st.none() | st.integers(0, 2),
)
WORLDS = st.builds(
    World,
    st.lists(SALES, max_size=14),
    st.dictionaries(st.integers(1, 3), st.sampled_from(["x", "y", None]), max_size=3),
)
WINDOWS = st.tuples(DAYS, st.integers(0, 100)).map(lambda found: (found[0], found[0] + found[1] * DAY))
Group = tuple[object, ...]
Found = dict[Group, object]


def database(world: World) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE sales (shop_id INTEGER, sold_on DATE, amount DECIMAL(10, 2), kind INTEGER)"
    )
    connection.execute("CREATE TABLE shops (shop_id INTEGER, tier VARCHAR)")
    for sale in world.sales:
        connection.execute(
            "INSERT INTO sales VALUES (?, ?, ?, ?)", [sale.shop_id, sale.sold_on, sale.amount, sale.kind]
        )
    for shop in world.tiers.items():
        connection.execute("INSERT INTO shops VALUES (?, ?)", list(shop))
    return connection


def layer_of(*lines: str) -> Layer:
    """The definitions with every plain aggregate, and more metrics."""
    plain = [
        f"  - {{name: {name}, version: 1, owner: o, description: d, dataset: sales, time_field: sold_on,"
        f" {what}}}"
        for name, what in AGGREGATES.items()
    ]
    return load_text(DEFINITIONS + "\n".join([*plain, *lines]) + "\n")


def aggregated(name: str, sales: Iterable[Sale]) -> object:
    rows = list(sales)
    amounts = [sale.amount for sale in rows if sale.amount is not None]
    told: dict[str, Callable[[], object]] = {
        "sum": lambda: sum(amounts) if amounts else None,
        "count": lambda: len(rows),
        "distinct": lambda: len({sale.kind for sale in rows if sale.kind is not None}),
        "middle": lambda: median(amounts) if amounts else None,
        "largest": lambda: max(amounts, default=None),
    }
    return told[name]()


def bucket(day: date, grain: str) -> date:
    if grain == "week":
        return day - day.weekday() * DAY
    months = {"month": 1, "quarter": 3}.get(grain)
    return day if months is None else date(day.year, (day.month - 1) // months * months + 1, 1)


def after(first: date, grain: str) -> date:
    months = {"month": 1, "quarter": 3}.get(grain)
    return moved(first, months) if months else first + DAY * (7 if grain == "week" else 1)


def slots(window: tuple[date, date], grain: str | None) -> Iterator[tuple[Group, date, date]]:
    """The buckets of a window with the days of it that they hold; one without a name if there is no grain."""
    first, last = window
    if grain is None:
        yield (), first, last
        return
    at = bucket(first, grain)
    while at <= last:
        end = after(at, grain)
        yield (at,), max(at, first), min(end - DAY, last)
        at = end


def counted(world: World, name: str, dimensions: list[str], days: Callable[[date], bool]) -> Found:
    """An aggregate per tier over the sales of some days; without dimensions there always is one."""
    groups: dict[Group, list[Sale]] = {} if dimensions else {(): []}
    for sale in world.sales:
        if sale.sold_on is not None and days(sale.sold_on):
            groups.setdefault((world.tier(sale),) if dimensions else (), []).append(sale)
    return {group: aggregated(name, rows) for group, rows in groups.items()}


def answered(world: World, layer: Layer, plan: dict[str, object], size: int) -> Found:
    with database(world) as tables:
        rows = rows_of(plan, layer, tables)
    found = {row[:size]: row[size] for row in rows}
    assert len(found) == len(rows)
    return found


def asked(
    name: str, dimensions: list[str], window: tuple[date, date], grain: str | None
) -> dict[str, object]:
    time = {"from": str(window[0]), "to": str(window[1]), "grain": grain}
    return {"metrics": [name], "dimensions": dimensions, "time": time, "limit": 900}


DIMENSIONS = st.sampled_from([[], ["tier"]])
NAMES = st.sampled_from(list(AGGREGATES))


@settings(max_examples=30, deadline=None)
@given(
    world=WORLDS,
    name=NAMES,
    dimensions=DIMENSIONS,
    window=WINDOWS,
    grain=st.sampled_from([None, *GRAINS]),
    reach=st.sampled_from(["ever", "day 10", "month 1", "month 2", "week", "month", "year"]),
)
def test_running_figures_count_what_their_days_hold(
    world: World, name: str, dimensions: list[str], window: tuple[date, date], grain: str | None, reach: str
) -> None:
    unit, _, count = reach.partition(" ")
    written = f"window: {{count: {count}, unit: {unit}}}" if count else f"to_date: {unit}"
    line = f"  - {{name: run, version: 1, owner: o, description: d, type: cumulative, metric: {name}"
    layer = layer_of(line + ("}" if reach == "ever" else f", {written}}}"))
    wanted: Found = {}
    for label, _, last in slots(window, grain):
        start = begin(last, unit, int(count or 0))
        held = counted(world, name, dimensions, lambda day, lo=start, hi=last: lo <= day <= hi)  # type: ignore[misc]
        rows = counted(world, "count", dimensions, lambda day, lo=start, hi=last: lo <= day <= hi)  # type: ignore[misc]
        wanted |= {
            (*label, *group): value for group, value in held.items() if rows[group] or not (label or group)
        }
    size = len(dimensions) + (grain is not None)
    assert answered(world, layer, asked("run", dimensions, window, grain), size) == wanted


def begin(last: date, unit: str, count: int) -> date:
    """The first day that counts in a figure whose last day is `last`."""
    if unit == "ever":
        return date.min
    if not count:
        return last.replace(month=1, day=1) if unit == "year" else bucket(last, unit)
    return last - (count - 1) * DAY if unit == "day" else moved_end(last, -count) + DAY


@settings(max_examples=30, deadline=None)
@given(
    world=WORLDS,
    name=NAMES,
    dimensions=DIMENSIONS,
    window=WINDOWS,
    step=st.sampled_from(
        [(None, "month"), ("month", "month"), ("day", "month"), ("day", "week"), ("week", "week")]
    ),
)
def test_earlier_periods_hold_the_same_part(
    world: World, name: str, dimensions: list[str], window: tuple[date, date], step: tuple[str | None, str]
) -> None:
    grain, unit = step
    layer = layer_of(
        "  - {name: back, version: 1, owner: o, description: d, type: period_over_period, calculation: value,"
        f" metric: {name}, offset: {{count: 1, unit: {unit}}}}}"
    )
    wanted: Found = {}
    for label, first, last in slots(window, grain):
        earlier = part(first, last, grain, unit)
        if earlier is None:
            continue
        rows = counted(world, "count", dimensions, lambda day, held=earlier: held[0] <= day <= held[1])  # type: ignore[misc]
        held = counted(world, name, dimensions, lambda day, held=earlier: held[0] <= day <= held[1])  # type: ignore[misc]
        wanted |= {
            (*label, *group): value for group, value in held.items() if rows[group] or not (label or group)
        }
    size = len(dimensions) + (grain is not None)
    assert answered(world, layer, asked("back", dimensions, window, grain), size) == wanted


def part(first: date, last: date, grain: str | None, unit: str) -> tuple[date, date] | None:
    """The days that a bucket is held against; a single day has one only where the day exists."""
    if unit == "week":
        return first - 7 * DAY, last - 7 * DAY
    if grain == "day":
        found = moved(first, -1)
        return (found, found) if found.day == first.day else None
    return moved(first, -1), moved_end(last, -1)


@settings(max_examples=30, deadline=None)
@given(
    world=WORLDS,
    name=st.sampled_from(["sum", "count", "largest"]),
    dimensions=DIMENSIONS,
    window=st.none() | WINDOWS,
    grain=st.sampled_from([None, *GRAINS]),
    pick=st.sampled_from(["last", "first"]),
    per=st.sampled_from(["", "tier", "kind"]),
)
def test_moments_are_picked_as_python_picks_them(
    world: World,
    name: str,
    dimensions: list[str],
    window: tuple[date, date] | None,
    grain: str | None,
    pick: str,
    per: str,
) -> None:
    layer = layer_of(held_line(name, pick, per))
    plan = asked("held", dimensions, window or (date.min, date.max), grain if window else None)
    if window is None:
        plan.pop("time")
    kept = picked(world, window, grain if window else None, min if pick == "first" else max, per)
    wanted: Found = {} if (window and grain) or dimensions else {(): aggregated(name, [])}
    groups: dict[Group, list[Sale]] = {}
    for label, sale in kept:
        groups.setdefault((*label, *((world.tier(sale),) if dimensions else ())), []).append(sale)
    wanted |= {group: aggregated(name, rows) for group, rows in groups.items()}
    size = len(dimensions) + bool(window and grain)
    assert answered(world, layer, plan, size) == wanted


def held_line(name: str, pick: str, per: str) -> str:
    also = f", per: [{per}]" if per else ""
    return (
        f"  - {{name: held, version: 1, owner: o, description: d, dataset: sales, {AGGREGATES[name]},"
        f" snapshot: {{over: sold_on, pick: {pick}{also}}}}}"
    )


def apart(world: World, sale: Sale, per: str) -> object:
    return {"": None, "tier": world.tier(sale), "kind": sale.kind}[per]


def within(
    world: World, window: tuple[date, date] | None, grain: str | None
) -> Iterator[tuple[Group, Sale, date]]:
    """The sales of a window with a day, each under the label of its bucket."""
    for sale in world.sales:
        day = sale.sold_on
        if day is not None and (window is None or window[0] <= day <= window[1]):
            yield ((bucket(day, grain),) if grain else ()), sale, day


def picked(
    world: World,
    window: tuple[date, date] | None,
    grain: str | None,
    best: Callable[[Iterable[date]], date],
    per: str,
) -> list[tuple[Group, Sale]]:
    rows = list(within(world, window, grain))
    days: dict[tuple[Group, object], list[date]] = {}
    for label, sale, day in rows:
        days.setdefault((label, apart(world, sale, per)), []).append(day)
    return [(label, sale) for label, sale, day in rows if day == best(days[label, apart(world, sale, per)])]


@settings(max_examples=30, deadline=None)
@given(
    world=WORLDS,
    name=st.sampled_from(["sum", "count"]),
    dimensions=DIMENSIONS,
    window=WINDOWS,
    grain=st.sampled_from([None, *GRAINS]),
    per=st.sampled_from(["", "tier", "kind"]),
)
def test_averages_over_moments_are_what_python_makes_them(
    world: World, name: str, dimensions: list[str], window: tuple[date, date], grain: str | None, per: str
) -> None:
    layer = layer_of(held_line(name, "average", per))
    moments: dict[tuple[Group, object], set[date]] = {}
    parts: dict[Group, dict[object, list[Sale]]] = {} if grain or dimensions else {(): {}}
    for label, sale, day in within(world, window, grain):
        one = apart(world, sale, per)
        moments.setdefault((label, one), set()).add(day)
        group = (*label, *((world.tier(sale),) if dimensions else ()))
        parts.setdefault(group, {}).setdefault(one, []).append(sale)
    size = len(dimensions) + (grain is not None)
    found = answered(world, layer, asked("held", dimensions, window, grain), size)
    assert found.keys() == parts.keys()
    for group, held in parts.items():
        label = group[:1] if grain else ()
        means = [
            value / Decimal(len(moments[label, one]))
            for one, rows in held.items()
            if isinstance(value := aggregated(name, rows), int | Decimal)
        ]
        value = found[group]
        if not means:
            assert value in (None, 0)
            continue
        assert isinstance(value, Decimal) and abs(value - sum(means)) < Decimal("1e-8")
