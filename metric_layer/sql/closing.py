"""What a scope says once all of its names are followed: joins, products, repeated rows, filters, sizes."""

from collections.abc import Sequence
from math import prod

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from metric_layer.sql.bounds import bound_of
from metric_layer.sql.grain import Grain
from metric_layer.sql.links import FEW_ROWS, Links
from metric_layer.sql.literals import integer_of
from metric_layer.sql.reading import Clause, FannedAggregate, Filter, ScopeGrain, Size
from metric_layer.sql.scope import BaseColumn, Scope, own_columns
from metric_layer.sql.sizes import expanded_rows
from metric_layer.sql.sources import SourceReader


class ClosingReader(SourceReader):
    """Notes what finished scopes say."""

    def positions(self, node: exp.Expr, lineages: Sequence[frozenset[BaseColumn]]) -> None:
        """Follow GROUP BY 1, ORDER BY 2 and their ALL to the outputs they mean."""
        clauses: tuple[Clause, ...] = ("group", "order")
        for clause in clauses:
            part = node.args.get(clause)
            items = (
                [item.this if isinstance(item, exp.Ordered) else item for item in part.expressions]
                if part
                else []
            )
            if part is not None and (
                part.args.get("all") or any(item.name.upper() == "ALL" for item in items)
            ):
                for lineage in lineages:
                    self.note_output(lineage, part, clause)
            for item in items:
                position = integer_of(item)
                if position is not None and 0 < position <= len(lineages):
                    self.note_output(lineages[position - 1], item, clause)

    def close(self, scope: Scope, node: exp.Select | None = None) -> Grain:
        """Work out how the sources of a scope hang together, and note what that says."""
        links = Links(self.index, scope, self.uses, self.ledger)
        self.ledger.joins.extend(links.joins())
        crosses, components = links.crosses()
        self.ledger.crosses.extend(crosses)
        self.ledger.components = max(self.ledger.components, components)
        scope.rows = self._product(scope, node)
        grain = Grain(scope, links, self.uses, self.dialect)
        for aggregate in scope.aggregates:
            found = grain.repeats(aggregate)
            if found is not None:
                name, by = found
                self.ledger.fanned.append(
                    FannedAggregate(
                        type(aggregate).__name__.upper(),
                        name,
                        by,
                        aggregate.sql(self.dialect, unsupported_level=ErrorLevel.IGNORE)[:120],
                        self.ledger.span(aggregate),
                    )
                )
        self.ledger.scopes.append(self._scope_grain(scope, node))
        return grain

    def _product(self, scope: Scope, node: exp.Select | None) -> int | None:
        """Note how many rows the made-up sources of a scope have together, set-returning outputs included.

        Return that number where the scope reads no table.
        """
        made = [s.relation.rows for s in scope.sources if s.relation.made and not s.relation.correlated]
        known = prod(count for count in made if count is not None)
        expanded = (
            prod(expanded_rows(projection) for projection in node.expressions) if node is not None else 1
        )
        tables = any(source.relation.from_tables for source in scope.sources)
        if (len(made) > 1 and known > 1) or expanded > 1:
            per_row = tables and expanded > FEW_ROWS
            self.ledger.sizes.append(Size("product", None if per_row else known * expanded, "rows"))
        return known * expanded if not tables and None not in made else None

    def _filters(self, scope: Scope) -> tuple[Filter, ...]:
        """Return the conjuncts of a scope, and take over the bounds they put on large tables."""
        found = []
        for conjunct in scope.conjuncts:
            columns = frozenset[BaseColumn]().union(
                *(
                    use.field.lineage
                    for c in own_columns(conjunct.node)
                    if (use := self.uses.get(id(c))) is not None
                )
            )
            bound = bound_of(conjunct, self.uses, scope.sources, self.ledger.now)
            lower = upper = None
            if bound is not None:
                origin, lower, upper = bound
                entry = self.index.by_name.get(origin.table)
                if entry is not None and entry.time_column == self.index.column(origin.column):
                    self.ledger.instances[origin.instance].restrict(lower, upper)
            found.append(Filter(tuple(sorted(columns)), lower, upper))
        return tuple(found)

    def _scope_grain(self, scope: Scope, node: exp.Select | None) -> ScopeGrain:
        group = node.args.get("group") if node is not None else None
        return ScopeGrain(
            tables=tuple(s.relation.table.table.name for s in scope.sources if s.relation.table is not None),
            grouped_by=tuple(g.name or type(g).__name__ for g in group.expressions)
            if group is not None
            else (),
            aggregates=tuple(scope.measures),
            filters=self._filters(scope),
        )
