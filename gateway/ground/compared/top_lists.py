"""Whether those of a list of the first few ("The three largest groups are ...") are the first in order."""

from collections.abc import Iterator, Sequence

from gateway.ground.compared.first_few import are_first, ranking_columns, top_list
from gateway.ground.compared.verdict import SOME, Verdict
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet


def top_lists(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether the names of each list of the first few stand first in the order of their figures.

    Figures behind the names rank them, unless the words name a column: then both must.
    """
    for at, binding in enumerate(bindings):
        names, high = top_list(text, binding.quantity, sentence)
        if len(names) < 2 or sheet.table.truncated or SOME.search(text, sentence.start, sentence.end):
            continue
        rows = frozenset().union(*(m.rows for m in names))
        told = [b.cell[1] for b in bindings[at + 1 :] if b.cell is not None and b.cell[0] in rows]
        for column in ranking_columns(text, sheet, binding.quantity, sentence, told[:1]) or ():
            first = are_first(sheet, rows, column, high=high)
            order = "are" if first else "are not"
            how = f"{sheet.label(column)}: these {order} the first {len(names)}"
            yield Verdict(first, how, binding.quantity.text)
