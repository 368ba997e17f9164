"""Every kind of metric, grain, zone, fill and comparison has one answer on DuckDB and PostgreSQL."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from metric_layer.compile import compile_attestation, compile_duplicates, compile_guard, compile_levels
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.both_engines import BothEngines, Rows, both_engines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.trap_shop import TODAY, plan_of
from tests.servers.postgres import Server

TABLES = """
CREATE TABLE accounts (account_id INTEGER, branch VARCHAR, city VARCHAR);
CREATE TABLE balances (account_id INTEGER, balance_date DATE, booked_on DATE, amount DECIMAL(12, 2));
CREATE TABLE payments (account_id INTEGER, paid_on DATE, currency VARCHAR, cents INTEGER, fee DECIMAL(10, 2),
  rate DOUBLE PRECISION);
CREATE TABLE visits (visitor INTEGER, account_id INTEGER, page VARCHAR, visited_at TIMESTAMP WITH TIME ZONE,
  seen_at TIMESTAMP);
CREATE TABLE signups (person INTEGER, account_id INTEGER, page VARCHAR, plan_name VARCHAR,
  signed_at TIMESTAMP WITH TIME ZONE, signed_on DATE);
CREATE TABLE people (person_id INTEGER, country VARCHAR);
CREATE TABLE pages (page VARCHAR);
CREATE TABLE hits (hit_on DATE);
"""
# Ends of months and years, a leap day, the days on which clocks are put forward and back.
EDGE_DAYS = [date(2024, 2, 29), date(2025, 12, 31), date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 29)]
GRAINS = ["day", "week", "month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year"]
GROUPS = [[], ["branch"], ["country"], ["page"], ["city", "branch"], ["currency"]]


def filled(engines: BothEngines) -> BothEngines:
    """Fill the ledger's tables: missing values, keys that meet nothing, empty parents, edges of calendars."""
    random = Random(7)

    def one(*values: object) -> object:
        return random.choice(values)

    def key() -> object:
        return random.choice([None, 99, *range(1, 7)])

    def day() -> date | None:
        some = date(2025, 1, 1) + timedelta(days=random.randrange(540))
        return random.choice([None, *EDGE_DAYS, *[some] * 9])

    def moment() -> datetime | None:
        found, clock = day(), random.choice([(0, 0, 0), (23, 59, 59), (1, 30, 0), (2, 30, 0), (12, 0, 0)])
        return datetime(found.year, found.month, found.day, *clock, tzinfo=UTC) if found else None

    def wall() -> datetime | None:
        found = moment()
        return found.replace(tzinfo=None) if found else None

    def money(top: int) -> object:
        return one(None, *[Decimal(random.randrange(-top, top)) / 100] * 4)

    page, plan = ("home", "price", "lost", None), ("free", "pro", None)
    engines.execute(TABLES)
    engines.insert(
        "accounts", [(n, one("north", "south", None), one("Rome", "Oslo", None)) for n in range(1, 8)]
    )
    engines.insert("balances", [(key(), day(), day(), money(99_999)) for _ in range(90)])
    engines.insert(
        "payments",
        [
            (key(), day(), one("EUR", "USD", None), one(None, 5, -250), money(999), random.random())
            for _ in range(150)
        ],
    )
    engines.insert("visits", [(key(), key(), one(*page), moment(), wall()) for _ in range(150)])
    engines.insert("signups", [(key(), key(), one(*page), one(*plan), moment(), day()) for _ in range(80)])
    engines.insert("people", [(n, one("IT", "NO", None)) for n in range(1, 8)])
    engines.insert("pages", [("home",), ("price",)])
    engines.insert("hits", [(day(),) for _ in range(60)])
    return engines


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.fixture(scope="module")
def books(both: BothEngines) -> BothEngines:
    return filled(both)


def asked(metric: str, dimensions: list[str], grain: str | None, **more: object) -> dict[str, object]:
    window: dict[str, object] = {"from": "2026-01-15", "to": "2026-03-31", **more}
    compare = window.pop("compare", None)
    if grain is not None:
        window["grain"] = grain
    plan: dict[str, object] = {"metrics": [metric], "dimensions": dimensions, "time": window}
    return plan if compare is None else {**plan, "compare": {"kind": compare}}


