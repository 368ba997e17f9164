"""A plan with every name replaced by what it means: what compile, checks, wording and grounding share."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from metric_layer.definitions import ColumnType, Display
from metric_layer.plan import Grain, MetricPlan, Operator, Scalar
from metric_layer.record import Record

AggregateName = Literal["sum", "count", "count_distinct", "min", "max", "avg"]


class OutputColumn(Record):
    """A column of the result: what it is called, what it means, in which unit, printed how.

    `name` is the governed name (of a time bucket, its grain); `version` is that of a metric's definition.
    """

    name: str
    kind: Literal["dimension", "time", "metric"]
    type: ColumnType
    label: str
    unit: str = ""
    display: Display = Display()
    description: str = ""
    version: int | None = None
    grain: Grain | None = None
    synonyms: tuple[str, ...] = ()


class Used(Record):
    """A definition that an answer rests on, with the version and owner it had."""

    kind: Literal["metric", "dimension", "dataset", "relationship"]
    name: str
    version: int
    owner: str
    digest: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a relationship, from the dataset the walk stands on to the next.

    `to_many` is true when the relationship is walked backwards (only filters may do that, as EXISTS).
    """

    relationship: str
    from_dataset: str
    to_dataset: str
    from_columns: tuple[str, ...]
    to_columns: tuple[str, ...]
    to_many: bool


@dataclass(frozen=True, slots=True)
class PathColumn:
    """A column reached from a fact over `path`; an empty path is the fact's own column."""

    dataset: str
    column: str
    type: ColumnType
    path: tuple[Hop, ...]
    time_zone: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedFilter:
    """A filter with its column found and its values typed. `name` is the dimension that was named."""

    name: str
    column: PathColumn
    op: Operator
    values: tuple[Scalar | date, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One aggregate over one fact at its own grain. `groups` runs parallel to the plan's group-by columns.

    `counted` stands in for `expression` where different values of a column reached over to-one steps count.
    """

    id: str
    dataset: str
    aggregate: AggregateName
    expression: str
    type: ColumnType
    groups: tuple[PathColumn, ...]
    time: PathColumn | None
    filters: tuple[ResolvedFilter, ...]
    counted: PathColumn | None = None

    @property
    def columns(self) -> tuple[PathColumn, ...]:
        """Every column that its groups, its filters and its time look at."""
        clock = () if self.time is None else (self.time,)
        return (*self.groups, *(each.column for each in self.filters), *clock)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A number to compute once every leaf is final: a leaf, a constant, or an operation over two."""

    op: Literal["leaf", "number", "add", "sub", "mul", "div"]
    leaf: str = ""
    number: str = ""
    left: "Arithmetic | None" = None
    right: "Arithmetic | None" = None
    null_as_zero: bool = False


@dataclass(frozen=True, slots=True)
class HavingFilter:
    """A filter on a finished metric value."""

    metric: str
    op: Operator
    values: tuple[Scalar | date, ...]


@dataclass(frozen=True, slots=True)
class ResolvedPlan:
    """The whole meaning of a plan. `start` is inclusive, `end` exclusive; both None without a window.

    `outputs` lists the time bucket first (when a grain was asked), then dimensions, then metrics, as asked.
    `order` lists (output name, descending): the asked order, then every group column.
    """

    plan: MetricPlan
    outputs: tuple[OutputColumn, ...]
    leaves: tuple[Leaf, ...]
    metrics: tuple[tuple[str, Arithmetic], ...]
    having: tuple[HavingFilter, ...]
    start: date | None
    end: date | None
    grain: Grain | None
    order: tuple[tuple[str, bool], ...]
    limit: int | None
    used: tuple[Used, ...]
    notes: tuple[str, ...]
