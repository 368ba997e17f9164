"""Grounds one draft in several results: what a reader takes together must stand in one of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gateway.ground.lexing.text import see
from gateway.ground.sentence.clauses import cut
from gateway.ground.table.asked import Scope
from traces.grounding import Grounding, SpanFinding
from traces.records import Citation

SLOT = re.compile(r"\{\{[^{}]{0,400}\}\}|\{\{|\}\}")
SCOPE_CODES = frozenset(("window", "filter"))
Found = Mapping[str, Grounding]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a draft that one result must bear out, with what each trace found in it."""

    start: int
    end: int
    findings: Mapping[str, tuple[SpanFinding, ...]]
    citations: Mapping[str, tuple[Citation, ...]]

    def bearers(self) -> frozenset[str]:
        """Return the traces that do not deny the passage; a claim may be left open."""
        return frozenset(each for each, findings in self.findings.items() if not any(map(_blocks, findings)))

    def against(self, codes: AbstractSet[str] = SCOPE_CODES) -> frozenset[str]:
        """Return the traces whose period or filter is not the one that the passage names."""
        return frozenset(each for each, found in self.findings.items() if any(f.code in codes for f in found))

    def nearest(self, trace_ids: AbstractSet[str]) -> str:
        """Return which of these traces explains the passage best: denies least, finds least, cites most."""

        def rank(trace_id: str) -> tuple[int, int, int, str]:
            findings = self.findings[trace_id]
            return sum(map(_blocks, findings)), len(findings), -len(self.citations[trace_id]), trace_id

        return min(trace_ids, key=rank)


def refuse_slots(draft: str) -> Grounding | None:
    """Return why a draft over several results may hold no slot: nothing says whose row it means."""
    findings = tuple(
        SpanFinding(
            code="bad_slot",
            start=slot.start(),
            end=slot.end(),
            text=slot.group(),
            message=f"{slot.group()}: a slot does not say which of the cited results it prints",
            next_step="Cite one trace to use slots, or write the numbers out.",
        )
        for slot in SLOT.finditer(draft)
    )
    return Grounding(verdict="block", text=draft, findings=findings) if findings else None


def ground_several(found: Found, scopes: Mapping[str, Scope]) -> Grounding:
    """Put the groundings of one draft without slots together, passage by passage.

    `found` and `scopes` are keyed by trace id. A passage passes where one trace grounds every number of it
    and finds nothing else. Results of other periods or filters follow each other only where the text says so.
    """
    if len(found) == 1:
        return next(iter(found.values()))
    able = {each: one for each, one in found.items() if not _unread(one)}
    if not able:
        return next(iter(found.values()))
    first = next(iter(able.values()))
    findings: list[SpanFinding] = []
    citations: list[Citation] = []
    holding: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    for passage in _passages(first.text, able):
        bearers = passage.bearers()
        follow = frozenset(each for each in bearers if _follows(each, passage, holding, denied, scopes))
        chosen = follow & holding or follow
        best = passage.nearest(chosen or able.keys())
        citations += (c.model_copy(update={"trace_id": best}) for c in passage.citations[best])
        findings += passage.findings[best]
        if bearers and not chosen:
            findings.append(_unsaid(passage, first.text))
        holding, denied = chosen or frozenset((best,)), passage.against() or denied
    blocked = any(map(_blocks, findings))
    refused = _everywhere(able) if blocked else ()
    return Grounding(
        verdict="block" if blocked else "hold" if findings else "pass",
        text=first.text,
        citations=tuple(citations),
        findings=(*refused, *findings),
        flags=tuple(sorted({flag for one in able.values() for flag in one.flags})),
        settled=tuple(dict.fromkeys(how for one in able.values() for how in one.settled)),
    )


def _follows(
    trace_id: str,
    passage: Passage,
    holding: frozenset[str],
    denied: frozenset[str],
    scopes: Mapping[str, Scope],
) -> bool:
    """Say whether a trace may speak next: of the period and filters spoken of, unless the text names others.

    `holding` are the traces that bore the text out so far, `denied` those that are not what it named last.
    """
    windows = {(scopes[each].start, scopes[each].end) for each in holding}
    own = (scopes[trace_id].start, scopes[trace_id].end)
    known = not holding or own in windows or holding <= passage.against(frozenset(("window",)))
    return known and (trace_id not in denied or holding <= passage.against())


def _passages(text: str, found: Found) -> Iterator[Passage]:
    """Cut a text where a sentence with a number ends; what has none goes with what follows it."""
    cited = {at for one in found.values() for at in _places(one)}
    starts = list(_sentence_starts(text))
    bounds = [*zip(starts, [*starts[1:], len(text) + 1], strict=True)]
    passages: list[tuple[int, int]] = []
    begun = 0
    for start, end in bounds:
        if any(start <= at < end for at in cited):
            passages.append((begun, end))
            begun = end
    if not passages:
        passages = [(0, len(text) + 1)]
    passages[-1] = (passages[-1][0], len(text) + 1)
    for start, end in passages:
        yield Passage(
            start,
            end,
            {each: tuple(_within(one.findings, start, end)) for each, one in found.items()},
            {each: tuple(c for c in one.citations if start <= c.start < end) for each, one in found.items()},
        )


def _places(one: Grounding) -> Iterator[int]:
    """Yield where a result sees a number, bound or not."""
    yield from (citation.start for citation in one.citations)
    yield from (f.start for f in one.findings if f.code not in SCOPE_CODES and f.end > f.start)


def _sentence_starts(text: str) -> Iterator[int]:
    """Yield where each sentence begins, as a reader sees the text: markup cuts nothing."""
    seen = see(text)
    for number, sentence in enumerate(cut(seen.text, (), ())):
        yield seen.starts[sentence.start] if number else 0


def _within(findings: Sequence[SpanFinding], start: int, end: int) -> Iterator[SpanFinding]:
    """Yield what touches a stretch; findings without a place are about a declaration and judged apart."""
    return (f for f in findings if f.end > f.start and f.start < end and f.end > start)


def _everywhere(found: Found) -> tuple[SpanFinding, ...]:
    """Return what every result says of a declaration: it may be about the cells of only one of them."""
    placeless = [[f for f in one.findings if f.end == f.start] for one in found.values()]
    refused = set.intersection(*({f.text for f in findings} for findings in placeless))
    return tuple(f for f in placeless[0] if f.text in refused)


def _unread(one: Grounding) -> bool:
    return one.verdict == "fixed_message" or any(f.code == "too_large" for f in one.findings)


def _blocks(finding: SpanFinding) -> bool:
    return finding.code != "claim" or bool(finding.expected)


def _unsaid(passage: Passage, text: str) -> SpanFinding:
    said = text[passage.start : passage.end]
    return SpanFinding(
        code="window",
        start=passage.start,
        end=passage.start + len(said),
        text=said.strip(),
        message="its numbers are of another period or filter than the text before it, and it does not say so",
        next_step="Name the period, and the filters, of the result that this sentence tells.",
    )
