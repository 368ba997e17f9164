"""Replace every column of an expression by what it stands for, and every query in it by what it shows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from metric_layer.sql.frames import Found, Frame, Output, Parts, Source, nested_query


@dataclass(frozen=True)
class Place:
    """Where a query stands: the names it may use and where its parts go; `shown` marks the outermost one."""

    parts: Parts
    ctes: Mapping[str, list[Output]] = field(default_factory=dict)
    parent: Frame | None = None
    shown: bool = False


ReadQuery = Callable[[exp.Expr, Place], list[Output]]


class Resolver:
    """Resolves expressions inside frames; a query it meets is handed back to whoever reads queries."""

    def __init__(self, dialect: SqlglotDialect, read_query: ReadQuery) -> None:
        self._dialect = dialect
        self._read_query = read_query

    def write(self, node: exp.Expr) -> str:
        """Return a resolved expression as text, alike for every spelling of its names."""
        plain = node.copy()
        for column in plain.find_all(exp.Column):
            column.set("catalog", None)
            column.set("db", None)
        for count in plain.find_all(exp.Count):
            if isinstance(count.this, exp.Literal):
                count.set("this", exp.Star())
        return self._dialect.generate(
            plain,
            copy=False,
            comments=False,
            normalize_functions="lower",
            unsupported_level=ErrorLevel.IGNORE,
        )

    def resolved(self, node: exp.Expr, frame: Frame) -> exp.Expr:
        """Return a copy of an expression with its columns and queries resolved."""

        def swap(part: exp.Expr) -> exp.Expr:
            if isinstance(part, exp.Column):
                return self.column(part, frame).expr.copy()
            return self.nested(part, frame)[0] if isinstance(part, exp.Query) else part

        return node.transform(swap)

    def column(self, node: exp.Column, frame: Frame) -> Found:
        """Return what a column stands for: its source's, an alias of the same SELECT, or an outer query's."""
        if isinstance(node.this, exp.Star):
            return Found(-1, exp.Star())
        name, table = node.name.casefold(), node.table.casefold()
        if not table:
            return self._unqualified(name, frame)
        found = frame.source(table)
        if found is not None:
            frame.reached(found[1])
            source = found[0]
            return Found(source.instance, source.any(name))
        whole = self._unqualified(table, frame)
        field_name = exp.Identifier(this=name, quoted=False)
        return Found(-1, exp.Dot(this=whole.expr.copy(), expression=field_name))

    def nested(self, node: exp.Expr, frame: Frame) -> tuple[exp.Expr, list[Output], Parts]:
        """Read a query inside an expression: what stands for it, what it shows, what it contributes."""
        parts = Parts()
        outputs = self._read_query(node, Place(parts, frame.ctes, frame))
        frame.parts.absorb(parts)
        cut = [
            node.args[key].sql(self._dialect, comments=False).casefold()
            for key in ("order", "limit")
            if node.args.get(key)
        ]
        groups = (parts.tables, parts.joins, parts.filters, parts.group_by)
        rest = "; ".join(", ".join(texts) for texts in (*map(sorted, groups), cut))
        return nested_query(outputs, rest), outputs, parts

    def projection(self, node: exp.Expr, frame: Frame) -> Iterator[Output]:
        """Yield the output columns of one item of a SELECT list, stars opened."""
        if isinstance(node, exp.Star):
            for source in frame.sources:
                yield from self._starred(node, source, frame)
        elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
            found = frame.source(node.table.casefold())
            if found is not None:
                whole = replace(found[0], merged=set(), hidden=False)
                yield from self._starred(node.this, whole, frame)
        else:
            inner = node.this if isinstance(node, exp.Alias) else node
            yield Output(node.output_name.casefold(), self.resolved(inner.unnest(), frame))

    def _starred(self, star: exp.Star, source: Source, frame: Frame) -> Iterator[Output]:
        dropped = {e.name.casefold() for e in star.args.get("except_") or ()}
        replaced = {e.alias.casefold(): e.this for e in star.args.get("replace") or ()}
        renamed = {e.this.name.casefold(): e.alias.casefold() for e in star.args.get("rename") or ()}
        for output in source.shown():
            if output.name in replaced:
                yield Output(output.name, self.resolved(replaced[output.name], frame))
            elif output.name not in dropped:
                yield Output(renamed.get(output.name, output.name), output.expr)

    def _unqualified(self, name: str, frame: Frame) -> Found:
        for outer in frame.outwards():
            found = outer.column(name) or self._alias(name, outer) or outer.unknown(name)
            if found is not None:
                frame.reached(outer)
                return found
        bases = [source for source in frame.sources if source.base]
        if len(bases) == 1:
            return Found(bases[0].instance, bases[0].any(name))
        return Found(-1, exp.Column(this=exp.Identifier(this=name, quoted=False)))

    def _alias(self, name: str, frame: Frame) -> Found | None:
        if name not in frame.aliases or name in frame.resolving:
            return None
        frame.resolving.add(name)
        expr = self.resolved(frame.aliases[name], frame)
        frame.resolving.discard(name)
        return Found(-1, expr)
