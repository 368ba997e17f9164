"""Slots: `{{c:ROW.COLUMN}}` and `{{d:ID}}`, printed by code so that no model types a number."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gateway.ground.derived.derive import Derived
from gateway.ground.derived.show import show_key, show_missing, show_number, show_value
from gateway.ground.table.address import Unresolved, find_column, find_row
from gateway.ground.table.sheet import CellAt, Sheet
from metric_layer.calendar import Calendar
from metric_layer.vocabulary import near
from traces.grounding import SpanFinding

SLOT = re.compile(r"\{\{\s*(?P<kind>[a-z]):(?P<body>[^{}]{1,400})\}\}")
STRAY = re.compile(r"\{\{|\}\}")
ABOUT = "about "
LIKE_OURS = re.compile(
    r"[.!?;:](?:\s|\Z)|[\r\n\v\f\x85\u2028\u2029]|\{\{|\}\}|[<>`*\u201c\u201d\"]|&#?\w+;"
    r"|[$\u20ac\u00a3\u00a5\u20b9]\s?\d|\d\s?%|\d[.,]\d|\A\s*[-+*#>]\s"
)
"""What makes a text of a cell look like a sentence, a figure, a list or markup of ours."""
INNER_QUOTES = re.compile(r"[\u201c\u201d\"]")
MOST_SPACES = 3
"""A text with digits and so many spaces reads as words with a figure among them."""


class Filled(NamedTuple):
    """A slot as printed: offsets in the printed draft, and the cell or derivation it came from."""

    start: int
    end: int
    text: str
    cell: CellAt | None = None
    derived: Derived | None = None


@dataclass(frozen=True, slots=True)
class Printed:
    """A draft with its slots filled, what was filled, and the slots that name nothing."""

    text: str
    filled: tuple[Filled, ...]
    findings: tuple[SpanFinding, ...]


def fill(draft: str, sheet: Sheet, derived: Mapping[str, Derived], calendar: Calendar | None) -> Printed:
    """Print every slot of a draft. A slot that names nothing stays as it is and is reported."""
    parts: list[str] = []
    filled: list[Filled] = []
    findings: list[SpanFinding] = []
    place = length = 0
    for found in SLOT.finditer(draft):
        before = draft[place : found.start()]
        start = length + len(before)
        try:
            slot = _print(found, sheet, derived, start, calendar)
            filled.append(slot)
            shown = slot.text
        except Unresolved as error:
            shown = found.group()
            findings.append(_finding(start, shown, str(error), sheet, derived))
        parts += [before, shown]
        length, place = start + len(shown), found.end()
    text = "".join([*parts, draft[place:]])
    known = [(slot.start, slot.end) for slot in filled] + [(f.start, f.end) for f in findings]
    strays = (s for s in STRAY.finditer(text) if not any(first <= s.start() < last for first, last in known))
    reason = "this slot is not written {{c:ROW.COLUMN}} or {{d:ID}}"
    findings += [_finding(stray.start(), stray.group(), reason, sheet, derived) for stray in strays]
    return Printed(text, tuple(filled), tuple(findings))


def _print(
    found: re.Match[str], sheet: Sheet, derived: Mapping[str, Derived], start: int, calendar: Calendar | None
) -> Filled:
    body = found["body"].strip()
    if found["kind"] == "d":
        if body not in derived:
            close = near(body, derived)
            raise Unresolved(
                f"no derivation {body!r} was declared" + (f"; near: {', '.join(close)}" if close else "")
            )
        text = _about(derived[body].columns, sheet) + show_derived(derived[body], sheet)
        return Filled(start, start + len(text), text, derived=derived[body])
    if found["kind"] != "c":
        raise Unresolved(f"slots of kind {found['kind']!r} do not exist; use c or d")
    row, column = _cell(body, sheet)
    text = show_cell(sheet, row, column, calendar)
    return Filled(start, start + len(text), text, cell=(row, column))


def show_cell(sheet: Sheet, row: int, column: int, calendar: Calendar | None) -> str:
    """Return a cell as it is told: a key as one line of text, a figure in its column's format.

    A text that could pass for words, a figure or markup of ours stands in quotes that nothing in it ends.
    """
    described = sheet.columns[column]
    if column in sheet.keys:
        value = sheet.table.rows[row][column]
        shown = show_key(described, value, calendar)
        return _quoted(shown) if isinstance(value, str) and _like_ours(value, shown) else shown
    figure = sheet.number(row, column)
    if figure is None:
        return show_missing(sheet.table.rows[row][column])
    text = show_value(described, figure)
    return f"{ABOUT}{text}" if described.approximate else text


def _like_ours(value: str, shown: str) -> bool:
    """Say whether a text could pass for words of ours: sentences, figures with marks, slots, line breaks."""
    told = any(character.isdigit() for character in shown)
    long = shown.count(" ") >= MOST_SPACES or ", " in shown
    like = any(LIKE_OURS.search(text) for text in (value, shown))  # a hidden character may part "$" and "9"
    return not shown or like or (told and long)


def _quoted(shown: str) -> str:
    return f"\u201c{INNER_QUOTES.sub(chr(39), shown)}\u201d"


def _about(columns: Iterable[int], sheet: Sheet) -> str:
    """Return the word that stands before an estimate; empty for exact figures."""
    return ABOUT if any(sheet.columns[column].approximate for column in columns) else ""


def _cell(body: str, sheet: Sheet) -> CellAt:
    """Return the cell of ROW.COLUMN; both may hold dots, so every split is tried."""
    row, dot, column = body.partition(".")
    if dot and "." not in column:
        return find_row(sheet, row), find_column(sheet, column)
    places = [at for at, character in enumerate(body) if character == "."]
    if not places:
        if sheet.height == 1:
            return 0, find_column(sheet, body)
        raise Unresolved("a cell slot is written ROW.COLUMN")
    error: Unresolved | None = None
    for at in reversed(places):
        try:
            return find_row(sheet, body[:at]), find_column(sheet, body[at + 1 :])
        except Unresolved as reason:
            error = error or reason
    raise error or Unresolved("a cell slot is written ROW.COLUMN")


def show_derived(derived: Derived, sheet: Sheet) -> str:
    """Return a derived value as text, in the format of the column it rests on."""
    carrier, value = derived.measured.carrier, derived.value
    if carrier in ("change", "share"):
        return f"{show_number(value, 1)}%"
    if carrier == "points":
        return f"{show_number(value, 1)} percentage points"
    if carrier == "ratio":
        return show_number(value, 2)
    column = next(
        (sheet.columns[c] for c in sorted(derived.columns) if sheet.measured[c] == derived.measured), None
    )
    if column is not None:
        return show_value(column, value)
    return show_number(value, 0 if value == value.to_integral_value() else 2)


def _finding(start: int, text: str, reason: str, sheet: Sheet, derived: Mapping[str, Derived]) -> SpanFinding:
    rows = ["|".join(sheet.row_key(row)) or str(row) for row in range(min(sheet.height, 5))]
    columns = ", ".join(sheet.columns[c].name for c in sheet.numeric[:12])
    exists = f"Rows: {', '.join(rows)}{', ...' if sheet.height > 5 else ''}. Columns: {columns}."
    if derived:
        exists += f" Derivations: {', '.join(derived)}."
    return SpanFinding(
        code="bad_slot",
        start=start,
        end=start + len(text),
        text=text,
        message=f"{text}: {reason}",
        next_step=exists,
    )
