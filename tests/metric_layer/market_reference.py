"""What a plan over the market comes to, counted row by row in Python: no SQL, no frames, no branches."""

from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

from tests.metric_layer.market import DIMENSIONS, EDGES, KEYS, METRICS, TIMES, ZONE, Metric

DAY = timedelta(days=1)
MONTHS = {"month": 1, "quarter": 3, "year": 12}
Row = Mapping[str, object]
World = Mapping[str, Sequence[Row]]
Group = tuple[object, ...]
Days = tuple[date, date]
Asked = tuple[str, str, tuple[object, ...]]
Figure = Callable[[Group], object]


@dataclass(frozen=True)
class Question:
    """A plan; `window` is inclusive, `field` the clock that is named."""

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    filters: tuple[Asked, ...] = ()
    window: Days | None = None
    grain: str | None = None
    field: str = "any_day"
    zone: str = ZONE
    fill: str | None = None
    compare: str | None = None

    def plan(self) -> dict[str, object]:
        """Return it as a caller writes it."""
        found: dict[str, object] = {
            "metrics": list(self.metrics),
            "dimensions": list(self.dimensions),
            "filters": [{"field": f, "op": op, "values": list(values)} for f, op, values in self.filters],
        }
        if self.window is not None:
            first, last = (day.isoformat() for day in self.window)
            time = {"field": self.field, "from": first, "to": last, "grain": self.grain, "zone": self.zone}
            found["time"] = {key: value for key, value in {**time, "fill": self.fill}.items() if value}
        if self.compare is not None:
            found["compare"] = {"kind": self.compare}
        return found


@dataclass(frozen=True)
class Within:
    """What a metric hands down to those under it."""

    kept: tuple[Asked, ...] = ()
    running: Metric | None = None
    back: Metric | None = None
    followed: Metric | None = None


