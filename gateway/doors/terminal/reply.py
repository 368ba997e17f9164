"""Prints an answer with its evidence: rows, the sentence with its numbers marked, their sources."""

from collections.abc import Sequence

from gateway.doors.sql_shape import in_lines
from gateway.doors.terminal.screen import Terminal
from gateway.ground.derived.show import NO_DATA
from gateway.ground.naming.phrases import NONE
from gateway.json_cells import JsonCell
from gateway.reply import DraftReply, Reply
from traces.grounding import SpanFinding
from traces.records import Citation, Estimate


def print_reply(terminal: Terminal, reply: Reply) -> None:
    """Print what became of a question."""
    terminal.verdict(reply.outcome, f"trace {reply.trace_id}" if reply.trace_id else "")
    if reply.outcome == "dry_run":
        terminal.line(in_lines(reply.sql))
    if reply.estimate is not None:
        terminal.line(estimate_line(reply.estimate), "dim")
    if reply.rows:
        numeric = [column.kind == "metric" for column in reply.columns]
        names = [column.label or column.name for column in reply.columns]
        rows = [[cell_text(cell, of) for cell, of in zip(row, numeric, strict=True)] for row in reply.rows]
        terminal.table(names, rows, right=numeric)
    if reply.truncated:
        terminal.line(f"Only a part: cut by {reply.limit_source}.", "yellow")
    if reply.answer:
        print_answer(terminal, reply.answer, reply.citations)
    for text in (reply.scope, *reply.notes):
        if text:
            terminal.line(text, "dim")
    if reply.hold_id:
        terminal.line(waits(reply.hold_id))
    terminal.issues(reply.issues)


def waits(hold_id: str) -> str:
    """Return what to do with a hold: look whether it is decided, and come back with it."""
    return f"Waits for a decision: cellbound review show {hold_id} --wait 60"


def print_answer(terminal: Terminal, text: str, citations: Sequence[Citation]) -> None:
    """Print a text with every cited number marked, and under it where each number came from."""
    terminal.line(marked(text, citations))
    for number, citation in enumerate(citations, start=1):
        terminal.line(f"  [{number}] {citation.text} = {source_of(citation)}", "dim")


def marked(text: str, citations: Sequence[Citation]) -> str:
    """Return a text with `[n]` after each cited number; n counts the citations in the order given."""
    for number, citation in sorted(enumerate(citations, start=1), key=lambda pair: -pair[1].end):
        text = f"{text[: citation.end]}[{number}]{text[citation.end :]}"
    return text


def source_of(citation: Citation) -> str:
    """Return in words where a number came from."""
    metric = citation.metric + (f" v{citation.version}" if citation.version is not None else "")
    if citation.cell is not None:
        key = f" ({', '.join(part or NONE for part in citation.row_key)})" if citation.row_key else ""
        return f"row {citation.cell.row + 1} column {citation.cell.column}{key}" + (
            f", {metric}" if metric else ""
        )
    return citation.expression or citation.kind.replace("_", " ")


def print_draft(terminal: Terminal, reply: DraftReply) -> None:
    """Print what the answer check said of a draft."""
    terminal.verdict(reply.outcome, f"trace {reply.trace_id}" if reply.trace_id else "")
    if reply.text:
        print_answer(terminal, reply.text, reply.citations)
    for finding in reply.findings:
        print_span(terminal, finding)
    if reply.outcome == "blocked":
        terminal.line(f"Attempts left: {reply.attempts_left}.", "dim")
    if reply.hold_id:
        terminal.line(waits(reply.hold_id))
    terminal.issues(reply.issues)


def print_span(terminal: Terminal, finding: SpanFinding) -> None:
    """Print one thing wrong with a draft: the span, what it should have been, what to do."""
    terminal.verdict(finding.code, f"{finding.text!r} at {finding.start}..{finding.end}: {finding.message}")
    if finding.belongs_to is not None:
        terminal.line(f"  it stands in: row {finding.belongs_to.row + 1} column {finding.belongs_to.column}")
    if finding.expected:
        terminal.line(f"  should be: {finding.expected}")
    if finding.next_step:
        terminal.line(f"  next: {finding.next_step}", "dim")


def estimate_line(estimate: Estimate) -> str:
    """Return an estimate in one line; what the engine does not know is left out."""
    parts = [
        f"{estimate.rows:,} rows" if estimate.rows is not None else "",
        f"{estimate.bytes:,} bytes" if estimate.bytes is not None else "",
        f"cost {estimate.cost:g}" if estimate.cost is not None else "",
    ]
    return f"estimate ({estimate.bound}): {', '.join(part for part in parts if part) or 'none'}"


def cell_text(value: JsonCell, is_figure: bool) -> str:
    """Return a cell as its text; one without a value says so."""
    if value is not None:
        return str(value)
    return NO_DATA if is_figure else NONE
