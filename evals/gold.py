"""Whether a gold query is fit to be one: what would leave its answer to chance, told before any score."""

from typing import Literal

from evals.tables import Execute, ResultTable
from evals.values import canonical
from metric_layer.issues import Issue
from metric_layer.plan import Dialect
from metric_layer.sql.cut import Cut, read_cut

GoldCode = Literal["gold_cut_without_order", "gold_cut_through_tie", "gold_null_in_cut"]


def check_cut(sql: str, dialect: Dialect, result: ResultTable, execute: Execute) -> tuple[Issue, ...]:
    """Return what leaves a gold query that gave `result` to chance; nothing when the data decide it.

    A LIMIT that divides rows of equal rank keeps any of them; a NULL among the kept order keys is there
    because of where this engine sorts NULL.
    """
    cut = read_cut(sql, dialect)
    if cut is None or result.row_count < cut.rows:
        return ()
    if not cut.probe:
        advice = "Add an ORDER BY that ranks every row, or drop the LIMIT."
        return (_issue("gold_cut_without_order", "The gold query is cut without an order.", sql, advice),)
    keys = execute(cut.probe)
    return _ranked(cut, keys) if isinstance(keys, ResultTable) else ()


def _ranked(cut: Cut, keys: ResultTable) -> tuple[Issue, ...]:
    rows = [tuple(canonical(value) for value in row) for row in zip(*keys.columns, strict=True)]
    found = []
    if 0 < cut.rows < len(rows) and rows[cut.rows - 1] == rows[cut.rows]:
        advice = "Add an order key that tells these rows apart, or ask for all rows of that rank."
        seen = ", ".join(map(str, rows[cut.rows]))
        found.append(_issue("gold_cut_through_tie", "The cut divides rows of equal rank.", seen, advice))
    if any(None in row for row in rows[: cut.rows]):
        advice = "Filter NULL out, or say NULLS FIRST or NULLS LAST."
        found.append(_issue("gold_null_in_cut", "A kept row is ranked by NULL.", "NULL", advice))
    return tuple(found)


def _issue(code: GoldCode, message: str, seen: str, next_step: str) -> Issue:
    return Issue(code=code, message=message, path="/gold_sql", seen=seen, next_step=next_step)