class Reference:
    """Counts one question over one world."""

    def __init__(self, world: World, asked: Question, today: date) -> None:
        self.world, self.asked, self.today = world, asked, today
        self.grouped = bool(asked.dimensions) or asked.grain is not None
        self.groups: dict[Group, None] = {} if self.grouped else {(): None}

    def answer(self) -> dict[Group, tuple[object, ...]]:
        """Return the figures by group."""
        figures = [figure for name in self.asked.metrics for figure in self._columns(name)]
        groups = self.groups
        if self.asked.fill:
            rest = {group[1:]: None for group in groups} if self.asked.dimensions else {(): None}
            labels = [label for label, _ in self._slots(Within())]
            groups = {(*label, *group): None for label in labels for group in rest}
        return {group: tuple(figure(group) for figure in figures) for group in groups}

    def _columns(self, name: str) -> Iterator[Figure]:
        now = self.figure(name, Within())
        yield now
        if self.asked.compare is not None:
            before = self.figure(name, Within(back=self._compared()))
            yield before
            yield lambda group: less(now(group), before(group))
            yield lambda group: divided(less(now(group), before(group)), before(group))

    def _compared(self) -> Metric:
        """Return the step back of the question's comparison: a year, or the window's own length."""
        assert self.asked.window is not None
        first, after = self.asked.window[0], self.asked.window[1] + DAY
        if self.asked.compare == "previous_year":
            return Metric("offset", unit="month", count=12)
        if first.day == after.day == 1:
            months = (after.year - first.year) * 12 + after.month - first.month
            return Metric("offset", unit="month", count=months)
        return Metric("offset", unit="day", count=(after - first).days)

    def figure(self, name: str, within: Within) -> Figure:
        """Return a metric's value by group."""
        metric = METRICS[name]
        found = self._figure(metric, within)
        return (lambda group: 0 if found(group) is None else found(group)) if metric.zero else found

    def _figure(self, metric: Metric, within: Within) -> Figure:
        match metric.kind:
            case "filtered":
                kept = tuple((field, op, (value,)) for field, op, value in metric.kept)
                return self.figure(metric.of[0], replace(within, kept=(*within.kept, *kept)))
            case "ratio" | "sub":
                left, right = (self.figure(name, within) for name in metric.of)
                combine = divided if metric.kind == "ratio" else less
                return lambda group: combine(left(group), right(group))
            case "window" | "to_date" | "ever":
                return self.figure(metric.of[0], replace(within, running=metric))
            case "offset":
                return self._held(metric, within)
            case "converted":
                return self._converted(metric, within)
        return self._leaf(metric, within)

    def _held(self, metric: Metric, within: Within) -> Figure:
        before = self.figure(metric.of[0], replace(within, back=metric))
        if metric.way == "value":
            return before
        now = self.figure(metric.of[0], within)
        if metric.way == "difference":
            return lambda group: less(now(group), before(group))
        return lambda group: divided(less(now(group), before(group)), before(group))

    def _converted(self, metric: Metric, within: Within) -> Figure:
        led = self.figure(metric.of[0], replace(within, followed=metric))
        if metric.way == "count":
            return led
        base = self.figure(metric.of[0], within)
        return lambda group: divided(led(group) or 0, base(group))

    def _leaf(self, metric: Metric, within: Within) -> Figure:
        members: dict[Group, list[Row]] = {} if self.grouped else {(): []}
        for label, rows in self._periods(metric, within):
            for row in rows:
                group = (*label, *(self.value(metric.fact, row, name) for name in self.asked.dimensions))
                members.setdefault(group, []).append(row)
        self.groups.update(dict.fromkeys(members))
        if metric.kind == "average":
            return self._averages(metric, within, members)
        values = {group: aggregated(metric, rows) for group, rows in members.items()}
        if self.asked.fill != "zero" or metric.kind not in ("sum", "count", "count_distinct"):
            return values.get
        read = {label for label, _ in self._slots(within)}
        return lambda group: values.get(group, 0 if group[:1] in read else None)

    def _averages(self, metric: Metric, within: Within, members: dict[Group, list[Row]]) -> Figure:
        """Return sums over the number of moments that a period has, whoever has rows at them."""
        size = 1 if self.asked.grain else 0
        moments: dict[Group, set[object]] = {}
        for label, days in self._slots(within):
            rows = [row for row in self.world[metric.fact] if self._inside(metric.fact, row, days)]
            moments[label] = {row["seen_on"] for row in rows} - {None}
        return lambda group: divided(
            aggregated(replace(metric, kind="sum"), members.get(group, [])),
            len(moments.get(group[:size], ())),
        )

    def _periods(self, metric: Metric, within: Within) -> Iterator[tuple[Group, list[Row]]]:
        """Yield each period with the rows of the fact that count in it."""
        fact = metric.fact
        for label, days in self._slots(within):
            rows = [row for row in self.world[fact] if self._inside(fact, row, days)]
            if metric.kind == "average":
                rows = [row for row in rows if row[TIMES[fact]] is not None]
            if metric.kind in ("last", "first"):
                rows = self._picked(metric, [row for row in rows if row[TIMES[fact]] is not None])
            for field, op, values in (*within.kept, *self.asked.filters):
                rows = [row for row in rows if self._passes(fact, row, field, op, values)]
            if within.followed is not None:
                rows = [row for row in rows if self._is_followed(within.followed, row)]
            yield label, rows

    def _slots(self, within: Within) -> Iterator[tuple[Group, Days | None]]:
        asked = self.asked
        if asked.window is None:
            yield (), None
            return
        first, last = asked.window
        if within.back is not None and first <= self.today < last:
            last = self.today
        for label, begun, ended in slots(first, last, asked.grain):
            days: Days | None = (begun, ended)
            if within.back is not None:
                days = earlier(begun, ended, asked.grain, within.back)
            if days is not None and within.running is not None:
                days = (begin(days[1], within.running), days[1])
            if days is not None:
                yield label, days

    def _inside(self, fact: str, row: Row, days: Days | None) -> bool:
        if days is None:
            return True
        at = row[self.asked.field if self.asked.field != "any_day" else TIMES[fact]]
        day = at.astimezone(ZoneInfo(self.asked.zone)).date() if isinstance(at, datetime) else at
        return isinstance(day, date) and days[0] <= day <= days[1]

    def _picked(self, metric: Metric, rows: list[Row]) -> list[Row]:
        def own(row: Row) -> object:
            return self.value(metric.fact, row, metric.way) if metric.way else None

        best: dict[object, date] = {}
        choose = max if metric.kind == "last" else min
        for row in rows:
            day = row["seen_on"]
            if isinstance(day, date):
                best[own(row)] = choose(best.get(own(row), day), day)
        return [row for row in rows if row["seen_on"] == best[own(row)]]

    def value(self, fact: str, row: Row, name: str) -> object:
        """Return a dimension's value for a row of a fact; None where a key leads nowhere."""
        table, column, via = DIMENSIONS[name]
        first = EDGES[via[0]][0] if via else table
        heads = [] if fact == first else [e for e, ends in EDGES.items() if ends[:2] == (fact, first)]
        here: Row | None = row
        for edge in (*heads, *via):
            here = self._met(edge, here) if here is not None else None
        return here[column] if here is not None else None

    def _met(self, edge: str, row: Row) -> Row | None:
        _, table, columns = EDGES[edge]
        key = tuple(row[column] for column in columns)
        if None in key:
            return None
        rows = (each for each in self.world[table] if tuple(each[name] for name in KEYS[table]) == key)
        return next(rows, None)

    def _passes(self, fact: str, row: Row, field: str, op: str, values: tuple[object, ...]) -> bool:
        table = DIMENSIONS[field][0]
        if fact == "shops" and table == "sales":
            below = [sale for sale in self.world["sales"] if self._met("sale_shop", sale) is row]
            return any(passes(sale[DIMENSIONS[field][1]], op, values) for sale in below)
        return passes(self.value(fact, row, field), op, values)

    def _is_followed(self, metric: Metric, row: Row) -> bool:
        since, zone = row["visited_at"], ZoneInfo(self.asked.zone)
        kept = METRICS[metric.of[1]].kept
        if not isinstance(since, datetime) or None in (row["person"], row["channel"]):
            return False
        wall = since.astimezone(zone).replace(tzinfo=None) + metric.count * DAY
        end = wall.replace(tzinfo=zone)
        return any(
            isinstance(event["signed_at"], datetime)
            and (event["person"], event["channel"]) == (row["person"], row["channel"])
            and since.timestamp() <= event["signed_at"].timestamp() < end.timestamp()
            and all(passes(event[DIMENSIONS[field][1]], op, (value,)) for field, op, value in kept)
            for event in self.world["signups"]
        )