def resolved(raw: dict[str, object], layer: Layer) -> ResolvedPlan | None:
    """Return the plan's meaning; None where it is refused or asked back."""
    plan: MetricPlan = plan_of(raw)
    found = resolve(plan, layer, visible=Visible(), choices={}, today=TODAY)
    return found if isinstance(found, ResolvedPlan) else None


def answered(raw: dict[str, object], layer: Layer, engines: BothEngines) -> Rows | None:
    return engines.rows(raw, layer) if resolved(raw, layer) is not None else None


@pytest.mark.parametrize("kind", sorted({metric.type for metric in ledger().metrics.values()}))
def test_every_kind_of_metric_has_one_answer(kind: str, layer: Layer, books: BothEngines) -> None:
    found = [
        answered(asked(name, group, grain), layer, books)
        for name, metric in layer.metrics.items()
        if metric.type == kind
        for group in GROUPS
        for grain in (None, "week", "month")
    ]
    assert any(found)


@settings(max_examples=120)
@given(
    metric=st.sampled_from(sorted(ledger().metrics)),
    group=st.sampled_from(GROUPS),
    grain=st.sampled_from([None, "hour", *GRAINS]),
    zone=st.sampled_from([None, "America/New_York", "Asia/Kolkata"]),
    fill=st.sampled_from([None, "zero", "empty"]),
    compare=st.sampled_from([None, "previous_year", "previous_period"]),
)
def test_any_window_has_one_answer(
    layer: Layer,
    books: BothEngines,
    metric: str,
    group: list[str],
    grain: str | None,
    zone: str | None,
    fill: str | None,
    compare: str | None,
) -> None:
    more = {"zone": zone, "fill": fill if grain else None, "compare": compare}
    kept = {name: value for name, value in more.items() if value is not None}
    if grain == "hour":
        kept["to"] = "2026-01-18"
    answered(asked(metric, group, grain, **kept), layer, books)


def test_the_time_zone_of_a_session_moves_no_instant(
    postgres_server: Server, layer: Layer, books: BothEngines
) -> None:
    with both_engines(postgres_server, session="-c timezone=America/Asuncion") as elsewhere:
        filled(elsewhere).duckdb.execute("SET TimeZone = 'Pacific/Kiritimati'")
        for metric in ("visit_count", "local_visits", "fees_to_date", "conversion_rate", "balance"):
            for grain in ("day", "week", "fiscal_year"):
                plan = asked(metric, [], grain, zone="America/New_York")
                assert elsewhere.rows(plan, layer) == books.rows(plan, layer)


def same_rows(engines: BothEngines, left: exp.Expr, right: exp.Expr) -> Rows:
    ours = engines.duckdb.execute(left.sql(dialect="duckdb")).fetchall()
    theirs = engines.postgres.execute(right.sql(dialect="postgres").encode()).fetchall()
    assert sorted(ours, key=repr) == sorted(theirs, key=repr)
    return ours


@pytest.fixture(scope="module")
def dirty(postgres_server: Server) -> Iterator[BothEngines]:
    """The ledger with a key twice and a key missing."""
    with both_engines(postgres_server) as engines:
        filled(engines).execute("INSERT INTO accounts VALUES (1, 'south', 'Rome'), (NULL, 'north', NULL)")
        yield engines


def test_a_key_is_attested_alike(layer: Layer, dirty: BothEngines) -> None:
    for name, edge in layer.relationships.items():
        counts, repeated = compile_attestation(layer, name), compile_duplicates(layer, name)
        assert len(same_rows(dirty, counts, counts)) == 1
        assert bool(same_rows(dirty, repeated, repeated)) == (edge.to_dataset == "accounts")
    for hierarchy in layer.hierarchies.values():
        levels = compile_levels(layer, hierarchy)
        assert same_rows(dirty, levels, levels)


def test_the_guard_counts_alike(layer: Layer, dirty: BothEngines) -> None:
    torn = 0
    for metric in ("fees", "balance", "visit_count", "conversion_rate", "fee_each"):
        for group in GROUPS[1:]:
            plan = resolved(asked(metric, group, "month"), layer)
            guards = [compile_guard(plan, layer, engine) for engine in ("duckdb", "postgres")] if plan else []
            if guards and guards[0] is not None and guards[1] is not None:
                torn += sum(row[1] != row[2] for row in same_rows(dirty, guards[0], guards[1]))
    assert torn
