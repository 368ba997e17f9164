"""Finished branches set side by side: UNION ALL, then one row per group; periods without rows filled in."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial

from sqlglot import exp

from metric_layer.calendar import ONE_DAY, first_of
from metric_layer.compile.branch import Branch
from metric_layer.compile.listing import listed
from metric_layer.compile.literals import literal
from metric_layer.compile.slots import BY_NAME, PART, Slot, slots_of
from metric_layer.compile.tables import aliased, derived, identifier, union_all
from metric_layer.definitions import ColumnType
from metric_layer.expression import column_of
from metric_layer.resolved import Leaf, ResolvedPlan

PARTS, FOUND, SPINE, GROUPS, NARROW = "parts", "found", "spine", "groups", "narrow"
ZERO_WITHOUT_ROWS = frozenset({"sum", "count", "count_distinct", "approx_count_distinct"})
_TYPE_TEXTS: Mapping[ColumnType, str] = {
    "string": "TEXT",
    "integer": "BIGINT",
    "decimal": "DECIMAL(38, 10)",
    "float": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMPTZ",
}
# Parsed once: where columns are matched by position, a part has one for each kind of leaf of the others.
_NULL_TYPES: Mapping[ColumnType, exp.DataType] = {
    kind: exp.DataType.build(text) for kind, text in _TYPE_TEXTS.items()
}


def stitched(branches: Sequence[Branch], resolved: ResolvedPlan, dialect: str) -> Branch:
    """Set finished branches side by side: one row per group and branch, so MAX only picks the value.

    With a spine every period has a row, for each combination of dimensions that has any.
    """
    return _Stitch(branches, resolved, dialect).whole()


class _Stitch:
    """The parts of one statement and the columns that they have in common."""

    def __init__(self, branches: Sequence[Branch], resolved: ResolvedPlan, dialect: str) -> None:
        self._branches, self._resolved, self._dialect = branches, resolved, dialect
        self._by = BY_NAME.get(dialect, {})
        self._slots = slots_of(branches, resolved.leaves, dialect)
        self._zeroes = frozenset(leaf.id for leaf in resolved.leaves if _zero_without_rows(leaf, resolved))
        self._marked_parts = sorted({self._slots[leaf].part for leaf in self._zeroes})
        shared = any(slot.shared for slot in self._slots.values())
        self._numbered = not self._by and (shared or bool(self._zeroes))

    def whole(self) -> Branch:
        """Return the branch that reads the parts."""
        names = [name for name, _ in self._branches[0].groups]
        parts = self._united(list(self._all()))
        source = self._filled(parts, names) if self._resolved.spine else derived(parts, PARTS)
        groups = tuple((name, partial(column_of, name, PARTS)) for name in names)
        return Branch(groups, {leaf.id: partial(self._value, leaf) for leaf in self._resolved.leaves}, source)

    def _united(self, parts: Sequence[exp.Query]) -> exp.Query:
        return union_all(parts, **self._by)

    def _all(self) -> Iterator[exp.Query]:
        """Yield every part. Where position tells columns, many narrow ones are set side by side first.

        They are then widened together: one wide part would else put its NULLs into each of them.
        """
        numbers = range(1, len(self._branches) + 1)
        alike: dict[int, list[int]] = {}
        for number in numbers:
            alike.setdefault(len(self._branches[number - 1].aggregates).bit_length(), []).append(number)
        held = [(same, {s.name for s in self._slots.values() if s.part in same}) for same in alike.values()]
        width = len({slot.name for slot in self._slots.values()})
        written = sum(len(same) * len(names) for same, names in held) + len(held) * width
        if self._by or 2 * written > len(numbers) * width:
            yield from (self._part(number) for number in numbers)
            return
        for same, names in held:
            narrow = self._united([self._part(number, names) for number in same])
            yield self._widened(narrow, names) if len(names) < width else narrow

    def _widened(self, narrow: exp.Query, names: Collection[str]) -> exp.Select:
        """Return parts with NULL for the columns that none of them has."""
        held = {name: column_of(name, NARROW) for name in names}
        columns = self._columns(held, None)
        if self._numbered:
            columns[PART] = column_of(PART, NARROW)
        groups = {name: column_of(name, NARROW) for name, _ in self._branches[0].groups}
        shown = [aliased(node, name) for name, node in {**groups, **columns}.items()]
        return exp.Select(expressions=shown, from_=exp.From(this=derived(narrow, NARROW)))

    def _part(self, number: int, names: Collection[str] | None = None) -> exp.Select:
        """Return a branch with the columns that all parts have, or with those of these names."""
        branch = self._branches[number - 1]
        held = {
            self._slots[leaf].name: self._slots[leaf].holding(build())
            for leaf, build in branch.aggregates.items()
        }
        columns = self._columns(held, number).items()
        return branch.select(
            [each for each in columns if names is None or each[0] in names or each[0] == PART]
        )

    def _columns(self, held: Mapping[str, exp.Expr], number: int | None) -> dict[str, exp.Expr]:
        """Return the columns of a part: its number, what it holds, and NULL where position tells columns.

        By name a part is marked by a column of its own, where zeroes need to know of its rows.
        """
        if self._by:
            marked = number in self._marked_parts
            return {**held, **({_mark(number): exp.Literal.number(1)} if number and marked else {})}
        one = _null("integer") if number is None else exp.Literal.number(number)
        found: dict[str, exp.Expr] = {PART: one} if self._numbered else {}
        for slot in self._slots.values():
            if slot.name not in found:
                found[slot.name] = held.get(slot.name) or _null(slot.type)
        return found

    def _held_by_any(self) -> dict[str, exp.Expr]:
        """Return the columns that any part holds; what is in them does not count."""
        held = [*(slot.name for slot in self._slots.values()), *map(_mark, self._marked_parts)]
        return dict.fromkeys(held, exp.Null())

    def _value(self, leaf: Leaf) -> exp.Expr:
        """Return a leaf's value in a group; with zeroes asked for, 0 where its branch had no row there."""
        slot = self._slots[leaf.id]
        value = self._picked(column_of(slot.name, PARTS), slot if slot.shared else None)
        if leaf.id not in self._zeroes:
            return value
        none: exp.Expr = exp.Is(this=self._marked(slot), expression=exp.Null())
        unread = _unread(leaf, self._resolved)
        if unread:
            bucket = column_of(str(self._resolved.grain), PARTS)
            missing = exp.In(this=bucket, expressions=[literal(each) for each in unread])
            none = exp.And(this=none, expression=exp.Not(this=missing))
        return exp.Case(ifs=[exp.If(this=none, true=exp.Literal.number(0))], default=value)

    def _marked(self, slot: Slot) -> exp.Expr:
        """Return a value where a group has rows in a part, NULL where it has none."""
        if self._by:
            return exp.Max(this=column_of(_mark(slot.part), PARTS))
        return self._picked(exp.Literal.number(1), slot)

    def _picked(self, value: exp.Expr, slot: Slot | None) -> exp.Expr:
        """Return the one value of a column in a group: of one part, where others hold values there too."""
        if slot is not None:
            part = exp.EQ(this=column_of(PART, PARTS), expression=exp.Literal.number(slot.part))
            value = exp.Case(ifs=[exp.If(this=part, true=value)])
        return exp.Max(this=value)

    def _filled(self, parts: exp.Query, names: Sequence[str]) -> exp.Subquery:
        """Return the parts and a row for every period, for each combination of dimensions among the parts."""
        bucket, *dimensions = names
        spine = listed([bucket], [[each] for each in self._resolved.spine], SPINE, self._dialect)
        empty: dict[str, exp.Expr] = {bucket: column_of(bucket, SPINE)}
        empty.update((name, column_of(name, GROUPS)) for name in dimensions)
        empty.update(self._columns({}, None))
        shown = [aliased(node, name) for name, node in empty.items()]
        every = exp.Select(expressions=shown, from_=exp.From(this=spine))
        if not dimensions:
            return derived(self._united([parts, every]), PARTS)
        groups = _read(dimensions)
        groups.set("distinct", exp.Distinct())
        every.set("joins", [exp.Join(this=derived(groups, GROUPS), kind="CROSS")])
        every_column = [*names, *self._columns(self._held_by_any(), None)]
        both = self._united([_read(every_column), every])
        found = exp.CTE(this=parts, alias=exp.TableAlias(this=identifier(FOUND)))
        both.set("with_", exp.With(expressions=[found]))
        return derived(both, PARTS)


