"""What a metric, dimension, dataset and relationship is: frozen models, written as YAML by their owners."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.asking import AskingRules
from metric_layer.plan import Filter, Grain
from metric_layer.record import Record

ColumnType = Literal["string", "integer", "decimal", "float", "boolean", "date", "timestamp", "timestamptz"]
Status = Literal["draft", "certified", "deprecated"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=48)]
PhysicalName = Annotated[str, Field(min_length=1, max_length=200)]
GRAINS: tuple[Grain, ...] = (
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "fiscal_month",
    "fiscal_quarter",
    "fiscal_year",
)
TIME_TYPES: tuple[ColumnType, ...] = ("date", "timestamp", "timestamptz")
INSTANT_TYPES: tuple[ColumnType, ...] = ("timestamp", "timestamptz")
NUMERIC_TYPES: tuple[ColumnType, ...] = ("integer", "decimal", "float")
COUNTS = ("count", "count_distinct", "approx_count_distinct")
ADDED = ("sum", "count")
"""Aggregates whose values over disjoint rows add up, and so can be averaged over moments."""


class Column(Record):
    """A column of a dataset as the database holds it. `personal` tags personal data (`contact`, ...).

    `scale` is what one unit in the column stands for in its `unit`: 0.01 where cents are kept of a metric in
    dollars. `time_zone` is the zone a timestamp without one was written in (the layer's when left out).
    """

    name: PhysicalName
    type: ColumnType
    nullable: bool = True
    unit: str = ""
    scale: Annotated[Decimal, Field(gt=0)] | None = None
    time_zone: str = ""
    personal: str = ""
    description: str = ""


class Dataset(Record):
    """A reviewed table or view. `relation` is its name in the database, schema included where it has one.

    `large: true` demands a time predicate on `time_column`, no wider than `max_window_days`, in every query.
    """

    name: Identifier
    relation: PhysicalName
    columns: Annotated[tuple[Column, ...], Field(min_length=1)]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    owner: str = ""
    description: str = ""
    large: bool = False
    time_column: str = ""
    max_window_days: int = 400


class Relationship(Record):
    """A declared equi-join. Many rows of `from_dataset` meet at most one row of `to_dataset`.

    `role` names the meaning where two relationships join the same pair of datasets (billing, shipping).
    """

    name: Identifier
    from_dataset: Identifier
    to_dataset: Identifier
    from_columns: Annotated[tuple[str, ...], Field(min_length=1)]
    to_columns: Annotated[tuple[str, ...], Field(min_length=1)]
    cardinality: Literal["many_to_one", "one_to_one"] = "many_to_one"
    role: str = ""


class DimensionValue(Record):
    """A value of a dimension as the database holds it, with the words people use for it."""

    value: str
    label: str = ""
    synonyms: tuple[str, ...] = ()


class Dimension(Record):
    """A column to group and filter by. On a date or timestamp column it is a time dimension.

    `via` names the relationships to walk when more than one path leads to the dataset.
    """

    name: Identifier
    dataset: Identifier
    column: str
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    values: tuple[DimensionValue, ...] = ()
    via: tuple[str, ...] = ()
    version: Annotated[int, Field(ge=1)] = 1
    owner: str = ""


class Clock(Record):
    """A time dimension shared by facts that have no column in common: each fact counts by its own field."""

    name: Identifier
    fields: Annotated[tuple[Identifier, ...], Field(min_length=2)]
    label: str = ""
    description: str = ""


class Hierarchy(Record):
    """Dimensions from coarse to fine (country, region, city): each finer value lies in one coarser value."""

    name: Identifier
    levels: Annotated[tuple[Identifier, ...], Field(min_length=2)]
    label: str = ""
    description: str = ""


class Span(Record):
    """A length of calendar time, such as 28 days or one fiscal year."""

    count: Annotated[int, Field(ge=1, le=1000)]
    unit: Literal["day", "week", "month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year"]


class Display(Record):
    """How a value is printed: `currency` uses the metric's unit, `percent` multiplies a fraction by 100."""

    style: Literal["integer", "decimal", "currency", "percent"] = "decimal"
    decimals: Annotated[int, Field(ge=0, le=12)] = 2


class MetricBase(Record):
    """What every metric says of itself. `dimensions` left out allows all that are reachable.

    `non_additive` names dimensions over which its values may not be added up; `tolerance` is the relative
    difference its owner accepts; `successor` is what to ask instead once it is deprecated.
    """

    name: Identifier
    version: Annotated[int, Field(ge=1)]
    owner: Annotated[str, Field(min_length=1)]
    label: str = ""
    description: Annotated[str, Field(min_length=1)]
    status: Status = "certified"
    successor: Identifier | None = None
    unit: str = ""
    display: Display = Display()
    synonyms: tuple[str, ...] = ()
    time_field: Identifier | None = None
    dimensions: tuple[Identifier, ...] | None = None
    grains: tuple[Grain, ...] = GRAINS
    effective_from: date | None = None
    effective_to: date | None = None
    null_as_zero: bool = False
    non_additive: tuple[Identifier, ...] = ()
    tolerance: Annotated[Decimal, Field(ge=0, le=1)] | None = None


class Snapshot(Record):
    """How rows that repeat a state (a balance, a stock) are read: one moment of `over` in each period.

    `last` and `first` take the rows of the period's last or first moment that has rows; with `per`, each
    combination of those dimensions has its own. `average` divides the sum by the number of moments.
    """

    over: Identifier
    pick: Literal["last", "first", "average"]
    per: tuple[Identifier, ...] = ()


class Aggregate(MetricBase):
    """An aggregate over the rows of one dataset at its own grain.

    `expression` is scalar SQL over that dataset's columns (`quantity * unit_price`); `count` needs neither.
    `percentile` takes an actual value of the rows (nearest rank); `median` is the mean of the middle two.
    `snapshot` makes it semi-additive. `unit_dimension` names the dimension that holds each row's currency.
    """

    type: Literal[
        "sum",
        "count",
        "count_distinct",
        "approx_count_distinct",
        "min",
        "max",
        "avg",
        "median",
        "percentile",
    ]
    dataset: Identifier
    column: str = ""
    expression: str = ""
    percentile: Annotated[Decimal, Field(gt=0, lt=1)] | None = None
    filters: tuple[Filter, ...] = ()
    snapshot: Snapshot | None = None
    unit_dimension: Identifier | None = None


class Ratio(MetricBase):
    """`numerator / denominator`, both metrics, computed after both are final; over zero it is NULL."""

    type: Literal["ratio"]
    numerator: Identifier
    denominator: Identifier


class Derived(MetricBase):
    """Arithmetic (`+ - * /`, numbers, brackets) over other metrics, computed after all of them are final."""

    type: Literal["derived"]
    expression: Annotated[str, Field(min_length=1)]


class Filtered(MetricBase):
    """Another metric, restricted by filters that travel into each of its aggregates."""

    type: Literal["filtered"]
    metric: Identifier
    filters: Annotated[tuple[Filter, ...], Field(min_length=1)]


class Cumulative(MetricBase):
    """Another metric over a trailing `window`, since the start of a period (`to_date`), or since ever.

    The window ends with the last day of each bucket, or of the plan's window where no grain is asked.
    """

    type: Literal["cumulative"]
    metric: Identifier
    window: Span | None = None
    to_date: Grain | None = None


class PeriodOverPeriod(MetricBase):
    """Another metric held against itself `offset` earlier: the earlier value, the difference or the growth.

    Growth is a fraction of the earlier value. Periods are shifted, not days; a partial period is held
    against the same part of the earlier one.
    """

    type: Literal["period_over_period"]
    metric: Identifier
    offset: Span
    calculation: Literal["value", "difference", "growth"] = "growth"


class Conversion(MetricBase):
    """The base events that a conversion event of the same `entity` follows within `window`.

    Both are counts; each base event counts at most once, so the rate is never above one. `constant` names
    dimensions that must be equal on both events.
    """

    type: Literal["conversion"]
    base: Identifier
    conversion: Identifier
    entity: Identifier
    window: Span | None = None
    constant: tuple[Identifier, ...] = ()
    calculation: Literal["rate", "count"] = "rate"


Metric = Annotated[
    Aggregate | Ratio | Derived | Filtered | Cumulative | PeriodOverPeriod | Conversion,
    Field(discriminator="type"),
]


class FiscalYear(Record):
    """A fiscal year of whole weeks (4-4-5, 4-5-4, 53 weeks): the first day of each of its twelve periods."""

    year: Annotated[int, Field(ge=1000, le=9998)]
    starts: Annotated[tuple[date, ...], Field(min_length=12, max_length=12)]
    end: date


class CalendarRules(Record):
    """Fiscal year, week start and zone of the layer. `fiscal_named_by: end` makes FY27 end in 2027.

    `fiscal_years` is the table of a calendar made of weeks; where it is given, it alone says what a fiscal
    month, quarter (three periods) and year is. `end` of a fiscal year is its last day.
    """

    fiscal_start_month: Annotated[int, Field(ge=1, le=12)] = 1
    fiscal_named_by: Literal["start", "end"] = "end"
    week_start: Literal["monday", "sunday", "saturday"] = "monday"
    time_zone: str = "UTC"
    fiscal_years: tuple[FiscalYear, ...] = ()


class PersonalTag(Record):
    """A data owner's word on a column (`dataset.column`): the tag of its personal data, or `none`.

    It counts like a tag that stands with the column. `by` and `at` say who decided and when, `because` what
    was found.
    """

    column: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\..+$", max_length=249)]
    tag: Identifier
    by: Annotated[str, Field(min_length=1, max_length=200)]
    at: date
    because: Annotated[str, Field(max_length=500)] = ""


class Document(Record):
    """One file of definitions. A project may spread them over as many files as it likes."""

    datasets: tuple[Dataset, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    hierarchies: tuple[Hierarchy, ...] = ()
    clocks: tuple[Clock, ...] = ()
    metrics: tuple[Metric, ...] = ()
    personal: tuple[PersonalTag, ...] = ()
    calendar: CalendarRules | None = None
    asking: AskingRules | None = None
