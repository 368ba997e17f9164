"""What a caller may ask: metrics, dimensions, filters, window, grain and comparison, dialect."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt

from metric_layer.record import Record

Grain = Literal[
    "hour", "day", "week", "month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year"
]
Operator = Literal["in", "not_in", "eq", "ne", "lt", "le", "gt", "ge", "between", "is_null", "not_null"]
Dialect = Literal["duckdb", "postgres", "snowflake", "bigquery"]
Scalar = StrictBool | StrictInt | Decimal | Annotated[str, Field(max_length=1000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]

MAX_ITEMS = 50
MOST_ROWS = 100_000
MAX_VALUES = 1000


class Filter(Record):
    """Keep rows whose dimension `field` stands in relation `op` to `values`."""

    field: Name
    op: Operator
    values: Annotated[tuple[Scalar, ...], Field(max_length=MAX_VALUES)] = ()


class MetricFilter(Record):
    """Keep result rows whose metric value stands in relation `op` to `values` (applied last)."""

    metric: Name
    op: Operator
    values: Annotated[tuple[Scalar, ...], Field(max_length=MAX_VALUES)] = ()


class Window(Record):
    """The time window: both dates inclusive, on the time dimension `field` (or each metric's own default).

    `zone` says whose days are meant (the layer's zone when left out). `fill` adds the periods without rows:
    `empty` leaves their values empty, `zero` puts 0 where nothing was counted or summed.
    """

    field: Name | None = None
    from_: Annotated[date, Field(alias="from")]
    to: date
    grain: Grain | None = None
    zone: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    fill: Literal["empty", "zero"] | None = None


class Compare(Record):
    """A second window to hold every metric against. `custom` names it; the other kinds compute it.

    `previous_period` is the window just before, as long as the first; `previous_year` the same days a year
    earlier. A partial period is compared with the same part of the earlier one.
    """

    kind: Literal["previous_period", "previous_year", "custom"]
    from_: Annotated[date | None, Field(alias="from")] = None
    to: date | None = None


class Order(Record):
    """Order the result by one output column."""

    by: Name
    dir: Literal["asc", "desc"] = "asc"


class MetricPlan(Record):
    """The typed question an agent brings instead of SQL."""

    metrics: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MAX_ITEMS)]
    dimensions: Annotated[tuple[Name, ...], Field(max_length=MAX_ITEMS)] = ()
    filters: Annotated[tuple[Filter | MetricFilter, ...], Field(max_length=MAX_ITEMS)] = ()
    time: Window | None = None
    compare: Compare | None = None
    dialect: Dialect | None = None
    order: Order | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] | None = None
