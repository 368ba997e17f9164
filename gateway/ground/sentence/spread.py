"""Totals told as what each row, period or part has ("Each store paid 608 refunds", "608 a month")."""

import re

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import SMALL_WORDS, split_words, stem
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.each import TOGETHER

OF_EACH = re.compile(
    r"\b(?:each|every|per|an?|any)\s(?:single\s|one\s)?(?:of\s(?:the|our|these|those|its|all)\s)?(?:[^\W\d_]+\s)?(?P<noun>[^\W\d_]+)\b"
    r"|\b(?:every|each)\sone\sof\s(?:the|our|these|those|its|all)\s(?:[^\W_]+\s){0,3}?(?P<named>[^\W\d_]+s)\b",
    re.IGNORECASE,
)
EACH_ALONE = re.compile(r"(?P<led>[^\W\d_]+)\s(?:have\s|has\s|had\s)?each\s(?!other\b|of\b)", re.IGNORECASE)
EACH_BEHIND = re.compile(
    r"\b(?:each(?!\s(?:other|of)\b)(?=[\s]*(?:[,.;:!?)]|\Z|in\s|from\s|and\s|during\s))|apiece)",
    re.IGNORECASE,
)
USUALLY = re.compile(
    r"\b(?:on\saverage|average|averag(?:ed|es|ing)|typical(?:ly)?|usual(?:ly)?)\b", re.IGNORECASE
)
REGULAR = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annual": "year",
}  # fmt: skip
# Words that elsewhere name nothing, and here what each of several is.
UNITS = words("month week day quarter year region state country city team group")
TURNS = re.compile(
    r"[;:]|\b(?:but|while|whereas)\b|,\s(?:and\s)?(?:together|in\s(?:all|total)|for\sa\stotal)\b",
    re.IGNORECASE,
)
PAUSE = re.compile(r"[;:!?\n(]|,\s|\.(?:\s|\Z)")
# How many days the periods are long that rows stand for.
LENGTHS = (("day", 1, 1), ("week", 7, 7), ("month", 28, 31), ("quarter", 88, 93), ("year", 360, 371))


class Spread:
    """Reads whether numbers of one text are said to be what each of several has, over one sheet."""

    def __init__(self, names: Names, text: str) -> None:
        """Stand on the names of a sheet and a text."""
        self.names = names
        self.sheet = names.sheet
        self.text = text

    def is_of_each(
        self, quantity: Quantity, sentence: Sentence, rows: frozenset[int], columns: frozenset[int]
    ) -> bool:
        """Tell whether a total over some rows or columns is told as what each of them has."""
        if len(rows) * len(columns) < 2:
            return False
        before, after = neighbours(quantity, sentence)
        turns = list(TURNS.finditer(self.text, sentence.start, quantity.start))
        lead = self.text[turns[-1].end() if turns else sentence.start : quantity.start]
        pause = PAUSE.search(self.text, quantity.end, after)
        behind = self.text[quantity.end : pause.start() if pause else after]
        if TOGETHER.search(lead) or TOGETHER.search(behind):
            return False
        if USUALLY.search(self.text[before : quantity.start]) or USUALLY.search(behind):
            return True
        nouns = self._nouns(rows, columns)
        if EACH_BEHIND.search(behind) or any(
            self._is_one_of(nouns, found) for found in OF_EACH.finditer(behind)
        ):
            return True
        alone = EACH_ALONE.search(lead)
        if alone is not None and (
            stem(alone["led"].lower()) in nouns or self._ends_name(lead, alone, quantity, sentence)
        ):
            return True
        said = {REGULAR[word] for word in split_words(lead) if word in REGULAR}
        return not said.isdisjoint(nouns) or any(
            self._is_one_of(nouns, found)
            for found in OF_EACH.finditer(lead)
            if not found.group().lower().startswith("a")
        )

    def _is_one_of(self, nouns: frozenset[str], found: re.Match[str]) -> bool:
        """Tell whether one of the words behind "each" or "per" is what a total is over."""
        return not nouns.isdisjoint(split_words(found.group())[1:])

    def _ends_name(self, lead: str, found: re.Match[str], quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether "each" stands right behind the name of a row ("Ghent and Bruges each had")."""
        end = quantity.start - len(lead) + found.end("led")
        return any(m.end == end for m in sentence.rows)

    def _nouns(self, rows: frozenset[int], columns: frozenset[int]) -> frozenset[str]:
        """Return the stems of what a total is over: rows by their label or period, or columns of one kind."""
        said: set[str] = set(split_words(self.names.subject[:500]))
        for column in self.sheet.figured | columns:
            said -= self.sheet.label_words[column]  # "against a budget of 90" is no total of each budget
        if len(rows) > 1:
            for key in self.sheet.keys:
                if len({self.sheet.table.rows[row][key] for row in rows}) > 1:
                    said.update(split_words(self.sheet.label(key))[-1:])
                    said.update(self._grain(key, rows))
        if len(columns) > 1:
            said |= frozenset.intersection(*(self.sheet.label_words[c] for c in columns))
        return frozenset(said) - (SMALL_WORDS - UNITS)

    def _grain(self, key: int, rows: frozenset[int]) -> set[str]:
        """Return how long the periods are that rows stand for, as a word."""
        windows = self.names.row_windows.get(key, {})
        days = {(windows[row][1] - windows[row][0]).days for row in rows if row in windows}
        return {word for word, least, most in LENGTHS if days and all(least <= day <= most for day in days)}
