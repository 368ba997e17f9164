"""Where a reading stands: the pieces, the operator that governs, what has been said so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.ground.lexing.lexicon import words
from gateway.intake.pieces import Laid, Piece
from gateway.intake.prepared import Meaning, Prepared
from gateway.intake.said import Said
from metric_layer.plan import Grain

GRAINS: Mapping[str, tuple[Grain, Grain]] = {
    "day": ("day", "day"),
    "week": ("week", "week"),
    "month": ("month", "month"),
    "quarter": ("quarter", "fiscal_quarter"),
    "year": ("year", "fiscal_year"),
    "fiscal_quarter": ("fiscal_quarter", "fiscal_quarter"),
    "fiscal_year": ("fiscal_year", "fiscal_year"),
    "calendar_quarter": ("quarter", "quarter"),
    "calendar_year": ("year", "year"),
}
TAKES_AWAY = frozenset(("drop", "instead_of"))
OBJECTS_OF = {
    "not": words("value unknown number ambiguous unsupported metric"),
    "by": words("dimension value unit unknown number metric ambiguous period"),
    "versus": words("period value metric ambiguous unknown number unsupported"),
    "order": words("metric ambiguous dimension unit unknown top bottom"),
}
VERBS = words("show shows give display list use make see tell get take want need put")


@dataclass
class Walk:
    """One reading, from left to right. `items` are the pieces without the empty words.

    `governing` is the operator whose object comes next; it lasts over a list. `waiting` is an operator that
    has no object yet, `excluded` the dimension of the last value left out, `chosen` what each name was
    taken for; `split_metrics` how many metrics were named before the first breakdown.
    """

    laid: Laid
    words: Prepared
    said: Said
    items: tuple[Piece, ...]
    after_verb: frozenset[int]
    governing: str = ""
    waiting: Piece | None = None
    excluded: str = ""
    split_metrics: int = 0
    chosen: dict[int, Meaning] = field(default_factory=dict)

    def beside(self, place: int, step: int) -> Piece | None:
        """Return the next or previous piece, signs skipped."""
        place += step
        while 0 <= place < len(self.items):
            if self.items[place].kind != "sign":
                return self.items[place]
            place += step
        return None

    def touching(self, place: int, step: int) -> Piece | None:
        """Return the piece right beside, signs included."""
        place += step
        return self.items[place] if 0 <= place < len(self.items) else None

    def code_beside(self, place: int, step: int) -> str:
        """Return the operator right before or behind; empty where another piece stands."""
        piece = self.beside(place, step)
        return piece.code if piece is not None else ""

    def lead(self, place: int) -> str:
        """Return the words of the last operator before a place that leads a name in; empty without one."""
        before = [each for each in self.items[:place] if each.code in ("in", "by", "not")]
        return before[-1].text.lower() if before else ""

    def ask_waiting(self) -> None:
        """Ask about an operator with nothing behind it: leaving it out would change the question."""
        if self.waiting is not None:
            self.said.ask("ambiguous_value", self.waiting.text)
        self.waiting = None

    def meet(self, kinds: frozenset[str]) -> None:
        """Give the waiting operator its object; ask where it can have none of the kind ("not last month")."""
        waiting = self.waiting
        if waiting is not None and waiting.code in OBJECTS_OF and not kinds & OBJECTS_OF[waiting.code]:
            self.ask_waiting()
        self.waiting = None

    def grain(self, piece: Piece, name: str) -> None:
        """Split by time."""
        grain = GRAINS[name][self.words.rules.default_calendar == "fiscal"]
        self.said.by_fiscal_word = self.said.by_fiscal_word or "_" in name
        self.said.grains.append(grain)
        self.said.explain(piece, "grain", grain)

    def rank(self, piece: Piece) -> None:
        """Rank what was just named; a name in the singular is one row: "which store had the highest"."""
        self.said.flags.add("rank_target")
        if not piece.plural and not self.said.limit:
            self.said.flags.add("one_row")
        self.governing = ""

    def split(self, name: str, piece: Piece) -> None:
        """Split by a dimension."""
        said = self.said
        if said.breakdown and 0 < self.split_metrics < len(said.metrics):
            said.ask(
                "ambiguous_metric", said.metrics[-1], said.metrics
            )  # "sales by store, baskets by channel"
        elif not said.breakdown:
            self.split_metrics = len(said.metrics)
        if name not in said.breakdown:
            said.breakdown.append(name)
        self.said.explain(piece, "dimension", name)

    def take_away(self, place: int, name: str) -> None:
        """Note what is to be left out of the plan before; a sign ends the list."""
        self.said.dropped.append(name)
        after = self.touching(place, 1)
        if after is not None and after.kind == "sign":
            self.governing = ""


def start(laid: Laid, prepared: Prepared) -> Walk:
    """Return a reading that has not begun."""
    items = tuple(piece for piece in laid.pieces if piece.kind != "empty")
    verbs = [p.after for p in laid.pieces if p.kind == "empty" and p.text.lower() in VERBS]
    behind = (next((n for n, piece in enumerate(items) if piece.first >= after), -1) for after in verbs)
    return Walk(laid, prepared, Said(laid), items, frozenset(behind))
