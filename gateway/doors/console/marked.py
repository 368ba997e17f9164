"""The part of a text that a finding is about, so that a reviewer sees it at once."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.doors.sql_shape import in_lines
from gateway.reviews.view import HeldFindingView
from traces.records import Estimate

CLAUSES = {
    "join": r"\bJOIN\b",
    "where": r"^\s*WHERE\b",
    "from": r"\b(?:FROM|JOIN)\b",
    "select": r"^\s*SELECT\b",
    "aggregate": r"^\s*SELECT\b",
}
READS = re.compile(r"\b(?:FROM|JOIN)\b")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, marked where a finding is about it."""

    text: str
    marked: bool


def marked_sql(sql: str, findings: Sequence[HeldFindingView], estimate: Estimate | None) -> tuple[Part, ...]:
    """Return SQL line by line; the lines of a finding's clause, or of what would cost most, are marked."""
    patterns = [*_clauses(findings), *_costly(findings, estimate)]
    return tuple(
        Part(line, any(pattern.search(line) for pattern in patterns)) for line in in_lines(sql).splitlines()
    )


def marked_text(text: str, findings: Sequence[HeldFindingView]) -> tuple[Part, ...]:
    """Return a draft in parts; the spans of its findings are marked."""
    return marked_spans(text, [f.span for f in findings if f.span])


def marked_spans(text: str, spans: Sequence[tuple[int, int]]) -> tuple[Part, ...]:
    """Return a text in parts, these spans of it marked."""
    return tuple(_parts(text, sorted(spans)))


def _clauses(findings: Sequence[HeldFindingView]) -> Iterator[re.Pattern[str]]:
    for place in {finding.place for finding in findings if finding.place in CLAUSES}:
        yield re.compile(CLAUSES[place])


def _costly(findings: Sequence[HeldFindingView], estimate: Estimate | None) -> Iterator[re.Pattern[str]]:
    """Yield the lines that read the relation of which most is read, where the cost is in question."""
    if estimate is None or not any(finding.stage == "cost" for finding in findings):
        return
    scans = sorted(estimate.scans, key=lambda scan: (scan.bytes or 0, scan.rows or 0), reverse=True)
    for scan in scans[:1]:
        name = re.escape(scan.relation.rpartition(".")[2].strip('"'))
        yield re.compile(rf"{READS.pattern}.*\b{name}\b")


def _parts(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Part]:
    at = 0
    for start, end in spans:
        if not at <= start < end <= len(text):
            continue
        yield Part(text[at:start], False)
        yield Part(text[start:end], True)
        at = end
    yield Part(text[at:], False)
