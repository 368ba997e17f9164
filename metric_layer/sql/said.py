"""The SELECTs of a governed statement: derived tables and unions looked through, down to tables and keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from sqlglot import exp

from metric_layer.sql.scope import conjuncts
from metric_layer.sql.tellers import TELLERS, items_of
from metric_layer.sql.term import Term, either, in_order

MARK, PART = "1", "_part"
Columns: TypeAlias = "Callable[[str], Term]"
Tables = Mapping[tuple[str, ...], str]
Parts = dict[Term, Mapping[str, Term]]
"""The columns of each part of a union by the number that the part writes of itself."""
_KNOWN = frozenset({"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "with_"})


@dataclass
class SaidScope:
    """One SELECT: its sources by alias, each a way to name its columns, and what it does to their rows.

    `tables` are the known names of tables by their parts.
    """

    tables: Tables
    ctes: Mapping[str, "_Relation"]
    outer: "SaidScope | None"
    sources: dict[str, Columns] = field(default_factory=dict)
    root: Term = ""
    joined: list[Term] = field(default_factory=list)
    where: list[Term] = field(default_factory=list)
    groups: list[Term] = field(default_factory=list)
    outputs: dict[str, Term] = field(default_factory=dict)
    strange: list[Term] = field(default_factory=list)
    stitched: bool = False
    parts: "Parts" = field(default_factory=dict)
    owners: bool = False

    def read(self, select: exp.Select) -> dict[str, Term]:
        """Return the outputs of a SELECT by name."""
        self.strange.extend(sorted({key for key, value in select.args.items() if value} - _KNOWN))
        self._define(select)
        source = select.args.get("from_")
        if source is not None:
            self._start(source.this)
        for join in select.args.get("joins") or ():
            self._join(join)
        where = select.args.get("where")
        if where is not None:
            self.where.extend(self.term(each) for each in conjuncts(where.this))
        named = {each.alias_or_name: each.unalias() for each in select.expressions}
        self.groups = [self.term(_meant(each, named)) for each in items_of(select, "group")]
        self.outputs = {name: self.term(node) for name, node in named.items()}
        if self.groups:
            self.outputs = {n: ("mark", self.rows()) if t == MARK else t for n, t in self.outputs.items()}
        return self.outputs

    def rows(self) -> Term:
        """Return the rows that the SELECT reads, and how they are grouped."""
        told = (self.root, in_order(self.joined), in_order(self.where), tuple(self.groups))
        return ("rows", *told, *self.strange)

    def ordered(self, node: exp.Expr) -> tuple[Term, bool]:
        """Return what is ordered by, an output by its name, and whether it falls."""
        key, falling = node.this, bool(node.args.get("desc"))
        if isinstance(key, exp.Column) and not key.table:
            return key.name, falling
        found = self.term(key)
        return next((name for name, term in self.outputs.items() if term == found), found), falling

    def term(self, node: exp.Expr | str | None) -> Term:
        """Return what an expression means; what is none stands for itself."""
        if not isinstance(node, exp.Expr):
            return str(node)
        told = TELLERS.get(type(node))
        if told is not None:
            return told(self, node)
        if isinstance(node, exp.AggFunc):
            return self.aggregate(node)
        return (type(node).__name__, *(self.term(child) for child in node.iter_expressions()))

    def column(self, node: exp.Expr) -> Term:
        """Return a column by the keys that lead to it, or what a derived table makes of it."""
        alias = node.text("table")
        at: SaidScope | None = self
        while at is not None:
            if alias in at.sources:
                return at.sources[alias](node.name)
            at = at.outer
        return ("unknown", alias, node.name)

    def aggregate(self, node: exp.Expr) -> Term:
        """Return an aggregate with the values and the rows that it reads; MAX of a part is the part."""
        value = node.this
        if self.stitched and isinstance(node, exp.Max):
            picked = self.column(value) if isinstance(value, exp.Column) else self._of_part(value)
            if picked is not None:
                return picked
        distinct = isinstance(value, exp.Distinct)
        values = value.expressions if distinct else [value]
        read = tuple(self.term(each) for each in values)
        return ("agg", type(node).__name__, "distinct" if distinct else "", read, self.rows())

    def _of_part(self, node: exp.Expr) -> "Term | None":
        """Return what a column means in the one part that a CASE picks by its number; 1 is its mark."""
        ifs: list[exp.Expr] = list(node.args.get("ifs") or [])
        if not isinstance(node, exp.Case) or len(ifs) != 1 or node.this or node.args.get("default"):
            return None
        test, value = ifs[0].this, ifs[0].args["true"]
        if not isinstance(test, exp.EQ) or test.this.name != PART:
            return None
        columns: Mapping[str, Term] = self.parts.get(self.term(test.expression), {})
        name: str = PART if self.term(value) == MARK else value.name
        return columns.get(name, ("unknown", name))

    def exists(self, node: exp.Expr) -> Term:
        """Return the rows that are looked up."""
        inner = SaidScope(self.tables, self.ctes, self)
        inner.read(node.this)
        return ("exists", inner.rows())

    def _define(self, node: exp.Expr) -> None:
        with_ = node.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            self.ctes = {**self.ctes, cte.alias: self._relation(cte.this)}

    def _start(self, node: exp.Expr) -> None:
        """Take up the source that FROM names."""
        alias = _alias(node)
        if isinstance(node, exp.Table) and node.name not in self.ctes:
            self.root = ("table", self._named(node), "inner" if self.outer is not None else "")
            self.sources[alias] = partial(_column, self.root)
            return
        relation = self._relation(node)
        self.sources[alias] = relation.column
        self.root, self.stitched, self.parts = relation.root, relation.stitched, relation.parts
        self.where.extend(relation.where)
        self.joined.extend(relation.joined)
        self.strange.extend(relation.strange)

    def _join(self, join: exp.Expr) -> None:
        node, alias = join.this, _alias(join.this)
        side = join.args.get("side") or join.args.get("kind") or "INNER"
        tests = list(conjuncts(join.args["on"])) if join.args.get("on") is not None else []
        if not isinstance(node, exp.Table) or node.name in self.ctes:
            relation = self._relation(node)
            self.sources[alias] = relation.column
            self.strange.extend((*relation.where, *relation.joined, *relation.strange))
            self.where.extend(("on", side, self.term(test)) for test in tests)
            return
        pairs = [_keys(test, alias) for test in tests]
        known = [(self.column(theirs), ours.name) for theirs, ours in pairs if theirs is not None]
        path: Term = ("joined", side, self._named(node), *in_order(known))
        self.sources[alias] = partial(_column, path)
        odd = [self.term(test) for test, (theirs, _) in zip(tests, pairs, strict=True) if theirs is None]
        self.joined.append((path, *odd) if odd else path)

    def _relation(self, node: exp.Expr) -> "_Relation":
        if isinstance(node, exp.Table):
            return self.ctes.get(node.name, _Relation({}, strange=[node.name]))
        if isinstance(node, exp.Values | exp.Unnest):
            return _Relation(_listed(node))
        if isinstance(node, exp.Subquery):
            return self._relation(node.this)
        inner = SaidScope(self.tables, self.ctes, None)
        if isinstance(node, exp.Select):
            columns = inner.read(node)
            shown = (each.find(exp.AggFunc) for each in node.expressions)
            grouped = bool(inner.groups) or any(each is not None for each in shown)
            if grouped:
                return _Relation(columns, root=inner.rows(), parts=_numbered(columns, inner.rows()))
            handed = _handed_on(node, inner.parts)
            told = (inner.root, inner.where, inner.joined, inner.strange, inner.stitched)
            return _Relation(columns, *told, handed)
        if not isinstance(node, exp.SetOperation):
            return _Relation({}, strange=[type(node).__name__])
        inner._define(node)
        return _united([inner._relation(part) for part in (node.this, node.expression)], node)

    def _named(self, table: exp.Table) -> str:
        """Return the known name of a table; a text may say more of its parts than its definition."""
        parts = tuple(part.name for part in table.parts)
        found = (self.tables.get(parts[start:]) for start in range(len(parts)))
        return next(filter(None, found), ".".join(parts))


@dataclass(frozen=True)
class _Relation:
    """What a derived table offers: its columns, and what it did to rows that it did not group."""

    columns: Mapping[str, Term]
    root: Term = ""
    where: list[Term] = field(default_factory=list)
    joined: list[Term] = field(default_factory=list)
    strange: list[Term] = field(default_factory=list)
    stitched: bool = False
    parts: Parts = field(default_factory=dict)

    def column(self, name: str) -> Term:
        """Return what a column means."""
        return self.columns.get(name, ("unknown", name))


def _united(parts: list[_Relation], node: exp.Expr) -> _Relation:
    """Return what a union offers: for each column what its parts mean by it, where they are not empty."""
    plain = isinstance(node, exp.Union) and not node.args.get("distinct")
    plain = plain and node.text("side").upper() in ("", "FULL")
    strange: list[Term] = [] if plain else ["distinct"]
    for part in parts:
        strange.extend((*part.where, *part.joined, *part.strange))
        if not part.stitched and not any(_tells(term) for term in part.columns.values()):
            strange.append(("no figure", part.root))
    if not node.args.get("by_name") and len({len(part.columns) for part in parts}) > 1:
        return _Relation({}, root="parts", strange=strange, stitched=True)
    columns = _by_name(parts) if node.args.get("by_name") else _by_position(parts)
    numbered: Parts = {}
    for part in parts:
        if numbered.keys() & part.parts.keys():
            strange.append(PART)
        numbered.update(part.parts)
    return _Relation(columns, root="parts", strange=strange, stitched=True, parts=numbered)


def _tells(term: Term) -> bool:
    """Say whether a term holds a figure, the mark of rows, or values written out."""
    if isinstance(term, str) or not term:
        return False
    return term[0] in ("agg", "mark", "listed") or any(_tells(part) for part in term)


def _by_position(parts: list[_Relation]) -> dict[str, Term]:
    rows = zip(*(part.columns.values() for part in parts), strict=True)
    return {name: either(terms) for name, terms in zip(parts[0].columns, rows, strict=True)}


def _by_name(parts: list[_Relation]) -> dict[str, Term]:
    names = dict.fromkeys(name for part in parts for name in part.columns)
    return {name: either([part.columns[name] for part in parts if name in part.columns]) for name in names}


def _numbered(columns: Mapping[str, Term], rows: Term) -> Parts:
    """Return the columns of a part by its number, where it has one; its own is the mark of its rows."""
    number = columns.get(PART)
    if number is None:
        return {}
    return {MARK if number == ("mark", rows) else number: {**columns, PART: ("mark", rows)}}


def _handed_on(select: exp.Select, parts: Parts) -> Parts:
    """Return the parts that a SELECT hands on with their number, and of each the columns as they are."""
    shown = [(each.alias_or_name, each.unalias()) for each in select.expressions]
    named = {name: node.name for name, node in shown if isinstance(node, exp.Column)}
    if named.get(PART) != PART:
        return {}
    return {
        number: {name: part[column] for name, column in named.items() if column in part}
        for number, part in parts.items()
    }


def _listed(node: exp.Expr) -> dict[str, Term]:
    """Return the columns of rows written out in the text, each with its values."""
    rows: list[list[exp.Expr]] = []
    names: list[str] = []
    if isinstance(node, exp.Values):
        names = [name.name for name in node.args["alias"].columns]
        rows = [list(row.expressions) for row in node.expressions]
    else:
        for struct in node.expressions[0].expressions:
            names = [part.this.name for part in struct.expressions]
            rows.append([part.expression for part in struct.expressions])
    values = SaidScope({}, {}, None)
    return {name: ("listed", *(values.term(row[at]) for row in rows)) for at, name in enumerate(names)}


def _alias(node: exp.Expr) -> str:
    """Return the name a source goes by; BigQuery's UNNEST names its one column."""
    alias = node.args.get("alias")
    if isinstance(node, exp.Unnest) and alias is not None and alias.columns:
        return str(alias.columns[0].name)
    return node.alias_or_name


def _column(path: Term, name: str) -> Term:
    return ("column", path, name)


def _keys(test: exp.Expr, alias: str) -> tuple[exp.Column | None, exp.Column]:
    """Return the column that a join's key meets, and the key; None where a test compares no two columns."""
    left, right = test.this, test.expression
    if isinstance(test, exp.EQ) and isinstance(left, exp.Column) and isinstance(right, exp.Column):
        return (right, left) if left.table == alias else (left, right)
    return None, exp.Column()


def _meant(node: exp.Expr, named: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return what is grouped by; the name or the number of an output stands for it."""
    if isinstance(node, exp.Literal) and node.name.isdigit() and 0 < int(node.name) <= len(named):
        return list(named.values())[int(node.name) - 1]
    plain = isinstance(node, exp.Column) and not node.table
    return named.get(node.name, node) if plain else node
