"""Turns of phrase by which words around a number name a column: totals, verbs of loss, rates, split names."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence

from gateway.ground.lexing.cues import LAST_WORD, PART_GAP, PER_GAME, TOTAL_OF
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.headers import said_by, short_forms
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.table.sheet import Sheet

LOSS_VERBS = frozenset(("lost", "lose", "losing", "shed", "left", "churned", "cancelled", "died"))
# What happened to some of those counted: "renewed 41 accounts" is no number of accounts.
DONE_VERBS = words(
    "renewed returned refunded reopened rejected approved accepted escalated disputed resolved canceled "
    "converted hired recruited upgraded downgraded expired repaid recovered"
)
# What is won or lost, of which there is no more than was played.
CONTESTS = frozenset(
    ("race", "races", "game", "games", "match", "matches", "fight", "fights", "bouts", "events")
)
WON_VERBS = frozenset(("won", "win", "wins", "winning", "drew", "tied"))
PEOPLE = re.compile(r"\s(?:new\s)?(?:people|persons|staff|workers|employees)\b")
JUST = re.compile(r"\s(?:(?:only|just|all|about)\s)?")
NOUNS_ONLY = re.compile(
    r"(?:\s(?!(?:and|or|but|with|of|after|before|while|when|despite|having|who|that|for|in)\b)[^\W\d_]+)+\s",
    re.IGNORECASE,
)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
TOTAL_LABELS = frozenset(("total", "totals", "overall", "all", "sum"))
# "66 of them and", "66 of them.": of what was named before.
THEM = re.compile(r"\sof\s(?:them|these|those)(?:[,.;)]|\sand\b|\sin\b|\Z)", re.IGNORECASE)
NEXT_YEAR = re.compile(
    r"\sthe\s(?:following|next|subsequent)\s(?:fiscal\s)?(?:year|season|period)\b",
    re.IGNORECASE,
)
IN_ALL = re.compile(r"\s[^\W\d_]+\s(?:in\s(?:all|total)|overall|altogether|across\sall)\b", re.IGNORECASE)
# "Added 4 more" says how many, not by how many more.
ADDED = re.compile(r"\badd(?:s|ed|ing)\s(?:another\s)?\Z", re.IGNORECASE)
# One of these is in any text in which `IN_ALL`, `ADDED` or `THEM` may stand.
ALL = frozenset(("all", "total", "overall", "altogether"))
ADDS = frozenset(("add", "adds", "added", "adding"))
THEM_SAID = frozenset(("them", "these", "those"))
COST_SAID = frozenset(("cost", "costs", "costing"))
MORE = re.compile(r"\smore\b(?!\sthan)")
NEAR = 160
KIN = 6
COST = re.compile(r"costs?|costing", re.IGNORECASE)
SPENT = re.compile(
    r"(?:total\s)?(?:(?:ad|media)\s)?(?:spen[dt]|spending|costs?|expenses?|outlays?)", re.IGNORECASE
)
RATE = re.compile(r"\s([^\W\d_]+)\sper\s([^\W\d_]+)")
SIDED = (" for", " against")
Fits = Callable[[Quantity, Iterable[int]], frozenset[int]]
Fitting = Sequence[tuple[Mention, frozenset[int]]]


OPENS_YEAR = ("in", "for", "during")


class Idioms:
    """Reads turns of phrase beside numbers, for one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken, fitting: Fits) -> None:
        """Stand on a sheet and a text; `fitting` cuts columns down to those whose unit a number can have."""
        self.sheet = sheet
        self.text = text = spoken.text
        self.fitting = fitting
        self._all, self._added, self._them = (spoken.says(said) for said in (ALL, ADDS, THEM_SAID))
        self.totals = frozenset(i for i in sheet.numeric if sheet.label(i).lower() in TOTAL_LABELS)
        self.words = {c: sheet.label_words[c] for c in sheet.figured}
        self.openers = frozenset(word for words in self.words.values() if len(words) > 1 for word in words)
        self.yearly = frozenset(c for c in sheet.numeric if YEAR.search(sheet.label(c)))
        self.short = short_forms({c: sheet.label(c) for c in sorted(sheet.figured)}) if self.yearly else {}
        self.every = short_forms({c: sheet.label(c) for c in sheet.numeric})
        self.rates = frozenset(c for c in sheet.numeric if sheet.measured[c].carrier in RATES)
        self.per_each = frozenset(c for c, said in self.words.items() if "per" in said)
        self.costs = frozenset(c for c in self.words if SPENT.fullmatch(sheet.label(c)))
        self.costing = spoken.says(COST_SAID)
        self._costs = self.costing and bool(self.costs and self.per_each)
        self.rated = " per " in text
        self.glossed = "(" in text
        self.sided = any(sheet.label(c).lower().endswith(SIDED) for c in sheet.numeric)
        low = text.lower()
        self.losing = (
            any(map(low.__contains__, LOSS_VERBS | WON_VERBS | DONE_VERBS)) or PEOPLE.search(low) is not None
        )
        self._may = bool(self.yearly) or self.losing or self.rated or self._all or self._added or self._them

    def said(
        self,
        quantity: Quantity,
        sentence: Sentence,
        fitting: Fitting,
        later: Fitting,
        previous: Sentence | None,
    ) -> frozenset[int]:
        """Return the column that a turn of phrase around a number means; `later` are the names behind it."""
        led = (self._total_of(quantity, later) or self._split(quantity, later)) if later else frozenset()
        if led or not self._may:
            return led
        return (
            self._lost(quantity, sentence, fitting)
            or self._year_after(quantity, sentence)
            or self._in_all(quantity)
            or self._more(quantity, sentence, fitting)
            or self._rate(quantity)
            or self._of_them(quantity, previous)
        )

    def _total_of(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the column of totals that "a total of 27 goals" means where there is one ("Total goals")."""
        if not TOTAL_OF.search(self.text[max(0, quantity.start - 16) : quantity.start]):
            return frozenset()
        mention = later[0][0]
        if self.text[quantity.end : mention.start].strip():
            return frozenset()
        noun = set(split_words(self.text[mention.start : mention.end]))
        wanted = noun | {"total"}
        told = frozenset(c for c in self.fitting(quantity, self.sheet.numeric) if self.words[c] == wanted)
        if told or mention.full:
            return told
        summed = frozenset(c for c in later[0][1] if TOTAL_LABELS & self.words[c])
        return summed if len(summed) == 1 else told  # "180 appearances" of Total Apps

    def _split(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the column whose name a number stands in the middle of ("lost 129 customers")."""
        if self.text[quantity.end : later[0][0].start].strip():
            return frozenset()
        mention, columns = later[0]
        word = LAST_WORD.search(self.text, max(0, quantity.start - 24), quantity.start)
        lead = split_words(word.group(1)) if word else ()
        if not lead or lead[0] not in self.openers:
            return frozenset()
        wanted = {*lead, *split_words(self.text[mention.start : mention.end])}
        found = (c for c in self.fitting(quantity, self.sheet.figured) - columns if self.words[c] == wanted)
        return frozenset(found)

    def _lost(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the column of a verb of loss around a number ("lost 129 customers", "six users left")."""
        if not self.losing:
            return frozenset()
        before, _ = neighbours(quantity, sentence)
        if PART_GAP.fullmatch(self.text[before : quantity.start].strip()):
            return frozenset()
        for mention, columns in within(fitting, quantity.start - NEAR, quantity.end + NEAR):
            verb = self.text[mention.start : mention.end].lower()
            if mention.full or not (
                verb in LOSS_VERBS | WON_VERBS | DONE_VERBS or self._is_done(verb, quantity)
            ):
                continue
            if mention.end <= quantity.start and JUST.fullmatch(self.text, mention.end, quantity.start):
                nouns = (
                    fitting if verb in WON_VERBS else ()
                )  # "won 2 titles" are titles, "won 2 races" no races
                own = (n for n in nouns if n[0].full and n[0].start == quantity.end + 1)
                own = (n for n in own if self.text[n[0].start : n[0].end].lower() not in CONTESTS)
                return next((fit for _, fit in own), columns)
            if verb in WON_VERBS:
                continue
            gap = self.text[quantity.end : mention.start]
            if mention.start > quantity.end and len(gap.split()) <= 3 and NOUNS_ONLY.fullmatch(gap):
                return columns
        return frozenset()

    def _is_done(self, verb: str, quantity: Quantity) -> bool:
        """Tell whether a verb in the past says what happened to people ("hired 31 people")."""
        who = PEOPLE.match(self.text, quantity.end)
        return who is not None and verb.endswith("ed")

    def one_year(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the columns of the only year named: "A was 9, B 7 in 2020", "In 2020 A beat B, 9 to 7"."""
        years = {fit: m for m, fit in fitting if m.full and fit <= self.yearly} if self.yearly else {}
        if len(years) != 1:
            return frozenset()
        (columns, year) = years.popitem()
        if self.text[sentence.start : year.start].strip().lower() in OPENS_YEAR:
            return columns
        return (
            columns
            if any(m.full and quantity.end <= m.start < year.start for m in sentence.rows)
            else frozenset()
        )

    def _of_them(self, quantity: Quantity, previous: Sentence | None) -> frozenset[int]:
        """Return the column that the sentence before named last, for "66 of them"."""
        named = previous.columns if previous is not None and self._them else ()
        if not named or not THEM.match(self.text, quantity.end):
            return frozenset()
        return self.fitting(quantity, named[-1].columns)

    def _year_after(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the column of the year beside the one named last, for "415,330 the following year"."""
        if not self.yearly or NEXT_YEAR.match(self.text, quantity.end) is None:
            return frozenset()
        led = [m.columns & self.yearly for m in sentence.columns if m.full and m.end <= quantity.start]
        named = next((columns for columns in reversed(led) if columns), frozenset[int]())
        if not named:
            return self.fitting(quantity, self.yearly)
        years = {c: int(YEAR.findall(self.sheet.label(c))[-1]) for c in self.yearly}
        wanted = {years[c] + 1 for c in named}
        return self.fitting(quantity, (c for c in years if years[c] in wanted)) or named

    def _more(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the column that "12 goals, and added 4 more in the cup" means: another one of that noun."""
        place = position(quantity, sentence) if self._added else 0
        if not place or not ADDED.search(self.text[max(0, quantity.start - 20) : quantity.start]):
            return frozenset()
        end = sentence.quantities[place - 1].end
        named = [(m, fit) for m, fit in fitting if m.start == end + 1]
        if not named or not MORE.match(self.text, quantity.end):
            return frozenset()
        taken = frozenset().union(*(fit for m, fit in named if m.full))
        others = frozenset().union(*(fit for _, fit in named)) - taken - self.totals
        return others if len(others) == 1 else frozenset()

    def _in_all(self, quantity: Quantity) -> frozenset[int]:
        """Return the one column of totals that "14 goals in all competitions" means."""
        if not self._all or IN_ALL.match(self.text, quantity.end) is None:
            return frozenset()
        noun = split_words(self.text[quantity.end : quantity.end + 24])[:1]
        told = frozenset(c for c, words in self.words.items() if noun and words == {noun[0], "total"})
        kin = said_by(self.text[quantity.end : quantity.end + 24].split()[0].lower(), self.every)
        told = told or frozenset(c for c in kin if TOTAL_LABELS & self.words[c])  # "Total Apps"
        totals = self.totals if len(self.totals) == 1 else frozenset()
        return self.fitting(quantity, told or totals)

    def _rate(self, quantity: Quantity) -> frozenset[int]:
        """Return the column that "19.1 students per teacher" means by both its words."""
        said = RATE.match(self.text, quantity.end) if self.rated else None
        if said is None:
            return frozenset()
        wanted = frozenset(split_words(f"{said[1]} {said[2]}"))
        return self.fitting(quantity, (c for c, words in self.words.items() if wanted <= words))

    def is_rate(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a noun is only what a rate counts ("147 people per square kilometre")."""
        if (
            not self.rated
            or not self.text.startswith(" per ", mention.end)
            or PER_GAME.match(self.text, mention.end)
        ):
            return False
        if any("per" in self.words[column] for column in mention.columns & self.words.keys()):
            return False
        return not mention.full or not self.text[quantity.end : mention.start].strip()

    def meant(
        self, mention: Mention, whole: Mapping[int, frozenset[int]], sentence: Sentence
    ) -> frozenset[int]:
        """Return the columns of a name; "42 points against Olathe" says no more than points."""
        if not mention.full:
            return self._with_totals(mention)
        columns = whole[mention.start]
        if not self.sided:
            return columns
        said = self.text[mention.start : mention.end].lower()
        if not said.endswith(SIDED) or not any(0 < m.start - mention.end <= 5 for m in sentence.rows):
            return columns
        noun = split_words(said)[:-1]
        return columns | {c for c in self.sheet.numeric if split_words(self.sheet.label(c))[:-1] == noun}

    def _with_totals(self, mention: Mention) -> frozenset[int]:
        """Return the columns of a name; a noun that several share also means their total ("23 goals")."""
        shared = not mention.full and len(mention.columns) > 1
        if mention.columns and mention.columns <= self.rates:
            return mention.columns | self._counted(self.text[mention.start : mention.end].lower())
        if self._costs and self.costs_either(mention, mention.columns | self.costs):
            return mention.columns | self.costs
        if shared or mention.full or not mention.columns <= self.yearly:
            return mention.columns | self.totals if shared else mention.columns
        # "won 54 seats" is no more "2011 seats" than "Elected"
        return mention.columns | said_by(self.text[mention.start : mention.end].lower(), self.short)

    def costs_either(self, mention: Mention, columns: frozenset[int]) -> bool:
        """Tell whether a verb means what was spent or what one of something cost ("it cost $76,500")."""
        if not self._costs or not mention.columns <= self.per_each:
            return False
        return self.costs <= columns and self.is_cost_verb(mention)

    def is_cost_verb(self, mention: Mention) -> bool:
        """Tell whether half a name may be the verb of what something cost."""
        if mention.full or not self.costing:
            return False
        return COST.fullmatch(self.text, mention.start, mention.end) is not None

    def _counted(self, word: str) -> frozenset[int]:
        """Return the columns of counts that half the name of a rate names as well ("won" of W and Win %)."""
        kin = (c for c, said in self.words.items() if any(_is_kin(word, own) for own in said))
        return said_by(word, self.every) | frozenset(kin) - self.rates


def _is_kin(word: str, own: str) -> bool:
    """Tell whether two words begin alike ("escalations" and "escalated")."""
    return len(own) >= KIN and word[:KIN] == own[:KIN]


def within(fitting: Fitting, start: int, end: int) -> Fitting:
    """Return the names that start from one place up to another."""
    first = bisect_left(fitting, start, key=lambda named: named[0].start)
    return fitting[first : bisect_left(fitting, end, lo=first, key=lambda named: named[0].start)]
