"""Unfold a query into what each of its scopes contributes, every column replaced by what it stands for."""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from metric_layer.plan import Dialect
from metric_layer.sql.aggregates import aggregates, value_columns
from metric_layer.sql.frames import (
    Columns,
    Found,
    Frame,
    Output,
    Parts,
    Source,
    base_column,
    base_name,
    is_base,
    opaque,
)
from metric_layer.sql.predicates import canonical, conjuncts, is_constant
from metric_layer.sql.resolver import Place, Resolver


class Unfolder:
    """Unfolds the queries of one dialect against known tables. One instance unfolds one query."""

    def __init__(self, dialect: Dialect, columns: Columns, default_schema: str) -> None:
        self._resolver = Resolver(SqlglotDialect.get_or_raise(dialect), self._query)
        self._write = self._resolver.write
        self._columns = columns
        self._default_schema = default_schema
        self._instances = 0

    def unfold(self, tree: exp.Expr) -> tuple[Parts, list[Output]]:
        """Return what all scopes of a query contribute, and its output columns in order."""
        parts = Parts()
        return parts, self._query(tree, Place(parts, shown=True))

    def _query(self, node: exp.Expr, place: Place) -> list[Output]:
        place = self._with_ctes(node, place)
        if isinstance(node, exp.Subquery):
            return self._query(node.this, place)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, place)
        if isinstance(node, exp.Select):
            return self._select(node, place)
        frame = Frame(place.parts, place.ctes, place.parent)
        self._add_source(node, frame)
        return [output for source in frame.sources for output in source.shown()]

    def _with_ctes(self, node: exp.Expr, place: Place) -> Place:
        clause = node.args.get("with_")
        if clause is None:
            return place
        for cte in clause.expressions:
            name, inner = cte.alias.casefold(), replace(place, shown=False)
            if clause.recursive and isinstance(cte.this, exp.SetOperation):
                anchor = _renamed(self._query(cte.this.this, inner), cte)
                inner = replace(inner, ctes={**place.ctes, name: anchor})
            outputs = _renamed(self._query(cte.this, inner), cte)
            place = replace(place, ctes={**place.ctes, name: outputs})
        return place

    def _set_operation(self, node: exp.SetOperation, place: Place) -> list[Output]:
        left, right = self._query(node.left, place), self._query(node.right, place)
        if not isinstance(node, exp.Union):
            return left
        if node.args.get("by_name"):
            others = dict(right)
            extra = [o for o in right if o.name not in dict(left)]
            return [Output(n, self._branches(e, others[n]) if n in others else e) for n, e in left] + extra
        if len(left) != len(right):
            return left
        return [Output(a.name, self._branches(a.expr, b.expr)) for a, b in zip(left, right, strict=True)]

    def _branches(self, left: exp.Expr, right: exp.Expr) -> exp.Expr:
        """Return what a column of a UNION stands for: one column where both branches agree, else both."""
        texts = self._write(left), self._write(right)
        if texts[0] == texts[1]:
            return left
        both = [left.copy(), right.copy()]
        return exp.Anonymous(this="BRANCHES", expressions=both if texts[0] < texts[1] else both[::-1])

    def _select(self, node: exp.Select, place: Place) -> list[Output]:
        frame = Frame(place.parts, place.ctes, place.parent)
        if node.args.get("from_") is not None:
            self._add_source(node.args["from_"].this, frame)
        self._add_joins(node, frame)
        frame.aliases = {e.alias.casefold(): e.this for e in node.expressions if isinstance(e, exp.Alias)}
        outputs = [output for e in node.expressions for output in self._resolver.projection(e, frame)]
        resolved = [output.expr for output in outputs]
        for clause in ("where", "having", "qualify"):
            if node.args.get(clause) is not None:
                condition = node.args[clause].this
                resolved += self._condition(condition, frame)
        for expr in resolved:
            frame.parts.aggregations.update(aggregates(expr, self._write))
        if node.args.get("group") is not None:
            frame.parts.group_by.update(self._grouping(node.args["group"], outputs, frame))
        if place.shown:
            frame.parts.columns.update(name for output in outputs for name in value_columns(output.expr))
        return outputs

    def _add_source(self, node: exp.Expr, frame: Frame, *, hidden: bool = False) -> None:
        if isinstance(node, exp.Subquery) and not isinstance(node.this, exp.Query):
            self._add_source(node.this, frame, hidden=hidden)
        else:
            source = self._source(node, frame)
            source.hidden = hidden
            frame.sources.append(source)
        self._add_joins(node, frame)

    def _source(self, node: exp.Expr, frame: Frame) -> Source:
        self._instances += 1
        alias = node.alias.casefold()
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            source = self._table(node, frame, alias)
        elif isinstance(node, exp.Subquery) or (
            isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery)
        ):
            query = node if isinstance(node, exp.Subquery) else node.this
            outputs = self._query(query, Place(frame.parts, frame.ctes, frame))
            source = Source(alias, self._instances, outputs)
        else:
            source = Source(alias, self._instances, [], open=True)
            if isinstance(node, exp.Pivot):
                self._add_source(node.this, Frame(frame.parts, frame.ctes, frame.parent))
        if node.args.get("pivots"):
            return Source(alias or source.name, self._instances, [], open=True)
        names = [name.casefold() for name in node.alias_column_names]
        if source.open and not source.base and names:
            return replace(source, open=False, columns=[Output(name, opaque(name)) for name in names])
        return replace(source, columns=_renamed(source.columns, node))

    def _table(self, node: exp.Table, frame: Frame, alias: str) -> Source:
        name = node.name.casefold()
        if not node.args.get("db") and name in frame.ctes:
            return Source(alias or name, self._instances, frame.ctes[name])
        schema = node.db.casefold()
        base = name if schema in ("", self._default_schema) else f"{schema}.{name}"
        frame.parts.tables.add(base)
        known = self._columns.get(base)
        columns = [
            Output(c.casefold(), base_column(base, c.casefold(), self._instances)) for c in known or ()
        ]
        return Source(alias or name, self._instances, columns, base=base, open=known is None)

    def _add_joins(self, node: exp.Expr, frame: Frame) -> None:
        for join in node.args.get("joins") or ():
            before = len(frame.sources)
            self._add_source(join.this, frame, hidden=join.kind in ("SEMI", "ANTI"))
            left, right = frame.sources[:before], frame.sources[before:]
            names = [identifier.name.casefold() for identifier in join.args.get("using") or ()]
            if join.method == "NATURAL":
                names = _common(left, right)
            for name in names:
                self._merge(name, left, right, frame)
            if join.args.get("on") is not None:
                frame.parts.aggregations.update(
                    text
                    for expr in self._condition(join.args["on"], frame)
                    for text in aggregates(expr, self._write)
                )
        for lateral in node.args.get("laterals") or ():
            self._add_source(lateral, frame)

    def _merge(self, name: str, left: list[Source], right: list[Source], frame: Frame) -> None:
        """Equate a column that USING or NATURAL names on both sides; the first table's is what is shown."""
        first = next((s for s in left if s.known(name) is not None and name not in s.merged), left[0])
        second = next((s for s in right if s.known(name) is not None), right[0])
        self._equate(first.any(name), second.any(name), frame.parts)
        second.merged.add(name)

    def _condition(self, condition: exp.Expr, frame: Frame) -> list[exp.Expr]:
        """Sort the conjuncts of a condition into joins and filters; return the filters, resolved."""
        filters: list[exp.Expr] = []
        for part in conjuncts(condition):
            if self._is_join(part, frame):
                continue
            resolved = self._resolver.resolved(part, frame)
            filters.append(resolved)
            frame.parts.filters |= {canonical(resolved, self._write)} - {""}
        return filters

    def _is_join(self, part: exp.Expr, frame: Frame) -> bool:
        """Note a conjunct that equates columns of two table instances."""
        if isinstance(part, exp.Exists):
            return self._resolver.nested(part.this, frame)[2].correlated
        if isinstance(part, exp.In) and part.args.get("query") is not None:
            return self._is_semi_join(part.this, part.args["query"], frame)
        if isinstance(part, (exp.EQ, exp.NullSafeEQ)):
            left, right = part.left.unnest(), part.right.unnest()
            if isinstance(right, exp.Any) and isinstance(right.this, exp.Query):
                return self._is_semi_join(left, right.this, frame)
            if isinstance(left, exp.Column) and isinstance(right, exp.Column):
                return self._is_equated(
                    self._resolver.column(left, frame), self._resolver.column(right, frame), frame
                )
        return False

    def _is_equated(self, left: Found, right: Found, frame: Frame) -> bool:
        if not (is_base(left.expr) and is_base(right.expr)):
            return False
        if left.source == right.source and left.expr.args["catalog"] == right.expr.args["catalog"]:
            return False
        return self._equate(left.expr, right.expr, frame.parts)

    def _is_semi_join(self, left: exp.Expr, query: exp.Expr, frame: Frame) -> bool:
        wanted = [part.unnest() for part in (left.expressions if isinstance(left, exp.Tuple) else [left])]
        columns = [part for part in wanted if isinstance(part, exp.Column)]
        if len(columns) < len(wanted):
            return False
        found = [self._resolver.column(column, frame).expr for column in columns]
        outputs = self._resolver.nested(query, frame)[1]
        pairs = list(zip(found, outputs, strict=False))
        if len(outputs) != len(found) or not all(is_base(a) and is_base(b.expr) for a, b in pairs):
            return False
        for outer, inner in pairs:
            self._equate(outer, inner.expr, frame.parts)
        return True

    def _equate(self, left: exp.Expr, right: exp.Expr, parts: Parts) -> bool:
        if not (is_base(left) and is_base(right)):
            return False
        parts.joins.add(" = ".join(sorted((base_name(left), base_name(right)))))
        return True

    def _grouping(self, group: exp.Group, outputs: list[Output], frame: Frame) -> Iterator[str]:
        if group.args.get("all"):
            for output in outputs:
                if not is_constant(output.expr) and not any(aggregates(output.expr, self._write)):
                    yield self._write(output.expr)
        for node in _group_items(group):
            if isinstance(node, exp.Literal) and not node.is_string:
                place = int(node.name) - 1
                if 0 <= place < len(outputs):
                    yield self._write(outputs[place].expr)
            else:
                yield self._write(self._resolver.resolved(node, frame))


def _group_items(node: exp.Expr) -> Iterator[exp.Expr]:
    groups = [node.args.get(key) for key in ("expressions", "rollup", "cube", "grouping_sets")]
    for item in (item for group in groups if isinstance(group, list) for item in group):
        if isinstance(item, (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)):
            yield from _group_items(item)
        elif isinstance(item, exp.Paren):
            yield item.this
        else:
            yield item


def _common(left: list[Source], right: list[Source]) -> list[str]:
    seen = {output.name for source in left for output in source.columns if output.name not in source.merged}
    return [output.name for source in right for output in source.columns if output.name in seen]


def _renamed(outputs: list[Output], node: exp.Expr) -> list[Output]:
    """Give outputs the column names of an alias, as far as it has any."""
    names = [name.casefold() for name in node.alias_column_names]
    return [Output(name, o.expr) for name, o in zip(names, outputs, strict=False)] + outputs[len(names) :]
