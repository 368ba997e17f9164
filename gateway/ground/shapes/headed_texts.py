"""Tables of text whose headers name the things ("Orwell", "Vale"): a number is of the one named last."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

NAME = re.compile(r"(?<!\w)[A-Z][\w-]{2,}")
DIGIT = re.compile(r"\d")


class HeadedTexts:
    """The headers of one sheet that name the things told of, for one text."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Read the headers once."""
        self.sheet = sheet
        self.text = text
        self._things = _things(sheet)
        self._columns = frozenset(self._things.values())

    def refused(self, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
        """Yield numbers shown in one column of text where the last header named before them is another's."""
        if len(self._columns) < 2:
            return
        for at, binding in enumerate(bindings):
            if binding.cell is None or binding.cell[1] not in self._columns:
                continue
            led = NAME.finditer(self.text, sentence.start, binding.quantity.start)
            said = [self._things[word.group()] for word in led if word.group() in self._things]
            row = self.sheet.table.rows[binding.cell[0]]
            if said and said[-1] != binding.cell[1] and DIGIT.search(str(row[said[-1]] or "")):
                yield at


def _things(sheet: Sheet) -> dict[str, int]:
    """Return the words that name one header only, where no column holds figures; the first names the rows."""
    columns = range(1, len(sheet.table.columns)) if not sheet.numeric and sheet.height > 1 else range(0)
    words = {c: set(NAME.findall(sheet.label(c))) for c in columns}
    often = Counter(word for own in words.values() for word in own)
    return {word: c for c, own in words.items() for word in own if often[word] == 1}
