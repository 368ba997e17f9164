"""The output family of one case: columns, cells, and the exact check that tests the scorer itself."""

from dataclasses import dataclass

from evals.cells import CellScore, RowMethod, score_cells
from evals.columnar import ColumnarSides
from evals.columns import THRESHOLD, Edge, pair_columns, score_columns
from evals.plain import PlainSides
from evals.precision import PrecisionRecall
from evals.sides import Pair, Sides
from evals.tables import Failure, ResultTable

PLAIN_ROWS = 100
"""Up to here plain Python is the faster of the two paths; both give the same figures."""


@dataclass(frozen=True, slots=True)
class OutputScore:
    """Did the right information come back, and is the data inside it right. None is undefined.

    `pairs` are (gold, candidate) positions; `edges` also say how each pair was found and how far it overlaps.
    """

    columns: PrecisionRecall
    cells: PrecisionRecall
    exact: bool | None = None
    exact_positional: bool | None = None
    edges: tuple[Edge, ...] = ()
    matched_cells: int = 0
    row_method: RowMethod = "none"
    key: tuple[Pair, ...] = ()
    rows_without_key: int = 0
    shelves_over_cap: int = 0
    ties_over_cap: bool = False
    gold_shape: tuple[int, int] | None = None
    candidate_shape: tuple[int, int] | None = None

    def is_perfect(self) -> bool:
        """Say whether all four halves are defined and 1."""
        return self.columns.is_perfect() and self.cells.is_perfect()

    def is_undefined(self) -> bool:
        """Say whether none of the four halves is defined."""
        halves = (self.columns.precision, self.columns.recall, self.cells.precision, self.cells.recall)
        return halves == (None, None, None, None)


def score_output(
    gold: ResultTable | Failure,
    candidate: ResultTable | Failure,
    *,
    decimals: int | None = None,
    threshold: float = THRESHOLD,
) -> OutputScore:
    """Score a candidate's result against the gold one. A failed gold leaves everything undefined.

    A failed candidate is a table without columns: it recalls nothing and claims nothing.
    """
    shapes = (
        None if isinstance(gold, Failure) else gold.shape,
        None if isinstance(candidate, Failure) else candidate.shape,
    )
    if isinstance(gold, Failure) or isinstance(candidate, Failure):
        lost = not isinstance(gold, Failure) and gold.row_count > 0
        return OutputScore(
            columns=PrecisionRecall(recall=0.0 if lost else None),
            cells=PrecisionRecall(),
            exact=None if isinstance(gold, Failure) else False,
            exact_positional=None if isinstance(gold, Failure) else False,
            gold_shape=shapes[0],
            candidate_shape=shapes[1],
        )
    sides = sides_of(gold, candidate, decimals)
    edges, cells, over_cap = _best_pairing(sides, gold, candidate, threshold)
    exact, positional = _exact(sides, gold, candidate)
    return OutputScore(
        columns=score_columns(edges, gold, candidate),
        cells=cells.score,
        exact=exact,
        exact_positional=positional,
        edges=edges,
        matched_cells=cells.matched,
        row_method=cells.method,
        key=cells.key,
        rows_without_key=cells.rows_without_key,
        shelves_over_cap=cells.shelves_over_cap,
        ties_over_cap=over_cap,
        gold_shape=shapes[0],
        candidate_shape=shapes[1],
    )


def sides_of(gold: ResultTable, candidate: ResultTable, decimals: int | None) -> Sides:
    """Encode two results the way that is faster for their size."""
    if max(gold.row_count, candidate.row_count) <= PLAIN_ROWS:
        return PlainSides(gold, candidate, decimals)
    return ColumnarSides(gold, candidate, decimals)


def _best_pairing(
    sides: Sides, gold: ResultTable, candidate: ResultTable, threshold: float
) -> tuple[tuple[Edge, ...], CellScore, bool]:
    """Of equally good pairings keep the one under which the most cells agree."""
    pairings = pair_columns(sides, gold, candidate, threshold)
    computed = frozenset(column for column in range(gold.width) if gold.origin(column) is None)
    best: tuple[tuple[Edge, ...], CellScore] | None = None
    for edges in pairings.best:
        cells = score_cells(sides, [edge.pair for edge in edges], computed)
        if best is None or cells.matched > best[1].matched:
            best = edges, cells
    edges, cells = best if best is not None else ((), score_cells(sides, (), computed))
    return edges, cells, pairings.over_cap


def _exact(sides: Sides, gold: ResultTable, candidate: ResultTable) -> tuple[bool, bool]:
    """Return equality as bags under some order of columns, and under the given one; nothing is nothing."""
    if not gold.row_count and not candidate.row_count:
        return True, True
    if gold.shape != candidate.shape:
        return False, False
    return sides.exact(gold.width)
