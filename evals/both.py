"""Both queries of a case, gold and answer: in one snapshot where there is one, else back to back."""

from dataclasses import dataclass, replace

from evals.bench import Bench
from evals.output import score_output
from evals.scores import Side
from evals.subject import Given
from evals.tables import Execute, Failure, Result, ResultTable
from metric_layer.sql.components import Components, Unread, Warehouse, read_components


@dataclass(frozen=True, slots=True)
class Both:
    """The two sides of a case. In one snapshot, or `gap_s` seconds apart.

    `moved` says that the data had changed since the answer was shown: its query was run again, and the table
    of that run is the one that stands here.
    """

    gold: Side
    candidate: Side
    gap_s: float = 0.0
    one_snapshot: bool = True
    moved: bool = False


def run_both(sql: str, given: Given, bench: Bench, answered: float, data: str) -> Both:
    """Run the gold query beside an answer; `data` is the name that the data had before the question.

    `answered` is the second at which the answer was there.
    """
    if given.result is None:
        return _at_once(sql, given, bench) or _one_by_one(sql, given, bench)
    if given.live and not data:
        return _again(sql, given, bench) or _beside_shown(sql, given, bench, answered)
    both = _beside_shown(sql, given, bench, answered)
    if not given.live:
        return both
    if bench.pin is not None and bench.pin() == data:
        return replace(both, gap_s=0.0, one_snapshot=True)
    return _again(sql, given, bench) or both


def read_side(sql: str | None, warehouse: Warehouse, execute: Execute) -> Side:
    """Read a query and run it. What is not one SELECT never runs; a text that our parser cannot read may."""
    reading = read_components(sql, warehouse)
    if sql is None or not _may_run(reading):
        return Side(reading, Failure(str(reading)))
    return _side(reading, execute(sql))


def _one_by_one(sql: str, given: Given, bench: Bench) -> Both:
    """Run the query that the subject wrote after the gold query."""
    gold = read_side(sql, bench.warehouse, bench.execute)
    between = bench.clock()
    candidate = read_side(given.sql, bench.warehouse, bench.execute)
    return Both(gold, candidate, gap_s=bench.clock() - between, one_snapshot=False)


def _beside_shown(sql: str, given: Given, bench: Bench, answered: float) -> Both:
    """Run the gold query after the table was shown."""
    gold = read_side(sql, bench.warehouse, bench.execute)
    gap = bench.clock() - answered
    return Both(gold, _shown(given, bench), gap_s=gap, one_snapshot=False)


def _at_once(sql: str, given: Given, bench: Bench) -> Both | None:
    """Run the gold query and the one that the subject wrote in one snapshot; None where that cannot be."""
    if bench.together is None or not given.sql:
        return None
    readings = read_components(sql, bench.warehouse), read_components(given.sql, bench.warehouse)
    if not all(map(_may_run, readings)):
        return None
    results = bench.together(sql, given.sql)
    if results is None:
        return None
    return Both(_side(readings[0], results[0]), _side(readings[1], results[1]))


def _again(sql: str, given: Given, bench: Bench) -> Both | None:
    """Run a live answer's query once more, in one snapshot with the gold query.

    What it gives now is what was shown, or the data moved on. None where the two cannot be told apart.
    """
    both = _at_once(sql, given, bench)
    if both is None or not isinstance(given.result, ResultTable):
        return None
    now = both.candidate.result
    if not isinstance(now, ResultTable):
        return None
    if score_output(given.result, now).exact:
        return replace(both, candidate=_shown(given, bench))
    return replace(both, moved=True) if bench.repeats else None


def _shown(given: Given, bench: Bench) -> Side:
    shown = given.result if given.result is not None else Failure("nothing was shown")
    return _side(read_components(given.sql, bench.warehouse), shown)


def _may_run(reading: Components | Unread) -> bool:
    """Say whether a text is one SELECT as far as can be told; one that our parser cannot read may be."""
    return reading not in (Unread.MISSING, Unread.NOT_ONE_SELECT)


def _side(reading: Components | Unread, result: Result) -> Side:
    if isinstance(result, ResultTable) and isinstance(reading, Components):
        result = replace(result, origins=reading.origins)
    return Side(reading, result)
