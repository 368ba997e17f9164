"""What the words of a clause deny: rates told as shares, running totals as a month's, sums as each one's."""

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.spread import USUALLY, Spread
from gateway.ground.turns.levels import Levels
from gateway.ground.turns.opposites import Opposites
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
        self.to_date = ToDate(sheet, spoken)
        self.opposites = Opposites(sheet, spoken)
        self.levels = Levels(sheet, spoken)
        silent = SilentLosses(sheet, spoken.text)
        told = (
            (self.to_date.deny, self.to_date.columns),
            (self.opposites.deny, self.opposites.groups),
            (self.levels.deny, self.levels.stocks),
            (silent.deny, silent.columns),
        )
        self._denials = [deny for deny, about in told if about]

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number by what its clause says of it: a running total, a share of all."""
        if self.to_date.columns:
            place = self.to_date.placed(quantity, sentence, place)
        if quantity.measure != "percent":
            return place
        return self.shares.placed(quantity, sentence, place)

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the words around a number say of it what its source is not."""
        if binding.cell is None:
            return self._denies_derived(binding, sentence)
        if binding.quantity.measure in SHARED and self.shares.deny(binding, sentence):
            return True
        return bool(self._denials) and any(deny(binding, sentence) for deny in self._denials)

    def _denies_derived(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a total is told as what each has that it is over, or a share as one of its own."""
        derived, every = binding.derived, frozenset(range(self.sheet.height))
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
