"""Filter values held against the type of the column they are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from metric_layer.dates import no_such_date
from metric_layer.definitions import INSTANT_TYPES, ColumnType
from metric_layer.plan import Operator, Scalar

TypedValue = Scalar | date
COUNTS: dict[Operator, int] = {"is_null": 0, "not_null": 0, "between": 2}
LISTS: frozenset[Operator] = frozenset({"in", "not_in"})
NEGATIVE: frozenset[Operator] = frozenset({"ne", "not_in", "is_null"})
ORDERING: frozenset[Operator] = frozenset({"lt", "le", "gt", "ge", "between"})
_ONE_DAY = timedelta(days=1)
_TICK = timedelta(microseconds=1)
_WORDS: dict[ColumnType, str] = {
    "string": "text in quotes",
    "integer": "a whole number",
    "decimal": "a number",
    "float": "a number",
    "boolean": "true or false",
    "date": "a date as YYYY-MM-DD",
    "timestamp": "a date or a time as YYYY-MM-DDTHH:MM:SS",
    "timestamptz": "a date or a time as YYYY-MM-DDTHH:MM:SS, with or without an offset",
}
YEARS = range(2, 9999)
MAX_DIGITS = 76


@dataclass(frozen=True, slots=True)
class Zones:
    """The zone that the author of a filter means, and the one its moments are wanted in."""

    written: str
    wanted: str


SAME_ZONE = Zones("UTC", "UTC")


class ValueFault(Exception):
    """Values do not fit; `code` is `wrong_type` or `wrong_values`."""

    def __init__(self, code: str, message: str, seen: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.seen = seen


def type_values(
    op: Operator, values: Sequence[Scalar], kind: ColumnType, zones: Zones = SAME_ZONE
) -> tuple[Operator, tuple[TypedValue, ...]]:
    """Return the operator and values ready to compare with a column of type `kind`.

    A day compared with a timestamp means the whole day, so the operator may change. Moments come back without
    an offset, as the clock of the wanted zone shows them. Raises ValueFault.
    """
    _check_count(op, values)
    if op in ORDERING and kind == "boolean":
        raise ValueFault("wrong_type", f"{op} does not apply to true and false.", op)
    if kind in INSTANT_TYPES:
        return _moments(op, values, kind, zones)
    typed = tuple(_typed(value, kind) for value in values)
    if op == "between" and _reversed(typed[0], typed[1]):
        raise ValueFault("wrong_values", "between wants the lower value first.", f"{values[0]}, {values[1]}")
    return op, typed


def _check_count(op: Operator, values: Sequence[Scalar]) -> None:
    if op in LISTS:
        if not values:
            raise ValueFault("wrong_values", f"{op} needs at least one value.", "none")
        return
    wanted = COUNTS.get(op, 1)
    if len(values) != wanted:
        words = {0: "no value", 1: "exactly one value", 2: "exactly two values"}[wanted]
        raise ValueFault("wrong_values", f"{op} takes {words}.", f"{len(values)} values")


def _typed(value: Scalar, kind: ColumnType) -> TypedValue:
    found = _converted(value, kind)
    if found is None:
        raise _misfit(value, kind)
    return found


def _misfit(value: Scalar, kind: ColumnType) -> ValueFault:
    """Return why a value is none of a column's type; of a date on no calendar, which is nearest."""
    absent = no_such_date(value) if kind in ("date", *INSTANT_TYPES) else None
    seen = str(value)[:80]
    if absent is None:
        return ValueFault("wrong_type", f"The values must be {_WORDS[kind]}.", seen)
    return ValueFault(
        "wrong_type",
        f"{absent.written} is on no calendar: {absent.why}. The nearest date is {absent.nearest}.",
        seen,
    )


def _converted(value: Scalar, kind: ColumnType) -> TypedValue | None:
    if kind == "string":
        return value if isinstance(value, str) else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "date":
        return _day(value) if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    if isinstance(value, Decimal) and value.adjusted() > MAX_DIGITS:
        return None
    if kind == "integer":
        return int(value) if value == int(value) else None
    return value


def _day(text: str) -> date | None:
    try:
        found = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
    return found if found is None or found.year in YEARS else None


def _moments(
    op: Operator, values: Sequence[Scalar], kind: ColumnType, zones: Zones
) -> tuple[Operator, tuple[datetime, ...]]:
    """Return the moments that days and times stand for; a day is all of it, so the operator may change."""
    days = [_day(value) if isinstance(value, str) else None for value in values]
    if any(days) and op in ("ne", "in", "not_in"):
        seen = ", ".join(str(value)[:10] for value in values[:3])
        step = f"{op} over a timestamp needs times, not days; use ge and lt for days."
        raise ValueFault("wrong_type", step, seen)
    starts = tuple(
        _moved(datetime.combine(day, time()), zones) if day else _time(value, kind, zones)
        for day, value in zip(days, values, strict=True)
    )
    if not values:
        return op, ()
    last = days[-1]
    after = _moved(datetime.combine(last + _ONE_DAY, time()), zones) if last else starts[-1]
    if op in ("eq", "between"):
        if starts[0] > starts[-1]:
            raise ValueFault(
                "wrong_values", "between wants the lower value first.", f"{values[0]}, {values[-1]}"
            )
        end = (after - _TICK).replace(fold=1) if last else after
        return ("between", (starts[0], end)) if any(days) or op == "between" else (op, starts)
    if last and op in ("le", "gt"):
        return ("lt" if op == "le" else "ge"), (after,)
    return op, starts


def _time(value: Scalar, kind: ColumnType, zones: Zones) -> datetime:
    """Return a time as the wanted zone's clock shows it; only a timestamptz may be written with an offset."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    offset_fits = found is not None and (found.tzinfo is None or kind == "timestamptz")
    if found is None or not offset_fits or found.year not in YEARS:
        raise _misfit(value, kind)
    return _moved(found, zones)


def _moved(moment: datetime, zones: Zones) -> datetime:
    if moment.tzinfo is None:
        if zones.written == zones.wanted:
            return moment
        moment = moment.replace(tzinfo=ZoneInfo(zones.written))
    return moment.astimezone(ZoneInfo(zones.wanted)).replace(tzinfo=None)


def _reversed(low: TypedValue, high: TypedValue) -> bool:
    if isinstance(low, str) and isinstance(high, str):
        return low > high
    if isinstance(low, date) and isinstance(high, date):
        return low > high
    if isinstance(low, int | Decimal) and isinstance(high, int | Decimal):
        return low > high
    return False
