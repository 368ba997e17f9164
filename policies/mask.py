"""Personal-data columns are masked before anybody reads the table."""

from collections.abc import Set as AbstractSet

from traces.records import Table, Value

MASK = "•••"


def mask(table: Table, masked: AbstractSet[str]) -> Table:
    """Return the table with every value of the `masked` columns hidden; NULL stays NULL."""
    hidden = tuple(column.name in masked for column in table.columns)
    if not any(hidden):
        return table
    rows = tuple(
        tuple(_hide(value) if hide else value for value, hide in zip(row, hidden, strict=True))
        for row in table.rows
    )
    return table.model_copy(update={"rows": rows})


def _hide(value: Value) -> Value:
    return None if value is None else MASK
