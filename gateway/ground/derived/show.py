"""A value printed the way its metric asks for: the one printer of slots, wording and expected values."""

import unicodedata
from datetime import date, datetime
from decimal import Decimal

from gateway.ground.lexing.units import CURRENCY_CODES
from gateway.ground.naming.phrases import NONE
from metric_layer.calendar import Calendar
from metric_layer.resolved import OutputColumn
from policies.mask import MASK
from traces.records import Value

# A figure that is NULL, wherever people read it: text, table, page, chart, terminal.
NO_DATA = "no data"
# A figure that its reader may not see.
HIDDEN = "hidden"
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
WHOLE = frozenset(("JPY", "KRW", "VND", "CLP", "ISK", "HUF"))


def show_value(column: OutputColumn, value: Decimal | None) -> str:
    """Return a figure in its column's display format; "no data" for NULL."""
    if value is None:
        return NO_DATA
    unit = column.unit.upper()
    style, decimals = column.display.style, column.display.decimals
    if style == "percent":
        hundred = 1 if column.unit.lower() in ("percent", "%") else 100
        return f"{show_number(value * hundred, decimals)}%"
    if style == "integer":
        return _with_unit(show_number(value, 0), unit)
    if style == "currency" or unit in CURRENCY_CODES:
        return _with_unit(show_number(value, 0 if unit in WHOLE else decimals), unit)
    if column.unit.lower() in ("percent", "%"):
        return f"{show_number(value, decimals)}%"
    return show_number(value, 0 if value == value.to_integral_value() else decimals)


def show_missing(value: Value) -> str:
    """Return the word for a figure that is no number: one that is hidden, or of which there is no data."""
    return HIDDEN if value == MASK else NO_DATA


def show_key(column: OutputColumn, value: Value, calendar: Calendar | None) -> str:
    """Return a dimension value as one line of text: periods by the calendar, nothing invisible."""
    if value is None:
        return NONE
    if isinstance(value, datetime) and column.grain:
        value = value.date()
    if isinstance(value, date) and not isinstance(value, datetime):
        return calendar.label(value, column.grain) if calendar and column.grain else value.isoformat()
    text = str(value)
    if text.isprintable():
        return " ".join(text.split())
    return " ".join(
        "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") or c in "\t\n").split()
    )


def show_number(value: Decimal, decimals: int) -> str:
    """Return a decimal with commas and this many decimals, half to even."""
    return f"{value:z,.{decimals}f}"


def _with_unit(text: str, unit: str) -> str:
    if unit not in CURRENCY_CODES:
        return text
    sign = SIGNS.get(unit, f"{unit} ")
    return f"-{sign}{text[1:]}" if text.startswith("-") else f"{sign}{text}"
