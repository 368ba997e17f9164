"""What a column's label shows of its figures: their unit, and the power of ten that they are in."""

import re

from gateway.ground.lexing.units import CURRENCY_MARKS, measured
from metric_layer.resolved import OutputColumn

PERCENT_LABEL = re.compile(r"%|\bper\s?cent(?:age)?\b|\bpct\b", re.IGNORECASE)
BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]")
IN_SCALE = re.compile(
    r"(?:\bin|\(|\[|,|[$€£])\s?(thousands?|millions?|billions?|mn|bn|mil|mln|bil|'?000s?|1,?000s?|m|k)\b",
    re.IGNORECASE,
)
SCALED_MARK = re.compile(
    r"(?<=[$\u20ac\u00a3\u00a5\u20b9])\s?(?:m|mn|k|bn|b|millions?|billions?|thousands?)\Z"
)


def column_unit(column: OutputColumn) -> str:
    """Return a column's declared unit, or else one that its label shows ("Rate (%)", "GDP (bn $)")."""
    if column.unit:
        return column.unit
    label = column.label or column.name
    for inside in BRACKETED.findall(label):
        for part in (inside, *inside.split()):
            mark = CURRENCY_MARKS.get(SCALED_MARK.sub("", part.lower()))
            unit = next(iter(sorted(mark, key=lambda code: code != "USD"))) if mark else part
            if measured(unit).carrier != "number":
                return unit
    return "percent" if PERCENT_LABEL.search(label) else ""


def label_power(column: OutputColumn) -> tuple[int, ...]:
    """Return the power of ten that a label says its figures are in ("Revenue in millions")."""
    found = IN_SCALE.search(column.label or column.name)
    if found is None:
        return ()
    return ({"t": 3, "k": 3, "0": 3, "1": 3, "'": 3, "b": 9}.get(found.group(1).lower()[0], 6),)
