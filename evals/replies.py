"""What a gateway's reply says about a question, whichever door it came through."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from evals.given import read_table
from evals.subject import Action, Given
from evals.tables import Failure, ResultTable

ACTIONS: Mapping[str, Action] = {
    "answered": "answer",
    "no_rows": "answer",
    "partial": "answer",
    "needs_clarification": "ask",
    "abstained": "abstain",
    "denied": "refuse",
    "held": "refuse",
    "invalid_plan": "refuse",
    "not_released": "refuse",
    "expired": "refuse",
}
"""Outcome -> action; any other outcome is a failure."""


def given_of_reply(reply: Mapping[str, Any]) -> Given:
    """Return what a gateway did with a plan. Rows that policy holds back are run again beside the gold query.

    `reply` is the JSON object that HTTP, MCP and `ask --json` share. Its own text is no agent's: it was
    checked before it left.
    """
    action = ACTIONS.get(str(reply.get("outcome")), "fail")
    columns: Sequence[Mapping[str, Any]] = reply.get("columns") or ()
    rows: Sequence[Sequence[Any]] = reply.get("rows") or ()
    answered = action == "answer"
    issues: Sequence[Mapping[str, Any]] = reply.get("issues") or ()
    return Given(
        action=action,
        sql=str(reply.get("sql") or "") or None,
        result=_table(reply, columns, rows) if answered else None,
        number=_number(columns, rows) if answered else None,
        used=tuple((str(c["name"]), int(c["version"])) for c in columns if c.get("version"))
        if answered
        else None,
        checks=tuple(dict.fromkeys(str(issue.get("code")) for issue in issues)),
        held=reply.get("outcome") == "held",
        left_out=True,
        trace_id=str(reply.get("trace_id") or ""),
        trace_ids=(str(reply["trace_id"]),) if reply.get("trace_id") else (),
    )


def _table(
    reply: Mapping[str, Any], columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]
) -> ResultTable | Failure | None:
    if len(rows) != reply.get("row_count", len(rows)):
        return None
    return read_table(rows, [str(column["type"]) for column in columns], bool(reply.get("truncated")))


def _number(columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]) -> Decimal | None:
    """Return the one figure of a reply that has one row and one metric."""
    metrics = [at for at, column in enumerate(columns) if column.get("kind") == "metric"]
    if len(rows) != 1 or len(metrics) != 1 or rows[0][metrics[0]] is None:
        return None
    try:
        return Decimal(str(rows[0][metrics[0]]))
    except InvalidOperation:
        return None
