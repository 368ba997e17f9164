"""Which sources of a scope hang together: by declared keys, by other predicates, or not at all."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from math import prod

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from metric_layer.sql.ledger import Ledger
from metric_layer.sql.names import CatalogueIndex
from metric_layer.sql.reading import CrossProduct, JoinLink, LinkKind
from metric_layer.sql.scope import Field, Origin, Scope, Source, Use, own_columns

EQUALITIES = (exp.EQ, exp.NullSafeEQ)
FEW_ROWS = 100
MAX_ALTERNATIVES = 100
Pair = tuple[Source, Source]
FieldPair = tuple[Field, Field]


class Links:
    """The predicates of one scope, sorted by the pair of sources they tie together."""

    def __init__(self, index: CatalogueIndex, scope: Scope, uses: dict[int, Use], ledger: Ledger) -> None:
        self._index = index
        self._scope = scope
        self._uses = uses
        self._ledger = ledger
        self.equal: dict[Pair, list[FieldPair]] = {}
        self.other: dict[Pair, exp.Expr] = {}
        self.fixed: dict[int, set[str]] = {}
        self._loose: list[Pair] = []
        for conjunct in scope.conjuncts:
            self._sort(conjunct.node)
        for left, right, name, _ in scope.merged:
            ours, theirs = left.field(name), right.field(name)
            if ours is not None and theirs is not None:
                self._pair(left, ours, right, theirs)

    def _sort(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Or) and any(len(self._sources(part)) < 2 for part in _alternatives(node)):
            self._loose.extend(_pairs(self._sources(node)))
            return
        if isinstance(node, EQUALITIES):
            left, right = self._plain(node.this), self._plain(node.expression)
            if left and right and left.source is not right.source and left.source and right.source:
                self._pair(left.source, left.field, right.source, right.field)
                return
            for use, value in ((left, node.expression), (right, node.this)):
                if use is not None and use.source is not None and not self._sources(value):
                    self.fixed.setdefault(use.source.number, set()).add(use.field.name)
        if isinstance(node, exp.NEQ):
            self._loose.extend(_pairs(self._sources(node)))
            return
        for pair in _pairs(self._sources(node)):
            self.other.setdefault(pair, node)

    def _pair(self, left: Source, ours: Field, right: Source, theirs: Field) -> None:
        if left.number > right.number:
            left, ours, right, theirs = right, theirs, left, ours
        self.equal.setdefault((left, right), []).append((ours, theirs))

    def _plain(self, node: exp.Expr) -> Use | None:
        while isinstance(node, exp.Paren):
            node = node.this
        return self._uses.get(id(node)) if isinstance(node, exp.Column) else None

    def _sources(self, node: exp.Expr) -> list[Source]:
        found = {
            use.source.number: use.source
            for column in own_columns(node)
            if (use := self._uses.get(id(column))) is not None and use.source is not None
        }
        return [found[number] for number in sorted(found)]

    def joins(self) -> Iterator[JoinLink]:
        """Yield every link: declared ones, undeclared ones that hold tables together, joins without a key."""
        for word, left, right, node in self._scope.keyless:
            kind: LinkKind = "natural" if word == "natural" else "positional"
            yield JoinLink(left.label, right.label, kind, seen=f"{word} join", span=self._ledger.span(node))
        tied = _Components()
        undeclared: list[Pair] = []
        for pair in dict.fromkeys((*self.equal, *self.other, *self._loose)):
            join = self._declared(pair)
            if join is not None:
                tied.join(*pair)
                yield join
            elif (
                self._conformed(pair)
                or self._looked_up(pair)
                or not all(source.relation.from_tables for source in pair)
            ):
                tied.join(*pair)
            elif not any(source.relation.one_row for source in pair):
                undeclared.append(pair)
        yield from (self._undeclared(pair) for pair in undeclared if not tied.same(*pair))

    def _undeclared(self, pair: Pair) -> JoinLink:
        """Return the link of two sources that no declared key ties together, directly or through others."""
        node = self.other.get(pair)
        pairs = tuple(_base_pair(a, b) for a, b in self.equal.get(pair, ()))
        seen = ", ".join(f"{a} = {b}" for a, b in pairs) or (
            node.sql(self._index.dialect, unsupported_level=ErrorLevel.IGNORE)[:160] if node else ""
        )
        kind: LinkKind = "equality" if pairs else "other"
        return JoinLink(pair[0].label, pair[1].label, kind, pairs, seen=seen, span=self._ledger.span(node))

    def _declared(self, pair: Pair) -> JoinLink | None:
        """Return the link when the equal columns of a pair hold every column of a declared join.

        A column that a set operation takes from several tables has to be declared for each of them.
        """
        ends = [
            list(product(a.origins, b.origins))
            for a, b in self.equal.get(pair, ())
            if a.origins and b.origins
        ]
        if prod(map(len, ends)) > MAX_ALTERNATIVES:
            return None
        found = [self._declared_among(pair, choice) for choice in product(*ends)]
        return found[0] if None not in found else None

    def _declared_among(self, pair: Pair, ends: Iterable[tuple[Origin, Origin]]) -> JoinLink | None:
        by_tables: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for ours, theirs in ends:
            by_tables.setdefault((ours.table, theirs.table), set()).add((ours.column, theirs.column))
        for (left, right), columns in by_tables.items():
            for join, backwards in self._index.declared(left, right):
                sides = (
                    (join.right_columns, join.left_columns)
                    if backwards
                    else (join.left_columns, join.right_columns)
                )
                if set(zip(*sides, strict=True)) <= columns:
                    pairs = tuple((f"{left}.{a}", f"{right}.{b}") for a, b in sorted(columns))
                    one, other = pair[0].label, pair[1].label
                    return JoinLink(one, other, "equality", pairs, True, join.cardinality)
        return None

    def _conformed(self, pair: Pair) -> bool:
        """Say whether both sides were aggregated to the same meaning before they were joined on it."""
        if any(source.relation.table is not None for source in pair):
            return False
        equal = self.equal.get(pair) or self._shifted(pair)
        sides = (frozenset(ours.name for ours, _ in equal), frozenset(theirs.name for _, theirs in equal))
        unique = all(
            any(key <= names for key in source.relation.keys)
            for source, names in zip(pair, sides, strict=True)
        )
        return unique and all(ours.lineage == theirs.lineage for ours, theirs in equal)

    def _looked_up(self, pair: Pair) -> bool:
        """Say whether one side was aggregated to the very columns of a table that the other side brings."""
        equal = self.equal.get(pair, ())
        if not equal or any(_place(ours) is None or _place(ours) != _place(theirs) for ours, theirs in equal):
            return False
        sides = (frozenset(ours.name for ours, _ in equal), frozenset(theirs.name for _, theirs in equal))
        return any(
            source.relation.table is None and any(key <= names for key in source.relation.keys)
            for source, names in zip(pair, sides, strict=True)
        )

    def _shifted(self, pair: Pair) -> list[FieldPair]:
        """Return the fields that a comparison such as `a.month = b.month + 1` holds against each other."""
        node = self.other.get(pair)
        if not isinstance(node, exp.EQ):
            return []
        uses = [use for column in own_columns(node) if (use := self._uses.get(id(column))) is not None]
        sides = [[use.field for use in uses if use.source is source] for source in pair]
        return list(zip(*sides, strict=False)) if len(sides[0]) == len(sides[1]) else []

    def crosses(self) -> tuple[list[CrossProduct], int]:
        """Return the products of sources that nothing ties together, and how many parts there are."""
        linked = _Components()
        for left, right in (*self.equal, *self.other):
            linked.join(left, right)
        for _, left, right, _ in self._scope.keyless:
            linked.join(left, right)
        numbers = {source.number: source for source in self._scope.sources}
        for source in self._scope.sources:
            for number in source.relation.correlated:
                linked.join(source, numbers[number])
        weighty = [s for s in self._scope.sources if not _is_small(s)]
        roots: dict[int, Source] = {}
        crosses = []
        for source in weighty:
            root = linked.root(source.number)
            if roots and root not in roots:
                crosses.append(
                    CrossProduct(
                        next(iter(roots.values())).label, source.label, self._ledger.span(source.node)
                    )
                )
            roots.setdefault(root, source)
        return crosses, len(roots)


class _Components:
    """Sources that are tied together, directly or through others."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, number: int) -> int:
        while (above := self._parent.get(number, number)) != number:
            number = above
        return number

    def join(self, left: Source, right: Source) -> None:
        self._parent[self.root(left.number)] = self.root(right.number)

    def same(self, left: Source, right: Source) -> bool:
        return self.root(left.number) == self.root(right.number)


def _alternatives(node: exp.Expr) -> Iterator[exp.Expr]:
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, exp.Or):
            stack.extend((at.expression, at.this))
        elif isinstance(at, exp.Paren):
            stack.append(at.this)
        else:
            yield at


def _pairs(sources: Iterable[Source]) -> list[Pair]:
    return list(combinations(sources, 2))


def _base_pair(ours: Field, theirs: Field) -> tuple[str, str]:
    left, right = ours.origin, theirs.origin
    return (
        f"{left.table}.{left.column}" if left else ours.name,
        f"{right.table}.{right.column}" if right else theirs.name,
    )


def _place(field: Field) -> tuple[str, str] | None:
    """Return the table and column that a field passes on unchanged."""
    return (field.origin.table, field.origin.column) if field.origin is not None else None


def _is_small(source: Source) -> bool:
    relation = source.relation
    if relation.one_row or source.filtering:
        return True
    few = relation.listed and relation.rows is not None and relation.rows <= FEW_ROWS
    return few or (relation.made and bool(relation.correlated))
