"""Text columns that hold nothing but numbers ("4,809", "71.30 %"): read as columns of numbers."""

import re
from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.lexing.stems import split_words
from gateway.ground.table.sheet import as_text
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

NUMBER = re.compile(r"[+\u2212-]?(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,6})?\s?%?")
# What no code or number of a house has.
OF_FIGURES = re.compile(r"\d,\d{3}|\d\s?%")
NOTHING = frozenset(("", "-", "\u2013", "\u2014", "N/A", "n/a", "?"))
FEWEST = 3
# Columns whose digits name rows.
NAMING = frozenset(
    split_words(
        "no number code id route season year date edition rank pos position place stage age time record phone"
        " zip score result size height weight width depth"
    )
)


def numbers_read(table: Table) -> Table:
    """Return a table with its text columns of numbers as columns of numbers; itself where it has none."""
    found = [at for at in range(1, len(table.columns)) if _is_of_numbers(table, at)]
    if not found:
        return table
    columns = tuple(_metric(c) if at in found else c for at, c in enumerate(table.columns))
    rows = tuple(tuple(_value(v) if at in found else v for at, v in enumerate(row)) for row in table.rows)
    return table.model_copy(update={"columns": columns, "rows": rows})


def _is_of_numbers(table: Table, at: int) -> bool:
    """Tell whether a column of text is one of numbers, some of which no code could be."""
    column = table.columns[at]
    if column.kind != "dimension" or column.type != "string" or column.unit or column.unit_column:
        return False
    if not NAMING.isdisjoint(split_words(column.label or column.name)):
        return False
    said = _said(table.rows, at)
    words = [cell for cell in said if not NUMBER.fullmatch(cell)]
    headed = len(words) == 1 and words[0].isalpha() and len(said) > FEWEST  # "Swing" below the votes
    return len(said) > 1 and (not words or headed) and any(map(OF_FIGURES.search, said))


def _said(rows: Sequence[Sequence[Value]], at: int) -> Sequence[str]:
    cells = (as_text(row[at]).strip() for row in rows)
    return [cell for cell in cells if cell not in NOTHING]


def _metric(column: OutputColumn) -> OutputColumn:
    return column.model_copy(update={"kind": "metric", "type": "decimal"})


def _value(cell: Value) -> Value:
    said = as_text(cell).strip()
    if not NUMBER.fullmatch(said):
        return None
    return Decimal(said.rstrip("% ").replace(",", "").replace("\u2212", "-"))
