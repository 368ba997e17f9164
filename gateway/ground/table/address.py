"""How declarations and slots name cells: a 0-based row or the row's dimension values, and a column's name."""

from collections.abc import Sequence

from gateway.ground.table.sheet import Sheet
from metric_layer.vocabulary import near

NEAR_ROWS = 2_000


class Unresolved(ValueError):
    """A declaration or slot that names nothing or must not be computed; the message says what to mend."""


def find_row(sheet: Sheet, named: object) -> int:
    """Return the row that a 0-based number or "value|value" names. Raises Unresolved with near names."""
    text = str(named).strip()
    numbered = not isinstance(named, bool) and text.isascii() and text.isdigit() and len(text) < 9
    if numbered and int(text) < sheet.height:
        return int(text)
    wanted = tuple(part.strip().lower() for part in text.split("|"))
    rows = sheet.rows_by_key.get(wanted) or [
        row for key, rows in sheet.rows_by_key.items() if _is_cut_date(key, wanted) for row in rows
    ]
    if len(rows) == 1:
        return rows[0]
    close = near(text, ["|".join(sheet.row_key(row)) for row in range(min(sheet.height, NEAR_ROWS))])
    what = "names more than one row" if rows else "names no row of the result"
    raise Unresolved(f"row {text!r} {what}{_hint(close)}")


def _is_cut_date(key: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Tell whether a key is the one wanted when its dates are cut to month or year ("2026-07")."""
    if len(key) != len(wanted):
        return False
    return all(
        text == word
        or (len(word) in (4, 7) and word[:4].isdigit() and text.startswith(word) and len(text) == 10)
        for text, word in zip(key, wanted, strict=True)
    )


def find_column(sheet: Sheet, named: object) -> int:
    """Return the one column of this name, else of this label or synonym. Raises Unresolved."""
    text = str(named or "").strip()
    folded = text.lower().replace("_", " ")
    found = sheet.column_places.get(text) or [
        i
        for i, column in enumerate(sheet.columns)
        if folded in _forms(column.name, column.label, column.synonyms)
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        close = near(text, tuple(sheet.column_places))
        raise Unresolved(f"column {text!r} is not in the result{_hint(close)}")
    names = {sheet.columns[i].name for i in found}
    each = f"name one of {', '.join(sorted(names))}"
    apart = each if len(names) == len(found) else "give each its own alias"
    raise Unresolved(f"column {text!r} stands for {len(found)} columns of the result; {apart}")


def _forms(name: str, label: str, synonyms: Sequence[str]) -> set[str]:
    return {name.lower().replace("_", " "), label.lower(), *(synonym.lower() for synonym in synonyms)}


def _hint(close: Sequence[str]) -> str:
    return f"; near: {', '.join(close)}" if close else ""
