"""What the noun and the unit behind a number say it counts, and so which columns it cannot be of."""

import re
from collections.abc import Callable
from functools import cached_property

from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import PEOPLE, words
from gateway.ground.lexing.match import intervals
from gateway.ground.lexing.measures import is_other_size, measure_after, size_said
from gateway.ground.lexing.stems import SMALL_WORDS, split_words, stem
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.names import Names
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.flows import COMING, GOING
from gateway.ground.table.sheet import EVENTS, CellAt, as_text
from metric_layer.period_words import PLURAL

WORD = re.compile(r"[a-z]+")
PAUSE = re.compile(r"[,;:!?\n]|\.(?:\s|\Z)")
STOP = re.compile(r"[;!?\n]|\.(?:\s|\Z)")
# "Turnout" and the like: of who took part, and no share of what they chose.
ATTENDED = re.compile(r"\bturn-?out|participation|\bresponse|\bresponded|\battendance", re.IGNORECASE)
ATTENDED_SAID = re.compile(
    r"\bturn(?:ed|ing|s)?[\s-]?out|\b(?:took|take|taking)\s(?:any\s)?part|participa|\brespon[ds]|\brepl(?:y|ied|ies)|\banswer"
    r"|\battend|\bvoted(?!\s(?:yes|no|for|against|in\sfavou?r|to)\b)|\bcast\b|\bwent\sto\sthe\spolls|\bcame\sout"
    r"|\b(?:filled|sent|handed)\s(?:it\s)?(?:in|back)|\breturned|\bcompleted",
    re.IGNORECASE,
)
OF_THEM = re.compile(r"\A\sof\s(?:the|these|those|its|their|all)\s", re.IGNORECASE)
NEXT_WORD = re.compile(r"\s([a-z]+(?:-[a-z]+)?)\b")
MILLIMETRES = re.compile(r"\d\s?mm\W*\Z")
PER_UNIT = re.compile(r"(?<=\d\s[a-z])/[a-z]|(?<=\d\s[a-z]{2})/[a-z]|\s?[a-z]{1,3}/[a-z]")
LENGTHS = words("m km mi yd ft")
PER = (" per ", " out of ", " in every ", " for every ")
RATE_WORDS = words("rate percentage percent pct point share ratio score")
STATE = re.compile(r"[a-z]+ed|won|lost|sold|sent|paid|kept|made")
MONEY_WORDS = words(
    "dollars euros pounds francs rupees across thousands millions billions sales earnings revenues "
    "versus perhaps always"
)


# What a number counts: the next word, or the one behind an adjective.
THINGS = re.compile(
    r"\s(?!and\b|or\b|but\b|of\b|in\b|at\b|on\b|for\b|from\b|to\b|by\b|per\b|with\b|as\b|than\b|over\b|under\b|is\b"
    r"|was\b|were\b|are\b|more\b|less\b|fewer\b)([a-z]+(?:-[a-z]+)?)(?:\s([a-z]+(?:-[a-z]+)?))?\b"
)
ANYTHING = MONEY_WORDS | words(
    "accounts customers users subscribers members clients visitors guests "
    "ones others people persons units items times pieces records entries cases points days hours minutes "
    "weeks months years seconds"
)


