"""All families of one case, never folded into one number, with the ceilings counted beside them."""

from collections.abc import Iterable
from dataclasses import dataclass

from evals.cells import RowMethod
from evals.components import ComponentScore, score_components
from evals.output import OutputScore, score_output
from evals.precision import PrecisionRecall
from evals.retrieval import RetrievalScore, score_retrieval
from evals.tables import Failure, ResultTable
from metric_layer.record import Record
from metric_layer.sql.components import Components, Unread, Warehouse


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a case: the query as read (None where there is no SQL), and what it returned."""

    reading: Components | Unread | None
    result: ResultTable | Failure


class OutputFigures(Record):
    """The output family as figures. `exact` is not a score: it tests the scorer."""

    columns: PrecisionRecall
    cells: PrecisionRecall
    exact: bool | None
    exact_positional: bool | None
    paired_columns: int
    matched_cells: int
    row_method: RowMethod
    gold_shape: tuple[int, int] | None
    candidate_shape: tuple[int, int] | None


class Ceilings(Record):
    """What kept a figure from being defined or sure; counted, never corrected."""

    gold_failed: bool = False
    candidate_failed: bool = False
    gold_unparsed: bool = False
    candidate_unparsed: bool = False
    candidate_missing: bool = False
    gold_truncated: bool = False
    candidate_truncated: bool = False
    both_empty: bool = False
    no_paired_columns: bool = False
    rows_without_key: int = 0
    shelves_over_cap: int = 0
    ties_over_cap: bool = False
    exact_only_after_permutation: bool = False
    perfect_but_not_exact: bool = False
    exact_but_not_perfect: bool = False


class CaseScores(Record):
    """The families of one case side by side. A family without SQL to read is None."""

    retrieval: RetrievalScore | None
    output: OutputFigures
    component: ComponentScore | None
    ceilings: Ceilings


def score_sides(
    gold: Side,
    candidate: Side,
    warehouse: Warehouse,
    *,
    offered: Iterable[str] | None = None,
    decimals: int | None = None,
) -> tuple[CaseScores, OutputScore]:
    """Score one case in every family, and return how the output was paired beside it.

    Pure: the queries ran already.
    """
    output = score_output(gold.result, candidate.result, decimals=decimals)
    read, other = gold.reading, candidate.reading
    scores = CaseScores(
        retrieval=None if read is None else score_retrieval(read, offered, warehouse),
        output=_figures(output),
        component=None if read is None or other is None else score_components(read, other),
        ceilings=_ceilings(gold, candidate, output),
    )
    return scores, output


def _figures(output: OutputScore) -> OutputFigures:
    return OutputFigures(
        columns=output.columns,
        cells=output.cells,
        exact=output.exact,
        exact_positional=output.exact_positional,
        paired_columns=len(output.edges),
        matched_cells=output.matched_cells,
        row_method=output.row_method,
        gold_shape=output.gold_shape,
        candidate_shape=output.candidate_shape,
    )


def _ceilings(gold: Side, candidate: Side, output: OutputScore) -> Ceilings:
    missing = candidate.reading is Unread.MISSING
    rows = [side.result.row_count for side in (gold, candidate) if isinstance(side.result, ResultTable)]
    return Ceilings(
        gold_failed=isinstance(gold.result, Failure),
        candidate_failed=isinstance(candidate.result, Failure) and not missing,
        gold_unparsed=isinstance(gold.reading, Unread),
        candidate_unparsed=isinstance(candidate.reading, Unread) and not missing,
        candidate_missing=missing,
        gold_truncated=isinstance(gold.result, ResultTable) and gold.result.truncated,
        candidate_truncated=isinstance(candidate.result, ResultTable) and candidate.result.truncated,
        both_empty=rows == [0, 0],
        no_paired_columns=len(rows) == 2 and not output.edges,
        rows_without_key=output.rows_without_key,
        shelves_over_cap=output.shelves_over_cap,
        ties_over_cap=output.ties_over_cap,
        exact_only_after_permutation=bool(output.exact) and not output.exact_positional,
        perfect_but_not_exact=output.is_perfect() and output.exact is False,
        exact_but_not_perfect=bool(output.exact) and not output.is_perfect() and not output.is_undefined(),
    )
