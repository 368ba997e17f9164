"""What the words of a clause deny: rates told as shares, running totals as a month's, sums as each one's."""

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.rates_told import RatesTold
from gateway.ground.sentence.spread import USUALLY, Spread
from gateway.ground.table.sheet import CellAt
from gateway.ground.turns.levels import Levels
from gateway.ground.turns.measures_told import MeasuresTold
from gateway.ground.turns.opposites import Opposites
from gateway.ground.turns.paces import Paces
from gateway.ground.turns.poles import Poles
from gateway.ground.turns.shares_of_events import SharesOfEvents
from gateway.ground.turns.silent_losses import SilentLosses
from gateway.ground.turns.to_date import ToDate
from gateway.ground.turns.whole_shares import WholeShares

SHARED = ("percent", "fraction")


class Denied:
    """Reads what is said of the numbers of one text that their cells cannot be, over one sheet."""

    def __init__(self, names: Names, spoken: Spoken) -> None:
        """Stand on the names of a sheet and a text."""
        sheet = names.sheet
        self.sheet = sheet
        self.text = spoken.text
        self.spread = Spread(names, spoken.text)
        self.shares = WholeShares(sheet, spoken)
        self.rates_told = RatesTold(sheet, spoken.text)
        self.to_date = ToDate(sheet, spoken)
        self.opposites = Opposites(sheet, spoken)
        self.levels = Levels(sheet, spoken)
        self.measures = MeasuresTold(names, spoken.text)
        paces = Paces(names, spoken)
        poles = Poles(sheet, spoken)
        silent = SilentLosses(sheet, spoken.text)
        events = SharesOfEvents(sheet, spoken.text)
        told = (
            (self.to_date.deny, self.to_date.columns),
            (self.opposites.deny, self.opposites.groups),
            (self.levels.deny, self.levels.stocks),
            (silent.deny, silent.columns),
            (events.deny, events.events),
            (self.measures.deny, self.measures.kinds),
            (paces.deny, paces.about),
            (poles.deny, poles.columns),
        )
        self._denials = [deny for deny, about in told if about]

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number by what its clause says of it: a running total, a share of all."""
        if self.to_date.columns:
            place = self.to_date.placed(quantity, sentence, place)
        if self.measures.plans:
            place = self.measures.placed(quantity, sentence, place)
        if quantity.measure != "percent":
            return place
        return self.shares.placed(quantity, sentence, place)

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the words around a number say of it what its source is not."""
        if binding.cell is None:
            return self._denies_derived(binding, sentence)
        if binding.quantity.measure in SHARED and (
            self.shares.deny(binding, sentence)
            or self.rates_told.denies(binding.quantity, binding.cell[1], sentence)
        ):
            return True
        return bool(self._denials) and any(deny(binding, sentence) for deny in self._denials)

    def _part(self, derived: Derived) -> CellAt:
        """Return a cell that a share or a sum is of: of two columns of a row, the smaller is the part."""
        row = min(derived.parts or derived.rows)
        figures = {column: self.sheet.number(row, column) for column in sorted(derived.columns)}
        return row, min(figures, key=lambda column: figures[column] or 0)

    def _denies_derived(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a total is told as what each has that it is over, or a share as one of its own."""
        derived, every = binding.derived, frozenset(range(self.sheet.height))
        if derived is not None and derived.op in ("share", "sum") and self.opposites.groups:
            told = binding._replace(cell=self._part(derived))
            if self.opposites.deny(told, sentence):
                return True
        if derived is not None and derived.op == "share":
            return self.shares.deny(binding, sentence)
        usually = USUALLY.search(self.text, sentence.start, sentence.end)
        if derived is not None and derived.op == "mean" and usually:
            return False
        if derived is not None and derived.op in ("sum", "mean"):
            return self.spread.is_of_each(binding.quantity, sentence, derived.rows, derived.columns)
        if derived is None and binding.implicit.startswith("sum("):
            columns = binding.place.columns or frozenset()
            return self.spread.is_of_each(binding.quantity, sentence, every, columns)
        return False
