"""The scopes of a query while it is being resolved: sources, their fields, and where every name leads."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from metric_layer.sql.names import IndexedTable

BaseColumn = tuple[str, str]
ONE_ROW = (frozenset[str](),)
LEAVES = frozenset({exp.Literal, exp.Identifier, exp.Var, exp.DataType, exp.Null, exp.Boolean})


@dataclass(frozen=True, slots=True)
class Origin:
    """A base column passed through unchanged. `instance` is the reference to the table, by number."""

    instance: int
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Field:
    """A column that a source offers.

    `repeated` names the source that repeats the value inside its relation, empty when nothing does.
    `ranks` is the partition of a ROW_NUMBER. `others` holds the columns a set operation takes it from, where
    all of its branches pass one on.
    """

    name: str
    lineage: frozenset[BaseColumn] = frozenset()
    origin: Origin | None = None
    repeated: str = ""
    ranks: frozenset[str] | None = None
    others: tuple[Origin, ...] = ()

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Return the base columns that are passed on unchanged."""
        return (self.origin,) if self.origin is not None else self.others


@dataclass(slots=True, eq=False)
class Relation:
    """Something with rows: a base table, a query, or rows made up from values and functions.

    `keys` are sets of field names of which each identifies a row; the empty set says there is at most one.
    `spread` is the lineage that any further name has; None when only `fields` exist. `rows` bounds rows
    that are `made` up, and `listed` says that the text writes them out. `correlated` numbers the sources
    a lateral depends on. `weight` is how many relations one reference to a CTE expands to;
    `recursive` marks what one step of a recursive CTE hands to the next. `width` is how long its texts are at
    most, per character of its base columns. `starred` names the tables of which it hands all columns on.
    """

    fields: dict[str, Field]
    table: IndexedTable | None = None
    instance: int = -1
    keys: tuple[frozenset[str], ...] = ()
    spread: frozenset[BaseColumn] | None = None
    rows: int | None = None
    made: bool = False
    listed: bool = False
    correlated: frozenset[int] = frozenset()
    weight: int = 1
    recursive: bool = False
    width: int | None = 1
    starred: tuple[str, ...] = ()

    @property
    def one_row(self) -> bool:
        """Say whether the relation has at most one row."""
        return frozenset() in self.keys

    @property
    def from_tables(self) -> bool:
        """Say whether the relation reads any base table; made-up rows do not."""
        return self.table is not None or bool(self.spread) or any(f.lineage for f in self.fields.values())


@dataclass(slots=True, eq=False)
class Source:
    """A relation under the name a FROM clause gives it. `filtering` marks SEMI and ANTI joins."""

    name: str
    relation: Relation
    node: exp.Expr
    named: bool
    number: int
    optional: bool = False
    filtering: bool = False

    @property
    def label(self) -> str:
        """What a finding calls it: its base table, else its own name."""
        table = self.relation.table
        return table.table.name if table is not None else self.name or "a derived table"

    def field(self, name: str) -> Field | None:
        """Return the field of that name; any name exists on a source whose columns are not written out."""
        found = self.relation.fields.get(name)
        if found is not None or self.relation.spread is None:
            return found
        return Field(name, self.relation.spread)


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A condition that must hold. `kind` is where it stands: WHERE, or the ON of a join of that side."""

    node: exp.Expr
    kind: str
    right: Source | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """Where a column node leads: a field of a source, or an output of the same SELECT (no source)."""

    source: Source | None
    field: Field


@dataclass(slots=True, eq=False)
class Scope:
    """One SELECT while it is being resolved."""

    parent: "Scope | None"
    ctes: dict[str, Relation]
    sources: list[Source] = field(default_factory=list)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    alias_fields: dict[str, Field] = field(default_factory=dict)
    conjuncts: list[Conjunct] = field(default_factory=list)
    using: dict[str, list[Source]] = field(default_factory=dict)
    merged: list[tuple[Source, Source, str, exp.Expr]] = field(default_factory=list)
    keyless: list[tuple[str, Source, Source, exp.Expr]] = field(default_factory=list)
    aggregates: list[exp.Expr] = field(default_factory=list)
    outer: set[int] = field(default_factory=set)
    windows: bool = False
    rows: int | None = None
    measures: list[str] = field(default_factory=list)
    grouped: bool = False

    def named(self, name: str) -> Source | None:
        """Return the source of that name in this scope."""
        return next((s for s in self.sources if s.name == name), None)

    def near(self) -> list[Source]:
        """Return the sources of this scope; a function in FROM has none and sees those before it."""
        return next((level.sources for level in self.chain() if level.sources), [])

    def offering(self, name: str) -> list[Source]:
        """Return the sources that write out a field of that name; columns merged by USING count once."""
        found = [s for s in self.sources if name in s.relation.fields]
        merged = self.using.get(name, [])
        if len(found) > 1 and merged:
            found = [s for s in found if s not in merged[1:]]
        return found

    def spreading(self) -> list[Source]:
        """Return the sources whose columns are not written out."""
        return [s for s in self.sources if s.relation.spread is not None]

    def chain(self) -> Iterator["Scope"]:
        """Yield this scope and the ones around it, innermost first."""
        at: Scope | None = self
        while at is not None:
            yield at
            at = at.parent


def conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the conditions that AND ties together."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, exp.And):
            stack.extend((at.expression, at.this))
        elif isinstance(at, exp.Paren):
            stack.append(at.this)
        else:
            yield at


def own_columns(node: exp.Expr, *barriers: type[exp.Expr]) -> Iterator[exp.Column]:
    """Yield the columns of an expression that are not inside subqueries or barriers."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, exp.Column):
            yield at
        elif not isinstance(at, (exp.Query, *barriers)):
            stack.extend(children_of(at))


def children_of(node: exp.Expr) -> list[exp.Expr]:
    """Return the nodes below a node that may lead to names, last first."""
    children: list[exp.Expr] = []
    for value in node.args.values():
        if value is None:
            continue
        if isinstance(value, list):
            children += [v for v in value if isinstance(v, exp.Expr) and type(v) not in LEAVES]
        elif type(value) not in LEAVES and isinstance(value, exp.Expr):
            children.append(value)
    children.reverse()
    return children


def is_windowed(aggregate: exp.Expr) -> bool:
    """Say whether an aggregate is computed over a window instead of a group."""
    at = aggregate.parent
    while isinstance(at, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)):
        at = at.parent
    return isinstance(at, exp.Window)
