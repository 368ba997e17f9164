"""What a step of the tour puts on the screen, as records a terminal or a machine can read."""

from typing import Literal

from gateway.ground.naming.phrases import NONE
from gateway.json_cells import JsonCell
from gateway.reply import Reply
from metric_layer.record import Record
from policies.checks.budget import size


class Shown(Record):
    """One thing on the screen: SQL, a table, or lines of text. `tone` says how it should feel."""

    kind: Literal["sql", "table", "text"]
    title: str
    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    tone: Literal["plain", "good", "refused"] = "plain"


class TourStep(Record):
    """One promise: what it says, what was shown, and whether it was kept."""

    number: int
    title: str
    says: str
    shows: tuple[Shown, ...] = ()
    kept: bool


class TourReport(Record):
    """The whole tour. `kept` is true when every promise was."""

    steps: tuple[TourStep, ...]
    seconds: float
    kept: bool


def text(title: str, lines: str, tone: Literal["plain", "good", "refused"] = "plain") -> Shown:
    """Show lines of text."""
    return Shown(kind="text", title=title, text=lines, tone=tone)


def sql_of(reply: Reply) -> Shown:
    """Show the SQL of a reply."""
    return Shown(kind="sql", title="Compiled SQL", text=reply.sql)


def estimated(reply: Reply) -> Shown:
    """Show the estimate beside what the run took."""
    estimate, actual = reply.estimate, reply.actual
    if estimate is None:
        return text("Estimate", "none")
    parts = [f"at most {size('rows', estimate.rows)}" if estimate.rows is not None else "rows unknown"]
    parts.append(size("bytes", estimate.bytes) if estimate.bytes is not None else "bytes unknown")
    ran = f"; the run gave {actual.rows} rows in {actual.ms:.0f} ms" if actual else ""
    return text(
        "Estimate (EXPLAIN, nothing ran)", f"would read {' and '.join(parts)}, {estimate.bound} bound{ran}"
    )


def rows_of(title: str, reply: Reply) -> Shown:
    """Show the rows of a reply."""
    head = tuple(column.label or column.name for column in reply.columns)
    return Shown(
        kind="table", title=title, head=head, rows=tuple(tuple(map(_cell, row)) for row in reply.rows)
    )


def answered(reply: Reply) -> Shown:
    """Show the sentence with each number followed by the cell it came from."""
    parts, at = [], 0
    for citation in reply.citations:
        cell = citation.cell
        where = f"r{cell.row + 1}.{cell.column}" if cell else citation.expression or citation.kind
        parts.append(f"{reply.answer[at : citation.start]}{citation.text} [{where}]")
        at = citation.end
    parts.append(reply.answer[at:])
    return text("Answer", "".join(parts) + (f"\n{reply.scope}" if reply.scope else ""), tone="good")


def refused(title: str, reply: Reply) -> Shown:
    """Show why a question stopped: the outcome, then each check with its reason."""
    lines = [f"{reply.outcome}"]
    for issue in reply.issues:
        lines.append(f"  {issue.code}: {issue.message}")
        if issue.threshold:
            lines.append(f"    seen {issue.seen}; lines: {issue.threshold}")
        if issue.candidates:
            lines.append(f"    near: {', '.join(issue.candidates)}")
    return text(title, "\n".join(lines), tone="refused")


def _cell(value: JsonCell) -> str:
    return NONE if value is None else str(value)
