"""Whether those said to be "ahead of him" or "behind her" have the greater or the smaller figure."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.compared.extremes import LOW_WINS, Standing
from gateway.ground.compared.verdict import Verdict
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.opponents import AHEAD_OF_IT, FAR
from gateway.ground.table.sheet import Sheet

OF_IT = re.compile(r"\b(?:of|behind|above|below|trailing)\s(?:him|her|it|them)\b", re.IGNORECASE)


def ahead(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether the rows named behind a number as "ahead of him" are so by the column of that number."""
    said_so = OF_IT.search(text, sentence.start, sentence.end) is not None
    for binding in bindings if said_so else ():
        if binding.cell is None:
            continue
        row, column = binding.cell
        end, (_, until) = binding.quantity.end, neighbours(binding.quantity, sentence)
        named = [
            m for m in sentence.rows if m.full and len(m.rows) == 1 and end <= m.start < min(until, end + FAR)
        ]
        own, label = sheet.figure(row, column), sheet.label(column)
        if own is None or LOW_WINS.search(label) or Standing(text, sheet, sentence, binding).is_timed():
            continue
        for mention in named:
            said = AHEAD_OF_IT.match(text, mention.end)
            other = sheet.figure(next(iter(mention.rows)), column) if said else None
            if said is not None and other is not None:
                holds = other > own if said["ahead"] else other < own
                yield Verdict(holds, f"{label}: {other} against {own}", "ahead")
