"""What the answer check found in a draft, as decisions: numbers and scope deny, open claims hold."""

from collections.abc import Iterable

from policies.facts import AnswerFacts, Finding
from traces.grounding import SpanFinding
from traces.records import Verdict

SCOPE_CODES = frozenset(("window", "filter", "metric_name"))


def check_answer_numbers(facts: AnswerFacts) -> Iterable[Finding]:
    """Deny every number, label or slot without a source; a new draft may be tried."""
    grounding = facts.grounding
    if grounding.verdict == "fixed_message":
        return [Finding("allow", "the result holds no figure; the fixed text stands in for the draft")]
    wrong = [f for f in grounding.findings if f.code not in SCOPE_CODES and f.code != "claim"]
    if wrong:
        return [_finding("hard", finding) for finding in wrong]
    cited = len(grounding.citations)
    return [Finding("allow", "every number has a source", seen=f"{cited} numbers, {cited} cited")]


def check_answer_scope(facts: AnswerFacts) -> Iterable[Finding]:
    """Deny a period, a filter or a metric name other than what ran; a new draft may be tried."""
    wrong = [f for f in facts.grounding.findings if f.code in SCOPE_CODES]
    if wrong:
        return [_finding("hard", finding) for finding in wrong]
    return [Finding("allow", "period, filters and metric names are those that ran")]


def check_answer_claims(facts: AnswerFacts) -> Iterable[Finding]:
    """Deny a claim that the cells refute; hold one that they do not settle."""
    grounding = facts.grounding
    claims = [f for f in grounding.findings if f.code == "claim"]
    if claims:
        return [_finding("hard" if finding.expected else "hold", finding) for finding in claims]
    seen = f"{len(grounding.flags)} classes of claim, {len(grounding.settled)} settled by code"
    return [Finding("allow", "no claim is left open", seen=seen)]


def _finding(verdict: Verdict, finding: SpanFinding) -> Finding:
    place = f"{finding.belongs_to.row}.{finding.belongs_to.column}" if finding.belongs_to else ""
    return Finding(
        verdict,
        finding.message,
        seen=finding.text,
        threshold=finding.expected,
        place=place,
        span=(finding.start, finding.end),
        next_step=finding.next_step,
        retry=verdict == "hard",
    )
