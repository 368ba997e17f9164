"""Figures of a day told as those of a year ("52,600 a year" of Daily riders), totals as one person's."""

import re
from functools import lru_cache

from gateway.ground.lexing.lexicon import PEOPLE, words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.spread import REGULAR
from gateway.ground.table.sheet import CellAt

PERIODS = ("hour", "day", "night", "week", "month", "quarter", "year")
ADVERBS = {"annually": "year", "hourly": "hour", "nightly": "night", **REGULAR}
PER_LABEL = re.compile(
    rf"\b(?:per|a|an|each|every|/)\s?(?P<period>{'|'.join(PERIODS)})\b|/\s?(?P<short>{'|'.join(PERIODS)})\b",
    re.IGNORECASE,
)
BEHIND = re.compile(
    rf"(?:\s(?!and\b|but\b|while\b|in\b|on\b|for\b)[a-z-]+){{0,4}}?\s(?:(?:an?|per|each|every)\s(?P<period>{'|'.join(PERIODS)})"
    rf"|(?P<adverb>{'|'.join(ADVERBS)}))\b",
    re.IGNORECASE,
)
# "Each employee took 611 days".
EACH_OF = re.compile(
    r"\b(?:each|every)\s(?:single\s|one\sof\s(?:the|our|its)\s|of\s(?:the|our|its)\s)?(?:(?-i:[A-Z])[\w'-]*\s)?(?P<noun>[a-z]+)\b",
    re.IGNORECASE,
)
# "A pothole in Castle cost 59,100".
ONE = re.compile(r"(?:A|An|One)\s(?P<noun>[a-z]+)\s(?:in|at|on|of|for|from|by)\s")
OF_ONE = re.compile(
    r"\b(?:average|avg|mean|median|per|rate|arpu|each|typical|ratio|price|fee|salary|(?:household|declared|personal|disposable|annual|monthly|family)\sincome|wage|score|%)|\s/\s",
    re.IGNORECASE,
)
# Who does something, by the end of the word; and what is no person for all that.
AGENT = re.compile(
    r"(?:[a-z]{3,}(?:er|or|ist|ian|ee|ant)|agent|clerk|nurse|chef|cook|guard|pilot|man|woman)\Z"
)
NO_AGENTS = words(
    "other quarter number total sum share rate figure record letter water paper computer one day week month "
    "year time side half plant restaurant"
)
# "15 weeks at the top": of a column that goes by time, or lasts.
TIME = re.compile(
    r"\s(?:more\s|straight\s|consecutive\s)?(?:second|minute|hour|day|night|week|month|year)s\b",
    re.IGNORECASE,
)
LASTS = re.compile(
    r"second|minute|hour|day|night|week|month|year|season|time|duration|length|\brun|\bage|term|reign|tenure|cover|lead|wait"
    r"|response|delay|service|notice|period|life|span|sentence|experience|stay|spent|\boff\b|lost|absen|leave|hrs|mins|office"
    r"|total|overdue|late|interval|gap|lag|effort|cycle|ban|suspen",
    re.IGNORECASE,
)
OFTEN = re.compile(r"\stimes\b(?!\s(?:that|as|more|larger|higher))", re.IGNORECASE)
PAUSE = re.compile(r"[,;:()]")
# "40,120 a day" where the row is a month.
SO_MUCH = re.compile(rf"\s(?:an?|per|each|every)\s(?:{'|'.join(PERIODS)})\b", re.IGNORECASE)
# One of these is in any text in which `SO_MUCH`, `TIME`, `OFTEN` or `EACH_OF` may stand.
PERIODS_SAID, OFTEN_SAID, EACH_SAID = frozenset(PERIODS), frozenset(("times",)), frozenset(("each", "every"))
TIMES_SAID = words("seconds minutes hours days nights weeks months years")
LENGTHS = {"hour": 0, "day": 1, "night": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
FAR = 48


class Paces:
    """Reads how often, and by each of whom, the numbers of one text are said to come, over one sheet."""

    def __init__(self, names: Names, spoken: Spoken) -> None:
        """Find what period each column is per, and the columns that are totals of people's."""
        self.sheet = sheet = names.sheet
        self.subject = names.subject
        self.text = text = spoken.text
        self.columns = {c: found for c in sheet.numeric if (found := _period(sheet.label(c)))}
        self._days = _days(names) if spoken.says(PERIODS_SAID) and SO_MUCH.search(text) else {}
        self.lasts = spoken.says(TIMES_SAID) and TIME.search(text) is not None
        self.times = spoken.says(OFTEN_SAID) and OFTEN.search(text) is not None
        every = spoken.says(EACH_SAID) and EACH_OF.search(text) is not None
        self.each = every or "A" in text or "One " in text

    @property
    def about(self) -> bool:
        """Tell whether anything of this can be said of the numbers of the text."""
        return bool(self.columns or self._days) or self.each or self.lasts or self.times

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number is told of another period than its column's, or as what each person has."""
        cell, quantity = binding.cell, binding.quantity
        if cell is None or quantity.slot is not None:
            return False
        before, after = neighbours(quantity, sentence)
        period, days = self.columns.get(cell[1], ""), self._days.get(cell[0], 0)
        said = (
            BEHIND.match(self.text, quantity.end, min(after, quantity.end + FAR)) if period or days else None
        )
        if said is not None:
            told = (said["period"] or "").lower() or ADVERBS[said["adverb"].lower()]
            if period:
                return _as_day(told) != period
            return LENGTHS[told] * 2 < days and not self._is_of_one(cell[1], before, after)
        if self.lasts and quantity.measure == "plain" and TIME.match(self.text, quantity.end):
            return not self._lasts(cell)
        if self.times and quantity.measure == "plain" and OFTEN.match(self.text, quantity.end):
            return self._counts_people(cell[1])
        return self.each and self._is_of_each(cell[1], quantity.start, sentence)

    def _counts_people(self, column: int) -> bool:
        """Tell whether a column counts people, who are no number of times."""
        said = re.findall(r"[a-z]+", self.sheet.label(column).lower())
        return not PEOPLE.isdisjoint(said) and not OF_ONE.search(self.sheet.label(column))

    def _lasts(self, cell: CellAt) -> bool:
        """Tell whether a figure may be a length of time, by its header, its unit, its row or the title."""
        row, column = cell
        own = self.sheet.measured[column]
        said = f"{self.sheet.label(column)} {own.unit} {self.subject} {' '.join(self.sheet.row_key(row))}"
        return own.carrier != "number" or column in self.sheet.keys or LASTS.search(said) is not None

    def _is_of_one(self, column: int, start: int, end: int) -> bool:
        """Tell whether a figure may be an average, by its header, its unit or the words around it."""
        if self.sheet.measured[column].carrier not in ("number", "currency"):
            return True
        return any(map(OF_ONE.search, (self.sheet.label(column), self.text[start:end])))

    def _is_of_each(self, column: int, start: int, sentence: Sentence) -> bool:
        """Tell whether what a row has in all is told as what each of its people has."""
        label = self.sheet.label(column)
        if self.sheet.measured[column].carrier not in ("number", "currency") or OF_ONE.search(label):
            return False
        before = next((q.end for q in reversed(sentence.quantities) if q.end <= start), sentence.start)
        led = EACH_OF.search(self.text, before, start) or ONE.match(self.text, sentence.start, start)
        if led is None or PAUSE.search(self.text, led.end(), start):
            return False
        noun = led["noun"].lower()
        counted = {word for c in self.sheet.numeric for word in self.sheet.label_words[c]}
        said = split_words(noun)
        if not (AGENT.search(noun) or PEOPLE.intersection((f"{noun}s", noun)) or counted.intersection(said)):
            return False
        keys = {word for key in self.sheet.keys for word in self.sheet.label_words[key]}
        itself = frozenset(said) == self.sheet.label_words[column]  # "a bonus of 12,400"
        return keys.isdisjoint(said) and noun not in NO_AGENTS and not itself


def _days(names: Names) -> dict[int, int]:
    """Return how many days the period of each row is long, where rows have one."""
    windows = list(names.row_windows.values())
    return {row: (w[1] - w[0]).days for row, w in windows[0].items()} if len(windows) == 1 else {}


def _as_day(period: str) -> str:
    """Return a period, a night being a day."""
    return "day" if period == "night" else period


@lru_cache(maxsize=1024)
def _period(label: str) -> str:
    """Return the period that a label says its figures are of; empty for none."""
    found = PER_LABEL.search(label)
    if found is not None:
        return _as_day((found["period"] or found["short"]).lower())
    said = {ADVERBS[word] for word in re.findall(r"[a-z]+", label.lower()) if word in ADVERBS}
    return said.pop() if len(said) == 1 else ""
