"""Parts told of a whole ("401, of which 401 are male and 362 female"): they do not exceed it."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.text import Visible
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from traces.grounding import SpanFinding

OF_WHICH = re.compile(r"[^.;:()]{0,40}?\b(?:of\s(?:which|whom|them)|including|comprising)\b[^.;:()]{0,24}")
AND = re.compile(r"(?:[^.;:()]{0,24})(?:,|\sand)\s[^.;:()]{0,24}")
LINKS = ("of which", "of whom", "of them", "including", "comprising")


def check_parts(visible: Visible, sentence: Sentence, own: Sequence[Binding]) -> Iterator[SpanFinding]:
    """Yield the whole of a sentence whose two parts add up to more than it, all three of them cells."""
    text = visible.text
    if len(own) < 3 or not any(link in text[sentence.start : sentence.end] for link in LINKS):
        return
    for whole, first, second in zip(own, own[1:], own[2:], strict=False):
        q = whole.quantity
        if OF_WHICH.fullmatch(text, q.end, first.quantity.start) is None:
            continue
        if AND.fullmatch(text, first.quantity.end, second.quantity.start) is None:
            continue
        figures = [b.quantity.readings for b in (whole, first, second)]
        alike = {b.quantity.measure for b in (whole, first, second)} == {"plain"}
        if not alike or any(len(readings) != 1 for readings in figures):
            continue
        total, *parts = (readings[0].value for readings in figures)
        if sum(parts) > total:
            start, end = visible.span(q.start, q.end)
            yield SpanFinding(
                code="wrong_cell",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message="its parts add up to more",
                expected=str(sum(parts)),
                next_step="Tell the whole that the parts are of.",
            )
