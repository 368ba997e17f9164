"""A time column beside the days and zone of a plan: compared with its bounds, or read as a wall clock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from sqlglot import exp

from metric_layer.compile.literals import literal
from metric_layer.resolved import PathColumn
from metric_layer.values import TypedValue

Build = Callable[[], exp.Expr]


@dataclass(frozen=True, slots=True)
class Clock:
    """A time column under the alias it is reached by, in a plan's zone. It is built anew at every use."""

    column: Build
    described: PathColumn
    zone: str
    dialect: str

    def within(self, start: date | None, end: date | None) -> list[exp.Expr]:
        """Return `column >= start` and `column < end` in the column's own type and zone, where set."""
        found: list[exp.Expr] = []
        if start is not None:
            found.append(exp.GTE(this=self.column(), expression=self._bound(start)))
        if end is not None:
            found.append(self.before(end))
        return found

    def before(self, end: date) -> exp.Expr:
        """Return `column < end` in the column's own type and zone."""
        return exp.LT(this=self.column(), expression=self._bound(end))

    def wall(self) -> exp.Expr:
        """Return what a clock in the plan's zone shows: a DATE, or a TIMESTAMP without a zone."""
        if self.described.type == "timestamptz":
            return _instant_at(self.column(), self.zone, self.dialect)
        if self.described.type == "date" or self.described.time_zone in ("", self.zone):
            return self.column()
        return _between_zones(self.column(), self.described.time_zone, self.zone, self.dialect)

    def before_wall(self, wall: exp.Expr) -> exp.Expr:
        """Return that an instant lies before the one at which a clock in the plan's zone shows `wall`."""
        zone = exp.Literal.string(self.zone)
        if self.dialect == "snowflake":  # has no cast to an instant that names the zone: both as UTC's clock
            end: exp.Expr = exp.ConvertTimezone(
                source_tz=zone, target_tz=exp.Literal.string("UTC"), timestamp=wall
            )
            return exp.LT(this=_instant_at(self.column(), "UTC", self.dialect), expression=end)
        if self.dialect == "bigquery":
            end = exp.Timestamp(this=wall, zone=zone, with_tz=True)
        else:
            end = exp.AtTimeZone(this=exp.Paren(this=wall), zone=zone)
        return exp.LT(this=self.column(), expression=end)

    def _bound(self, day: date) -> exp.Expr:
        return literal(moment_in(day, self.described, self.zone))


def moment_in(value: TypedValue, column: PathColumn, zone: str) -> TypedValue:
    """Return a day or wall-clock time of `zone` as the column holds it: naive, or an instant in UTC.

    A day is its first moment. A value that is no moment, or belongs to a column of dates, stays what it is.
    """
    if column.type not in ("timestamp", "timestamptz") or not isinstance(value, date):
        return value
    wall = value if isinstance(value, datetime) else datetime.combine(value, time())
    if column.type == "timestamptz":
        return _moved(wall, zone, "UTC").replace(tzinfo=UTC)
    return _moved(wall, zone, column.time_zone or zone)


def _moved(wall: datetime, zone: str, other: str) -> datetime:
    if zone == other:
        return wall
    return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo(other)).replace(tzinfo=None)


def _instant_at(instant: exp.Expr, zone: str, dialect: str) -> exp.Expr:
    name = exp.Literal.string(zone)
    if dialect == "bigquery":
        return exp.Datetime(this=instant, expression=name)
    if dialect == "snowflake":
        # a cast from an instant to a timestamp without a zone keeps the wall clock of its own offset
        moved = exp.ConvertTimezone(target_tz=name, timestamp=instant)
        return exp.Cast(this=moved, to=exp.DataType(this=exp.DataType.Type.TIMESTAMPNTZ, nested=False))
    return exp.AtTimeZone(this=instant, zone=name)


def _between_zones(wall: exp.Expr, zone: str, other: str, dialect: str) -> exp.Expr:
    before, after = exp.Literal.string(zone), exp.Literal.string(other)
    if dialect == "bigquery":
        return exp.Datetime(this=exp.Timestamp(this=wall, zone=before, with_tz=True), expression=after)
    if dialect == "snowflake":
        return exp.ConvertTimezone(source_tz=before, target_tz=after, timestamp=wall)
    return exp.AtTimeZone(this=exp.AtTimeZone(this=wall, zone=before), zone=after)
