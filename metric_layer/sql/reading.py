"""What reading a SQL text found: one frozen record that every check looks at and nobody parses again for."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Literal

from sqlglot import exp

from metric_layer.sql.catalogue import JoinCardinality

Span = tuple[int, int]
Clause = Literal[
    "select", "from", "where", "join", "group", "having", "order", "window", "limit", "aggregate"
]
FaultCheck = Literal[
    "syntax",
    "parse_differential",
    "single_statement",
    "statement_type",
    "explain_smuggle",
    "data_modifying_cte",
    "table_allowlist",
    "unknown_column",
    "function_allowlist",
    "session_state",
    "resource_bomb",
    "row_limit",
]
LinkKind = Literal["equality", "other", "natural", "positional"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that stops the text from being read or run. `check` is the id of the check that reports it.

    `span` is a range of the submitted text; `retry` says whether a new query may be tried.
    """

    check: FaultCheck
    code: str
    message: str
    seen: str = ""
    span: Span | None = None
    retry: bool = False
    candidates: tuple[str, ...] = ()
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class TableRef:
    """One reference to a base table. `lower` and (exclusive) `upper` bound its time column, where set.

    `known` is false for a name that is not in the catalogue; `name` is then what the text said.
    """

    name: str
    known: bool
    alias: str = ""
    span: Span | None = field(default=None, compare=False)
    lower: datetime | None = None
    upper: datetime | None = None


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """One use of a base column, in the clause it stands in.

    `via` tells how it was reached: by name, by a star, as part of a whole row, by a NATURAL join, or
    through a column of a derived table. `function` is the aggregate around it, where there is one; it ends
    in `Distinct` where equal values count once.
    """

    table: str
    column: str
    clause: Clause
    via: Literal["name", "star", "row", "natural", "derived"] = "name"
    function: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StarRef:
    """A star or whole-row reference over a base table."""

    table: str
    via: Literal["star", "row"]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """One call. `name` is the parser's class for functions it types and the written name for others.

    `typed` tells the two apart; `in_from` is true for a function that is read like a table.
    """

    name: str
    typed: bool
    in_from: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Size:
    """A row or text size that the query makes up by itself. `amount` is None when it is not a literal."""

    name: str
    amount: int | None
    kind: Literal["rows", "characters", "power", "steps", "comparisons"]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class JoinLink:
    """Two sources of one scope linked by a predicate. `pairs` are base columns, where both are known."""

    left: str
    right: str
    kind: LinkKind
    pairs: tuple[tuple[str, str], ...] = ()
    declared: bool = False
    cardinality: JoinCardinality | None = None
    seen: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CrossProduct:
    """Two sources of one scope that no predicate links."""

    left: str
    right: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class FannedAggregate:
    """A SUM, AVG or COUNT over values that joins repeat. `source` is repeated, `by` repeats it."""

    function: str
    source: str
    by: str
    seen: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Filter:
    """A conjunct that restricts base columns.

    `lower` and (exclusive) `upper` are set where it bounds one column by a date.
    """

    columns: tuple[tuple[str, str], ...]
    lower: datetime | None = None
    upper: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScopeGrain:
    """One SELECT: the base tables it reads directly, what it groups by, the aggregates it computes over rows.

    `filters` holds every conjunct of WHERE and ON.
    """

    tables: tuple[str, ...]
    grouped_by: tuple[str, ...]
    aggregates: tuple[str, ...]
    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class OutputRef:
    """A column of the result with the base columns it comes from, as (table, column)."""

    name: str
    lineage: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NodeKind:
    """A syntax node with the arguments it carries, each as `argument` or `argument=VALUE`.

    `called` marks functions, whose arguments are values and are not listed. `place` works out where the node
    stands: only what is refused is asked for its place.
    """

    name: str
    arguments: tuple[str, ...] = ()
    called: bool = False
    place: Callable[[], Span | None] = field(default=lambda: None, compare=False)

    @property
    def span(self) -> Span | None:
        """Return where the first node of this kind stands."""
        return self.place()


def _told(span: Span | None) -> Span | None:
    return span


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything known about one SQL text.

    `sql` is the only text that may run: regenerated from the checked tree, names qualified, row cap in place;
    empty when nothing may run. `now` is the clock it was read by. `tree` is what `sql` was parsed to, as long
    as nothing has rewritten it: to look at, not to change.
    """

    text: str
    sql: str = ""
    faults: tuple[Fault, ...] = ()
    tables: tuple[TableRef, ...] = ()
    columns: tuple[ColumnRef, ...] = ()
    stars: tuple[StarRef, ...] = ()
    functions: tuple[FunctionCall, ...] = ()
    kinds: tuple[NodeKind, ...] = ()
    sizes: tuple[Size, ...] = ()
    joins: tuple[JoinLink, ...] = ()
    crosses: tuple[CrossProduct, ...] = ()
    fanned: tuple[FannedAggregate, ...] = ()
    scopes: tuple[ScopeGrain, ...] = ()
    outputs: tuple[OutputRef, ...] = ()
    limit: int | None = None
    components: int = 0
    now: datetime | None = None
    tree: exp.Expr | None = field(default=None, compare=False, repr=False)

    def to_keep(self) -> "Reading":
        """Return the same, free of the tree it was read from.

        A tree goes in circles, so that what keeps one is large and only a full collection gives it back.
        """
        kinds = (replace(kind, place=partial(_told, kind.span)) for kind in self.kinds)
        return replace(self, kinds=tuple(kinds), tree=None)
