"""Figures that nobody needs to declare: a count of rows, a whole column's total, mean or extreme."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from gateway.ground.compared.end_groups import is_at_end
from gateway.ground.compared.first_few import counts_names
from gateway.ground.derived.fit import value_fits
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import HIGHS, LOWS, MEANS, PARTS, TOTALS, words
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import factor
from gateway.ground.naming.headers import counter_of
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.nouns import Nouns
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.asides import is_aside
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sourcing.listed_counts import counts_list, end_as_told
from gateway.ground.sourcing.numbered_places import numbered_place
from gateway.ground.table.sheet import Sheet, as_text

OF_ALL = re.compile(
    r"(?:\b(?:of\s)?(?:all|these|those)\s|\bof\sthe\s|\b(?:one|[a-z]+est|first|last|second|third|out|only)\sof\s)\Z",
    re.IGNORECASE,
)
ENDS_NOUN = re.compile(
    r"\b(?:of|in|at|on|for|from|to|by|as|is|are|was|were|has|had|have|that|which|who)\b|\.\s", re.IGNORECASE
)
NO_NOUN = re.compile(
    r"\s?(?:[,;)]|\.(?:\s|\Z)|\Z"
    r"|\s?(?:and|but|while|with|at|in|on|to|by|is|are|was|were|has|had|have|that|who|which|below|above|under|over)\b)"
)
TOTAL_LED = re.compile(r"\b(?:totals?|totall?ed|in\sall|overall|altogether)\b[^,;.]*\Z", re.IGNORECASE)
# "Two rivers, the Brenn", "three stores (Aalst".
NOUN_OF_LIST = re.compile(r"(?:\s(?:1[5-9]|20)\d\d)?(?:\s[A-Z]?[a-z-]+){1,3}(?:,|:|\s\()\s?(?:the\s)?")
JOINED = re.compile(r"(?:,|\sand|,\sand|\s&)\s(?:the\s)?")
# "One ship of 8,096 tons": the thing that the next figure is of.
ONE_OF_SIZE = re.compile(r"(?:\s[a-z][a-z-]*){1,2}\sof\s(?:about\s|some\s)?", re.IGNORECASE)
# "Top three by visits:" above a list.
TOP = re.compile(r"\b(?:top|bottom)\s\Z", re.IGNORECASE)
TO_LIST = re.compile(r"[^:.;\n\d]{0,60}:\s*")
ITEM = re.compile(r"\n[^\S\n]*(?:[-*\u2022\u2013]|\d{1,2}[.)])\s")
LINES = re.compile(r"(?:\s*\n[^\S\n]*(?:[-*\u2022\u2013]|\d{1,2}[.)])\s[^\n]*)+")
FIELD_OF = re.compile(r"\bfield\sof\s\Z", re.IGNORECASE)
LISTED = re.compile(r"(?:\s[^\W\d_]+){0,2}\s?(?::|\(|\s[\u2013\u2014-]\s)")
# "Never fell below 102", "at no point above 9".
NEVER_BEYOND = re.compile(
    r"\b(?:never|not\sonce|at\sno\s(?:point|time))\s(?:[a-z]+\s){0,2}?(?:(?P<low>below|under)|above|over|exceed(?:ed|s)?)\s\W?\Z",
    re.IGNORECASE,
)
ROW_NOUNS = words("row rows result results entry entries record records line lines item items")
OUT_OF = re.compile(r"[\w)]\sof\s(?:the\s|our\s|its\s)?\Z", re.IGNORECASE)
ARE_IN = re.compile(
    r"(?:\s[a-z]+){1,2}\s(?:is|are|was|were|lie|stand)\s(?:in|at|on|from|part\sof)\b", re.IGNORECASE
)


class Implicit:
    """The implicit figures of one sheet, asked for one number at a time."""

    def __init__(self, sheet: Sheet, text: str, counted: frozenset[str], nouns: Nouns) -> None:
        """Stand on a sheet and a text; `counted` are the plural nouns that the question calls its rows."""
        self.sheet = sheet
        self.text = text
        self.counted = counted
        self.nouns = nouns

    def __call__(self, quantity: Quantity, sentence: Sentence, place: Place) -> tuple[str, Decimal] | None:
        """Return the row count or a whole-column figure, where the clause names what is counted or added."""
        if self.sheet.table.truncated:
            return None
        counted = (
            self._counted(quantity, sentence, place)
            or self._named_behind(quantity, sentence)
            or numbered_place(self.text, self.sheet, quantity, sentence, place)
        )
        if counted is not None or self.sheet.height < 2:
            return counted
        part = place.firm and not self._is_of_all(quantity, sentence, place)
        if part or self.nouns.is_strange(quantity, sentence):
            return None
        columns = place.columns if place.columns is not None else self._taking(quantity)
        led = NEVER_BEYOND.search(self.text, sentence.start, quantity.start)
        if len(columns) != 1 and (led or not place.firm):
            return None
        if led is not None:
            return self._end(quantity, min(columns), low=led["low"] is not None)
        for column in sorted(columns):
            if self.nouns.is_of_other_size(quantity, column):
                continue
            for name, value in self._aggregates(column, self.text[sentence.start : sentence.end]):
                if value_fits(quantity, value, self.sheet.measured[column], Direction(0)):
                    return name, value
        return None

    def _is_of_all(self, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether rows named beside a number are all there are, or its parts listed behind a total."""
        if place.rows is not None and len(place.rows) == self.sheet.height:
            return True
        led = TOTAL_LED.search(self.text[sentence.start : quantity.start])
        full = [mention for mention in sentence.rows if mention.full]
        if led is None or not full or any(mention.start < quantity.end for mention in full):
            return False
        return LISTED.match(self.text, quantity.end) is not None or is_aside(self.text, quantity, full[0])

    def _taking(self, quantity: Quantity) -> frozenset[int]:
        measured = self.sheet.measured
        return frozenset(
            c
            for c in self.sheet.numeric
            if factor(quantity.measure, quantity.currencies, measured[c]) is not None
        )

    def _counted(self, quantity: Quantity, sentence: Sentence, place: Place) -> tuple[str, Decimal] | None:
        """Return the number of rows or names that a number counts: what it counts stands right behind it."""
        if quantity.measure != "plain" or quantity.readings[0].step != 1 or quantity.hedge:
            return None
        behind = PARTS.split(self.text[quantity.end : min(sentence.end, quantity.end + 40)])[0]
        nouns = split_words(ENDS_NOUN.split(behind)[0])[:3]
        value = quantity.readings[0].value
        for key in self.sheet.keys:
            label = split_words(self.sheet.label(key))
            if not label or label[-1] not in nouns:
                continue
            of_group = 0 if self._is_told_of_all(quantity) else self._of_group(key, place)
            if value == (of_group if of_group > 1 else self._named_by(key)):
                return f"count_distinct({self.sheet.columns[key].name})", value
        for column in (c for c in self.sheet.numeric if counter_of(self.sheet.label(c))):
            numbered = split_words(self.sheet.label(column))[-1] in nouns
            if numbered and value == self._run_of(column, sentence):
                return f"count_distinct({self.sheet.columns[column].name})", value
        led = self.text[max(sentence.start, quantity.start - 16) : quantity.start]
        alone = OF_ALL.search(led) is not None
        if value == self.sheet.height and FIELD_OF.search(led):
            return "count_rows(all)", value
        told_of = not self.nouns.subject_words.isdisjoint(nouns[:1])
        if value == self.sheet.height and alone and (told_of or NO_NOUN.match(self.text, quantity.end)):
            return "count_rows(all)", value
        told = place.named and place.columns is not None
        if value == self.sheet.height and not told and (ROW_NOUNS | self.counted).intersection(nouns):
            return "count_rows(all)", value
        return None

    def _run_of(self, column: int, sentence: Sentence) -> int:
        """Return how many rows a column numbers from 1 on; of a part of them, how many rows there are."""
        figures = self.sheet.figures(column)
        if figures != tuple(map(Decimal, range(1, len(figures) + 1))):
            return self.sheet.height if len(set(figures)) == self.sheet.height else 0
        part = any(m.full and not m.rows <= self.sheet.totals for m in sentence.rows)
        return 0 if part and len(figures) != self.sheet.height else len(figures)

    def _named_by(self, key: int) -> int:
        """Return how many names a key column holds, those of totals left out ("two districts", a Total)."""
        rows = self.sheet.table.rows
        return len({row[key] for at, row in enumerate(rows) if at not in self.sheet.totals} - {None})

    def _named_behind(self, quantity: Quantity, sentence: Sentence) -> tuple[str, Decimal] | None:
        """Return how many rows a list behind a number in words names ("Two rivers, the Brenn and the Sorla").

        In digits it is a figure, which somebody has to declare.
        """
        if self._is_one_thing(quantity, sentence):
            return "count_rows(named)", Decimal(1)
        end = is_at_end(self.text, self.sheet, quantity, sentence)
        if end is not None and end.holds:
            return "count_rows(ranked)", quantity.readings[0].value
        listed = (self.text, self.sheet, quantity, sentence)
        if self._heads_list(quantity, sentence) or counts_names(*listed) or counts_list(*listed):
            return "count_rows(named)", quantity.readings[0].value
        names = list({m.start: m for m in sentence.rows if m.full and m.start > quantity.end}.values())
        if len(names) < 2 or quantity.measure != "plain" or quantity.hedge or quantity.text[:1].isdigit():
            return None
        kinds: list[Mention] = []
        while names and not NOUN_OF_LIST.fullmatch(self.text, quantity.end, names[0].start):
            kinds.append(names.pop(0))  # "three British ships, the Ames, ..."
        if not names or any(not m.rows & kind.rows for m in names for kind in kinds):
            return None
        count = 1
        for first, second in pairwise(names):
            if not JOINED.fullmatch(self.text, first.end, second.start):
                break
            count += 1
        value, lead = quantity.readings[0].value, self.text[sentence.start : names[0].start]
        told = end_as_told(lead, self.sheet, [m.rows for m in names[:count]])
        return ("count_rows(named)", value) if told and value == count > 1 else None

    def _is_one_thing(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether "one" is but the thing of the next figure ("one ship of 8,096 tons")."""
        _, after = neighbours(quantity, sentence)
        one = quantity.text.lower() == "one" and after < sentence.end
        return one and ONE_OF_SIZE.fullmatch(self.text, quantity.end, after) is not None

    def _heads_list(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number says how many lines follow ("Top three by visits:")."""
        if not TOP.search(self.text, max(sentence.start, quantity.start - 8), quantity.start):
            return False
        if not TO_LIST.fullmatch(self.text, quantity.end, sentence.end):
            return False
        lines = LINES.match(self.text, sentence.end)
        return lines is not None and quantity.readings[0].value == len(ITEM.findall(lines.group()))

    def _is_told_of_all(self, quantity: Quantity) -> bool:
        """Tell whether a group is only what some of all are in ("two of the five are in the West")."""
        led = OUT_OF.search(self.text[max(0, quantity.start - 12) : quantity.start]) is not None
        return led and ARE_IN.match(self.text, quantity.end) is not None

    def _of_group(self, key: int, place: Place) -> int:
        """Return how many names of a key the rows of one name have ("his two seasons at Roda")."""
        rows = place.rows or frozenset()
        if not place.firm or not 1 < len(rows) < self.sheet.height:
            return 0
        return len({as_text(self.sheet.table.rows[row][key]) for row in rows})

    def _end(self, quantity: Quantity, column: int, *, low: bool) -> tuple[str, Decimal] | None:
        """Return the end of a column that its figures never went beyond, if a number shows it."""
        figures = self.sheet.figures(column)
        value = (min if low else max)(figures, default=Decimal(0))
        plain = quantity._replace(hedge="")
        fits = bool(figures) and value_fits(plain, value, self.sheet.measured[column], Direction(0))
        return (f"{'min' if low else 'max'}({self.sheet.columns[column].name})", value) if fits else None

    def _aggregates(self, column: int, said: str) -> Iterator[tuple[str, Decimal]]:
        figures = self.sheet.figures(column)
        name = self.sheet.columns[column].name
        if not figures:
            return
        if TOTALS.search(said) and self.sheet.adds_up(column):
            yield f"sum({name})", sum(figures, Decimal(0))
        if MEANS.search(said):
            yield f"mean({name})", sum(figures, Decimal(0)) / len(figures)
        if HIGHS.search(said):
            yield f"max({name})", max(figures)
        if LOWS.search(said):
            yield f"min({name})", min(figures)
