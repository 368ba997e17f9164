"""The grain of one scope: what its joins repeat, and which outputs identify a row."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.sql.links import Links
from metric_layer.sql.literals import integer_of
from metric_layer.sql.names import fold_identifier
from metric_layer.sql.scope import ONE_ROW, BaseColumn, Field, Scope, Source, Use, own_columns

THROUGH = (
    exp.Paren,
    exp.Cast,
    exp.TryCast,
    exp.Neg,
    exp.Round,
    exp.Abs,
    exp.Alias,
    exp.Nullif,
    exp.Ceil,
    exp.Floor,
)
Repetition = tuple[str, str]


class Grain:
    """What the joins of a scope do to the rows of each of its sources."""

    def __init__(self, scope: Scope, links: Links, uses: dict[int, Use], dialect: Dialect) -> None:
        self._dialect = dialect
        self._outputs: dict[object, str] = {}
        self._groups: list[exp.Expr] = []
        self._scope = scope
        self._uses = uses
        self._partners: dict[int, list[tuple[Source, str, Source, str]]] = {}
        for (left, right), pairs in links.equal.items():
            for ours, theirs in pairs:
                self._partners.setdefault(left.number, []).append((left, ours.name, right, theirs.name))
                self._partners.setdefault(right.number, []).append((right, theirs.name, left, ours.name))
        self._fixed = links.fixed
        self._linked: dict[int, dict[int, Source]] = {}
        for left, right in (*links.equal, *links.other):
            self._linked.setdefault(left.number, {})[right.number] = right
            self._linked.setdefault(right.number, {})[left.number] = left
        self._determined: dict[int, set[int]] = {}

    def repeated_by(self, source: Source) -> str:
        """Return the name of a source that repeats the rows of `source`; empty when none does."""
        if source.number not in self._determined:
            self._determined[source.number] = self._closure(source)
        known = self._determined[source.number]
        return next((s.label for s in self._scope.sources if s.number not in known), "")

    def multiplied_by(self, source: Source) -> str:
        """Return the name of a source of which a row of `source` may meet several, by keys alone."""
        known = self._reached({source.number}, self._by_key)
        return next((s.label for s in self._scope.sources if s.number not in known), "")

    def _closure(self, source: Source) -> set[int]:
        """Return the sources of which a row of `source` meets at most one row."""
        return self._reached({source.number, *source.relation.correlated}, self._meets_one)

    def _reached(self, known: set[int], meets_one: Callable[[Source, set[int]], bool]) -> set[int]:
        """Add every source that is met at most once from those known, until none is left to add.

        One that was not met is looked at again when a source that it is linked to has become known.
        """
        waiting = {source.number: source for source in self._scope.sources if source.number not in known}
        asked = list(waiting.values())
        while asked:
            other = asked.pop()
            if other.number in waiting and meets_one(other, known):
                known.add(other.number)
                del waiting[other.number]
                asked.extend(self._linked.get(other.number, {}).values())
        return known

    def _meets_one(self, other: Source, known: set[int]) -> bool:
        linked = not known.isdisjoint(self._linked.get(other.number, ()))
        return (linked and not other.relation.from_tables) or self._by_key(other, known)

    def _by_key(self, other: Source, known: set[int]) -> bool:
        if other.relation.one_row or other.filtering:
            return True
        fixed = set(self._fixed.get(other.number, ()))
        fixed |= {
            name for _, name, partner, _ in self._partners.get(other.number, ()) if partner.number in known
        }
        return any(key <= fixed for key in self._keys_of(other))

    def _keys_of(self, source: Source) -> tuple[frozenset[str], ...]:
        """Return the keys of a source; keeping only row number 1 makes the partition a key."""
        keys = source.relation.keys
        for name in self._fixed.get(source.number, ()):
            field = source.relation.fields.get(name)
            if field is not None and field.ranks is not None:
                keys = (*keys, field.ranks)
        return keys

    def repeats(self, aggregate: exp.Expr) -> Repetition | None:
        """Return what an aggregate counts more than once, and what repeats it; None when nothing is."""
        argument = aggregate.this
        if isinstance(aggregate, exp.Anonymous):
            argument = aggregate.expressions[0] if aggregate.expressions else None
        if argument is None or isinstance(argument, exp.Star):
            return None
        if isinstance(argument, exp.Distinct):
            if isinstance(aggregate, exp.Count) or not argument.expressions:
                return None
            argument = argument.expressions[0]
        return next(
            (found for term in _terms(argument) if (found := self._repetition(term)) is not None), None
        )

    def _repetition(self, term: exp.Expr) -> Repetition | None:
        """Judge one additive term: a product is as fine as its finest factor."""
        found: Repetition | None = None
        for column in own_columns(term, exp.AggFunc):
            use = self._uses.get(id(column))
            if use is None:
                continue
            by = self._field_repeated(use)
            if not by:
                return None
            found = (use.source.label if use.source else use.field.name, by)
        return found

    def _field_repeated(self, use: Use) -> str:
        if use.source is None:
            return use.field.repeated
        if use.source not in self._scope.sources:
            return ""
        return use.field.repeated or self.repeated_by(use.source)

    def passed(self, source: Source, field: Field) -> Field:
        """Return a field as a star passes it on."""
        by = field.repeated or self.repeated_by(source)
        return replace(field, repeated=by)

    def starred(self, projection: exp.Expr) -> list[Source]:
        """Return the sources a star stands for."""
        return starred(projection, self._scope, self._dialect)

    def output(self, projection: exp.Expr, lineage: frozenset[BaseColumn], name: str) -> Field:
        """Return what a projection offers under its output name."""
        value = projection.this if isinstance(projection, exp.Alias) else projection
        use = self._uses.get(id(value)) if isinstance(value, exp.Column) else None
        plain = use.field if use is not None else None
        by = self._grouped_repetition(value) if self._scope.grouped else self._value_repetition(value)
        return Field(
            name,
            lineage,
            plain.origin if plain else None,
            by,
            self._ranks(value) if plain is None else plain.ranks,
            plain.others if plain else (),
        )

    def _value_repetition(self, value: exp.Expr) -> str:
        if isinstance(value, exp.Window):
            return ""
        return next((found[1] for term in _terms(value) if (found := self._repetition(term)) is not None), "")

    def _grouped_repetition(self, value: exp.Expr) -> str:
        """A group key stays repeated when the grouping is finer than the source it comes from."""
        if value.find(exp.AggFunc) is not None:
            return ""
        for source in self._sources_of(value):
            self.repeated_by(source)
            known = self._determined[source.number]
            for group in self._groups:
                finer = next((s for s in self._sources_of(group) if s.number not in known), None)
                if finer is not None:
                    return finer.label
        return ""

    def _sources_of(self, node: exp.Expr) -> list[Source]:
        uses = (self._uses.get(id(column)) for column in own_columns(node, exp.AggFunc))
        return [
            u.source
            for u in uses
            if u is not None and u.source is not None and u.source in self._scope.sources
        ]

    def _ranks(self, value: exp.Expr) -> frozenset[str] | None:
        """Return the output names that a ROW_NUMBER is partitioned by, when all of them are outputs."""
        if not isinstance(value, exp.Window) or not isinstance(value.this, exp.RowNumber):
            return None
        return self._outputs_of(value.args.get("partition_by") or [])

    def _outputs_of(self, nodes: list[exp.Expr]) -> frozenset[str] | None:
        names = [self._outputs.get(self._key(node)) for node in nodes]
        found = [name for name in names if name is not None]
        return frozenset(found) if len(found) == len(names) else None

    def _key(self, node: exp.Expr) -> object:
        """Return what makes two expressions the same value: the field they name, else their structure."""
        use = self._uses.get(id(node)) if isinstance(node, exp.Column) else None
        if use is not None and use.source is not None:
            return (use.source.number, use.field.name)
        return node

    def note_outputs(self, names: list[str], node: exp.Select) -> None:
        """Take over the output names of the SELECT's projections, one each."""
        self._groups = list(self._grouping(node))
        structured = self._scope.windows or any(not isinstance(group, exp.Column) for group in self._groups)
        for projection, name in zip(node.expressions, names, strict=True):
            value = projection.this if isinstance(projection, exp.Alias) else projection
            if is_star(projection):
                for source in self.starred(projection):
                    self._outputs.update({(source.number, field): field for field in source.relation.fields})
            elif structured or isinstance(value, exp.Column):
                self._outputs[self._key(value)] = name

    def _grouping(self, node: exp.Select) -> Iterator[exp.Expr]:
        """Yield the expressions grouped by; ordinals and output names become what they stand for."""
        group = node.args.get("group")
        if group is None:
            return
        values = [p.this if isinstance(p, exp.Alias) else p for p in node.expressions]
        if group.args.get("all"):
            yield from (value for value in values if value.find(exp.AggFunc) is None)
        for item in group.expressions:
            position = integer_of(item)
            use = self._uses.get(id(item))
            if position is not None and 0 < position <= len(values):
                yield values[position - 1]
            elif use is not None and use.source is None:
                yield self._scope.aliases.get(use.field.name, item)
            else:
                yield item

    def keys(self, node: exp.Select, fields: dict[str, Field]) -> tuple[frozenset[str], ...]:
        """Return the sets of outputs that identify a row of the SELECT."""
        distinct = node.args.get("distinct")
        found: list[frozenset[str] | None] = []
        if isinstance(distinct, exp.Distinct):
            on = distinct.args.get("on")
            found.append(self._outputs_of(on.expressions) if isinstance(on, exp.Tuple) else frozenset(fields))
        if self._scope.grouped:
            group = node.args.get("group")
            partial = group is not None and any(
                group.args.get(p) for p in ("cube", "rollup", "grouping_sets")
            )
            found.append(None if partial else self._outputs_of(self._groups))
        elif all(source.relation.one_row for source in self._scope.sources):
            return ONE_ROW
        else:
            found.extend(self._kept_keys())
        found.append(self._qualified_key(node))
        return tuple(key for key in found if key is not None)

    def _kept_keys(self) -> Iterator[frozenset[str] | None]:
        for source in self._scope.sources:
            if not self.repeated_by(source):
                for key in self._keys_of(source):
                    names = [self._outputs.get((source.number, name)) for name in key]
                    yield frozenset(n for n in names if n is not None) if None not in names else None

    def _qualified_key(self, node: exp.Select) -> frozenset[str] | None:
        """QUALIFY ROW_NUMBER() = 1 leaves one row per partition."""
        qualify = node.args.get("qualify")
        test = qualify.this if isinstance(qualify, exp.Qualify) else None
        if not isinstance(test, exp.EQ) or integer_of(test.expression) != 1:
            return None
        value = test.this
        if isinstance(value, exp.Column):
            value = self._scope.aliases.get(value.name, value)
        return self._ranks(value)


def starred(projection: exp.Expr, scope: Scope, dialect: Dialect) -> list[Source]:
    """Return the sources of a scope that a star stands for."""
    if isinstance(projection, exp.Column):
        wanted = fold_identifier(dialect, projection.args["table"])
        return [source for source in scope.sources if source.name == wanted]
    return scope.sources


def is_star(projection: exp.Expr) -> bool:
    """Say whether a projection is `*` or `source.*`."""
    return isinstance(projection, exp.Star) or (
        isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star)
    )


def _terms(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of a value that are added up: branches of CASE, sides of +, arguments of COALESCE."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, (exp.Add, exp.Sub)):
            stack.extend((at.expression, at.this))
        elif isinstance(at, exp.Case):
            stack.extend(branch.args["true"] for branch in at.args.get("ifs") or ())
            stack.extend(part for part in (at.args.get("default"),) if part is not None)
        elif isinstance(at, exp.If):
            stack.extend(part for part in (at.args.get("true"), at.args.get("false")) if part is not None)
        elif isinstance(at, exp.Coalesce):
            stack.extend((at.this, *at.expressions))
        elif isinstance(at, THROUGH):
            stack.append(at.this)
        else:
            yield at
