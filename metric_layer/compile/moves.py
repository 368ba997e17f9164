"""Days and moments moved, cut off and cast, as SQL."""

from sqlglot import exp


def as_date(value: exp.Expr) -> exp.Expr:
    """Return a value as a DATE."""
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.DATE, nested=False))


def shifted(moment: exp.Expr, count: int, unit: str) -> exp.Expr:
    """Return a day or moment moved by so many units, forward or back."""
    if count == 0:
        return moment
    kind = exp.Add if count > 0 else exp.Sub
    step = exp.Interval(this=exp.Literal.string(str(abs(count))), unit=exp.Var(this=unit))
    return kind(this=moment, expression=step)


def truncated(day: exp.Expr, unit: str, dialect: str) -> exp.Expr:
    """Return the first day of the unit that a day lies in: the very tree that its text reads back as."""
    if dialect == "bigquery" or (dialect == "duckdb" and isinstance(day, exp.Cast)):
        return exp.DateTrunc(this=day, unit=exp.Literal.string(unit))  # type: ignore[no-untyped-call]
    return exp.TimestampTrunc(this=day, unit=exp.Var(this=unit))


def hour_of(moment: exp.Expr, dialect: str) -> exp.Expr:
    """Return the start of the hour a moment without a zone lies in."""
    if dialect == "bigquery":
        return exp.DatetimeTrunc(this=moment, unit=exp.Var(this="HOUR"))
    return truncated(moment, "HOUR", dialect)
