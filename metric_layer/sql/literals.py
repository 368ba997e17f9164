"""What literals and now()-relative expressions are worth: integers, moments, steps of time."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlglot import exp

UNITS = {
    "MICROSECOND": 1e-6,
    "MILLISECOND": 1e-3,
    "SECOND": 1.0,
    "MINUTE": 60.0,
    "HOUR": 3600.0,
    "DAY": 86_400.0,
    "WEEK": 604_800.0,
    "MONTH": 2_592_000.0,
    "QUARTER": 7_776_000.0,
    "YEAR": 31_536_000.0,
}
MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
SHORT = {
    "D": "DAY",
    "H": "HOUR",
    "MON": "MONTH",
    "MONS": "MONTH",
    "M": "MINUTE",
    "S": "SECOND",
    "W": "WEEK",
    "ISOWEEK": "WEEK",
    "Y": "YEAR",
}
AMOUNT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")
NOW_CALLS = (
    exp.CurrentDate,
    exp.CurrentTimestamp,
    exp.CurrentDatetime,
    exp.Localtimestamp,
    exp.CurrentTimestampLTZ,
    exp.Systimestamp,
    exp.UtcTimestamp,
    exp.UtcDate,
)
NOW_NAMED = frozenset(
    {
        "now",
        "get_current_timestamp",
        "transaction_timestamp",
        "statement_timestamp",
        "clock_timestamp",
        "today",
    }
)
WRAPPERS = (
    exp.Cast,
    exp.Paren,
    exp.Date,
    exp.Datetime,
    exp.Timestamp,
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.TsOrDsToDatetime,
    exp.DateStrToDate,
    exp.TimeStrToTime,
)
PARTS = (exp.DateFromParts, exp.TimestampFromParts, exp.TimestampTzFromParts, exp.TimestampLtzFromParts)
PARTS_NAMED = frozenset({"make_date", "make_timestamp", "make_timestamptz", "date_from_parts"})
FORMATTED = (exp.StrToDate, exp.StrToTime, exp.ParseDatetime)
ISO_DATE = "%Y-%m-%d"
FORWARD = (exp.Add, exp.AddMonths, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd, exp.TimeAdd)
BACK = (exp.Sub, exp.DateSub, exp.DatetimeSub, exp.TimestampSub, exp.TimeSub)
TRUNCATIONS = (exp.DateTrunc, exp.TimestampTrunc, exp.DatetimeTrunc)


def integer_of(node: object) -> int | None:
    """Return the value of an integer literal, signed or in brackets or cast; None for anything else."""
    if isinstance(node, (exp.Paren, exp.Cast)):
        return integer_of(node.this)
    if isinstance(node, exp.Neg):
        value = integer_of(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Literal):
        return _whole(node.name)
    return None


def _whole(text: str) -> int | None:
    try:
        value = float(text) if len(text) < 30 else None
    except ValueError:
        return None
    if value is None or value != value or abs(value) > 1e18:
        return None
    return int(value) if value >= 0 else -int(-value)


def moment_of(node: object, now: datetime) -> datetime | None:
    """Return the moment a literal or a now()-relative expression means, in UTC; None for anything else."""
    if isinstance(node, exp.Literal):
        return _parsed(node.name) if node.is_string else None
    if isinstance(node, NOW_CALLS) or (
        isinstance(node, exp.Anonymous) and str(node.this).lower() in NOW_NAMED
    ):
        return now
    if isinstance(node, WRAPPERS):
        return moment_of(node.this, now)
    if isinstance(node, PARTS):
        return _from_parts([node.args.get(part) for part in ("year", "month", "day")])
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in PARTS_NAMED:
        return _from_parts(node.expressions[:3])
    if isinstance(node, FORMATTED):
        return moment_of(node.this, now) if node.text("format").startswith(ISO_DATE) else None
    if isinstance(node, TRUNCATIONS):
        return truncated(moment_of(node.this, now), unit_of(node.args.get("unit")))
    if isinstance(node, exp.LastDay) and node.args.get("unit") is None:
        return _last_day(moment_of(node.this, now))
    if isinstance(node, (*FORWARD, *BACK)):
        return _moved(node, now)
    return None


def _parsed(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.strip().removesuffix("UTC").rstrip())
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _from_parts(parts: Sequence[object]) -> datetime | None:
    """Return the day that year, month and day mean; a time of day behind them only moves it later."""
    if len(parts) != 3:
        return None
    year, month, day = (integer_of(part) or 0 for part in parts)
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def unit_of(node: object) -> str:
    """Return the name of a unit of time in upper case; a week may start on any day."""
    if isinstance(node, exp.WeekStart):
        return "WEEK"
    name = node.name.upper() if isinstance(node, exp.Expr) else str(node or "DAY").upper()
    name = SHORT.get(name, name)
    return name[:-1] if name.endswith("S") and name[:-1] in UNITS else name


def truncated(moment: datetime | None, unit: str) -> datetime | None:
    """Return the start of the unit, never later than the engine's: weeks may start on any day."""
    if moment is None or unit not in UNITS:
        return None
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "YEAR":
        return midnight.replace(month=1, day=1)
    if unit == "QUARTER":
        return midnight.replace(month=(moment.month - 1) // 3 * 3 + 1, day=1)
    if unit == "MONTH":
        return midnight.replace(day=1)
    return midnight - timedelta(days=6) if unit == "WEEK" else midnight


def _last_day(moment: datetime | None) -> datetime | None:
    """Return the last day of the month."""
    start = truncated(moment, "MONTH")
    return start.replace(day=monthrange(start.year, start.month)[1]) if start is not None else None


def _moved(node: exp.Expr, now: datetime) -> datetime | None:
    moment = moment_of(node.this, now)
    step = node.args.get("expression")
    if moment is None and isinstance(node, exp.Add):
        moment, step = moment_of(node.args.get("expression"), now), node.this
    if moment is None:
        return None
    amount, unit = _step(step, "MONTH" if isinstance(node, exp.AddMonths) else node.args.get("unit"))
    if amount is None:
        return None
    return shifted(moment, amount if isinstance(node, FORWARD) else -amount, unit)


def _step(node: object, unit: object) -> tuple[float | None, str]:
    """Return amount and unit of a step of time: INTERVAL in its spellings, or a number of `unit`."""
    if isinstance(node, (exp.Paren, exp.Cast)):
        return _step(node.this, unit)
    if isinstance(node, exp.Neg):
        amount, name = _step(node.this, unit)
        return (None if amount is None else -amount), name
    if isinstance(node, exp.Interval):
        return _step(node.this, node.args.get("unit"))
    if not isinstance(node, exp.Literal):
        return None, ""
    found = AMOUNT.fullmatch(node.name)
    if found is None:
        return None, ""
    return float(found[1]), unit_of(found[2] or unit)


def shifted(moment: datetime, amount: float, unit: str) -> datetime | None:
    """Return the moment some units later; None for an unknown unit or a date that does not exist."""
    if unit not in UNITS:
        return None
    try:
        if unit not in MONTHS:
            return moment + timedelta(seconds=amount * UNITS[unit])
        months = moment.year * 12 + moment.month - 1 + int(amount * MONTHS[unit])
        year, month = divmod(months, 12)
        return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
    except (OverflowError, ValueError):
        return None


def step_seconds(node: object) -> float | None:
    """Return the length of a step of time in seconds, months at their shortest use of 30 days."""
    amount, unit = _step(node, None)
    return abs(amount) * UNITS[unit] if amount and unit in UNITS else None
