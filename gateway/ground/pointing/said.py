"""Columns that a number is said to be the figure of, though its unit or other words do not suit them."""

import re
from bisect import bisect_left

from gateway.ground.lexing.direction import FOLLOWS
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import told_by
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import Measured
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence, follows, neighbours
from gateway.ground.sentence.idioms import LOSS_VERBS, WON_VERBS, Fits
from gateway.ground.table.sheet import Sheet

# "A majority of 54.9%": the number is said to be the figure of the name before it.
AS_FIGURE = re.compile(
    r"\s?(?:[:(=|\u2013\u2014]|(?:was|were|is|are|at|of|reached|came\s(?:to|in\sat)|amounted\sto"
    r"|stood\sat|equall?ed|totall?ed|ranged\sfrom"
    r"|(?:rose|grew|fell|dropped|climbed|declined|increased|decreased|dipped|slipped)\s(?:from|to))(?:\s(?:only|just|about|exactly|a|an))?\s)\s*\W?|\s",
    re.IGNORECASE,
)
VERBS = LOSS_VERBS | WON_VERBS
# What a header adds to a count's name to call it a rate ("On-time rate", "Cost per lead", "Visit to sale").
RATED = words("rate share percentage per to")
# What it adds to call it their price, or what they brought.
MONEY = words("cost spend spending value revenue sale income expense bill takings fee")
COST_PER = re.compile(r"CP(?P<of>[A-Z])")
COUNT = Measured("number")
# What joins a number to the column right behind it.
BEHIND = {"currency": (" ", " of ", " in "), "percent": (" ",)}
OF_ROW = re.compile(r"(?:\s(?:was|were|is|are)\s[a-z]+)?\s(?:in|for|at|of|from)\s(?:the\s)?", re.IGNORECASE)
SHARE_OF = re.compile(
    r"(?:share|percent(?:age)?|proportion|part|%|half|rest|majority)\s(?:of\s)?(?:the\s|its\s|all\s|total\s)*\Z",
    re.IGNORECASE,
)
OF_ITSELF = re.compile(
    r"\s(?:growth|increase|decrease|decline|drop|rise|gain|fall|share|change|rate|margin|per|improvement|reduction)\b",
    re.IGNORECASE,
)


class SaidFigures:
    """Reads full names right before and right behind the numbers of one text."""

    def __init__(self, sheet: Sheet, text: str, fitting: Fits) -> None:
        """Stand on a sheet and a text; `fitting` cuts columns down to those whose unit a number can have."""
        self.sheet = sheet
        self.text = text
        self.fitting = fitting

    def opening(self, quantity: Quantity, sentence: Sentence, others: frozenset[int]) -> frozenset[int]:
        """Return the column whose figure a number is said to be by the full name before it.

        Empty where the number's unit or other words beside it suit that column too: then nothing is at odds.
        """
        columns = sentence.columns
        last = bisect_left(columns, quantity.start, key=lambda mention: mention.start)
        if not last or quantity.measure in ("multiple", "points", "basis_points"):
            return NOBODY
        start, end = columns[last - 1].start, columns[last - 1].end
        before, _ = neighbours(quantity, sentence)
        if end > quantity.start or start < before:
            return NOBODY
        led = [m for m in columns[max(0, last - 4) : last] if m.end == end and m.full]
        said = NOBODY.union(*[m.columns for m in led])
        if not said or (said & others if others else self.fitting(quantity, said)):
            return NOBODY
        if self.text[start:end].lower() in VERBS or (others and self._is_verb(start, end, said)):
            return NOBODY  # "won $1.25 million" is no figure of Wins, "hit 310 home runs" none of Hits
        if self.text.endswith("per ", 0, start):
            return NOBODY
        taken = before > sentence.start and follows(self.text, before, led[-1])
        if taken or SHARE_OF.search(self.text[max(0, start - 24) : start]):
            return NOBODY
        if FOLLOWS.match(self.text, quantity.end) or not self._is_as_figure(end, quantity, sentence):
            return NOBODY
        return self._rated(quantity, said) or self._worth(quantity, said) or said

    def _worth(self, quantity: Quantity, said: frozenset[int]) -> frozenset[int]:
        """Return what things cost or brought, by the column of the things ("fuel came to $90": Fuel cost)."""
        things = [self.sheet.label_words[c] for c in said if quantity.measure == "currency"]
        labels = self.sheet.label_words
        columns = self.fitting(quantity, self.sheet.figured)
        return frozenset(c for c in columns for own in things if own < labels[c] <= own | MONEY)

    def _is_verb(self, start: int, end: int, columns: frozenset[int]) -> bool:
        """Tell whether a name of columns that are plurals is said without its ending, as verbs are."""
        said = self.text[start:end]
        plural = all(self.sheet.label(c).lower() in (f"{said}s", f"{said}es") for c in columns)
        return said.islower() and plural

    def _is_as_figure(self, end: int, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether nothing but a row stands between a name and the words that give its figure."""
        gap = self.text[end : quantity.start]
        for row in sentence.rows:
            if row.full and end <= row.start and row.end <= quantity.start:
                gap = (
                    self.text[row.end : quantity.start]
                    if OF_ROW.fullmatch(self.text, end, row.start)
                    else gap
                )
                break
        return AS_FIGURE.fullmatch(gap) is not None

    def unfit_behind(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the column right behind a number that has another unit ("$5M of nights", "4% revenue")."""
        if quantity.measure not in ("currency", "percent"):
            return NOBODY
        first = bisect_left(sentence.columns, quantity.end, key=lambda mention: mention.start)
        behind = [m for m in sentence.columns[first : first + 4] if m.full]
        gap = self.text[quantity.end : behind[0].start] if behind else ""
        if gap not in BEHIND[quantity.measure]:
            return NOBODY
        said = frozenset().union(*(m.columns for m in behind if m.start == behind[0].start))
        rated = OF_ITSELF.match(self.text, behind[0].end) is not None
        if rated or self.fitting(quantity, said):
            return NOBODY
        rate = self._rated(quantity, said) if quantity.measure == "percent" else NOBODY
        return rate or said

    def _rated(self, quantity: Quantity, said: frozenset[int]) -> frozenset[int]:
        """Return the rates of a count whose unit a number has ("leads at $29": Cost per lead)."""
        counts = [self.sheet.label_words[c] for c in said if self.sheet.measured[c] == COUNT]
        return frozenset(
            c
            for c in self.fitting(quantity, self.sheet.figured)
            for own in counts
            if (own < self.sheet.label_words[c] and not RATED.isdisjoint(self.sheet.label_words[c] - own))
            or any(not self.sheet.label_words[c].isdisjoint(told_by(word)) for word in own if len(own) == 1)
            or self._is_cost_of(c, own)
        )

    def _is_cost_of(self, column: int, counted: frozenset[str]) -> bool:
        """Tell whether a header shortens what one of a count costs ("CPL" of Leads)."""
        cost = COST_PER.fullmatch(self.sheet.label(column))
        return cost is not None and {word[:1] for word in counted} == {cost["of"].lower()}
