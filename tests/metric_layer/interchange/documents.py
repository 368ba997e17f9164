"""Documents drawn at random: every field of every model, whether or not the rules of a layer like it."""

from datetime import date
from decimal import Decimal
from typing import get_args

from hypothesis import strategies as st

from metric_layer import definitions as d
from metric_layer.plan import Filter, Grain, Operator

NAMES = st.from_regex(r"\A[a-z][a-z0-9_]{0,8}\Z")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9)
SCALARS = st.one_of(st.booleans(), st.integers(-(10**12), 10**12), NUMBERS, TEXTS)
DATES = st.dates(date(1900, 1, 1), date(2200, 1, 1))
FILTERS = st.builds(
    Filter,
    field=WORDS,
    op=st.sampled_from(get_args(Operator)),
    values=st.lists(SCALARS, max_size=3).map(tuple),
)
SPANS = st.builds(
    d.Span, count=st.integers(1, 1000), unit=st.sampled_from(get_args(d.Span.model_fields["unit"].annotation))
)
SHARES = st.decimals(min_value=Decimal("0.01"), max_value=Decimal("0.99"), places=2)
FORMULAS = st.one_of(
    WORDS, st.sampled_from(["a + b", "amount / (b - 2)", "CASE WHEN a THEN 1 END", "SUM(x)", "((("])
)
IDENTIFIERS = st.lists(NAMES, max_size=3, unique=True).map(tuple)


def _optional(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.none() | strategy


COLUMNS = st.builds(
    d.Column,
    name=WORDS,
    type=st.sampled_from(get_args(d.ColumnType)),
    nullable=st.booleans(),
    unit=TEXTS,
    scale=_optional(SHARES),
    time_zone=TEXTS,
    personal=st.sampled_from(["", "contact"]),
    description=TEXTS,
)
DATASETS = st.builds(
    d.Dataset,
    name=NAMES,
    relation=WORDS,
    columns=st.lists(COLUMNS, min_size=1, max_size=3).map(tuple),
    primary_key=st.lists(WORDS, max_size=2).map(tuple),
    unique_keys=st.lists(st.lists(WORDS, max_size=2).map(tuple), max_size=2).map(tuple),
    owner=TEXTS,
    description=TEXTS,
    large=st.booleans(),
    time_column=TEXTS,
    max_window_days=st.integers(1, 9999),
)
RELATIONSHIPS = st.builds(
    d.Relationship,
    name=NAMES,
    from_dataset=NAMES,
    to_dataset=NAMES,
    from_columns=st.lists(WORDS, min_size=1, max_size=2).map(tuple),
    to_columns=st.lists(WORDS, min_size=1, max_size=2).map(tuple),
    cardinality=st.sampled_from(["many_to_one", "one_to_one"]),
    role=TEXTS,
)
VALUES = st.builds(
    d.DimensionValue, value=TEXTS, label=TEXTS, synonyms=st.lists(TEXTS, max_size=2).map(tuple)
)
DIMENSIONS = st.builds(
    d.Dimension,
    name=NAMES,
    dataset=NAMES,
    column=WORDS,
    label=TEXTS,
    description=TEXTS,
    synonyms=st.lists(TEXTS, max_size=2).map(tuple),
    values=st.lists(VALUES, max_size=2).map(tuple),
    via=IDENTIFIERS,
    version=st.integers(1, 99),
    owner=TEXTS,
)
LEVELS = st.lists(NAMES, min_size=2, max_size=3).map(tuple)
SNAPSHOTS = st.builds(
    d.Snapshot, over=NAMES, pick=st.sampled_from(["last", "first", "average"]), per=IDENTIFIERS
)
CALENDARS = st.builds(
    d.CalendarRules,
    fiscal_start_month=st.integers(1, 12),
    fiscal_named_by=st.sampled_from(["start", "end"]),
    week_start=st.sampled_from(["monday", "sunday", "saturday"]),
    time_zone=TEXTS,
    fiscal_years=st.lists(
        st.builds(
            d.FiscalYear,
            year=st.integers(1000, 9998),
            starts=st.lists(DATES, min_size=12, max_size=12).map(tuple),
            end=DATES,
        ),
        max_size=1,
    ).map(tuple),
)


def _metric(model: type[d.MetricBase], **own: st.SearchStrategy[object]) -> st.SearchStrategy[d.MetricBase]:
    return st.builds(
        model,
        name=NAMES,
        version=st.integers(1, 99),
        owner=WORDS,
        label=TEXTS,
        description=WORDS,
        status=st.sampled_from(get_args(d.Status)),
        successor=_optional(NAMES),
        unit=TEXTS,
        display=st.builds(
            d.Display, style=st.sampled_from(["integer", "percent"]), decimals=st.integers(0, 12)
        ),
        synonyms=st.lists(TEXTS, max_size=2).map(tuple),
        time_field=_optional(NAMES),
        dimensions=_optional(IDENTIFIERS),
        grains=st.lists(st.sampled_from(get_args(Grain)), max_size=9, unique=True).map(tuple)
        | st.just(d.GRAINS),
        effective_from=_optional(DATES),
        effective_to=_optional(DATES),
        null_as_zero=st.booleans(),
        non_additive=IDENTIFIERS,
        tolerance=_optional(SHARES),
        **own,
    )


METRICS = st.one_of(
    _metric(
        d.Aggregate,
        type=st.sampled_from(get_args(d.Aggregate.model_fields["type"].annotation)),
        dataset=NAMES,
        column=TEXTS,
        expression=TEXTS | FORMULAS,
        percentile=_optional(SHARES),
        filters=st.lists(FILTERS, max_size=2).map(tuple),
        snapshot=_optional(SNAPSHOTS),
        unit_dimension=_optional(NAMES),
    ),
    _metric(d.Ratio, type=st.just("ratio"), numerator=NAMES, denominator=NAMES),
    _metric(d.Derived, type=st.just("derived"), expression=FORMULAS),
    _metric(
        d.Filtered,
        type=st.just("filtered"),
        metric=NAMES,
        filters=st.lists(FILTERS, min_size=1, max_size=2).map(tuple),
    ),
    _metric(
        d.Cumulative,
        type=st.just("cumulative"),
        metric=NAMES,
        window=_optional(SPANS),
        to_date=_optional(st.sampled_from(get_args(Grain))),
    ),
    _metric(
        d.PeriodOverPeriod,
        type=st.just("period_over_period"),
        metric=NAMES,
        offset=SPANS,
        calculation=st.sampled_from(["value", "difference", "growth"]),
    ),
    _metric(
        d.Conversion,
        type=st.just("conversion"),
        base=NAMES,
        conversion=NAMES,
        entity=NAMES,
        window=_optional(SPANS),
        constant=IDENTIFIERS,
        calculation=st.sampled_from(["rate", "count"]),
    ),
)


def _named(items: st.SearchStrategy[object], most: int = 3) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(items, max_size=most, unique_by=lambda item: item.name).map(tuple)  # type: ignore[attr-defined]


DOCUMENTS = st.builds(
    d.Document,
    datasets=_named(DATASETS),
    relationships=_named(RELATIONSHIPS),
    dimensions=_named(DIMENSIONS),
    hierarchies=_named(st.builds(d.Hierarchy, name=NAMES, levels=LEVELS, label=TEXTS, description=TEXTS)),
    clocks=_named(st.builds(d.Clock, name=NAMES, fields=LEVELS, label=TEXTS, description=TEXTS)),
    metrics=_named(METRICS, 4),
    calendar=st.none() | CALENDARS,
)
