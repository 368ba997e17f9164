"""Pivots: their columns are made from data, so any name leads to everything that went in."""

from sqlglot import exp

from metric_layer.sql.columns import relation_lineage
from metric_layer.sql.expressions import ExpressionReader
from metric_layer.sql.names import fold_identifier
from metric_layer.sql.scope import Relation, Scope, Source, own_columns


class PivotReader(ExpressionReader):
    """Resolves what PIVOT and UNPIVOT read of their input."""

    def pivoted(self, item: exp.Expr, relation: Relation, scope: Scope) -> Relation:
        """Return a source as the pivots written behind it leave it."""
        for pivot in item.args.get("pivots") or ():
            relation = self.pivot(pivot, relation, scope)
        return relation

    def pivot(self, pivot: exp.Expr, relation: Relation, scope: Scope) -> Relation:
        """Resolve a pivot: its columns are made from data, so any name leads to everything that went in."""
        inner = Scope(scope.parent, scope.ctes)
        inner.sources.append(Source("", relation, pivot, False, self.next_number()))
        if relation.table is not None:
            self.all_of(inner.sources[0], "select", "star", pivot, frozenset())
        self.ledger.read.update(map(id, own_columns(pivot)))
        for part in ("expressions", "fields", "using", "group"):
            for node in _listed(pivot.args.get(part)):
                self._pivot_part(node, inner)
        return Relation({}, spread=relation_lineage(relation))

    def _pivot_part(self, node: exp.Expr, scope: Scope) -> None:
        """Resolve what a pivot names of its input; the name UNPIVOT gives its new column is none of it."""
        known = scope.sources[0].relation
        for query in node.find_all(exp.Query):
            self.query(query, scope.parent, scope.ctes)
        for column in own_columns(node):
            name = (
                fold_identifier(self.dialect, column.this) if isinstance(column.this, exp.Identifier) else ""
            )
            if name in known.fields or known.spread is not None:
                self.visit(column, scope, "group")
        for call in node.find_all(exp.Func):
            self.call(call)


def _listed(value: object) -> list[exp.Expr]:
    if isinstance(value, exp.Expr):
        return [value]
    return [node for node in value if isinstance(node, exp.Expr)] if isinstance(value, list) else []
