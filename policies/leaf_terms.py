"""What one leaf of a plan says, in the terms of SQL: its groups, its rows, its value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise
from zoneinfo import ZoneInfo

from metric_layer.calendar import WEEK_START
from metric_layer.plan import Dialect, Operator
from metric_layer.resolved import Hop, Leaf, PathColumn, Pick, ResolvedFilter, ResolvedPlan
from metric_layer.sql import Catalogue, CatalogueColumn
from metric_layer.sql.term import NULL, Term, in_order
from metric_layer.sql.terms import expression_term

Days = tuple[date | None, date | None]
Spelled = tuple[str, str]
"""A column and what it is multiplied by, as it is written; "" for a column that is taken as it is."""
_COMPARED: Mapping[Operator, str] = {"ne": "NEQ", "lt": "LT", "le": "LTE", "gt": "GT", "ge": "GTE"}
_UNITS = {"fiscal_month": "MONTH", "fiscal_quarter": "QUARTER", "fiscal_year": "YEAR"}
_LENGTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_NOTHING_IS_ZERO = ("sum", "count", "count_distinct", "approx_count_distinct")
_AVERAGED = ("sum", "count")


@dataclass(frozen=True, slots=True)
class Named:
    """How a catalogue spells what a plan means: the table of each dataset, its columns with their scale.

    `week_starts` is how many days after a Monday a week begins, `fiscal_starts` how many months after January
    a fiscal year does.
    """

    tables: Mapping[str, str]
    columns: Mapping[str, tuple[Spelled, ...]]
    dialect: Dialect
    week_starts: int = 0
    fiscal_starts: int = 0

    def table(self, dataset: str) -> str:
        """Return the table of a dataset."""
        return self.tables.get(dataset, dataset)

    def measured(self, leaf: Leaf, root: Term) -> Term:
        """Return what a leaf measures in each row; the rows themselves where it measures nothing."""
        columns = self.columns.get(leaf.dataset, ())
        return expression_term(leaf.expression, columns, root) if leaf.expression else ("Star",)


def named_by(catalogue: Catalogue) -> Named:
    """Return how a catalogue spells what plans mean."""

    def spelled(column: CatalogueColumn) -> Spelled:
        return column.name, "" if column.scale is None else format(column.scale, "f")

    return Named(
        {table.dataset: table.name for table in catalogue.tables},
        {table.dataset: tuple(map(spelled, table.columns)) for table in catalogue.tables},
        catalogue.dialect,
        WEEK_START[catalogue.week_start],
        catalogue.fiscal_start_month - 1,
    )


def days_of(leaf: Leaf, plan: ResolvedPlan) -> Days:
    """Return the days that a leaf reads."""
    return (plan.start, plan.end) if leaf.frame is None else (leaf.frame.start, leaf.frame.end)


def picked(leaf: Leaf) -> Pick | None:
    """Return how a leaf picks moments: only sums and counts are averaged over them."""
    average = leaf.pick is not None and leaf.pick.pick == "average"
    return None if average and leaf.aggregate not in _AVERAGED else leaf.pick


def rows_key(leaf: Leaf) -> tuple[object, ...]:
    """Return what leaves have in common that read the same rows."""
    rows = repr((leaf.filters, leaf.pick, leaf.followed))
    return (leaf.dataset, leaf.groups, leaf.time, leaf.frame, rows, picked(leaf) is None)


def divided(left: Term, right: Term) -> Term:
    """Return a division; over zero it is NULL."""
    return ("Div", left, ("Nullif", right, "0"))


def literal(value: object) -> Term:
    """Return a value as it is written: texts, days and moments in quotes."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | Decimal):
        text = format(abs(value), "f") if isinstance(value, Decimal) else str(abs(value))
        return ("Neg", text) if value < 0 else text
    return f"'{value.isoformat(sep=' ') if isinstance(value, datetime) else value}"


def compared(column: Term, op: Operator, values: Sequence[Term], *, keep_missing: bool) -> Term:
    """Return a condition; `keep_missing` keeps rows without a value where one is ruled out."""
    missing: Term = ("Is", column, NULL)
    if op in ("is_null", "not_null"):
        return missing if op == "is_null" else ("Not", missing)
    if op == "between":
        return ("Between", column, *values)
    if op == "eq":
        return ("EQ", *in_order((column, values[0])))
    if op in ("in", "not_in"):
        found: Term = ("In", column, *values)
        found = found if op == "in" else ("Not", found)
    else:
        found = (_COMPARED[op], column, values[0])
    return ("Or", missing, found) if op in ("ne", "not_in") and keep_missing else found