class Nouns:
    """Reads what stands behind the numbers of one text, over one sheet."""

    def __init__(self, names: Names, text: str, is_change: Callable[[int], bool], *, known: bool) -> None:
        """Stand on the names of a sheet and a text; `is_change` tells which columns hold changes.

        Only where the question is `known` is every word for what was counted known too.
        """
        sheet = names.sheet
        self.sheet = sheet
        self.names = names
        self.known = known
        self.text = text
        self.is_change = is_change
        self.row_nouns = self._row_nouns()

    def means_else(self, quantity: Quantity, column: int, direction: Direction, place: Place) -> bool:
        """Tell whether a number speaks of rows, changes or things, and so is no level of a column."""
        if direction.delta and not self.is_change(column) and not self._counts_movers(quantity, column):
            return True
        if self.is_of_other_size(quantity, column):
            return True
        if column in self.attended and not place.named:
            return ATTENDED_SAID.search(self._around(quantity)) is None
        if quantity.measure != "plain" or column in self.sheet.keys:
            return False
        own = self.sheet.label_words[column]
        one_row = place.rows is not None and len(place.rows) == 1
        if not one_row and self._counts_rows(quantity, own):
            return True
        if column in self.rates and not place.named and quantity.slot is None:
            return True  # a bare number is no percentage where nothing says so
        thing = column in self.rates or self.sheet.measured[column].carrier == "currency"
        sized = len(self.sheet.label(column)) > 2 and bool(self.sheet.sizes.get(column))
        own = own & RATE_WORDS if column in self.rates else own  # "28.7 opens" is no open rate
        return (thing or sized) and self._counts_things(quantity, own)

    def _counts_movers(self, quantity: Quantity, column: int) -> bool:
        """Tell whether a number is of those who came or went, as its noun says ("grew by 31 joiners")."""
        label = self.sheet.label(column)
        moves = COMING.search(label) or GOING.search(label)
        said = split_words(self.text[quantity.end : quantity.end + 30])[:2] if moves else ()
        return bool(said) and not self.sheet.label_words[column].isdisjoint(said)

    def _counts_rows(self, quantity: Quantity, own: frozenset[str]) -> bool:
        """Tell whether the noun behind a number is what key columns go by, and no word of its column."""
        joined = self.text[quantity.end : quantity.end + 1] == "-"
        after = PAUSE.split(self.text[quantity.end : quantity.end + 30])[0]
        nouns = split_words(OF_THEM.sub(" ", after))[: 1 if joined else 2] if after else ()
        return bool(nouns) and nouns[0] not in own and any(noun in self.row_nouns - own for noun in nouns)

    def is_strange(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number counts what neither result nor question speaks of ("82,512 rooms").

        Whoever does what a column counts may have any name ("101 customers cancelled").
        """
        if not self.known or quantity.measure != "plain" or quantity.unit_word or quantity.slot is not None:
            return False
        said = THINGS.match(self.text, quantity.end, quantity.end + 40)
        if said is None or measure_after(self.text, quantity.end):
            return False
        place = next((n for n in (1, 2) if said[n] and PLURAL.fullmatch(said[n])), 0)
        known = ANYTHING if self.people else ANYTHING | PEOPLE
        if not place or said[place] in known or self._is_spoken_of(said[place]):
            return False
        if place > 1 and (said[1] in self._states or stem(said[1]) in self._of_title):
            return False  # "94 won deals" of Won, "3,271 rooftop systems" of the title's installations
        return not any(mention.start == said.end(place) + 1 for mention in sentence.columns)

    def _is_spoken_of(self, word: str) -> bool:
        """Tell whether a noun is a word of the question or of the result, or what a header shortens."""
        stemmed, names = stem(word), self.names
        if word in names.nouns or stemmed in self._spoken or stemmed in names.values:
            return True
        if len(stemmed) > 3 and any(said.startswith(stemmed) for said in self._spoken):
            return True  # "19 heads" of Headcount
        return names.kin.is_header(word, stemmed)

    @cached_property
    def attended(self) -> frozenset[int]:
        """Return the rates of who took part, where a column holds another rate: of what they said."""
        rates = [c for c in self.sheet.numeric if self.sheet.measured[c].carrier in RATES]
        found = frozenset(c for c in rates if ATTENDED.search(self.sheet.label(c)))
        return found if len(found) < len(rates) else frozenset()

    def _around(self, quantity: Quantity) -> str:
        """Return the words around a number, no further than its sentence."""
        before = self.text[max(0, quantity.start - 80) : quantity.start]
        after = self.text[quantity.end : quantity.end + 80]
        return f"{STOP.split(before)[-1]} {STOP.split(after)[0]}"

    @cached_property
    def subject_words(self) -> frozenset[str]:
        """Return the stems of the words of the question or the title."""
        return frozenset(split_words(self.names.subject[:500])) - SMALL_WORDS

    @cached_property
    def _states(self) -> frozenset[str]:
        """Return the columns called by what became of things, whatever these are ("Won", "Shipped")."""
        labels = (self.sheet.label(c).strip().lower() for c in self.sheet.figured)
        return frozenset(label for label in labels if STATE.fullmatch(label))

    @cached_property
    def _of_title(self) -> frozenset[str]:
        """Return the stems of the question or the title that no header has."""
        return self.subject_words.difference(*self.sheet.label_words)

    @cached_property
    def people(self) -> bool:
        """Tell whether a column goes by who it counts: then no other word for people will do."""
        labels = (WORD.findall(self.sheet.label(c).lower()) for c in self.sheet.numeric)
        return any(not PEOPLE.isdisjoint(label) for label in labels)

    @cached_property
    def _spoken(self) -> frozenset[str]:
        return self.subject_words.union(self.names.asked, *self.sheet.label_words)

    @cached_property
    def rates(self) -> frozenset[int]:
        """Return the columns of percentages; one with figures above a hundred may count things after all."""
        rated = (c for c in self.sheet.numeric if self.sheet.measured[c].carrier in RATES)
        return frozenset(c for c in rated if max(map(abs, self.sheet.figures(c)), default=0) <= 100)

    def is_of_other_size(self, quantity: Quantity, column: int) -> bool:
        """Tell whether the unit behind a number is not the one its column is in ("1,214 miles" of km)."""
        unit = self.sheet.columns[column].unit
        if unit and "/" not in unit and PER_UNIT.match(self.text, quantity.end):
            return True  # "520 t/ha" of tonnes
        sizes = self.sheet.sizes.get(column, frozenset())
        # "mm" also stands for millions, and is then a part of the number
        said = "mm" if sizes and MILLIMETRES.search(quantity.text) else ""
        return bool(sizes) and is_other_size(said or measure_after(self.text, quantity.end), sizes)

    def is_other_figure(self, quantity: Quantity, cell: CellAt) -> bool:
        """Tell whether a number shows the figure of a cell that is in another unit ("188 feet" of 188 m).

        The distance of an event is no figure without its unit ("in 400" of 400 m hurdles).
        """
        if cell[1] in self.sheet.keys and not EVENTS.isdisjoint(self.sheet.label_words[cell[1]]):
            return size_said(self.text, quantity.text, quantity.end) not in LENGTHS
        size = measure_after(self.text, quantity.end) if cell[1] in self.sheet.texts else ""
        own = self.sheet.in_unit(*cell, size) if size else None
        return own is not None and not any(interval.holds(abs(own)) for interval in intervals(quantity))

    def _counts_things(self, quantity: Quantity, own: frozenset[str]) -> bool:
        """Tell whether a bare number counts things ("2,948,150 orders") that an amount of money cannot be."""
        found = NEXT_WORD.match(self.text[quantity.end : quantity.end + 24])
        word = found.group(1) if found and not measure_after(self.text, quantity.end) else ""
        if found and self.text.startswith(PER, quantity.end + found.end()):
            return False  # "28.7 opens per 100"
        plural = PLURAL.fullmatch(word) is not None and word not in MONEY_WORDS and not quantity.unit_word
        return plural and not own.intersection(split_words(word))

    def _row_nouns(self) -> frozenset[str]:
        """Return the words that key columns go by, save those whose values start with figures."""
        first = self.sheet.table.rows[0]
        named = [k for k in self.sheet.keys if not any(c.isdigit() for c in as_text(first[k])[:3])]
        labels = [split_words(self.sheet.label(key)) for key in named]
        return frozenset(label[-1] for label in labels if label)
