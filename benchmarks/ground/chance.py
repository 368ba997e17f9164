"""Chance matches: of random numbers that nobody took from the table, how many does our check let pass?"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from gateway.ground import GroundRules, Scope, ground
from metric_layer.definitions import Display
from metric_layer.resolved import OutputColumn
from traces.records import Derivation, Table

TODAY = date(2026, 11, 30)
SHAPES = ((12, 1), (12, 3), (50, 4), (200, 5))
NAMES = ("Takings", "Costs", "Orders", "Visits", "Returns")
DIGITS = (2, 3, 4)
SCALES = {0: "", 3: "k", 6: "M", 9: "B"}
BATCH = 100
UNBOUND = 400
Wording = Callable[[Table, random.Random, str, Sequence[Derivation]], str]


def bare(table: Table, draw: random.Random, number: str, declared: Sequence[Derivation]) -> str:
    """Name nothing."""
    return f"It was {number}."


def by_column(table: Table, draw: random.Random, number: str, declared: Sequence[Derivation]) -> str:
    """Name a column and no row."""
    return f"{draw.choice(table.columns[1:]).label} was {number}."


def by_row_and_column(table: Table, draw: random.Random, number: str, declared: Sequence[Derivation]) -> str:
    """Name a row and a column."""
    return f"{draw.choice(table.columns[1:]).label} in {draw.choice(table.rows)[0]} was {number}."


def by_declaration(table: Table, draw: random.Random, number: str, declared: Sequence[Derivation]) -> str:
    """Name both rows and the column of a declared value."""
    derivation = draw.choice(declared)
    cells = list(derivation.args.values())
    label = next(column.label for column in table.columns if column.name == cells[0]["column"])
    towns = " and ".join(str(table.rows[cell["row"]][0]) for cell in cells)
    return f"The change in {label} between {towns} was {number}."


WORDINGS: tuple[tuple[str, Wording, int], ...] = (
    ("nothing named", bare, 0),
    ("column named", by_column, 0),
    ("row and column named", by_row_and_column, 0),
    ("a declared value's rows and column named", by_declaration, 3),
)


def chance_table(numbers: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Yield one line per shape of table and wording: the share that passes, by significant digits shown.

    The first line of a shape is no rule of ours: any cell that rounds to the number, wherever it stands.
    """
    draw = random.Random(seed)
    for height, width in SHAPES:
        table = random_table(draw, height, width)
        shape = f"{height}x{width}"
        yield {"table": shape, "wording": "any cell, unbound (not ours)", **_any_cell(draw, table)}
        for name, wording, declared in WORDINGS:
            derivations = tuple(_derivation(draw, table, at) for at in range(declared))
            line: dict[str, Any] = {"table": shape, "wording": name}
            for digits in DIGITS:
                figures = [_plain(draw, table, digits) for _ in range(numbers)]
                line[f"plain_{digits}"] = _share(draw, table, wording, derivations, figures)
            for digits in DIGITS if declared else ():
                figures = [f"{draw.uniform(10, 99.9):.{digits - 2}f}%" for _ in range(numbers)]
                line[f"percent_{digits}"] = _share(draw, table, wording, derivations, figures)
            yield line


def random_table(draw: random.Random, height: int, width: int) -> Table:
    """Return a table of lognormal figures, each column at a level of its own."""
    columns = [OutputColumn(name="town", kind="dimension", type="string", label="Town")]
    levels = [draw.uniform(3, 7) for _ in range(width)]
    for at in range(width):
        name = NAMES[at % len(NAMES)] + (f" {chr(65 + at // len(NAMES))}" if at >= len(NAMES) else "")
        columns.append(
            OutputColumn(
                name=name.lower().replace(" ", "_"),
                kind="metric",
                type="decimal",
                label=name,
                display=Display(style="decimal", decimals=2),
            )
        )
    rows = tuple(
        (_town(row), *(Decimal(str(round(10**level * math.exp(draw.gauss(0, 1)), 2))) for level in levels))
        for row in range(height)
    )
    return Table(columns=tuple(columns), rows=rows)


def _town(at: int) -> str:
    """Return a name that looks like a place and like none of the others."""
    first = (
        "Bar",
        "Cor",
        "Dun",
        "Fel",
        "Gal",
        "Hol",
        "Kir",
        "Lan",
        "Mor",
        "Nor",
        "Pel",
        "Ros",
        "Sal",
        "Tor",
        "Wen",
    )
    last = (
        "wick",
        "mouth",
        "stead",
        "brigg",
        "combe",
        "ness",
        "thorpe",
        "gate",
        "holm",
        "beck",
        "ley",
        "shaw",
        "by",
        "den",
    )
    return f"{first[at % len(first)]}{last[at // len(first) % len(last)]}"


def _share(
    draw: random.Random,
    table: Table,
    wording: Wording,
    declared: tuple[Derivation, ...],
    figures: Sequence[str],
) -> float:
    """Return the share of numbers that got a citation, each alone in its paragraph."""
    passed = 0
    for start in range(0, len(figures), BATCH):
        draft = "\n\n".join(
            wording(table, draw, figure, declared) for figure in figures[start : start + BATCH]
        )
        found = ground(draft, table, Scope(today=TODAY, known=False), declared, GroundRules())
        passed += sum(citation.kind in ("cell", "derivation") for citation in found.citations)
    return round(passed / len(figures), 4)


def _any_cell(draw: random.Random, table: Table) -> dict[str, float]:
    figures = [value for row in table.rows for value in row[1:] if isinstance(value, Decimal)]
    line = {}
    for digits in DIGITS:
        hits = 0
        for _ in range(UNBOUND):
            value, last = _drawn(draw, table, digits)
            half = Decimal(1).scaleb(last) / 2
            hits += any(abs(figure - value) <= half for figure in figures)
        line[f"plain_{digits}"] = round(hits / UNBOUND, 4)
    return line


def _drawn(draw: random.Random, table: Table, digits: int) -> tuple[Decimal, int]:
    """Return a number of so many digits, spread over the table's orders of magnitude, and its last place."""
    figures = [float(value) for row in table.rows for value in row[1:] if isinstance(value, Decimal)]
    value = Decimal(
        f"{math.exp(draw.uniform(math.log(min(figures)), math.log(max(figures)))):.{digits - 1}e}"
    )
    return value, int(value.as_tuple().exponent)


def _plain(draw: random.Random, table: Table, digits: int) -> str:
    """Return such a number as text that shows its digits and no more: 3.3k, 0.33M, 47."""
    value, last = _drawn(draw, table, digits)
    power = next(power for power in SCALES if power >= last)
    return f"{value.scaleb(-power):.{power - last}f}{SCALES[power]}"


def _derivation(draw: random.Random, table: Table, at: int) -> Derivation:
    column = draw.choice(table.columns[1:]).name
    new, old = draw.sample(range(len(table.rows)), 2)
    cells = {"new": {"row": new, "column": column}, "old": {"row": old, "column": column}}
    if at == 0:
        return Derivation(id="d0", op="pct_change", args=cells)
    return Derivation(id=f"d{at}", op="difference", args={"a": cells["new"], "b": cells["old"]})
