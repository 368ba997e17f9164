"""Which names of columns a number could be a figure of, by its unit, and what others cut a name down to."""

from collections.abc import Iterable

from gateway.ground.lexing.cues import NTH, RANKS
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import told_by
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES, Measure, factor
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.idioms import Fitting, Idioms
from gateway.ground.table.sheet import Sheet


class ColumnNames:
    """Reads the names of columns in the sentences of one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        self.idioms = Idioms(sheet, spoken, self.fitting)
        self._placed = any(RANKS & sheet.label_words[column] for column in sheet.numeric)
        self._taking: dict[tuple[Measure, frozenset[str]], frozenset[int]] = {}
        self._names: dict[tuple[int, Measure, frozenset[str]], Fitting] = {}

    def fitting(self, quantity: Quantity, columns: Iterable[int]) -> frozenset[int]:
        """Return those columns whose unit can take a number of this measure."""
        kind = quantity.measure, quantity.currencies
        if kind not in self._taking:
            every = enumerate(self.sheet.measured)
            self._taking[kind] = frozenset(i for i, measured in every if factor(*kind, measured) is not None)
        return self._taking[kind].intersection(columns)

    def of(self, quantity: Quantity, sentence: Sentence) -> Fitting:
        """Return the names of columns in a sentence that can take a number of this measure, in order."""
        kind = sentence.start, quantity.measure, quantity.currencies
        if kind not in self._names or (
            self.idioms.rated and " per " in self.text[quantity.end : quantity.end + 40]
        ):
            whole: dict[int, frozenset[int]] = {}
            for m in sentence.columns:
                if m.full:
                    whole[m.start] = whole.get(m.start, frozenset()) | m.columns
            shared = quantity.measure == "percent"
            found = [
                (
                    m,
                    (shared and self._rates(quantity, m))
                    or self.fitting(quantity, self.idioms.meant(m, whole, sentence)),
                )
                for m in sentence.columns
                if not (self.idioms.is_rate(quantity, m) or (self._placed and self._is_place(m)))
            ]
            if self.idioms.costing:
                found = [named for named in found if not self._is_verb_of(named[0], found)]
            rates = self.idioms.rates if quantity.measure == "plain" else NOBODY
            self._names[kind] = [(mention, fit - rates or fit) for mention, fit in found if fit]
        return self._names[kind]

    def _rates(self, quantity: Quantity, mention: Mention) -> frozenset[int]:
        """Return the rates of what a verb says of a percentage ("renewed at 83%": Renewal rate)."""
        if not mention.columns <= self.sheet.counts:
            return NOBODY
        nouns = frozenset(told_by(self.text[mention.start : mention.end].lower()))
        if not nouns:
            return NOBODY
        rated = (c for c in self.sheet.numeric if self.sheet.measured[c].carrier in RATES)
        return self.fitting(quantity, (c for c in rated if self.sheet.label_words[c] & nouns))

    def _is_verb_of(self, mention: Mention, named: Fitting) -> bool:
        """Tell whether "cost" only is the verb of a figure named before it ("repairs to B cost 1,875")."""
        if not self.idioms.is_cost_verb(mention):
            return False
        led = [m for m, fit in named if m.full and m.end <= mention.start and fit - mention.columns]
        return bool(led) and PARTS.search(self.text, led[-1].end, mention.start) is None

    def _is_place(self, mention: Mention) -> bool:
        """Tell whether the word of a column of ranks only ends a place in an order ("in third place")."""
        ranks = all(RANKS & self.sheet.label_words[column] for column in mention.columns)
        return ranks and NTH.search(self.text[max(0, mention.start - 12) : mention.start]) is not None

    def countable(self, quantity: Quantity, later: Fitting) -> Fitting:
        """Leave out half names of money behind a bare number ("1,520 units")."""
        if quantity.measure != "plain":
            return later
        return [(mention, fit) for mention, fit in later if mention.full or not self._is_money(fit)]

    def _is_money(self, columns: frozenset[int]) -> bool:
        """Tell whether columns hold money, which half a name counts nothing of ("1,520 units")."""
        return all(self.sheet.measured[column].carrier == "currency" for column in columns)

    def narrowed(self, named: tuple[Mention, frozenset[int]], fitting: Fitting) -> frozenset[int]:
        """Return the columns of a name, cut down by other names nearest to it ("passengers in 2013")."""
        mention, columns = named
        beyond = PARTS.search(self.text, mention.end, mention.end + 120) if len(columns) > 1 else None
        if beyond is not None:
            fitting = [n for n in fitting if n[0].start < beyond.start() or not self._is_verb_of_next(n[0])]
        if len(columns) == 1 or self.idioms.costs_either(mention, columns):
            return columns
        for _, others in sorted(
            fitting, key=lambda other: (abs(other[0].start - mention.start), -other[0].start)
        ):
            columns = columns & others or columns
        return columns

    def _is_verb_of_next(self, mention: Mention) -> bool:
        """Tell whether half a name stands right before a number of its own ("and allowed 35")."""
        return not mention.full and self.text[mention.end : mention.end + 2].lstrip()[:1].isdigit()
