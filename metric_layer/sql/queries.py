"""Resolve whole queries: CTEs, set operations, SELECTs, recursion, and what each of them offers."""

from dataclasses import replace

from sqlglot import exp

from metric_layer.sql.closing import ClosingReader
from metric_layer.sql.columns import quote, relation_lineage
from metric_layer.sql.grain import Grain, is_star, starred
from metric_layer.sql.literals import integer_of
from metric_layer.sql.names import fold_identifier
from metric_layer.sql.reading import Clause, Size
from metric_layer.sql.recursion import steps_of
from metric_layer.sql.scope import (
    ONE_ROW,
    Conjunct,
    Field,
    Relation,
    Scope,
    conjuncts,
)
from metric_layer.sql.sources import is_named
from metric_layer.sql.widths import TEXT_MADE, widest, width_of

AFTER = ("group", "having", "qualify", "windows", "distinct", "order", "limit", "offset", "fetch")
MAX_ALIASED = 1000
CLAUSES: dict[str, Clause] = {
    "group": "group",
    "having": "having",
    "qualify": "having",
    "order": "order",
    "windows": "window",
}


class QueryReader(ClosingReader):
    """Resolves a tree from its root."""

    def root(self, node: exp.Expr) -> Relation:
        """Resolve a whole statement."""
        relation = self.query(node, None, {})
        if self.ledger.aliased > MAX_ALIASED:
            message = (
                f"outputs are used by their alias {self.ledger.aliased} times, counted through each other"
            )
            self.fault("resource_bomb", "too_many_aliases", message, None, str(self.ledger.aliased))
        return relation

    def query(self, node: exp.Expr, parent: Scope | None, ctes: dict[str, Relation]) -> Relation:
        """Resolve a query and return what it offers."""
        with_ = node.args.get("with_")
        if isinstance(with_, exp.With):
            ctes = self._ctes(with_, parent, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, parent, ctes)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, parent, ctes)
        if isinstance(node, exp.Subquery):
            return self._bracketed(node, parent, ctes)
        scope = Scope(parent, ctes)
        self.add(node, scope)
        return scope.sources[0].relation if scope.sources else Relation({})

    def _ctes(self, with_: exp.With, parent: Scope | None, ctes: dict[str, Relation]) -> dict[str, Relation]:
        known = dict(ctes)
        self.within += 1
        for cte in with_.expressions:
            name = fold_identifier(self.dialect, cte.args["alias"].this)
            body, before = cte.this, self.ledger.expanded
            if not isinstance(body, (exp.Query, exp.Pivot)):
                self.fault(
                    "data_modifying_cte", "cte_is_no_query", "a CTE holds something else than a query", body
                )
                continue
            if (
                with_.args.get("recursive")
                and isinstance(body, exp.SetOperation)
                and self._mentions(body, name)
            ):
                relation = self._recursive(cte, body, name, parent, known)
            else:
                relation = self._renamed(cte, self.query(body, parent, known))
            if self.qualify:
                quote(cte.args["alias"].this, name)
            relation.weight = max(1, self.ledger.expanded - before)
            known[name] = relation
        self.within -= 1
        return known

    def _mentions(self, node: exp.Expr, name: str) -> bool:
        tables = (t for t in node.find_all(exp.Table) if t.args.get("db") is None and is_named(t))
        return any(fold_identifier(self.dialect, table.this) == name for table in tables)

    def _recursive(
        self,
        cte: exp.CTE,
        body: exp.SetOperation,
        name: str,
        parent: Scope | None,
        known: dict[str, Relation],
    ) -> Relation:
        """Resolve a recursive CTE: its first branch says what it offers, the other is read against that."""
        anchor = self._renamed(cte, self.query(body.this, parent, known))
        anchor.keys = ()
        inside = {**known, name: replace(anchor, recursive=True)}
        step = self.query(body.expression, parent, inside)
        place = self.ledger.span(cte.args["alias"])
        steps = steps_of(body, name, list(anchor.fields), self.dialect, place)
        self.ledger.sizes.append(steps)
        longest = None if step.width is None or steps.amount is None else step.width * steps.amount
        anchor.width = widest([anchor.width, longest])
        everything = relation_lineage(anchor) | relation_lineage(step)
        anchor.fields = {name: Field(name, everything) for name in anchor.fields}
        if step.spread is not None:
            anchor.spread = step.spread | (anchor.spread or frozenset())
        if not anchor.from_tables:
            anchor.made, anchor.rows = True, steps.amount
        self.outer_part(body, anchor, parent, inside)
        return anchor

    def _bracketed(self, node: exp.Subquery, parent: Scope | None, ctes: dict[str, Relation]) -> Relation:
        relation = self.query(node.this, parent, ctes)
        for pivot in node.args.get("pivots") or ():
            if node.parent is None or not isinstance(node.parent, (exp.From, exp.Join)):
                relation = self.pivot(pivot, relation, Scope(parent, ctes))
        self.outer_part(node, relation, parent, ctes)
        return self._limited(node, relation)

    def outer_part(
        self, node: exp.Expr, relation: Relation, parent: Scope | None, ctes: dict[str, Relation]
    ) -> None:
        """Resolve ORDER BY and LIMIT that stand outside a bracket or a set operation."""
        scope = Scope(parent, ctes, alias_fields=dict(relation.fields))
        scope.aliases = dict.fromkeys(relation.fields, node)
        for part in ("order", "limit", "offset"):
            child = node.args.get(part)
            if child is not None:
                self.visit(child, scope, "order" if part == "order" else "limit")
        self.positions(node, [field.lineage for field in relation.fields.values()])

    def _set_operation(
        self, node: exp.SetOperation, parent: Scope | None, ctes: dict[str, Relation]
    ) -> Relation:
        left = self.query(node.this, parent, ctes)
        right = self.query(node.expression, parent, ctes)
        if node.args.get("by_name"):
            fields = {
                n: _merge(left.fields.get(n), right.fields.get(n)) for n in (*left.fields, *right.fields)
            }
        else:
            theirs = [*right.fields.values(), *([None] * len(left.fields))]
            fields = {n: _merge(f, o) for (n, f), o in zip(left.fields.items(), theirs, strict=False)}
        spread = None
        if left.spread is not None or right.spread is not None:
            spread = (left.spread or frozenset()) | (right.spread or frozenset())
        distinct = not isinstance(node, exp.Union) or bool(node.args.get("distinct"))
        keys = (frozenset(fields),) if distinct and spread is None else ()
        rows = left.rows + right.rows if left.rows is not None and right.rows is not None else None
        width = widest([left.width, right.width])
        made = left.made and right.made
        handed_on = left.starred + right.starred
        relation = Relation(
            fields, keys=keys, spread=spread, made=made, rows=rows, width=width, starred=handed_on
        )
        self.outer_part(node, relation, parent, ctes)
        return self._limited(node, relation)

    def _limited(self, node: exp.Expr, relation: Relation) -> Relation:
        limit = node.args.get("limit")
        if limit is None:
            return relation
        count = limit.expression if isinstance(limit, exp.Limit) else limit.args.get("count")
        keys = ONE_ROW if integer_of(count) == 1 else relation.keys
        return Relation(
            relation.fields,
            keys=keys,
            spread=relation.spread,
            made=relation.made,
            listed=relation.listed,
            rows=relation.rows,
            recursive=relation.recursive,
            width=relation.width,
            starred=relation.starred,
        )

    def _select(self, node: exp.Select, parent: Scope | None, ctes: dict[str, Relation]) -> Relation:
        scope = Scope(parent, ctes)
        self._from(node, scope)
        projections = list(node.expressions)
        scope.aliases = {
            fold_identifier(self.dialect, p.args["alias"]): p.this
            for p in projections
            if isinstance(p, exp.Alias) and isinstance(p.args["alias"], exp.Identifier)
        }
        where = node.args.get("where")
        if where is not None:
            self.visit(where, scope, "where")
            scope.conjuncts.extend(Conjunct(c, "WHERE") for c in conjuncts(where.this))
        lineages = []
        for projection in projections:
            before = self.ledger.aliased
            lineages.append(self.visit(projection, scope, "select"))
            value = projection.this if isinstance(projection, exp.Alias) else projection
            self.expansions[id(value)] = 1 + self.ledger.aliased - before
            self._offer_alias(projection, lineages[-1], scope)
        self._after(node, scope)
        self.positions(node, lineages)
        if not self.closing:
            return self._limited(node, self._named(node, scope, lineages))
        grain = self.close(scope, node)
        self._multiplied(scope, grain)
        return self._limited(node, self._offer(node, scope, grain, lineages))

    def _multiplied(self, scope: Scope, grain: Grain) -> None:
        """Refuse a step of a recursion that reads more than one row for each row of the step before."""
        for source in scope.sources:
            if source.relation.recursive and (by := grain.multiplied_by(source)):
                message = f"{by} may multiply the rows of every step of the recursion"
                self.fault("resource_bomb", "multiplied_recursion", message, source.node, by)

    def _from(self, node: exp.Select, scope: Scope) -> None:
        from_ = node.args.get("from_")
        if from_ is not None:
            self.add(from_.this, scope)
        else:
            self.ledger.expand()
        for lateral in node.args.get("laterals") or ():
            self.add(lateral, scope)
        for join in node.args.get("joins") or ():
            self.join(join, scope)

    def _offer_alias(self, projection: exp.Expr, lineage: frozenset[tuple[str, str]], scope: Scope) -> None:
        if isinstance(projection, exp.Alias) and isinstance(projection.args["alias"], exp.Identifier):
            name = fold_identifier(self.dialect, projection.args["alias"])
            scope.alias_fields[name] = Field(name, lineage)
            if self.qualify:
                quote(projection.args["alias"], name)

    def _after(self, node: exp.Select, scope: Scope) -> None:
        for part in AFTER:
            child = node.args.get(part)
            for item in child if isinstance(child, list) else (child,):
                if isinstance(item, exp.Expr):
                    self.visit(item, scope, CLAUSES.get(part, "limit"))
        scope.grouped = bool(scope.measures) or node.args.get("group") is not None

    def _offer(
        self, node: exp.Select, scope: Scope, grain: Grain, lineages: list[frozenset[tuple[str, str]]]
    ) -> Relation:
        """Build what the SELECT offers: its outputs with lineage, and the keys that identify its rows."""
        fields: dict[str, Field] = {}
        spread: frozenset[tuple[str, str]] | None = None
        names = [self._output_name(projection, at) for at, projection in enumerate(node.expressions)]
        grain.note_outputs(names, node)
        for projection, lineage, name in zip(node.expressions, lineages, names, strict=True):
            if is_star(projection):
                for source in grain.starred(projection):
                    fields.update({n: grain.passed(source, f) for n, f in source.relation.fields.items()})
                    if source.relation.spread is not None:
                        spread = (spread or frozenset()) | source.relation.spread
                continue
            field = grain.output(projection, lineage, name)
            fields[field.name] = field
        keys = grain.keys(node, fields) if spread is None else ()
        made = scope.rows is not None
        listed = made and all(source.relation.listed for source in scope.sources)
        handed = any(source.relation.recursive for source in scope.sources)
        width = widest([width_of(projection, self.widths) for projection in node.expressions])
        if width is not None and width > TEXT_MADE:
            self.ledger.sizes.append(Size("text", width, "characters", self.ledger.span(node)))
        handed_on = self._starred(node, scope) if self.passing else ()
        return Relation(
            fields,
            keys=keys,
            spread=spread,
            rows=scope.rows,
            made=made,
            listed=listed,
            recursive=handed,
            width=width,
            starred=handed_on,
        )

    def _named(self, node: exp.Select, scope: Scope, lineages: list[frozenset[tuple[str, str]]]) -> Relation:
        """Build what the SELECT offers by name and lineage alone."""
        fields: dict[str, Field] = {}
        spread: frozenset[tuple[str, str]] | None = None
        for at, (projection, lineage) in enumerate(zip(node.expressions, lineages, strict=True)):
            if is_star(projection):
                for source in starred(projection, scope, self.dialect):
                    fields.update(source.relation.fields)
                    if source.relation.spread is not None:
                        spread = (spread or frozenset()) | source.relation.spread
                continue
            use = self.uses.get(id(projection.this if isinstance(projection, exp.Alias) else projection))
            passed = use.field if use is not None else Field("")
            name = self._output_name(projection, at)
            fields[name] = Field(name, lineage, passed.origin, others=passed.others)
        return Relation(fields, spread=spread, starred=self._starred(node, scope) if self.passing else ())

    def _starred(self, node: exp.Select, scope: Scope) -> tuple[str, ...]:
        """Return the tables of which a star of the parser's hands all columns on."""
        stars = filter(is_star, node.expressions)
        relations = (source.relation for star in stars for source in starred(star, scope, self.dialect))
        return tuple(
            name for r in relations for name in ((r.table.table.name,) if r.table is not None else r.starred)
        )

    def _output_name(self, projection: exp.Expr, position: int) -> str:
        if isinstance(projection, exp.Alias) and isinstance(projection.args["alias"], exp.Identifier):
            return fold_identifier(self.dialect, projection.args["alias"])
        if isinstance(projection, exp.Column) and isinstance(projection.this, exp.Identifier):
            return fold_identifier(self.dialect, projection.this)
        if isinstance(projection, exp.Dot):
            return projection.name
        return f"?{position}"


def _merge(left: Field | None, right: Field | None) -> Field:
    """Return one column of a set operation: it comes from both sides."""
    given = left or right or Field("")
    lineage = (left.lineage if left else frozenset()) | (right.lineage if right else frozenset())
    repeated = (left.repeated if left else "") or (right.repeated if right else "")
    origin = left.origin if left and right and _same_column(left, right) else None
    ours, theirs = (side.origins if side else () for side in (left, right))
    others = tuple({(o.table, o.column): o for o in (*ours, *theirs)}.values()) if ours and theirs else ()
    return Field(given.name, lineage, origin, repeated, others=others)


def _same_column(left: Field, right: Field) -> bool:
    ours, theirs = left.origin, right.origin
    return (
        ours is not None and theirs is not None and (ours.table, ours.column) == (theirs.table, theirs.column)
    )
