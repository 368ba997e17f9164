"""Nouns right behind numbers that name another column than the one that was found, or the rows themselves."""

import re
from functools import cached_property

from gateway.ground.lexing.stems import stem
from gateway.ground.naming.headers import said_by, short_forms
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.nouns import ANYTHING
from gateway.ground.sentence.clauses import Sentence, between
from gateway.ground.sentence.idioms import TOTAL_LABELS
from gateway.ground.table.sheet import Sheet

SMALL = (
    r"(?!(?:and|but|for|from|with|than|the|was|were|are|had|has|have|who|which|that|over|under|more|less)\b)"
)
NOUN = re.compile(rf"\s{SMALL}(?P<noun>[a-z]{{3,}})(?:\s{SMALL}(?P<verb>[a-z]{{3,}}))?\b")
THERE = re.compile(
    r"\bthere\s(?:be|is|are|was|were|(?:have|has|had)\sbeen)\s(?:only\s|just\s)?\Z", re.IGNORECASE
)
THAT = re.compile(r"\s(?:[a-z]+\s){1,2}(?:that|which|who|whose)\s", re.IGNORECASE)


class OtherNouns:
    """Reads the nouns behind the numbers of one text, over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text
        self.totals = frozenset(c for c in sheet.figured if sheet.label(c).lower() in TOTAL_LABELS)
        self._found: dict[str, frozenset[int]] = {}

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the noun of a number names other columns than its cell's, or counts rows."""
        quantity, cell = binding.quantity, binding.cell
        if cell is None or quantity.measure != "plain" or cell[1] not in self.sheet.figured:
            return False
        said = NOUN.match(self.text, quantity.end, min(sentence.end, quantity.end + 48))
        if said is None:
            return False
        columns = self._columns(said["noun"]) if said["noun"] not in ANYTHING else NOBODY
        columns = (self._columns(said["verb"]) if said["verb"] and not columns else NOBODY) or columns
        if columns and cell[1] not in columns | self.totals:
            return not binding.place.named
        return not columns and self._counts_rows(binding, sentence, said.end("noun"))

    def _counts_rows(self, binding: Binding, sentence: Sentence, end: int) -> bool:
        """Tell whether a small number says how many there are that something is said of."""
        quantity = binding.quantity
        lead = self.text[max(sentence.start, quantity.start - 32) : quantity.start]
        if THERE.search(lead) is None or THAT.match(self.text, quantity.end) is None:
            return False
        own = between(sentence.rows, quantity.end, end) or between(sentence.columns, quantity.end, end)
        return not own and quantity.readings[0].value <= self.sheet.height

    def _columns(self, word: str) -> frozenset[int]:
        """Return the columns that a word names, by itself or by what their headers shorten it to."""
        if word not in self._found:
            stemmed = stem(word)
            named = frozenset(c for c in self.sheet.figured if stemmed in self.sheet.label_words[c])
            self._found[word] = named or said_by(word, self._short) & self.sheet.figured
        return self._found[word]

    @cached_property
    def _short(self) -> dict[str, frozenset[int]]:
        return short_forms({column: self.sheet.label(column) for column in self.sheet.figured})