def _unread(leaf: Leaf, resolved: ResolvedPlan) -> list[date]:
    """Return the periods of the spine that a leaf reads no day for: 31 March has none in February."""
    frame, spine = leaf.frame, resolved.spine
    if frame is None or frame.start is None or resolved.grain == "hour":
        return []
    if frame.buckets:
        read = {bucket.label for bucket in frame.buckets}
        return [each for each in spine if each not in read]
    if frame.shift_months:
        first = _months_later(frame.start, frame.shift_months)
        end = _months_later(frame.end - ONE_DAY, frame.shift_months + 1)
    else:
        first, end = (day + timedelta(days=frame.shift_days) for day in (frame.start, frame.end))
    ends = (*spine[1:], date.max)
    return [each for each, after in zip(spine, ends, strict=True) if each >= end or after <= first]


def _months_later(day: date, months: int) -> date:
    """Return the first day of the month so many months after a day's own."""
    return first_of(day.year * 12 + day.month - 1 + months)


def _zero_without_rows(leaf: Leaf, resolved: ResolvedPlan) -> bool:
    """Say whether a leaf is 0 in a group in which its branch has no rows; a balance is never made up."""
    time = resolved.plan.time
    zeroes = bool(resolved.spine) and time is not None and time.fill == "zero"
    return zeroes and leaf.pick is None and leaf.aggregate in ZERO_WITHOUT_ROWS


def _mark(part: int) -> str:
    """Return the name of a part's mark: short, as PostgreSQL cuts a name that another may begin with."""
    return f"_rows_{part}"


def _read(names: Sequence[str]) -> exp.Select:
    columns = [aliased(column_of(name, FOUND), name) for name in names]
    return exp.Select(expressions=columns, from_=exp.From(this=exp.Table(this=identifier(FOUND))))


def _null(kind: ColumnType) -> exp.Expr:
    """Return NULL with its type: a union is typed by its first parts."""
    return exp.Cast(this=exp.Null(), to=_NULL_TYPES[kind].copy())
