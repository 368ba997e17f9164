"""What one walk over a tree has found so far; the only thing that is written to while a tree is resolved."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlglot import exp

from metric_layer.sql.reading import (
    ColumnRef,
    CrossProduct,
    FannedAggregate,
    Fault,
    FunctionCall,
    JoinLink,
    NodeKind,
    ScopeGrain,
    Size,
    Span,
    StarRef,
    TableRef,
)

NAME_PARTS = ("catalog", "db", "table", "this")
MAX_EXPANDED = 200


class TooManyRelations(Exception):
    """A statement reads more relations than are followed: each is held against all others."""


@dataclass(slots=True)
class Instance:
    """One reference to a base table, with the bounds on its time column found so far."""

    name: str
    known: bool
    alias: str
    span: Span | None
    lower: datetime | None = None
    upper: datetime | None = None

    def restrict(self, lower: datetime | None, upper: datetime | None) -> None:
        """Narrow the bounds."""
        if lower is not None and (self.lower is None or lower > self.lower):
            self.lower = lower
        if upper is not None and (self.upper is None or upper < self.upper):
            self.upper = upper

    def frozen(self) -> TableRef:
        """Return the reference as checks see it."""
        return TableRef(self.name, self.known, self.alias, self.span, self.lower, self.upper)


@dataclass(slots=True)
class Ledger:
    """The findings of one walk, in the order they were met. `spans` says whether places are noted.

    `read` holds the table and column nodes that were followed, by identity; `now` is the clock of the walk.
    `expanded` counts relations as an engine expands them: every reference to a CTE adds all that it reads;
    `aliased` counts outputs so, where others of the same SELECT use them by their alias. `our_stars` says
    that no star was written: the parser made them from pipe operators.
    """

    now: datetime
    spans: bool = True
    our_stars: bool = False
    faults: list[Fault] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    columns: list[ColumnRef] = field(default_factory=list)
    stars: list[StarRef] = field(default_factory=list)
    functions: list[FunctionCall] = field(default_factory=list)
    kinds: dict[tuple[str, tuple[str, ...]], NodeKind] = field(default_factory=dict)
    sizes: list[Size] = field(default_factory=list)
    joins: list[JoinLink] = field(default_factory=list)
    crosses: list[CrossProduct] = field(default_factory=list)
    fanned: list[FannedAggregate] = field(default_factory=list)
    scopes: list[ScopeGrain] = field(default_factory=list)
    components: int = 0
    expanded: int = 0
    aliased: int = 0
    read: set[int] = field(default_factory=set)

    def expand(self, relations: int = 1) -> None:
        """Count relations that an engine reads. Raises TooManyRelations."""
        self.expanded += relations
        if self.expanded > MAX_EXPANDED:
            raise TooManyRelations

    def span(self, node: exp.Expr | None) -> Span | None:
        """Return where a node stands in the text, when places are noted."""
        return span_of(node) if self.spans and node is not None else None

    def name_span(self, node: exp.Expr) -> Span | None:
        """Return where a function's name stands, when places are noted."""
        meta = node._meta
        return (meta["start"], meta["end"] + 1) if self.spans and meta and "start" in meta else None


def span_of(node: exp.Expr) -> Span | None:
    """Return where a node stands in its text, as far as the parser noted it."""
    parts = [node.args.get(part) for part in NAME_PARTS] if isinstance(node, exp.Column) else node.walk()
    start: int | None = None
    end = -1
    for at in parts:
        meta = at._meta if isinstance(at, exp.Expr) else None
        if meta and "start" in meta:
            first = meta["start"]
            start = first if start is None or first < start else start
            end = max(end, meta["end"] + 1)
    return None if start is None else (start, end)
