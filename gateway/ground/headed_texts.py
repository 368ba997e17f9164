"""Tables of text whose headers name the things ("Orwell", "Vale"): a number is of the one named last."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gateway.ground.binding import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.sheet import Sheet

NAME = re.compile(r"(?<!\w)[A-Z][\w-]{2,}")
DIGIT = re.compile(r"\d")


def of_other_header(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence
) -> Iterator[int]:
    """Yield numbers shown in one column of text where the last header named before them is another's."""
    things = _things(sheet)
    if len(set(things.values())) < 2:
        return
    for at, binding in enumerate(bindings):
        if binding.cell is None or binding.cell[1] not in things.values():
            continue
        start = binding.quantity.start
        said = [things[w.group()] for w in NAME.finditer(text, sentence.start, start) if w.group() in things]
        row = sheet.table.rows[binding.cell[0]]
        if said and said[-1] != binding.cell[1] and DIGIT.search(str(row[said[-1]] or "")):
            yield at


def _things(sheet: Sheet) -> dict[str, int]:
    """Return the words that name one header only, where no column holds figures; the first names the rows."""
    columns = range(1, len(sheet.table.columns)) if not sheet.numeric and sheet.height > 1 else range(0)
    words = {c: set(NAME.findall(sheet.label(c))) for c in columns}
    often = Counter(word for own in words.values() for word in own)
    return {word: c for c, own in words.items() for word in own if often[word] == 1}