def passes(value: object, op: str, values: tuple[object, ...]) -> bool:
    """Say whether a value meets a filter; one that is missing is not another one, and so passes `ne`."""
    if op in ("is_null", "not_null"):
        return (value is None) == (op == "is_null")
    if value is None:
        return op in ("ne", "not_in")
    if op in ("eq", "in"):
        return value in values
    if op in ("ne", "not_in"):
        return value not in values
    low, high = values[0], values[-1]
    tests = {"ge": value >= low, "lt": value < low, "between": low <= value <= high}  # type: ignore[operator]
    return bool(tests[op])


def aggregated(metric: Metric, rows: list[Row]) -> object:
    """Return the value of an aggregate over rows."""
    if metric.kind == "count":
        return len(rows)
    values = sorted(row[metric.column] for row in rows if row[metric.column] is not None)  # type: ignore[type-var]
    if metric.kind == "count_distinct":
        return len(set(values))
    if not values:
        return None
    size = len(values)
    told: dict[str, Callable[[], object]] = {
        "min": lambda: values[0],
        "max": lambda: values[-1],
        "avg": lambda: divided(sum(values), size),  # type: ignore[arg-type]
        "percentile": lambda: values[-(-9 * size // 10) - 1],
        "median": lambda: Decimal(values[(size - 1) // 2] + values[size // 2]) / 2,  # type: ignore[operator]
    }
    return told.get(metric.kind, lambda: sum(values))()  # type: ignore[arg-type]


def less(left: object, right: object) -> object:
    """Return a difference; without one side there is none."""
    if left is None or right is None:
        return None
    return Decimal(left) - Decimal(right)  # type: ignore[arg-type]


def divided(top: object, below: object) -> object:
    """Return a quotient of ten places, rounded half away from zero; none over zero or without one side."""
    if top is None or below is None or below == 0:
        return None
    exact = Decimal(top) / Decimal(below)  # type: ignore[arg-type]
    return exact.quantize(Decimal("1e-10"), ROUND_HALF_UP)


def slots(first: date, last: date, grain: str | None) -> Iterator[tuple[Group, date, date]]:
    """Yield the periods of a window with the days of it that they hold."""
    if grain is None:
        yield (), first, last
        return
    at = bucket(first, grain)
    while at <= last:
        after = next_of(at, grain)
        yield (at,), max(at, first), min(after - DAY, last)
        at = after


def bucket(day: date, grain: str) -> date:
    """Return the first day of the period of a day; weeks begin on Sunday, fiscal years in February."""
    if grain == "week":
        return day - (day.weekday() + 1) % 7 * DAY
    if grain.startswith("fiscal_"):
        return moved(bucket(moved(day.replace(day=1), -1), grain.removeprefix("fiscal_")), 1)
    months = MONTHS.get(grain)
    return day if months is None else date(day.year, (day.month - 1) // months * months + 1, 1)


def next_of(first: date, grain: str) -> date:
    """Return the first day of the period after one."""
    months = MONTHS.get(grain.removeprefix("fiscal_"))
    return moved(first, months) if months else first + DAY * (7 if grain == "week" else 1)


def moved(day: date, months: int) -> date:
    """Return the same day so many months later, or the last of that month."""
    at = day.year * 12 + day.month - 1 + months
    return date(at // 12, at % 12 + 1, min(day.day, monthrange(at // 12, at % 12 + 1)[1]))


def moved_end(day: date, months: int) -> date:
    """Return the same day so many months later; the last day of a month stays the last."""
    found = moved(day, months)
    whole = (day + DAY).day == 1
    return moved(found.replace(day=1), 1) - DAY if whole else found


def earlier(first: date, last: date, grain: str | None, metric: Metric) -> Days | None:
    """Return the days that a period is held against, so that no day counts twice; None for none."""
    if metric.unit in ("day", "week"):
        step = metric.count * (7 if metric.unit == "week" else 1) * DAY
        return first - step, last - step
    start, end = moved(first, -metric.count), moved_end(last, -metric.count)
    if grain == "day":
        return (start, start) if start.day == first.day else None
    whole = grain in MONTHS and metric.count % MONTHS[grain] == 0
    if grain is not None and not whole and start.day != first.day:
        start += DAY
    return (start, end) if start <= end else None


def begin(last: date, metric: Metric) -> date:
    """Return the first day that counts in a running figure whose last day is `last`."""
    if metric.kind == "ever":
        return date.min
    if metric.kind == "to_date":
        return bucket(last, metric.unit)
    return last - (metric.count - 1) * DAY if metric.unit == "day" else moved_end(last, -metric.count) + DAY
