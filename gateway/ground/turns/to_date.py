"""Running totals told as the figure of one period ("September brought in" what the year to date came to)."""

import re

from gateway.ground.lexing.cues import PAUSE, TURNS
from gateway.ground.lexing.lexicon import TO_DATE
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import CellAt, Sheet
from metric_layer.period_words import MONTHS

MARKS = frozenset(
    (
        "cumulative", "cumulated", "cumul", "accumulated", "to", "date", "ytd", "mtd", "qtd", "wtd", "ltd",
        "year", "month", "quarter", "running", "total", "sum", "so", "far", "since", "start", "launch",
    )
)  # fmt: skip
# Words by which a figure is what several periods came to.
SAID = re.compile(
    rf"(?i:{TO_DATE.pattern}|\bsince\b|\b(?:in\s)?total(?:s|l?ed|l?ing)?\b|\balready\b|\bnow\b"
    r"|\b(?:at|by|until|till|as\s(?:of|at))\s(?:the\s)?(?:end|close|now|then)\b|\b(?:as\s(?:of|at)|until|till|through|up\sto)\b"
    r"|\b(?:end|clos)(?:ed|ing)\b|\bst(?:oo|an)ds?\sat\b|\b(?:all\stold|altogether|overall|in\sall|combined|together)\b"
    r"|\b(?:br(?:ing|ought)|t(?:ak|ook)|lift|push|carr[iy]|mak)(?:e|es|s|ed|ing)?\s(?:it|us|them|this|that|the|our|its|their)\b[^,;.]{0,40}?\bto\b"
    r"|\b(?:has|have|had)\s(?:now\s|already\s|thus\s)?(?:been\s|come\sto|[a-z]+(?:ed|en|wn|nt|ld|de|ne)\b|(?:won|taken|got|run|cut|put)\b))"
    r"|\b[Bb]y\s(?:(?:early\s|mid-?\s?|late\s)?[A-Z\d])"
)
# Where no figure of the period itself stands beside it, a level is what it came to.
LEVEL = re.compile(
    r"\b(?:reach(?:ed|es|ing)?|hit|passed|came\sto|comes\sto|amounted\sto|at|had|has|have|(?:was|were|is|are)\s(?:up\s)?(?:at|now))\b",
    re.IGNORECASE,
)
PERIOD = re.compile(
    rf"\b(?:{'|'.join(name for name in MONTHS if len(name) > 3)}|Q[1-4]|H[12]|20\d\d"
    r"|(?:in|during|for|this|last|the)\s(?:day|week|month|quarter|year))\b",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"(?:\s[a-z]+){0,3}?\s(?:so\sfar|to\sdate|cumulatively)\b(?!\sthis(?!\syear)|\sin\s)", re.IGNORECASE
)
# What a year has come to by now, where no shorter period is named beside it.
YEAR_LABEL = re.compile(r"\by[\s-]?t[\s-]?d\b|\byear\b|\bsince\sjan", re.IGNORECASE)
THIS_YEAR = re.compile(
    r"\bsince\s(?:\d{1,2}\s)?jan(?:uary)?\b|\bsince\s(?:the\s)?(?:start|beginning|turn|new)\b(?:\sof)?(?:\sthe)?(?:\snew)?\syear"
    r"|\b(?:for|over|across|in|of)\sthe\s(?:whole\s)?year\b(?!\s(?:before|earlier|to\s))|\bthis\syear\b",
    re.IGNORECASE,
)
LATER_MONTHS = "|".join(name for name in MONTHS if len(name) > 3 and name != "january")
SHORTER = re.compile(
    rf"\b(?:{LATER_MONTHS}|Q[1-4]|(?:day|week|month|quarter)s?|best|worst|highest|lowest|biggest|record|than)\b",
    re.IGNORECASE,
)
SHORT_SPAN = re.compile(r"\bso\sfar\sthis\s(?:day|week|month|quarter)\b", re.IGNORECASE)
STOP = re.compile(r"[,;:(]|\s(?:and|but|with|while)\s", re.IGNORECASE)


