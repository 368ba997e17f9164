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
    r"(?:\s[a-z]+){0,3}?\s(?:so\sfar|to\sdate|cumulatively)\b(?!\sthis|\sin\s)", re.IGNORECASE
)


class ToDate:
    """Reads whether numbers of one text are told as what several periods came to, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        self.columns = frozenset(c for c in sheet.numeric if TO_DATE.search(sheet.label(c)))
        self._twins = {c: self._twin(c) for c in self.columns}

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number that is said to be what periods came to: the running total too."""
        if not self.columns or not place.named or place.columns is None:
            return place
        also = frozenset(c for c, twin in self._twins.items() if twin in place.columns) - place.columns
        if not also or not SAID.search(self._clause(quantity, sentence)):
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
        led = TO_DATE.search(self.text, before, quantity.start)
        return led is not None or BEHIND.match(self.text, quantity.end) is not None

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
        for other in self.sheet.numeric:
            like = self.sheet.measured[other] == self.sheet.measured[column]
            if like and other not in self.columns and own & self.sheet.label_words[other]:
                return other
        return -1
