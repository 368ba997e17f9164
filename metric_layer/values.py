"""Filter values held against the type of the column they are compared with."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from metric_layer.definitions import ColumnType
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
}


class ValueFault(Exception):
    """Values do not fit; `code` is `wrong_type` or `wrong_values`."""

    def __init__(self, code: str, message: str, seen: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.seen = seen


def type_values(
    op: Operator, values: Sequence[Scalar], kind: ColumnType
) -> tuple[Operator, tuple[TypedValue, ...]]:
    """Return the operator and values ready to compare with a column of type `kind`.

    A day compared with a timestamp means the whole day, so the operator may change. Raises ValueFault.
    """
    _check_count(op, values)
    if op in ORDERING and kind == "boolean":
        raise ValueFault("wrong_type", f"{op} does not apply to true and false.", op)
    if kind == "timestamp" and any(_is_day(value) for value in values):
        return _whole_days(
            op, [_typed(value, kind) for value in values], [_is_day(value) for value in values]
        )
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
        raise ValueFault("wrong_type", f"The values must be {_WORDS[kind]}.", str(value)[:80])
    return found


def _converted(value: Scalar, kind: ColumnType) -> TypedValue | None:
    if kind == "string":
        return value if isinstance(value, str) else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind in ("date", "timestamp"):
        return _moment(value, kind) if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    if kind == "integer":
        return int(value) if value == int(value) else None
    return value


def _moment(text: str, kind: ColumnType) -> date | None:
    try:
        if kind == "date":
            return date.fromisoformat(text) if len(text) == 10 else None
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is None else None


def _is_day(value: Scalar) -> bool:
    return isinstance(value, str) and len(value) == 10


def _whole_days(
    op: Operator, values: list[TypedValue], days: list[bool]
) -> tuple[Operator, tuple[TypedValue, ...]]:
    if op in ("ne", "in", "not_in"):
        seen = ", ".join(str(value)[:10] for value in values[:3])
        raise ValueFault(
            "wrong_type", f"{op} over a timestamp needs times, not days; use ge and lt for days.", seen
        )
    first, last = _as_time(values[0]), _as_time(values[-1])
    after = last + _ONE_DAY if days[-1] else last
    if op in ("eq", "between"):
        if first > last:
            raise ValueFault("wrong_values", "between wants the lower value first.", f"{first}, {last}")
        return "between", (first, after - _TICK if days[-1] else last)
    if op == "le":
        return "lt", (after,)
    return ("ge", (after,)) if op == "gt" else (op, (first,))


def _as_time(value: TypedValue) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    raise ValueFault("wrong_type", "The values must be dates or times.", str(value)[:80])


def _reversed(low: TypedValue, high: TypedValue) -> bool:
    if isinstance(low, str) and isinstance(high, str):
        return low > high
    if isinstance(low, date) and isinstance(high, date):
        return low > high
    if isinstance(low, int | Decimal) and isinstance(high, int | Decimal):
        return low > high
    return False