class ToDate:
    """Reads whether numbers of one text are told as what several periods came to, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        self.columns = frozenset(c for c in sheet.numeric if TO_DATE.search(sheet.label(c)))
        self._twins = {c: self._twin(c) for c in self.columns}
        told = self.columns and THIS_YEAR.search(self.text)
        self.yearly = frozenset(c for c in self.columns if told and YEAR_LABEL.search(sheet.label(c)))

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number that is said to be what periods came to: the running total too."""
        if not self.columns or place.columns is None:
            return place
        if self._is_of_year(quantity, sentence):
            told = place.columns.union(*(m.columns for m in sentence.columns if m.full))
            also = frozenset(c for c in self.yearly if self._twins[c] in told) - place.columns
            return place._replace(columns=place.columns | also, named=True) if also else place
        also = frozenset(c for c, twin in self._twins.items() if twin in place.columns) - place.columns
        if not place.named or not also or not SAID.search(self._clause(quantity, sentence)):
            return place
        return place._replace(columns=place.columns | also)

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows a running total that its clause tells as the figure of a period.

        Or the other way round: the figure of one period that is told as what they came to.
        """
        cell = binding.cell
        if cell is None or not self.columns or binding.quantity.slot is not None:
            return False
        if cell[1] not in self.columns:
            return self._is_one_as_all(binding, cell, sentence)
        led = [m for m in sentence.columns if m.end <= binding.quantity.start]
        if led and any(m.full and cell[1] in m.columns for m in led if m.start == led[-1].start):
            return False  # "cumulative hires grew from 214 in August to 258"
        twin = self._twins[cell[1]]
        if twin >= 0 and self.sheet.number(cell[0], twin) == binding.value:
            return False
        said = self._clause(binding.quantity, sentence)
        if YEAR_LABEL.search(self.sheet.label(cell[1])) and SHORT_SPAN.search(said):
            return True
        if cell[1] in self.yearly and self._is_of_year(binding.quantity, sentence):
            return False
        if SAID.search(said) or (twin < 0 and (LEVEL.search(said) or not self._names_period(sentence))):
            return False
        return not self._is_headed(sentence)

    def _is_one_as_all(self, binding: Binding, cell: CellAt, sentence: Sentence) -> bool:
        """Tell whether the figure of one period is said to be "so far" or "to date"."""
        running = [c for c, twin in self._twins.items() if twin == cell[1]]
        if all(self.sheet.number(cell[0], c) == binding.value for c in running):
            return False
        quantity = binding.quantity
        before, _ = neighbours(quantity, sentence)
        stops = list(STOP.finditer(self.text, before, quantity.start)) if before > sentence.start else []
        led = TO_DATE.search(self.text, stops[-1].end() if stops else before, quantity.start)
        if led is not None or BEHIND.match(self.text, quantity.end) is not None:
            return True
        return not self.yearly.isdisjoint(running) and self._is_of_year(quantity, sentence)

    def _is_of_year(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is said to be of the year so far, by its own words or those that open it."""
        if not self.yearly:
            return False
        before, after = neighbours(quantity, sentence)
        stops = list(STOP.finditer(self.text, before, quantity.start)) if before > sentence.start else []
        stop = STOP.search(self.text, quantity.end, after)
        own = self.text[stops[-1].end() if stops else before : stop.start() if stop else after]
        opening = self.text[sentence.start : sentence.quantities[0].start]
        if SHORTER.search(own) or THIS_YEAR.search(own):
            return SHORTER.search(own) is None
        return THIS_YEAR.search(opening) is not None and SHORTER.search(opening) is None

    def _clause(self, quantity: Quantity, sentence: Sentence) -> str:
        """Return the words of a number: from the one before, or a turn, up to the next pause."""
        before, after = neighbours(quantity, sentence)
        turns = list(TURNS.finditer(self.text, before, quantity.start))
        pause = PAUSE.search(self.text, quantity.end, after)
        since, until = turns[-1].end() if turns else before, pause.start() if pause else after
        return f"{self.text[since : quantity.start]} {self.text[quantity.end : until]}"

    def _names_period(self, sentence: Sentence) -> bool:
        """Tell whether a sentence is about one period, which a figure could be mistaken to be of."""
        return PERIOD.search(self.text, sentence.start, sentence.end) is not None

    def _is_headed(self, sentence: Sentence) -> bool:
        """Tell whether a sentence names no figure, and what leads to it a running one."""
        if sentence.columns:
            return False
        lead = self.text[max(0, sentence.start - 300) : sentence.start]
        return TO_DATE.search(lead) is not None

    def _twin(self, column: int) -> int:
        """Return the column of the same thing for each period alone; -1 for none."""
        own = self.sheet.label_words[column] - MARKS
        if not own:  # "Year to date" beside "October"
            months = (c for c in self.sheet.numeric if PERIOD.fullmatch(self.sheet.label(c).strip()))
            twins = [c for c in months if self.sheet.measured[c] == self.sheet.measured[column]]
            return twins[0] if len(twins) == 1 else -1
        for other in self.sheet.numeric:
            like = self.sheet.measured[other] == self.sheet.measured[column]
            if like and other not in self.columns and own & self.sheet.label_words[other]:
                return other
        return -1
