"""A plan with every name replaced by what it means: what compile, checks, wording and grounding share."""

from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from functools import cached_property
from operator import not_
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.definitions import ColumnType, Display
from metric_layer.plan import Grain, MetricPlan, Operator, Scalar
from metric_layer.record import Record

AggregateName = Literal[
    "sum", "count", "count_distinct", "approx_count_distinct", "min", "max", "avg", "median", "percentile"
]
Additivity = Literal["additive", "where_known", "semi", "none"]


_ADDS: Additivity = "additive"


class OutputColumn(Record):
    """A column of the result: what it is called, what it means, in which unit, printed how.

    `name` is the governed name (of a time bucket, its grain); `version` is that of a metric's definition.
    `additivity` says whether values of rows may be added up: `semi` not over `non_additive` dimensions,
    `where_known` only where none of them is missing.
    `unit_column` names the output that holds each row's own unit. `compared` names the metric that a
    comparison column belongs to.
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
    additivity: Annotated[Additivity, Field(exclude_if=_ADDS.__eq__)] = _ADDS
    non_additive: Annotated[tuple[str, ...], Field(exclude_if=not_)] = ()
    approximate: Annotated[bool, Field(exclude_if=not_)] = False
    unit_column: Annotated[str, Field(exclude_if=not_)] = ""
    compared: Annotated[str, Field(exclude_if=not_)] = ""


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
class Bucket:
    """A period of the result, named by its first day, and the days whose rows it takes (`end` exclusive)."""

    label: date
    start: date | None
    end: date


@dataclass(frozen=True, slots=True)
class Frame:
    """The days a leaf reads where they are not the plan's window, and the buckets their rows fall into.

    `start` (None: since ever) is inclusive, `end` exclusive. Rows fall into the bucket of their own day moved
    forward by `shift_months` or `shift_days`, or into the `buckets` that hold their day: those of a trailing
    window overlap, and one row then counts in several of them (`overlapping`).
    """

    start: date | None
    end: date
    shift_months: int = 0
    shift_days: int = 0
    buckets: tuple[Bucket, ...] = ()
    overlapping: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """The moments a semi-additive leaf reads: the last or first of `over` per bucket and `per`, or all.

    `filters` are those of the definition: they stand before the moment is chosen, the leaf's own after it.
    """

    over: PathColumn
    pick: Literal["last", "first", "average"]
    per: tuple[PathColumn, ...]
    filters: tuple[ResolvedFilter, ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """A later event that a leaf's row must be followed by: `pairs` are (leaf's column, event's column).

    The event's `time` lies at or after the leaf's own `since`, and before it plus the window, if there is
    one: `window_months` or `window_days`.
    """

    dataset: str
    pairs: tuple[tuple[str, str], ...]
    since: PathColumn
    time: PathColumn
    window_months: int
    window_days: int
    filters: tuple[ResolvedFilter, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One aggregate over one fact at its own grain. `groups` runs parallel to the plan's group-by columns.

    `counted` stands in for `expression` where different values of a column reached over to-one steps count.
    `fraction` is the percentile's. Without a `frame` the rows are those of the plan's window and grain.
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
    fraction: Decimal | None = None
    frame: Frame | None = None
    pick: Pick | None = None
    followed: Followed | None = None

    @property
    def columns(self) -> tuple[PathColumn, ...]:
        """Every column it looks at from its own dataset, what it measures left out.

        Those are its groups, its filters, its time, what it counts and how its moments are picked.
        """
        found = [*self.groups, *(each.column for each in self.filters)]
        found.extend(column for column in (self.time, self.counted) if column is not None)
        if self.pick is not None:
            found.extend((self.pick.over, *self.pick.per, *(each.column for each in self.pick.filters)))
        return tuple(found)


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
class Floor:
    """Groups in which the largest of these counts (names of metrics) is 1 to `least` - 1 are left out."""

    counts: tuple[str, ...]
    least: int


@dataclass(frozen=True)
class ResolvedPlan:
    """The whole meaning of a plan. `start` is inclusive, `end` exclusive; both None without a window.

    `zone` says whose days they are; `spine` lists every bucket's first day where empty ones are asked for.
    `outputs` lists the time bucket first (when a grain was asked), then dimensions, then metrics, as asked.
    `order` lists (output name, descending): the asked order, then every group column. `held_to` is the last
    day of the window that earlier periods are held against: today where it is under way, else its own; None
    where nothing earlier is read.
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
    zone: str = "UTC"
    spine: tuple[date, ...] = ()
    floors: tuple[Floor, ...] = ()
    held_to: date | None = None

    def __hash__(self) -> int:
        """Return a hash worked out once: a plan is looked up several times for each question."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))