class LeafTerms:
    """What one leaf says. `counted` are the columns that leaves count which share its rows."""

    def __init__(self, leaf: Leaf, plan: ResolvedPlan, named: Named, counted: Sequence[PathColumn]) -> None:
        self._leaf, self._plan, self._named, self._counted = leaf, plan, named, counted
        self._root: Term = ("table", named.table(leaf.dataset), "")
        self._days = days_of(leaf, plan)
        grouped = leaf.time is not None and plan.grain is not None
        bucket = (self._bucket(leaf.time),) if leaf.time is not None and grouped else ()
        self.groups: tuple[Term, ...] = (*bucket, *(self._column(each) for each in leaf.groups))

    def value(self, period: tuple[Term, ...]) -> Term:
        """Return the leaf's value; `period` is the first group of the statement, where it has groups."""
        leaf, pick = self._leaf, picked(self._leaf)
        if pick is not None:
            return self._at_moments(pick)
        filters = (*(leaf.pick.filters if leaf.pick else ()), *leaf.filters)
        joined = [leaf.time, *leaf.groups, *self._counted, *_beside(filters)]
        tests = [*self._timed(), *self._kept(filters), *self._followed()]
        rows = self._rows(self._root, joined, tests, self.groups)
        return self._or_zero(self._measured(rows), rows, period)

    def _at_moments(self, pick: Pick) -> Term:
        """Return the value over the rows of picked moments, or its mean over all of them."""
        leaf, over = self._leaf, self._column(pick.over)
        days = self._timed() or [("Not", ("Is", over, NULL))]
        inside = [*pick.per, *_beside(pick.filters)]
        ranked = self._rows(self._root, inside, [*days, *self._kept(pick.filters)], ())
        moment = self._moment(pick, over, ranked)
        joined = [*leaf.groups, *self._counted, *_beside(leaf.filters)]
        tests = [*self._kept(leaf.filters), *self._followed()]
        if pick.pick != "average":
            tests.append(("EQ", *in_order((moment, "1"))))
        rows = self._rows(ranked, joined, tests, self.groups)
        if pick.pick != "average":
            return self._measured(rows)
        if not pick.per:
            return divided(self._measured(rows), ("agg", "Max", "", (moment,), rows))
        finer: Term = (*rows[:4], (*self.groups, moment))
        whole: Term = ("rows", finer, (), (), self.groups)
        each = divided(self._measured(finer), moment)
        return ("agg", "Sum", "", (each,), whole)

    def _or_zero(self, value: Term, rows: Term, period: tuple[Term, ...]) -> Term:
        """Return 0 where zeroes are asked for and a leaf has no row in a period that it reads."""
        asked = self._plan.plan.time
        zero = bool(self._plan.spine) and asked is not None and asked.fill == "zero"
        if not zero or self._leaf.pick or self._leaf.aggregate not in _NOTHING_IS_ZERO:
            return value
        none: Term = ("Is", ("mark", rows), NULL)
        unread = [literal(each) for each in self._unread()]
        if unread:
            none = ("And", none, ("Not", ("In", *period, *unread)))
        return ("case", (none, "0"), value)

    def _unread(self) -> list[date]:
        """Return the periods of the spine into which no day falls that the leaf reads."""
        frame, spine = self._leaf.frame, self._plan.spine
        if frame is None or frame.start is None or self._plan.grain == "hour":
            return []
        if frame.buckets:
            labels = {bucket.label for bucket in frame.buckets}
            return [each for each in spine if each not in labels]
        pairs = zip(spine, (*spine[1:], date.max), strict=True)
        if frame.shift_months:
            last = frame.end - timedelta(days=1)
            low, high = (_month(day) + frame.shift_months for day in (frame.start, last))
            return [a for a, after in pairs if _month(a) > high or _month(after - timedelta(days=1)) < low]
        step = timedelta(days=frame.shift_days)
        return [a for a, after in pairs if not (a < frame.end + step and frame.start + step < after)]

    def _measured(self, rows: Term) -> Term:
        """Return the aggregate over rows."""
        leaf, kind, dialect = self._leaf, self._leaf.aggregate, self._named.dialect
        if leaf.counted is not None:
            return ("agg", "Count", "distinct", (self._column(leaf.counted),), rows)
        value: Term = (self._named.measured(leaf, self._root),)
        exact = not (kind == "approx_count_distinct" and dialect != "postgres")
        if kind in ("count_distinct", "approx_count_distinct"):
            return ("agg", "Count" if exact else "ApproxDistinct", "distinct" if exact else "", value, rows)
        if kind == "avg" and leaf.type != "float":
            top, bottom = (("agg", name, "", value, rows) for name in ("Sum", "Count"))
            return divided(top, bottom)
        if kind not in ("median", "percentile"):
            return ("agg", kind.capitalize(), "", value, rows)
        return self._ranked_value(value, rows)

    def _ranked_value(self, value: Term, rows: Term) -> Term:
        leaf, dialect = self._leaf, self._named.dialect
        fraction = leaf.fraction if leaf.aggregate == "percentile" and leaf.fraction else Decimal("0.5")
        if dialect == "bigquery":
            top, parts = fraction.as_integer_ratio()
            return ("agg", "quantile", str(parts), str(top), value, rows)
        if dialect == "postgres" and Decimal(float(fraction)) > fraction:
            fraction -= Decimal("1e-12")
        low: Term = ("agg", "percentile", format(fraction, "f"), "asc", value, rows)
        if leaf.aggregate == "percentile":
            return low
        high: Term = (*low[:3], "desc", *low[4:])
        return ("Add", ("Mul", low, "0.5"), ("Mul", high, "0.5"))

    def _moment(self, pick: Pick, over: Term, rows: Term) -> Term:
        """Return the rank of a row's moment, or the number of moments."""
        grouped = self._leaf.time is not None and self._plan.grain is not None
        parts = (*self.groups[:grouped], *(self._column(each) for each in pick.per))

        def rank(kind: str, *, falling: bool) -> Term:
            return ("window", kind, parts, ((over, str(falling)),), rows)

        if pick.pick != "average":
            return rank("Rank", falling=pick.pick == "last")
        both = ("Add", rank("DenseRank", falling=False), rank("DenseRank", falling=True))
        return ("Sub", both, "1")

    def _rows(
        self,
        root: Term,
        columns: Iterable[PathColumn | None],
        where: Iterable[Term],
        groups: tuple[Term, ...],
    ) -> tuple[Term, ...]:
        return ("rows", root, in_order(self._joined(columns, self._root, "LEFT")), in_order(where), groups)

    def _joined(self, columns: Iterable[PathColumn | None], root: Term, side: str) -> set[Term]:
        found: set[Term] = set()
        for column in columns:
            path = () if column is None else column.path
            found.update(self._path(path[:length], root, side) for length in range(1, len(path) + 1))
        return found

    def _path(self, path: Sequence[Hop], root: Term, side: str) -> Term:
        at = root
        for hop in path:
            pairs = zip(hop.from_columns, hop.to_columns, strict=True)
            keys = in_order((("column", at, ours), theirs) for ours, theirs in pairs)
            at = ("joined", side, self._named.table(hop.to_dataset), *keys)
        return at

    def _column(self, column: PathColumn) -> Term:
        return ("column", self._path(column.path, self._root, "LEFT"), column.column)

    def _wall(self, column: PathColumn, term: Term) -> Term:
        """Return what a clock of the plan's zone shows."""
        zone = self._plan.zone
        if column.type == "timestamptz":
            return ("zone", zone, term)
        if column.type == "date" or column.time_zone in ("", zone):
            return term
        return ("zone", zone, ("zone", column.time_zone, term))

    def _bound(self, day: object, column: PathColumn) -> Term:
        """Return a day or moment of the plan's zone as the column holds it."""
        if column.type not in ("timestamp", "timestamptz") or not isinstance(day, date):
            return literal(day)
        wall = day if isinstance(day, datetime) else datetime.combine(day, time())
        there = "UTC" if column.type == "timestamptz" else column.time_zone or self._plan.zone
        if there != self._plan.zone:
            wall = wall.replace(tzinfo=ZoneInfo(self._plan.zone)).astimezone(ZoneInfo(there))
        return literal(wall.replace(tzinfo=UTC if column.type == "timestamptz" else None))

    def _within(self, column: PathColumn, days: Days) -> list[Term]:
        term, (start, end) = self._column(column), days
        found: list[Term] = [] if start is None else [("GTE", term, self._bound(start, column))]
        return [*found, ("LT", term, self._bound(end, column))] if end is not None else found

    def _timed(self) -> list[Term]:
        """Return the conditions of the leaf's days, of the gaps between its buckets, and of its spans."""
        leaf, column = self._leaf, self._leaf.time
        if column is None:
            return []
        found = self._within(column, self._days)
        frame = leaf.frame
        if self._plan.grain is None or frame is None or not frame.buckets:
            return found
        if frame.overlapping:
            ends: Term = ("listed", *(self._bound(each.end, column) for each in frame.buckets))
            starts: Term = ("listed", *(self._bound(each.start, column) for each in frame.buckets))
            found.append(("on", "INNER", ("LT", self._column(column), ends)))
            if frame.start is not None:
                found.append(("on", "INNER", ("GTE", self._column(column), starts)))
            return found
        for before, after in pairwise(frame.buckets):
            if after.start is not None and before.end < after.start:
                low, high = self._within(column, (before.end, after.start))
                found.append(("Not", ("And", low, high)))
        return found

    def _bucket(self, column: PathColumn) -> Term:
        """Return the period that a row falls into."""
        frame, grain, term = self._leaf.frame, str(self._plan.grain), self._column(column)
        if frame is not None and frame.buckets:
            if frame.overlapping:
                return ("listed", *(literal(each.label) for each in frame.buckets))
            ends = ((each, ("LT", term, self._bound(each.end, column))) for each in frame.buckets)
            return ("case", *((test, literal(each.label)) for each, test in ends), NULL)
        months, days = (0, 0) if frame is None else (frame.shift_months, frame.shift_days)
        wall = self._wall(column, term)
        if grain in ("hour", "day"):
            step: Term = ("interval", str(abs(days)), "DAY")
            day = wall if grain == "hour" or column.type == "date" else ("date", wall)
            moved: Term = ("Add" if days > 0 else "Sub", day, step) if days else day
            if grain == "hour":
                return ("trunc", "HOUR", moved)
            return ("date", moved) if days else moved
        if grain == "week":
            first = -self._named.week_starts % 7
            return ("bucket", "WEEK", wall, "0", str(days + first), "0", str(-first))
        unit = _UNITS.get(grain, grain.upper())
        later = self._named.fiscal_starts % _LENGTHS[unit] if grain in _UNITS else 0
        return ("bucket", unit, wall, str(months - later), str(days), str(later), "0")

    def _kept(self, filters: Sequence[ResolvedFilter], at: Term = "") -> list[Term]:
        """Return the conditions of filters; each way down is rows that are looked up."""
        root = at or self._root
        found = [self._condition(each, each.column.path, root, "LEFT") for each in filters if not _down(each)]
        ways: dict[tuple[Hop, ...], list[ResolvedFilter]] = {}
        for each in filters:
            if _down(each):
                ways.setdefault(_down(each), []).append(each)
        for same in ways.values():
            first = same[0].column.path[0]
            inner: Term = ("table", self._named.table(first.to_dataset), "inner")
            pairs = zip(first.from_columns, first.to_columns, strict=True)
            tests: list[Term] = [
                ("EQ", *in_order((("column", root, ours), ("column", inner, theirs))))
                for ours, theirs in pairs
            ]
            joined: set[Term] = set()
            for each in same:
                rest = each.column.path[1:]
                tests.append(self._condition(each, rest, inner, "INNER"))
                joined.update(self._path(rest[:length], inner, "INNER") for length in range(1, len(rest) + 1))
            found.append(("exists", ("rows", inner, in_order(joined), in_order(tests), ())))
        return found

    def _condition(self, asked: ResolvedFilter, path: Sequence[Hop], root: Term, side: str) -> Term:
        column: Term = ("column", self._path(path, root, side), asked.column.column)
        values = [self._bound(value, asked.column) for value in asked.values]
        return compared(column, asked.op, values, keep_missing=True)

    def _followed(self) -> list[Term]:
        """Return the condition that an event follows, where there is one."""
        asked = self._leaf.followed
        if asked is None:
            return []
        inner: Term = ("table", self._named.table(asked.dataset), "inner")
        since: Term = ("column", self._root, asked.since.column)
        then: Term = ("column", inner, asked.time.column)
        tests: list[Term] = [
            ("EQ", *in_order((("column", self._root, ours), ("column", inner, theirs))))
            for ours, theirs in asked.pairs
        ]
        tests.append(("GTE", then, since))
        for count, unit in ((asked.window_months, "MONTH"), (asked.window_days, "DAY")):
            if count:
                end: Term = ("Add", self._wall(asked.since, since), ("interval", str(count), unit))
                tests.append(self._before(then, end, asked.since.type))
        tests.extend(self._kept(asked.filters, inner))
        joined = self._joined(_beside(asked.filters), inner, "LEFT")
        return [("exists", ("rows", inner, in_order(joined), in_order(tests), ()))]

    def _before(self, then: Term, end: Term, kind: str) -> Term:
        if kind != "timestamptz":
            return ("LT", then, ("date", end) if kind == "date" else end)
        end = ("zone", self._plan.zone, end)
        if self._named.dialect == "snowflake":
            return ("LT", ("zone", "UTC", then), ("zone", "UTC", end))
        return ("LT", then, end)


def _month(day: date) -> int:
    """Return a day's month, counted from year 0."""
    return day.year * 12 + day.month


def _down(asked: ResolvedFilter) -> tuple[Hop, ...]:
    """Return a filter's path up to and with its last to-many hop."""
    last = max((at for at, hop in enumerate(asked.column.path) if hop.to_many), default=-1)
    return asked.column.path[: last + 1]


def _beside(filters: Iterable[ResolvedFilter]) -> list[PathColumn]:
    """Return the columns of filters that are joined, not looked up."""
    return [each.column for each in filters if not _down(each)]
