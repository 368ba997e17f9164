"""Follow one name to base columns: a column, a star, a whole row, a struct field."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import count

from sqlglot import exp

from metric_layer.sql.ledger import Ledger
from metric_layer.sql.names import CatalogueIndex, fold_identifier
from metric_layer.sql.reading import Clause, ColumnRef, Fault, FaultCheck, StarRef
from metric_layer.sql.scope import BaseColumn, Field, Relation, Scope, Source, Use, own_columns
from metric_layer.sql.widths import widest, width_of

NO_NAMES: frozenset[str] = frozenset()


class ColumnReader(ABC):
    """Resolves single names in a scope. `qualify` writes what it finds back into the tree.

    Without `closing`, names are followed and nothing else: what scopes say is known of the same tree already.
    """

    def __init__(self, index: CatalogueIndex, ledger: Ledger, *, qualify: bool, closing: bool) -> None:
        self.index = index
        self.dialect = index.dialect
        self.ledger = ledger
        self.qualify = qualify
        self.closing = closing
        self.uses: dict[int, Use] = {}
        self.widths: dict[int, int | None] = {}
        self.expansions: dict[int, int] = {}
        self.within = 0
        self._numbers = count()

    @abstractmethod
    def visit(self, node: exp.Expr, scope: Scope, clause: Clause) -> frozenset[BaseColumn]:
        """Resolve everything below a node; return the base columns it is computed from."""

    @property
    def passing(self) -> bool:
        """Say whether a star only hands columns on to the next pipe operator."""
        return self.ledger.our_stars and self.within > 0

    def next_number(self) -> int:
        """Return a number that no other source of this walk has."""
        return next(self._numbers)

    def follow(
        self, node: exp.Column, scope: Scope, where: Clause, within: str, bound: frozenset[str]
    ) -> frozenset[BaseColumn]:
        """Return the base columns a column node leads to. `bound` holds the names lambdas bind."""
        self.ledger.read.add(id(node))
        table = node.args.get("table")
        if isinstance(node.this, exp.Star):
            return self._qualified_star(node, scope, where)
        if not isinstance(node.this, exp.Identifier):
            self.fault("unknown_column", "positional_column", "columns are named, not numbered", node)
            return frozenset()
        name = fold_identifier(self.dialect, node.this)
        if table is not None:
            return self._qualified(node, name, scope, where, within, bound)
        if name in bound and not any(level.offering(name) for level in scope.chain()):
            return frozenset()
        return self._bare(node, name, scope, where, within)

    def _bare(
        self, node: exp.Column, name: str, scope: Scope, where: Clause, within: str
    ) -> frozenset[BaseColumn]:
        """Resolve a name without a source: a column, else an output of this SELECT, else a whole row."""
        uses = self.lookup(name, scope)
        alias = scope.alias_fields.get(name) if where != "from" else None
        if name in scope.aliases and alias is None:
            alias = Field(name)
        if not uses and alias is None:
            return self._whole_row(node, name, scope, where)
        lineage: set[BaseColumn] = set(self.note(Use(None, alias), node, where, within)) if alias else set()
        for use in uses:
            lineage |= self.note(use, node, where, within)
        if len(uses) == 1:
            self.uses[id(node)] = uses[0]
            source = uses[0].source
            ambiguous = alias is not None and where not in ("select", "where", "join", "aggregate")
            if source is not None and not ambiguous and name not in scope.using:
                self._qualify(node, source, name)
        elif alias is not None:
            self.uses[id(node)] = Use(None, alias)
            self.ledger.aliased += self.expansions.get(id(scope.aliases.get(name)), 1)
            self.widths[id(node)] = width_of(scope.aliases.get(name), self.widths)
            self._rename(node, name)
        return frozenset(lineage)

    def lookup(self, name: str, scope: Scope) -> list[Use]:
        """Find what a bare name may mean, innermost scope first; all finds of one scope are returned."""
        for level in scope.chain():
            found = level.offering(name)
            if len(found) > 1:
                self.fault(
                    "unknown_column", "ambiguous_column", f"{name} is a column of several sources", None, name
                )
            if not found:
                spreading = level.spreading()
                if len(spreading) == 1 and (spreading[0].named or len(level.sources) == 1):
                    found = [spreading[0]]
            if found:
                self._leave(scope, level, found[0])
                return [Use(s, field) for s in found if (field := s.field(name))]
            if level is scope and (name in level.aliases or level.named(name)):
                return []
        return []

    def _leave(self, scope: Scope, level: Scope, source: Source) -> None:
        """Note that a nested scope depends on a source of a scope around it."""
        for inner in scope.chain():
            if inner is level:
                return
            inner.outer.add(source.number)

    def _qualified(
        self, node: exp.Column, name: str, scope: Scope, where: Clause, within: str, bound: frozenset[str]
    ) -> frozenset[BaseColumn]:
        wanted = fold_identifier(self.dialect, node.args["table"], relation=False)
        if wanted in bound and self._source(wanted, scope) is None:
            return frozenset()
        for level in scope.chain():
            source = level.named(wanted)
            if source is None or not self._same_schema(node, source):
                continue
            field = source.field(name)
            if field is None:
                break
            self._leave(scope, level, source)
            use = Use(source, field)
            self.uses[id(node)] = use
            lineage = self.note(use, node, where, within)
            self._qualify(node, source, name)
            return lineage
        return self._struct(node, scope, where)

    def _same_schema(self, node: exp.Column, source: Source) -> bool:
        schema = node.args.get("db")
        if schema is None:
            return True
        table = source.relation.table
        if table is None:
            return False
        catalog = node.args.get("catalog")
        asked = (
            catalog and fold_identifier(self.dialect, catalog, True),
            fold_identifier(self.dialect, schema, True),
        )
        return asked[1] == table.path[1] and asked[0] in (None, table.path[0])

    def _struct(self, node: exp.Column, scope: Scope, where: Clause) -> frozenset[BaseColumn]:
        """Resolve `column.field` and `source.column.field`, which look like a column of a source."""
        parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
        found = self.path(parts, node, scope, where)
        if found is None:
            self.unknown(node, ".".join(part.name for part in parts), scope)
        return found or frozenset()

    def path(
        self, parts: Sequence[exp.Expr], node: exp.Expr, scope: Scope, where: Clause
    ) -> frozenset[BaseColumn] | None:
        """Follow names joined by dots to the value they start at; None when that is not in scope."""
        names = [fold_identifier(self.dialect, part) for part in parts]
        source = self._source(names[0], scope)
        if source is not None and len(names) > 1:
            field = source.field(names[1])
            if field is None or (
                len(names) > 2 and self.index.is_scalar((o.table, o.column) for o in field.origins)
            ):
                return None
            return self.note(Use(source, field), node, where, "")
        if source is None:
            uses = self.lookup(names[0], scope)
            if len(names) > 1 and any(
                self.index.is_scalar((o.table, o.column) for o in use.field.origins) for use in uses
            ):
                return None
            found = [self.note(use, node, where, "") for use in uses]
            return frozenset[BaseColumn]().union(*found) if found else None
        return self.all_of(source, where, "row", node, NO_NAMES)

    def _source(self, name: str, scope: Scope) -> Source | None:
        return next((source for level in scope.chain() if (source := level.named(name))), None)

    def _whole_row(self, node: exp.Column, name: str, scope: Scope, where: Clause) -> frozenset[BaseColumn]:
        for level in scope.chain():
            source = level.named(name)
            if source is None:
                continue
            self._leave(scope, level, source)
            self._rename(node, name)
            self.uses[id(node)] = Use(source, Field(name, relation_lineage(source.relation)))
            return self.all_of(source, where, "row", node, NO_NAMES)
        self.unknown(node, node.name, scope)
        return frozenset()

    def _qualified_star(self, node: exp.Column, scope: Scope, where: Clause) -> frozenset[BaseColumn]:
        wanted = fold_identifier(self.dialect, node.args["table"])
        source = self._source(wanted, scope)
        if source is None or not self._same_schema(node, source):
            uses = self.lookup(wanted, scope)
            if not uses:
                self.unknown(node, f"{node.args['table'].name}.*", scope)
            return frozenset(column for use in uses for column in self.note(use, node, where, ""))
        if self.qualify and node.args.get("db") is not None:
            node.set("db", None)
            node.set("catalog", None)
        self._rename(node, wanted)
        return self.star(node.this, scope, [source], where)

    def star(
        self, node: exp.Expr, scope: Scope, sources: Iterable[Source], where: Clause
    ) -> frozenset[BaseColumn]:
        """Return the base columns that a star over sources stands for."""
        dropped = frozenset(
            fold_identifier(self.dialect, part.this if isinstance(part, exp.Column) else part)
            for part in node.args.get("except_") or ()
        )
        for part in (*(node.args.get("except_") or ()), *(node.args.get("rename") or ())):
            self.ledger.read.update(map(id, own_columns(part)))
        for replaced in node.args.get("replace") or ():
            self.visit(replaced.this if isinstance(replaced, exp.Alias) else replaced, scope, where)
        lineage: set[BaseColumn] = set()
        for source in sources:
            lineage |= self.all_of(source, where, "star", node, dropped)
        return frozenset(lineage)

    def all_of(
        self, source: Source, where: Clause, via: str, node: exp.Expr, dropped: frozenset[str]
    ) -> frozenset[BaseColumn]:
        """Note that every column of a source is used, by a star or as a whole row."""
        relation = source.relation
        self.widths[id(node)] = widest([self.widths.get(id(node), 1), relation.width])
        how = "row" if via == "row" else "star"
        lineage = relation_lineage(relation, dropped)
        starred = (relation.table.table.name,) if relation.table is not None else relation.starred
        if how == "row" or not self.passing:
            span = self.ledger.span(node)
            self.ledger.stars.extend(
                StarRef(name, "row" if how == "row" else "star", span) for name in starred
            )
        for table, column in sorted(lineage):
            if relation.table is not None or self._is_personal(table, column):
                self.ledger.columns.append(
                    ColumnRef(
                        table, column, where, "row" if how == "row" else "star", "", self.ledger.span(node)
                    )
                )
        return lineage

    def note(self, use: Use, node: exp.Expr, where: Clause, within: str) -> frozenset[BaseColumn]:
        """Note the base columns behind a use; behind a derived column only those that carry personal data."""
        field = use.field
        if use.source is not None:
            self.widths[id(node)] = use.source.relation.width
        origin = field.origin
        if origin is not None and use.source is not None and use.source.relation.table is not None:
            self.ledger.columns.append(
                ColumnRef(origin.table, origin.column, where, "name", within, self.ledger.span(node))
            )
            return field.lineage
        for table, column in field.lineage:
            if self._is_personal(table, column):
                self.ledger.columns.append(
                    ColumnRef(table, column, where, "derived", within, self.ledger.span(node))
                )
        return field.lineage

    def note_output(self, lineage: frozenset[BaseColumn], node: exp.Expr, where: Clause) -> None:
        """Note the personal columns behind an output that is meant by its position."""
        self.note(Use(None, Field("", lineage)), node, where, "")

    def _is_personal(self, table: str, column: str) -> bool:
        entry = self.index.by_name.get(table)
        return entry is not None and self.index.column(column) in entry.personal

    def _is_denied(self, field: Field) -> bool:
        """Say whether a field shows a column that the role may not name."""
        for table, name in field.lineage:
            entry = self.index.by_name.get(table)
            column = entry.columns.get(self.index.column(name)) if entry is not None else None
            if column is not None and column.personal == "deny":
                return True
        return False

    def _qualify(self, node: exp.Column, source: Source, name: str) -> None:
        """Write the source in front of a column; a source without a name leaves the column as it is."""
        if not self.qualify or not source.named:
            return
        quote(node.this, name)
        node.set("table", exp.to_identifier(source.name, quoted=True))
        node.set("db", None)
        node.set("catalog", None)

    def _rename(self, node: exp.Column, name: str) -> None:
        if self.qualify:
            quote(node.args["table"] if isinstance(node.this, exp.Star) else node.this, name)

    def unknown(self, node: exp.Expr, name: str, scope: Scope) -> None:
        """Note a name that leads nowhere, with the names that would; what is denied is not told."""
        fields = (f for level in scope.chain() for s in level.sources for f in s.relation.fields.items())
        offered = sorted({name for name, field in fields if not self._is_denied(field)})
        self.fault(
            "unknown_column",
            "unknown_column",
            f"{name} is no column of the sources in scope",
            node,
            name,
            offered,
        )

    def fault(
        self,
        check: FaultCheck,
        code: str,
        message: str,
        node: exp.Expr | None,
        seen: str = "",
        near: Iterable[str] = (),
    ) -> None:
        """Note a fault at a node."""
        self.ledger.faults.append(
            Fault(
                check,
                code,
                message,
                seen=seen,
                span=self.ledger.span(node),
                retry=check in ("unknown_column", "function_allowlist"),
                candidates=tuple(near),
            )
        )


def quote(identifier: exp.Expr, name: str) -> None:
    """Write an identifier as the engine stores it, quoted; where it stands in the text is kept."""
    identifier.set("this", name)
    identifier.set("quoted", True)


def relation_lineage(relation: Relation, dropped: frozenset[str] = NO_NAMES) -> frozenset[BaseColumn]:
    """Return the base columns behind everything a relation offers."""
    found = {column for name, f in relation.fields.items() if name not in dropped for column in f.lineage}
    return frozenset(found | (relation.spread or frozenset()))
