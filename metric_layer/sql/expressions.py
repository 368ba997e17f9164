"""Walk an expression and follow every name in it: lambdas, windows, aggregates, calls, subqueries."""

from abc import abstractmethod

from sqlglot import exp

from metric_layer.sql.columns import NO_NAMES, ColumnReader, relation_lineage
from metric_layer.sql.names import fold_identifier
from metric_layer.sql.reading import Clause, FunctionCall
from metric_layer.sql.scope import BaseColumn, Relation, Scope, children_of, is_windowed
from metric_layer.sql.sizes import product_of, size_of
from metric_layer.sql.widths import made_text, making_of

FANNING = (exp.Sum, exp.Avg, exp.Count)
AVERAGES = frozenset(
    {"mean", "favg", "fsum", "kahan_sum", "sumkahan", "sum_no_overflow", "wavg", "weighted_avg"}
)
AGGREGATES = AVERAGES | {"sum", "avg", "count"}


class ExpressionReader(ColumnReader):
    """Resolves expressions in a scope."""

    @abstractmethod
    def query(self, node: exp.Expr, parent: Scope | None, ctes: dict[str, Relation]) -> Relation:
        """Resolve a query and return what it offers."""

    @abstractmethod
    def table(self, node: exp.Table, scope: Scope) -> Relation:
        """Resolve a table name and return what it offers."""

    def visit(self, node: exp.Expr, scope: Scope, clause: Clause) -> frozenset[BaseColumn]:
        """Resolve everything below a node; return the base columns it is computed from."""
        lineage: set[BaseColumn] = set()
        before = len(self.ledger.sizes)
        making: list[exp.Expr] = []
        stack: list[tuple[exp.Expr, Clause, str, frozenset[str]]] = [(node, clause, "", NO_NAMES)]
        while stack:
            at, where, within, bound = stack.pop()
            if isinstance(at, exp.Column):
                lineage |= self.follow(at, scope, where, within, bound)
            elif isinstance(at, exp.Query):
                relation = self.query(at, scope, scope.ctes)
                self.widths[id(at)] = relation.width
                lineage |= relation_lineage(relation)
            elif isinstance(at, exp.Table):
                self.table(at, scope)
                self.fault("function_allowlist", "table_argument", "a table is handed to a function", at)
            elif isinstance(at, (exp.Star, exp.Columns)):
                lineage |= self.star(at, scope, scope.near(), where)
            elif isinstance(at, exp.Dot):
                making.extend([at] if making_of(at) is not None else [])
                stack.extend(
                    (child, where, within, bound) for child in self._dot(at, scope, where, bound, lineage)
                )
            else:
                making.extend([at] if isinstance(at, exp.Func) and making_of(at) is not None else [])
                children, where, within, bound = self._step(at, scope, where, within, bound)
                stack.extend((child, where, within, bound) for child in children)
        for call in making:
            size = made_text(call, self.widths, self.ledger.name_span(call))
            self.ledger.sizes.extend([size] if size is not None else [])
        if len(self.ledger.sizes) > before + 1:
            self.ledger.sizes.extend(product_of(self.ledger.sizes[before:]))
        return frozenset(lineage)

    def _step(
        self, at: exp.Expr, scope: Scope, where: Clause, within: str, bound: frozenset[str]
    ) -> tuple[list[exp.Expr], Clause, str, frozenset[str]]:
        """Note what a plain node is and return its children, last first, with the clause they stand in."""
        children = children_of(at)
        if isinstance(at, exp.Func):
            self.call(at)
            if isinstance(at, FANNING) or (isinstance(at, exp.Anonymous) and _name(at) in AVERAGES):
                scope.aggregates.append(at)
                scope.measures.extend([_name(at)] if isinstance(at, exp.Anonymous) else [])
            if isinstance(at, exp.AggFunc):
                if not is_windowed(at):
                    scope.measures.append(type(at).__name__)
                where = "aggregate" if where == "select" else where
                within = _taking(at)
            if isinstance(at, exp.Count) and isinstance(at.this, exp.Star):
                children = [child for child in children if child is not at.this]
        elif isinstance(at, exp.Window):
            scope.windows = True
            self._window(at, scope)
            children = [at.this]
        elif isinstance(at, (exp.Where, exp.Order)):
            where, within = ("where" if isinstance(at, exp.Where) else "order"), ""
        elif isinstance(at, exp.Lambda):
            bound = bound | {fold_identifier(self.dialect, param) for param in at.expressions}
            children = [at.this]
        elif isinstance(at, exp.Comprehension):
            bound = bound | {
                fold_identifier(self.dialect, c) for c in (at.expression, at.args.get("position")) if c
            }
            children = [c for c in (at.this, at.args.get("iterator"), at.args.get("condition")) if c]
        return children, where, within, bound

    def _window(self, node: exp.Window, scope: Scope) -> None:
        """Resolve what a window is partitioned and ordered by."""
        for part in (*(node.args.get("partition_by") or ()), node.args.get("order"), node.args.get("spec")):
            if isinstance(part, exp.Expr):
                self.visit(part, scope, "window")

    def call(self, node: exp.Expr, prefix: str = "", in_from: bool = False) -> None:
        """Note a function call; a prefix makes it a name that no typed function has."""
        named = isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc))
        name = str(node.this) if named and not isinstance(node.this, exp.Expr) else type(node).__name__
        full = f"{prefix}.{node.name or name}".lower() if prefix else name
        span = self.ledger.name_span(node)
        self.ledger.functions.append(FunctionCall(full, not named and not prefix, in_from, span))
        size = size_of(node, span)
        if size is not None:
            self.ledger.sizes.append(size)

    def _dot(
        self, node: exp.Dot, scope: Scope, where: Clause, bound: frozenset[str], lineage: set[BaseColumn]
    ) -> list[exp.Expr]:
        """Tell a struct field or a method call on a value from a function of another schema."""
        value, part = node.this, node.expression
        found = [part] if isinstance(part, exp.Func) else []
        if isinstance(part, exp.Star):
            lineage |= self.visit(value, scope, where)
            return []
        self._method(part)
        parts = _named_path(value)
        if not parts:
            return [*found, value]
        reached = [*parts, part] if isinstance(part, exp.Identifier) else parts
        start = self.path(reached, value if found else node, scope, where)
        if start is not None:
            lineage |= start
            return list(found)
        if fold_identifier(self.dialect, parts[0]) in bound:
            return list(found)
        prefix = ".".join(named.name for named in parts)
        if isinstance(part, exp.Func):
            self.call(part, prefix=prefix)
            return children_of(part)
        self.unknown(node, prefix, scope)
        return []

    def _method(self, part: exp.Expr) -> None:
        """Refuse aggregates written as methods: whether joins repeat their rows is not followed."""
        if isinstance(part, exp.AggFunc) or (isinstance(part, exp.Anonymous) and _name(part) in AGGREGATES):
            self.fault("function_allowlist", "aggregate_method", "write the aggregate as a function", part)


def _named_path(node: exp.Expr) -> list[exp.Expr]:
    """Return the identifiers of `a.b.c`; nothing when the value is anything else."""
    if isinstance(node, exp.Identifier):
        return [node]
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        before = _named_path(node.this)
        return [*before, node.expression] if before else []
    return []


def _name(node: exp.Expr) -> str:
    return str(node.this).lower()


def _taking(aggregate: exp.Expr) -> str:
    """Return what an aggregate does to the column it takes as it is; nothing when it takes anything else."""
    name, argument = type(aggregate).__name__, aggregate.this
    if isinstance(argument, exp.Distinct):
        return f"{name}Distinct" if all(isinstance(v, exp.Column) for v in argument.expressions) else ""
    return name if isinstance(argument, exp.Column) else ""
