"""Which columns a SELECT can name: its sources in order, their columns resolved, and its parent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlglot import exp

Columns = Mapping[str, Sequence[str]]
"""Column names per table; folded names, the default schema left out."""

QUERY = "QUERY"
"""The function name under which a nested query stands in a resolved expression."""


class Output(NamedTuple):
    """A column of a query: its folded name and the resolved expression it stands for."""

    name: str
    expr: exp.Expr


class Found(NamedTuple):
    """A named column: the source it was read from (-1 for an alias or a fallback) and what it stands for."""

    source: int
    expr: exp.Expr


@dataclass
class Parts:
    """What the scopes of a query contribute, as canonical texts."""

    tables: set[str] = field(default_factory=set)
    columns: set[str] = field(default_factory=set)
    joins: set[str] = field(default_factory=set)
    filters: set[str] = field(default_factory=set)
    aggregations: set[str] = field(default_factory=set)
    group_by: set[str] = field(default_factory=set)
    correlated: bool = False

    def absorb(self, inner: "Parts") -> None:
        """Take over what a nested query contributes; its columns stay its own."""
        for name in ("tables", "joins", "filters", "aggregations", "group_by"):
            getattr(self, name).update(getattr(inner, name))


@dataclass
class Source:
    """One FROM item. `open` says that its columns are not known, `hidden` that a star does not show it.

    `merged` names columns that USING or NATURAL folded into an earlier source.
    """

    name: str
    instance: int
    columns: list[Output]
    base: str = ""
    open: bool = False
    hidden: bool = False
    merged: set[str] = field(default_factory=set)

    def known(self, name: str) -> exp.Expr | None:
        """Return a column that is known by name."""
        return next((output.expr for output in self.columns if output.name == name), None)

    def any(self, name: str) -> exp.Expr:
        """Return a column of this source, known or not."""
        found = self.known(name)
        if found is not None:
            return found
        return base_column(self.base, name, self.instance) if self.base else opaque(name)

    def shown(self) -> list[Output]:
        """Return the columns that a star shows; a star stands for columns nobody knows."""
        if self.hidden:
            return []
        if self.open:
            return [Output("*", exp.Star())]
        return [output for output in self.columns if output.name not in self.merged]


@dataclass
class Frame:
    """One SELECT while it is read."""

    parts: Parts
    ctes: Mapping[str, list[Output]]
    parent: "Frame | None" = None
    sources: list[Source] = field(default_factory=list)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    resolving: set[str] = field(default_factory=set)

    def source(self, name: str) -> tuple[Source, "Frame"] | None:
        """Return the source of this name, here or further out, and the frame it stands in."""
        for frame in self.outwards():
            for source in frame.sources:
                if source.name == name:
                    return source, frame
        return None

    def outwards(self) -> "list[Frame]":
        """Return this frame and the ones around it, the innermost first."""
        found: list[Frame] = []
        frame: Frame | None = self
        while frame is not None:
            found.append(frame)
            frame = frame.parent
        return found

    def column(self, name: str) -> Found | None:
        """Return an unqualified column of this frame's own sources, where one is known to have it."""
        for source in self.sources:
            if name not in source.merged:
                expr = source.known(name)
                if expr is not None:
                    return Found(source.instance, expr)
        return None

    def unknown(self, name: str) -> Found | None:
        """Return a column that only a source with unknown columns can have."""
        for source in self.sources:
            if source.open:
                return Found(source.instance, source.any(name))
        return None

    def reached(self, outer: "Frame") -> None:
        """Note that a name of this frame was found in an outer one: the queries between are correlated."""
        for frame in self.outwards():
            if frame is outer:
                return
            if frame.parts is not outer.parts:
                frame.parts.correlated = True


def base_column(table: str, column: str, instance: int) -> exp.Column:
    """Return a column of a base table; the instance of the table travels in the tree and is never written."""
    return exp.Column(
        this=exp.Identifier(this=column, quoted=False),
        table=exp.Identifier(this=table, quoted=False),
        catalog=exp.Identifier(this=str(instance), quoted=False),
    )


def is_base(node: exp.Expr) -> bool:
    """Say whether a resolved expression is a plain column of a base table."""
    return isinstance(node, exp.Column) and node.args.get("catalog") is not None


def base_name(node: exp.Expr) -> str:
    """Return `table.column` of a base column."""
    return f"{node.args['table'].name}.{node.name}"


def opaque(name: str) -> exp.Expr:
    """Return a column of something that is not a table: a table function, VALUES, a pivot."""
    return exp.Column(this=exp.Identifier(this=name, quoted=False), db=exp.Identifier(this="?", quoted=False))


def is_opaque(node: exp.Expr) -> bool:
    """Say whether a resolved column belongs to no table."""
    return isinstance(node, exp.Column) and node.args.get("db") is not None


def nested_query(outputs: list[Output], rest: str) -> exp.Expr:
    """Return what stands for a nested query: what it shows, and its other parts as text."""
    return exp.Anonymous(
        this=QUERY, expressions=[*(o.expr.copy() for o in outputs), exp.Literal.string(rest)]
    )


def is_query(node: exp.Expr) -> bool:
    """Say whether a resolved node stands for a nested query."""
    return isinstance(node, exp.Anonymous) and node.name == QUERY
