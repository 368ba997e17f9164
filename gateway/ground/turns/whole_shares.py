"""Rates told as a share of a whole ("accounts for 8.9% of all waste" of a waste rate): the cell is none."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.label_units import PERCENT_LABEL
from gateway.ground.table.sheet import CellAt, Sheet, as_text

# Columns whose percentages are parts of a whole by their name; all others are rates of their own rows.
SHARE_LABEL = re.compile(
    r"\bshare|\bmix\b|proportion|\bsplit\b|breakdown|weight|contribution|penetration"
    r"|(?:%|\bpct|\bpercent(?:age)?)\s*(?:of\b|\Z)|\bof\s(?:the\s|all\s)?(?:grand\s)?total\b",
    re.IGNORECASE,
)
HEDGED = (
    r"(?:(?:only|just|about|around|roughly|nearly|almost|over|some|fully|at\sleast|close\sto|an?)\s)*\W?\Z"
)
MAKES_UP = re.compile(
    r"\b(?:account(?:s|ed|ing)?\sfor|m(?:akes?|ade|aking)\sup|represent(?:s|ed|ing)?|constitut(?:es?|ed|ing)"
    rf"|compris(?:es?|ed|ing)|responsible\sfor|contribut(?:es?|ed|ing))\s{HEDGED}",
    re.IGNORECASE,
)
# What everything is called: "of all sign-ups", "of group headcount", "of everything we threw away".
WHOLE = (
    r"(?:all\b(?!\s(?:its|their|his|her)\b)|(?:the\s|our\s)?(?:grand\s|overall\s|combined\s)?total\b|overall\b|everything\b|everyone\b"
    r"|the\s(?:whole|entire|overall)\b|our\b|(?:the\s|our\s)?(?:group|company|business|firm|network|chain|market|industry)(?:['\u2019]s)?\b)"
)
OF_WHOLE = re.compile(rf"\s(?:share\s)?of\s{WHOLE}", re.IGNORECASE)
OF_OWN = re.compile(r"\sof\s(?:all\s)?(?:its|their|his|her)\b(?P<own>\sown\b)?", re.IGNORECASE)
OF_ITS = re.compile(r"\s(?:share\s)?of\s(?:all\s)?(?:its|their|his|her|those|these)\b", re.IGNORECASE)
# "8.9% of all waste came from", "5.2% of our subscribers are on".
COMES_FROM = re.compile(
    r"\s(?:[^\s,;:.()\d]+\s){0,8}?(?:is|are|was|were|com(?:es?|ing)|came|stem(?:s|med)?|originat(?:es?|ed)|goes|went|fell)"
    r"(?:\s(?:now\s|all\s)?(?:based|located|found|situated|employed|concentrated|kept|held|stored|living|working|made\sup))?"
    r"\s(?:(?:from|in|on|through|via|to|with|at|by|of|for|among|within|under|due\sto|down\sto)\s)?(?:the\s|our\s)?",
    re.IGNORECASE,
)
# "5.5% of all sick days were taken in Derby": what was done there to a part of all.
DONE_IN = re.compile(
    r"\s(?:[^\s,;:.()\d]+\s){1,6}?(?:was|were|is|are|(?:has|have)\sbeen|got)\s[a-z]+(?:ed|en|[mp]t|de|ld|nt|ne|un|ug?ht)\s"
    r"(?:(?:in|at|on|from|through|via|by|with|to)\s)?(?:the\s|our\s)?",
    re.IGNORECASE,
)
# "In Hull live 5.5% of all members", "from Hull came".
LIVES_IN = re.compile(
    r"\b(?:in|at|on|from|with|to)\s(?:the\s)?(?P<row>[^,;:()\d]{1,60}?)\s(?:lives?|sits?|lies?|lay|works?|stays?|come|came|is|are|was|were"
    rf"|originated?|happen(?:s|ed)?|occur(?:s|red)?|belongs?|belonged|go|went)\s{HEDGED}",
    re.IGNORECASE,
)
# "Reed won 41% of all deals": with nothing behind it, all there are.
OF_ALL = re.compile(r"\sof\sall\s(?:the\s)?[a-z-]+(?:\s[a-z-]+)?(?=\s*(?:[.;!?]|,\s|\Z))", re.IGNORECASE)
VERB = re.compile(rf"\s[a-z]*(?:ed|[wl]on|t|ld|de|s)\s{HEDGED}", re.IGNORECASE)
# "In May, 8% of all sign-ups of the year came in".
OF_TIME = re.compile(
    r"\s(?:[a-z-]+\s){1,3}(?:of|in|for)\s(?:the|this|our)\s(?:whole\s|entire\s)?(?:period|year|quarter|month|week|season|company|group|business|table"
    r"|country|network|sites?|regions?)\b",
    re.IGNORECASE,
)
A_SHARE = re.compile(
    rf"\bshare\s(?:of\s(?P<what>(?:[a-z-]+\s){{1,4}}?))?(?:of|at|was|is|stood\sat|came\sto|reached)\s{HEDGED}",
    re.IGNORECASE,
)
# "36.5% of all guests eat at Piazza": nobody does something to them, as in "were seated at Piazza".
DONE_AT = re.compile(
    r"\sof\s(?:(?!was\b|were\b|is\b|are\b|been\b|got\b)[^\s,;:.()\d]+\s){1,4}?[a-z]+s\s(?!(?:was|were|is|are|got|in|at|of|from|on|with|by|for)\b)[a-z]+\s"
    r"(?:(?:in|at|on|from|through|via|by|with|to)\s)?(?:the\s|our\s)?",
    re.IGNORECASE,
)
# "The desk took 11% of the calls offered": it got that part of them.
TAKES = re.compile(
    r"\b(?:t(?:ook|akes?|aking)(?:\sin)?|g[eo]ts?|receiv(?:ed|es?)|ha[ds]|d(?:rew|raws?)|attract(?:ed|s)?|br(?:ought|ings?)\sin"
    rf"|pull(?:ed|s)?\sin|captur(?:ed|es?)|h[eo]lds?|own(?:s|ed)|controls|command(?:s|ed)|suppl(?:ied|ies|y)|provid(?:ed|es?)|generat(?:ed|es?))\s{HEDGED}",
    re.IGNORECASE,
)
# "Holds 3.4% of the loan book".
OF_STOCK = re.compile(
    r"\sof\s(?:the|our)\s(?:[a-z]+\s)?(?:market|book|portfolio|workforce|fleet|stock|electorate|audience|traffic|business)"
    r"(?=\s*(?:[.,;:!?)]|\Z|\s(?:in|during|last|this)\s))",
    re.IGNORECASE,
)
OF_COLUMN = re.compile(r"\sof\s(?:the\s)?")
# What a share is of, with its noun.
BASE = re.compile(
    r"\sof\s(?:(?:all|our|the|total|whole|entire|group|company|overall|those|these)\s)*[\w-]+(?:['\u2019]s\s[\w-]+)?",
    re.IGNORECASE,
)
ENDS = re.compile(r"\s*(?:[.,;:!?)]|\Z|\s(?:in|during|last|this)\s)")
LED_IN = re.compile(r"\b(?:in|at|for|on|within|across)\s(?:the\s)?\Z", re.IGNORECASE)
RATED = words(
    "rate ratio percentage percent pct share mix split proportion per of the average margin score on in"
)
# What a share may be of that stands in no column beside it.
WHOLES = words(
    "market vote poll total group company revenue sale turnover volume value traffic wallet voice seat "
    "audience budget cost portfolio book business all overall contribution weight our popular electorate "
    "ballot screen time"
)
REACH, BASE_REACH = 64, 60
NEAR, STEM = 3, 5


class WholeShares:
    """Reads what percentages of one text are said to be a share of, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        rated = [c for c in sheet.numeric if sheet.measured[c].carrier in ("percent", "fraction")]
        self.rates = frozenset(c for c in rated if not self._holds_shares(c))
        self.shares = frozenset(rated) - self.rates
        self.parts = frozenset(c for c in self.rates if SHARE_LABEL.search(sheet.label(c)))

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a percentage told as a share of a whole: the one column of shares."""
        if len(self.shares) != 1 or quantity.measure != "percent" or place.named:
            return place
        before, _ = neighbours(quantity, sentence)
        lead = self.text[max(before, quantity.start - REACH) : quantity.start]
        whole = OF_WHOLE.match(self.text, quantity.end) or MAKES_UP.search(lead) or A_SHARE.search(lead)
        return place._replace(columns=self.shares, named=True) if whole else place

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a rate of a row of its own is told as that row's share of a whole."""
        quantity, cell = binding.quantity, binding.cell
        if binding.derived is not None and binding.derived.op == "share":
            return self._is_of_own(binding, binding.derived, sentence)
        if cell is None or quantity.measure not in ("percent", "fraction"):
            return False
        if cell[1] in self.shares:
            return self._is_of_other_base(cell, quantity, sentence)
        if cell[1] not in self.rates or OF_ITS.match(self.text, quantity.end):
            return False
        if self._says_part(cell[1], sentence):
            return False
        _, after = neighbours(quantity, sentence)
        until = min(after, quantity.end + BASE_REACH)
        if any(cell[0] in m.rows for m in sentence.rows if quantity.end < m.start < until):
            return self._comes_from(binding, sentence)
        return self._is_told_as_part(cell, quantity, sentence)

    def _is_told_as_part(self, cell: CellAt, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a rate is told as the part that the row named before it has of a whole."""
        before, _ = neighbours(quantity, sentence)
        lead = self.text[max(before, quantity.start - REACH) : quantity.start]
        start = quantity.start - len(lead)
        whole = OF_WHOLE.match(self.text, quantity.end) is not None
        said = MAKES_UP.search(lead)
        if said is not None:
            return self._is_part(sentence, before, start + said.start(), quantity.end, whole=whole)
        share = A_SHARE.search(lead)
        if share is not None or self.text.startswith(" share", quantity.end):
            return share is None or not self._qualifies(cell[1], share["what"] or "")
        row = self._subject(sentence, before, quantity.start)
        if whole and (self._is_in_place(cell, lead, quantity, sentence) or self._is_of_all(row, quantity)):
            return True
        whole = whole or self._is_taken(lead, quantity, sentence)
        if not whole or self._says_rate(cell[1], quantity.start, quantity.end, sentence):
            return False
        return row is not None and not LED_IN.search(self.text[max(0, row.start - 12) : row.start])

    def _is_of_all(self, row: Mention | None, quantity: Quantity) -> bool:
        """Tell whether a row did something to a part of all there are ("Reed won 41% of all deals")."""
        if row is None or OF_ALL.match(self.text, quantity.end) is None:
            return False
        return VERB.fullmatch(self.text, row.end, quantity.start) is not None

    def _is_taken(self, lead: str, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether somebody is said to have got a share of what another column counts."""
        if TAKES.search(lead) is None:
            return False
        if OF_STOCK.match(self.text, quantity.end):
            return True
        named = [m for m in sentence.columns if OF_COLUMN.fullmatch(self.text, quantity.end, m.start)]
        return any(
            m.full and m.columns.isdisjoint(self.rates) and ENDS.match(self.text, m.end) for m in named
        )

    def _is_in_place(self, cell: CellAt, lead: str, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a part of all is said to be where or when the row is ("in Hull live 5.5% of all")."""
        row, column = cell
        if row in self.sheet.totals:
            return False
        said = LIVES_IN.search(lead)
        if said is not None:
            start = quantity.start - len(lead) + said.start("row")
            led = [m for m in sentence.rows if m.start == start and m.end == start + len(said["row"])]
            return bool(led) and not self._says_rate(column, start, quantity.end, sentence)
        timed = OF_TIME.match(self.text, quantity.end + len(" of"))
        return timed is not None and not self._says_rate(column, quantity.start, quantity.end, sentence)

    def _is_of_other_base(self, cell: CellAt, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a share is told of a column that it is none of, and is that of another column.

        Which column it is the share of, its cell and the sum of that column prove.
        """
        named = [m for m in sentence.columns if OF_COLUMN.fullmatch(self.text, quantity.end, m.start)]
        told = {c for m in named if m.full for c in m.columns} - self.shares - self.rates
        if not told or any(self._is_share(cell, c) for c in told):
            return False
        return any(self._is_share(cell, c) for c in self.sheet.numeric if c not in told | {cell[1]})

    def _is_share(self, cell: CellAt, column: int) -> bool:
        """Tell whether a cell is the share of its row in the sum of a column, as far as it is shown."""
        share, own = self.sheet.number(*cell), self.sheet.number(cell[0], column)
        parts = [v for r, v in self.sheet.column_values(column) if r not in self.sheet.totals]
        whole = sum(parts, Decimal(0))
        if share is None or own is None or not whole:
            return False
        scale = 1 if self.sheet.measured[cell[1]].carrier == "fraction" else 100
        return (own / whole * scale).quantize(share) == share

    def _is_of_own(self, binding: Binding, share: Derived, sentence: Sentence) -> bool:
        """Tell whether a share of what all rows have is told as one of what the row itself has."""
        if len(share.parts) >= self.sheet.height or share.parts & self.sheet.totals:
            return False
        if len(share.columns) != 1:
            return self._is_row_as_all(binding.quantity, share, sentence)
        said = OF_OWN.match(self.text, binding.quantity.end)
        if said is None or said["own"]:
            return said is not None
        led = [m for m in sentence.rows if m.full and m.start == sentence.start and m.rows & share.parts]
        return any(len(self.text[m.end : binding.quantity.start].split()) <= NEAR for m in led)

    def _is_row_as_all(self, quantity: Quantity, share: Derived, sentence: Sentence) -> bool:
        """Tell whether a part of what one row has is told as that row's part of what all have."""
        if len(share.rows) != 1:
            return False
        before, _ = neighbours(quantity, sentence)
        lead = self.text[max(before, quantity.start - REACH) : quantity.start]
        row = self._subject(sentence, before, quantity.start)
        taken = row is not None and self._is_taken(lead, quantity, sentence)
        return taken or self._is_of_all(row, quantity)

    def _comes_from(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a share is said to come from the row behind it ("8.9% of all waste came from B")."""
        cell, end = binding.cell or (-1, -1), binding.quantity.end
        named = next((m for m in sentence.rows if m.start > end and cell[0] in m.rows), None)
        if named is None or not self.text.startswith(" of ", end):
            return False
        if COMES_FROM.fullmatch(self.text, end + 3, named.start) is not None:
            return True
        if OF_WHOLE.match(self.text, end) is None:
            return False
        if DONE_IN.fullmatch(self.text, end, named.start) is not None:
            return not self._says_rate(cell[1], binding.quantity.start, end, sentence)
        done = DONE_AT.fullmatch(self.text, end, named.start)
        return done is not None and ENDS.match(self.text, named.end) is not None

    def _is_part(self, sentence: Sentence, since: int, verb: int, end: int, *, whole: bool) -> bool:
        """Tell whether the subject of "accounts for" is a row, or what the whole counts too."""
        column = next((m for m in reversed(sentence.columns) if since <= m.start and m.end <= verb), None)
        row = self._subject(sentence, since, verb)
        if column is None or (row is not None and row.start >= column.start):
            led = row is not None and LED_IN.search(self.text[max(0, row.start - 12) : row.start])
            return not (led and row is not None and self.text[row.end : verb].strip(" ,"))
        base = [m for m in sentence.columns if end < m.start < end + BASE_REACH]
        return any(m.columns & column.columns for m in base) if base else whole

    def _subject(self, sentence: Sentence, since: int, verb: int) -> Mention | None:
        """Return the row named right before a verb."""
        last = bisect_left(sentence.rows, verb, key=lambda m: m.start)
        for mention in reversed(sentence.rows[max(0, last - 4) : last]):
            gap = self.text[mention.end : verb]
            if since <= mention.start and mention.end <= verb and len(gap.split()) <= NEAR:
                return mention
        return None

    def _says_rate(self, column: int, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a clause says the rate itself outside of its base ("96% of all parcels on time")."""
        own = {word[:STEM] for word in self.sheet.label_words[column] - RATED}
        base = BASE.match(self.text, end)
        behind = self.text[base.end() if base else end : min(sentence.end, end + BASE_REACH)]
        said = split_words(f"{self.text[sentence.start : start]} {behind}")
        return not own.isdisjoint(word[:STEM] for word in said)

    def _qualifies(self, column: int, what: str) -> bool:
        """Tell whether a share is said to be of what a rate is called by ("the share of late parcels")."""
        return self.sheet.label_words[column] - RATED <= frozenset(split_words(what))

    def _says_part(self, column: int, sentence: Sentence) -> bool:
        """Tell whether a sentence says which part of a row a column tells ("e-books made up 31%")."""
        if column not in self.parts:
            return False
        return not (self.sheet.label_words[column] - RATED).isdisjoint(
            split_words(self.text[sentence.start : sentence.end])
        )

    def _is_of_whole(self, column: int) -> bool:
        """Tell whether shares are of a whole by their label ("Market share"), and of no part of a row."""
        own = self.sheet.label_words[column] - RATED
        others = (self.sheet.label_words[c] for c in range(len(self.sheet.columns)) if c != column)
        return own <= WHOLES.union(*others)

    def _holds_shares(self, column: int) -> bool:
        """Tell whether a column holds shares: by its name, or since they make a hundred percent."""
        label = self.sheet.label(column)
        if PERCENT_LABEL.fullmatch(label.strip()) or (
            SHARE_LABEL.search(label) and self._is_of_whole(column)
        ):
            return True
        values = {r: v for r, v in self.sheet.column_values(column) if r not in self.sheet.totals}
        whole = Decimal(1) if self.sheet.measured[column].carrier == "fraction" else Decimal(100)
        if _make(list(values.values()), whole):
            return True
        return any(self._by_group(values, key, whole) for key in self.sheet.keys if len(self.sheet.keys) > 1)

    def _by_group(self, values: dict[int, Decimal], key: int, whole: Decimal) -> bool:
        """Tell whether the figures of each name of a key column make the whole."""
        groups: dict[str, list[Decimal]] = {}
        for row, value in values.items():
            groups.setdefault(as_text(self.sheet.table.rows[row][key]), []).append(value)
        return len(groups) < len(values) and all(_make(found, whole) for found in groups.values())


def _make(values: Sequence[Decimal], whole: Decimal) -> bool:
    """Tell whether figures add up to a whole, as far as rounding lets them."""
    return (
        len(values) > 1 and min(values) >= 0 and abs(sum(values, Decimal(0)) / whole - 1) <= Decimal("0.03")
    )
