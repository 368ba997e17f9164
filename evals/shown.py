"""Two small tables for a person to look at: which columns pair, which rows meet, which cells agree."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from evals.columns import BY_CONSTANT, BY_ORIGIN, Edge
from evals.output import OutputScore
from evals.plain import PlainSides
from evals.sides import Pair
from evals.tables import Failure, ResultTable
from metric_layer.record import Record

CELL_CHARACTERS = 200


class ShownPair(Record):
    """A gold column and the candidate column that means it, how that was found, and how far they overlap."""

    gold: int
    candidate: int
    how: str
    precision: float
    recall: float
    in_key: bool


class ShownSide(Record):
    """Rows as text, and beside each the candidate or gold row it meets (None where it meets none)."""

    origins: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    meets: tuple[int | None, ...]


class Shown(Record):
    """Both tables of a case. `agree` holds (gold row, pair) for every cell that agrees with its row's."""

    pairs: tuple[ShownPair, ...]
    gold: ShownSide
    candidate: ShownSide
    agree: tuple[tuple[int, int], ...]


def show(
    gold: ResultTable | Failure,
    candidate: ResultTable | Failure,
    output: OutputScore,
    decimals: int | None,
    most: int,
) -> Shown | None:
    """Return both tables side by side; None where one failed or has more than `most` rows."""
    if isinstance(gold, Failure) or isinstance(candidate, Failure):
        return None
    if max(gold.row_count, candidate.row_count) > most:
        return None
    sides = PlainSides(gold, candidate, decimals)
    pairs = tuple(edge.pair for edge in output.edges)
    met = _meet(sides, pairs, output) if pairs else {}
    rows = sides.rows(pairs) if pairs else ([], [])
    return Shown(
        pairs=tuple(_pair(edge, output) for edge in output.edges),
        gold=_side(gold, [met.get(row) for row in range(gold.row_count)]),
        candidate=_side(candidate, _turned(met, candidate.row_count)),
        agree=tuple(
            (row, at)
            for row, other in sorted(met.items())
            for at in range(len(pairs))
            if rows[0][row][at] == rows[1][other][at]
        ),
    )


def _meet(sides: PlainSides, pairs: tuple[Pair, ...], output: OutputScore) -> dict[int, int]:
    """Return candidate row by gold row, arranged as the scorer arranges them: most equal cells, same key."""
    gold, candidate = (np.array(side, dtype=np.int64).reshape(-1, len(pairs)) for side in sides.rows(pairs))
    equal = gold[:, None, :] == candidate[None, :, :]
    if output.key:
        of_key = [pairs.index(pair) for pair in output.key]
        allowed = equal[:, :, of_key].all(axis=2)
    else:
        allowed = equal.all(axis=2)
    score = np.where(allowed, equal.sum(axis=2), 0)
    rows, columns = linear_sum_assignment(score, maximize=True)
    return {int(row): int(column) for row, column in zip(rows, columns, strict=True) if allowed[row, column]}


def _turned(met: dict[int, int], rows: int) -> list[int | None]:
    other = {column: row for row, column in met.items()}
    return [other.get(row) for row in range(rows)]


def _pair(edge: Edge, output: OutputScore) -> ShownPair:
    how = {BY_ORIGIN: "origin", BY_CONSTANT: "one value"}.get(edge.step, "values")
    return ShownPair(
        gold=edge.pair.gold,
        candidate=edge.pair.candidate,
        how=how,
        precision=edge.precision,
        recall=edge.recall,
        in_key=edge.pair in output.key,
    )


def _side(table: ResultTable, meets: Sequence[int | None]) -> ShownSide:
    columns = [[_text(value) for value in column] for column in table.columns]
    return ShownSide(
        origins=tuple(table.origin(at) or "" for at in range(table.width)),
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        meets=tuple(meets),
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)[:CELL_CHARACTERS]
