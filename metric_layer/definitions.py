"""What a metric, dimension, dataset and relationship is: frozen models, written as YAML by their owners."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.plan import Filter, Grain
from metric_layer.record import Record

ColumnType = Literal["string", "integer", "decimal", "float", "boolean", "date", "timestamp"]
Status = Literal["draft", "certified", "deprecated"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=100)]
PhysicalName = Annotated[str, Field(min_length=1, max_length=200)]
GRAINS: tuple[Grain, ...] = ("day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year")


class Column(Record):
    """A column of a dataset as the database holds it. `personal` tags personal data (`contact`, ...)."""

    name: PhysicalName
    type: ColumnType
    nullable: bool = True
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


class Display(Record):
    """How a value is printed: `currency` uses the metric's unit, `percent` multiplies a fraction by 100."""

    style: Literal["integer", "decimal", "currency", "percent"] = "decimal"
    decimals: Annotated[int, Field(ge=0, le=12)] = 2


class MetricBase(Record):
    """What every metric says of itself. `dimensions` left out allows all that are reachable."""

    name: Identifier
    version: Annotated[int, Field(ge=1)]
    owner: Annotated[str, Field(min_length=1)]
    label: str = ""
    description: Annotated[str, Field(min_length=1)]
    status: Status = "certified"
    unit: str = ""
    display: Display = Display()
    synonyms: tuple[str, ...] = ()
    time_field: Identifier | None = None
    dimensions: tuple[Identifier, ...] | None = None
    grains: tuple[Grain, ...] = GRAINS
    effective_from: date | None = None
    effective_to: date | None = None
    null_as_zero: bool = False


class Aggregate(MetricBase):
    """An aggregate over the rows of one dataset at its own grain.

    `expression` is scalar SQL over that dataset's columns (`quantity * unit_price`); `count` needs neither.
    """

    type: Literal["sum", "count", "count_distinct", "min", "max", "avg"]
    dataset: Identifier
    column: str = ""
    expression: str = ""
    filters: tuple[Filter, ...] = ()


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


Metric = Annotated[Aggregate | Ratio | Derived | Filtered, Field(discriminator="type")]


class CalendarRules(Record):
    """Fiscal year, week start and zone of the layer. `fiscal_named_by: end` makes FY27 end in 2027."""

    fiscal_start_month: Annotated[int, Field(ge=1, le=12)] = 1
    fiscal_named_by: Literal["start", "end"] = "end"
    week_start: Literal["monday", "sunday", "saturday"] = "monday"
    time_zone: str = "UTC"


class Document(Record):
    """One file of definitions. A project may spread them over as many files as it likes."""

    datasets: tuple[Dataset, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    clocks: tuple[Clock, ...] = ()
    metrics: tuple[Metric, ...] = ()
    calendar: CalendarRules | None = None
