"""Turn the items of a FROM clause into sources: tables, CTEs, derived tables, made-up rows, pivots."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from metric_layer.sql.columns import quote
from metric_layer.sql.grain import Grain
from metric_layer.sql.ledger import Instance
from metric_layer.sql.names import IndexedTable, fold_identifier
from metric_layer.sql.pivots import PivotReader
from metric_layer.sql.reading import ColumnRef
from metric_layer.sql.scope import (
    BaseColumn,
    Conjunct,
    Field,
    Origin,
    Relation,
    Scope,
    Source,
    Use,
    conjuncts,
)
from metric_layer.sql.widths import widest, width_of

KEYLESS = ("NATURAL", "POSITIONAL")
FILTERING = ("SEMI", "ANTI")


class SourceReader(PivotReader):
    """Adds the items of FROM and JOIN to a scope."""

    @abstractmethod
    def close(self, scope: Scope, node: exp.Select | None = None) -> Grain:
        """Work out how the sources of a scope hang together."""

    def add(self, item: exp.Expr, scope: Scope, *, optional: bool = False) -> list[Source]:
        """Add one item with the joins written inside it; return the sources it brought."""
        before = len(scope.sources)
        if (
            isinstance(item, exp.Subquery)
            and isinstance(item.this, (exp.Table, exp.Subquery))
            and _is_bracket(item)
        ):
            self._bracket(item, scope)
        else:
            self._single(item, scope)
        for join in item.args.get("joins") or ():
            self.join(join, scope)
        for lateral in item.args.get("laterals") or ():
            self.add(lateral, scope)
        added = scope.sources[before:]
        for source in added:
            source.optional = source.optional or optional
        return added

    def join(self, join: exp.Join, scope: Scope) -> None:
        """Add the right side of a join and keep its conditions."""
        left = list(scope.sources)
        side, kind, method = (str(join.args.get(part) or "").upper() for part in ("side", "kind", "method"))
        added = self.add(join.this, scope, optional=side in ("LEFT", "FULL"))
        if side in ("RIGHT", "FULL"):
            for source in left:
                source.optional = True
        for source in added:
            source.filtering = kind in FILTERING or side in FILTERING
        for word in (method, kind):
            if word in KEYLESS and left and added:
                scope.keyless.append((word.lower(), left[-1], added[0], join))
                self._natural(word, left, added, join)
        for condition in (join.args.get("on"), join.args.get("match_condition")):
            if condition is not None:
                self.visit(condition, scope, "join")
                right = added[0] if added else None
                scope.conjuncts.extend(Conjunct(c, side or "INNER", right) for c in conjuncts(condition))
        for column in join.args.get("using") or ():
            self._using(column, left, added, scope, join)

    def _natural(self, word: str, left: list[Source], added: list[Source], join: exp.Join) -> None:
        """Note the personal columns of both sides of a NATURAL join, which it may compare or expose."""
        if word != "NATURAL":
            return
        for source in (*left, *added):
            table = source.relation.table
            if table is not None:
                for column in sorted(table.personal):
                    name = table.columns[column].name
                    self.ledger.columns.append(
                        ColumnRef(table.table.name, name, "join", "natural", "", self.ledger.span(join))
                    )

    def _using(
        self, column: exp.Expr, left: list[Source], added: list[Source], scope: Scope, join: exp.Join
    ) -> None:
        self.ledger.read.add(id(column))
        name = fold_identifier(self.dialect, column.this if isinstance(column, exp.Column) else column)
        ours = next((s for s in left if s.field(name)), None)
        theirs = next((s for s in added if s.field(name)), None)
        if ours is None or theirs is None:
            self.unknown(join, name, scope)
            return
        merged = scope.using.setdefault(name, [ours])
        merged.append(theirs)
        for source in (ours, theirs):
            field = source.field(name)
            if field is not None:
                self.note(Use(source, field), column, "join", "")
        scope.merged.append((ours, theirs, name, join))

    def _single(self, item: exp.Expr, scope: Scope) -> None:
        read = self._relation(item, scope)
        relation = self.pivoted(item, read, scope)
        relation.width = read.width
        name, named = self._alias(item)
        if named and isinstance(item, exp.Table) and relation.table is not None and self.qualify:
            self._give_alias(item, name)
        self._put(Source(name, relation, item, named, self.next_number()), scope)

    def _put(self, source: Source, scope: Scope) -> None:
        """Add a source to a scope, in which no two have the same name."""
        if source.named and scope.named(source.name) is not None:
            message = f"{source.name} is the name of several sources"
            self.fault("unknown_column", "repeated_source", message, source.node, source.name)
        scope.sources.append(source)

    def _relation(self, item: exp.Expr, scope: Scope) -> Relation:
        if isinstance(item, exp.Table):
            made = self._from_function(item, scope)
            return made if made is not None else self.table(item, scope)
        if isinstance(item, (exp.Subquery, exp.Select, exp.SetOperation)):
            return self._derived(item, item, scope, lateral=self.dialect == "duckdb")
        if isinstance(item, exp.Lateral):
            if isinstance(item.this, exp.Subquery):
                return self._derived(item, item.this, scope, lateral=True)
            return self._made(item, [item.this], scope)
        if isinstance(item, exp.Values):
            return self._values(item, scope)
        if isinstance(item, exp.Unnest):
            return self._made(item, item.expressions, scope)
        if isinstance(item, exp.TableFromRows) and isinstance(item.this, exp.Func):
            return self._made(item, [item.this], scope)
        if isinstance(item, exp.Pivot):
            return self._pivot_statement(item, scope)
        self.fault(
            "table_allowlist",
            "unsupported_source",
            "this cannot be read like a table",
            item,
            type(item).__name__,
        )
        return Relation({})

    def _from_function(self, item: exp.Table, scope: Scope) -> Relation | None:
        if item.args.get("rows_from"):
            self.ledger.read.update(map(id, (item, *item.args["rows_from"])))
            calls = [table.this for table in item.args["rows_from"] if isinstance(table, exp.Table)]
            return self._made(item, calls, scope)
        call = item.this
        if isinstance(call, (exp.Func, exp.Dot)):
            self.ledger.read.add(id(item))
        if isinstance(call, exp.Func):
            prefix = ".".join(part.name for part in (item.args.get("catalog"), item.args.get("db")) if part)
            if prefix:
                self.call(call, prefix=prefix, in_from=True)
            return self._made(item, [call], scope)
        if isinstance(call, exp.Dot):
            return self._made(item, [call], scope)
        return None

    def _made(self, item: exp.Expr, values: Sequence[exp.Expr | None], scope: Scope) -> Relation:
        """Resolve rows made from values: they depend on what their arguments depend on."""
        lineage: set[BaseColumn] = set()
        probe = Scope(scope, scope.ctes)
        self.ledger.expand()
        before = len(self.ledger.sizes)
        rows: int | None = None
        listed = False
        for value in values:
            if value is not None:
                lineage |= self.visit(value, probe, "from")
                listed = isinstance(value, exp.Array) and value.find(exp.Query) is None
                rows = len(value.expressions) if listed else rows
        sizes = [size.amount for size in self.ledger.sizes[before:] if size.kind == "rows"]
        rows = sizes[-1] if sizes else rows
        found = frozenset(lineage)
        names = self._alias_columns(item)
        fields = {name: Field(name, found) for name in names}
        fields.update(self._offset(item))
        ours = {source.number for source in scope.sources}
        near = frozenset(probe.outer & ours)
        width = widest([width_of(value, self.widths) for value in values])
        return Relation(fields, None, -1, (), found, rows, True, listed, near, width=width)

    def _offset(self, item: exp.Expr) -> dict[str, Field]:
        """Return the column that counts the rows of an UNNEST, where it has a name of its own."""
        offset = item.args.get("offset")
        if not isinstance(offset, exp.Identifier):
            return {}
        name = fold_identifier(self.dialect, offset)
        if self.qualify:
            quote(offset, name)
        return {name: Field(name)}

    def _values(self, item: exp.Values, scope: Scope) -> Relation:
        self.ledger.expand()
        lineage: set[BaseColumn] = set()
        for row in item.expressions:
            lineage |= self.visit(row, Scope(scope, scope.ctes), "from")
        width = len(item.expressions[0].expressions) if item.expressions else 0
        names = self._alias_columns(item) or [f"column{i + 1}" for i in range(width)]
        found = frozenset(lineage)
        return Relation(
            {n: Field(n, found) for n in names},
            spread=found,
            made=True,
            listed=True,
            rows=len(item.expressions),
            width=widest([width_of(row, self.widths) for row in item.expressions]),
        )

    def _derived(self, item: exp.Expr, query: exp.Expr, scope: Scope, *, lateral: bool) -> Relation:
        """Resolve a derived table. A lateral one sees the sources before it; DuckDB reads every one so."""
        if not lateral:
            return self._renamed(item, self.query(query, scope.parent, scope.ctes))
        probe = Scope(scope, scope.ctes)
        relation = self._renamed(item, self.query(query, probe, scope.ctes))
        relation.correlated = frozenset(probe.outer & {source.number for source in scope.sources})
        return relation

    def table(self, node: exp.Table, scope: Scope) -> Relation:
        """Resolve a table name: a CTE in scope, else a table of the catalogue, else an unknown one."""
        self.ledger.read.add(id(node))
        parts = [node.args.get(part) for part in ("catalog", "db", "this")]
        if any(part is not None and not isinstance(part, exp.Identifier) for part in parts):
            self.fault("table_allowlist", "dynamic_table", "tables are named, not computed or left out", node)
            return Relation({})
        catalog, schema, name = (
            fold_identifier(self.dialect, part, relation=True) if isinstance(part, exp.Expr) else ""
            for part in parts
        )
        if not catalog and not schema:
            cte = scope.ctes.get(fold_identifier(self.dialect, node.this))
            if cte is not None:
                self.ledger.expand(cte.weight)
                return self._renamed(node, cte)
        self.ledger.expand()
        entry = self.index.find(catalog, schema, name)
        written = ".".join(part.name for part in parts if isinstance(part, exp.Expr))
        alias = node.alias or written
        if entry is None:
            self.ledger.instances.append(Instance(written, False, alias, self.ledger.span(node)))
            return Relation({}, spread=frozenset())
        self.ledger.instances.append(Instance(entry.table.name, True, alias, self.ledger.span(node)))
        if self.qualify:
            self._qualify_table(node, entry)
        if self._alias_columns(node):
            self.fault("statement_type", "renamed_columns", "columns of tables keep their names", node, alias)
        return _base(entry, len(self.ledger.instances) - 1)

    def _qualify_table(self, node: exp.Table, entry: IndexedTable) -> None:
        catalog, schema, name = entry.path
        quote(node.this, name)
        if schema:
            node.set("db", exp.to_identifier(schema, quoted=True))
        if catalog:
            node.set("catalog", exp.to_identifier(catalog, quoted=True))

    def _renamed(self, item: exp.Expr, relation: Relation) -> Relation:
        """Return the relation under the column names an alias list gives it."""
        names = self._alias_columns(item)
        if not names:
            return relation
        old = list(relation.fields.values())
        mapping = {f.name: n for f, n in zip(old, names, strict=False)}
        return renamed(relation, mapping)

    def _alias_columns(self, item: exp.Expr) -> list[str]:
        alias = item.args.get("alias")
        columns = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
        return [
            fold_identifier(self.dialect, c.this if isinstance(c, exp.ColumnDef) else c)
            for c in columns or ()
            if isinstance(c, (exp.Identifier, exp.ColumnDef))
        ]

    def _alias(self, item: exp.Expr) -> tuple[str, bool]:
        alias = item.args.get("alias")
        pivots = item.args.get("pivots") or ()
        if pivots and isinstance(pivots[-1].args.get("alias"), exp.TableAlias):
            alias = pivots[-1].args["alias"]
        if isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier):
            return fold_identifier(self.dialect, alias.this), True
        if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier) and not pivots:
            return fold_identifier(self.dialect, item.this), True
        return "", False

    def _give_alias(self, item: exp.Table, name: str) -> None:
        alias = item.args.get("alias")
        if isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier):
            quote(alias.this, name)
        elif alias is None and not item.args.get("pivots"):
            item.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))

    def _bracket(self, item: exp.Subquery, scope: Scope) -> None:
        """Add a bracketed join tree; under an alias it is one source that offers every column of the tree."""
        name, named = self._alias(item)
        if not named:
            self.add(item.this, scope)
            return
        inner = Scope(scope.parent, scope.ctes)
        self.add(item.this, inner)
        if self.closing:
            self.close(inner)
        fields: dict[str, Field] = {}
        for source in inner.sources:
            fields.update(source.relation.fields)
        spread = frozenset(c for s in inner.sources for c in s.relation.spread or ())
        handed = any(source.relation.recursive for source in inner.sources)
        width = widest([source.relation.width for source in inner.sources])
        relation = Relation(fields, spread=spread or None, recursive=handed, width=width)
        self._put(Source(name, self._renamed(item, relation), item, named, self.next_number()), scope)

    def _pivot_statement(self, item: exp.Pivot, scope: Scope) -> Relation:
        inner = Scope(scope, scope.ctes)
        self._single(item.this, inner)
        relation = self.pivot(item, inner.sources[0].relation, scope)
        relation.width = inner.sources[0].relation.width
        return relation


def is_named(table: exp.Table) -> bool:
    """Say whether a table is named by an identifier, and not made by a function."""
    return isinstance(table.this, exp.Identifier)


def renamed(relation: Relation, mapping: dict[str, str]) -> Relation:
    """Return the relation with fields renamed; names that are not mapped stay."""
    fields = {mapping.get(n, n): f for n, f in relation.fields.items()}
    keys = tuple(frozenset(mapping.get(n, n) for n in key) for key in relation.keys)
    return replace(relation, fields=fields, keys=keys)


def _base(entry: IndexedTable, instance: int) -> Relation:
    return Relation(dict(_fields(entry, instance)), table=entry, instance=instance, keys=entry.keys)


@lru_cache(maxsize=1024)
def _fields(entry: IndexedTable, instance: int) -> dict[str, Field]:
    """Return the columns of a table as the n-th table of a text; most texts have few tables."""
    table = entry.table.name
    return {
        name: Field(name, lineage, Origin(instance, table, column.name))
        for (name, column), lineage in zip(entry.columns.items(), entry.lineages, strict=True)
    }


def _is_bracket(inner: exp.Expr) -> bool:
    """Say whether a bracket in FROM holds a table or a join tree, not a query."""
    if isinstance(inner, exp.Subquery):
        held = inner.args.get("joins") or inner.args.get("laterals") or inner.args.get("alias")
        return bool(held) or _is_bracket(inner.this)
    return isinstance(inner, (exp.Table, exp.Values, exp.Unnest, exp.Lateral))
