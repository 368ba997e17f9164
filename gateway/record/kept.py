"""The rows of an answer while they are kept: for their asker alone, as the policy shows them today."""

from dataclasses import dataclass

from gateway.house import House
from gateway.record.entitled import CHANGED
from gateway.record.result_view import ResultView
from gateway.reply import Refusal, Reply, ReplyIssue
from gateway.shown import with_result
from gateway.stores.results import ResultStore, StoredResult
from policies.policy import ReadingRules
from traces.records import Table, Trace
from traces.shape import shape_of


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A result as it leaves: as one object, and its rows alone with their values as they are."""

    view: ResultView
    table: Table


def stored_of(
    house: House, results: ResultStore, trace: Trace, *, own: bool, withheld: bool
) -> StoredResult | str:
    """Return the kept rows of a trace, or why there are none. Only the recorded rows are ever given."""
    closed = trace.closed
    if closed is None or closed.outcome != "answered" or closed.shape is None or closed.pins is None:
        return "This question has no rows to show."
    if not own:
        return "Rows are shown to the asker only."
    if withheld:
        return f"{CHANGED}, so the rows are shown no more."
    stored = results.get(trace.trace_id, trace.opened.subject)
    if stored is None:
        return "The rows are kept no longer. What is left are the values that the answer cites."
    again = shape_of(stored.table, house.keys, house.governed.policy.answers.min_group)
    if again.keyed_hash != closed.shape.keyed_hash:
        return "The rows that were kept are not the recorded ones, so they are not shown."
    return stored


def reading_of(house: House, trace: Trace) -> ReadingRules:
    """Return the policy's rules on what may be read, with the number of rows that the plan asked for."""
    rules, plan = house.governed.policy.reading, trace.opened.ask.plan
    return rules.model_copy(update={"rows": plan.limit}) if plan and plan.limit else rules


def own_result(stored: StoredResult, trace_id: str, rules: ReadingRules) -> OwnResult:
    """Return as much of a kept result as an answer would show of it."""
    columns = stored.table.columns
    whole = Reply(outcome="answered", trace_id=trace_id, columns=columns)
    shown = with_result(whole, stored.table, None, rules)
    view = ResultView(
        trace_id=trace_id,
        kept_until=stored.expires,
        columns=shown.columns,
        rows=shown.rows,
        row_count=shown.row_count,
        truncated=shown.truncated,
        limit_source=shown.limit_source,
        row_numbers=shown.row_numbers,
        summary=shown.summary,
    )
    numbers = shown.row_numbers or range(len(shown.rows))
    rows = tuple(stored.table.rows[at] for at in numbers)
    return OwnResult(view, stored.table.model_copy(update={"rows": rows}))


def unknown_result(trace_id: str) -> Refusal:
    """Say that there is no such result: the same words for one of nobody's, somebody else's and one gone."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="unknown_result",
                message="There is no result of that id that you may read now.",
                stage="input",
                seen=trace_id[:100],
                next_step="Use the trace_id of an answer you received; rows are kept for a while only.",
            ),
        )
    )
