"""What a question said, gathered piece by piece: names with their roles, periods, order, and faults."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gateway.intake.outcome import Explained, ExplainedAs, Problem
from gateway.intake.pieces import Laid, Piece
from metric_layer.asked_periods import Phrase
from metric_layer.plan import Grain


@dataclass(frozen=True, slots=True)
class Kept:
    """A value of a dimension that rows must have, or must not have."""

    dimension: str
    value: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Stranger:
    """Unexplained words at a place among the pieces, and the operator that governs them."""

    place: int
    governing: str


@dataclass
class Said:
    """The parts of a question. Lists keep the order of mention; nothing is judged here."""

    laid: Laid
    metrics: list[str] = field(default_factory=list)
    breakdown: list[str] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    windows: list[Phrase] = field(default_factory=list)
    joined: bool = False
    compared: list[Phrase] = field(default_factory=list)
    grains: list[Grain] = field(default_factory=list)
    by_fiscal_word: bool = False
    direction: str = ""
    limit: int = 0
    ranked: bool = False
    order_metrics: list[str] = field(default_factory=list)
    order_dimension: str = ""
    flags: set[str] = field(default_factory=set)
    everything: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    movement: str = ""
    strangers: list[Stranger] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    explained: list[Explained] = field(default_factory=list)

    def explain(self, piece: Piece, kind: ExplainedAs, name: str) -> None:
        """Note what a piece was read as."""
        start, end = self.laid.span(piece)
        said = self.laid.text[start:end]
        self.explained.append(Explained(text=said, start=start, end=end, kind=kind, name=name))

    def ask(self, reason: str, term: str, options: Iterable[str] = (), near: Iterable[str] = ()) -> None:
        """Note a question back."""
        problem = {"action": "ask", "reason": reason, "term": term}
        self.problems.append(
            Problem.model_validate({**problem, "options": tuple(options), "near": tuple(near)})
        )

    def abstain(self, reason: str, term: str, near: Iterable[str] = ()) -> None:
        """Note what is missing."""
        self.problems.append(
            Problem.model_validate({"action": "abstain", "reason": reason, "term": term, "near": tuple(near)})
        )

    @property
    def has_metric(self) -> bool:
        """Tell whether a metric was named, if only by a word that may mean several."""
        return bool(self.metrics) or any(each.reason == "ambiguous_metric" for each in self.problems)

    @property
    def leads_on(self) -> bool:
        """Tell whether the question opens with "and"."""
        return bool(self.laid.pieces) and self.laid.pieces[0].code == "and"

    @property
    def adds(self) -> bool:
        """Tell whether a follow-up adds to the plan before it ("also", "plus the South")."""
        opens = self.laid.pieces[0].text.lower() if self.leads_on else "and"
        return "add" in self.flags or opens not in ("and", "or", "and the")

    @property
    def says_anything(self) -> bool:
        """Tell whether a follow-up changes anything at all."""
        changes = (self.explained, self.dropped, self.everything, self.grains, self.direction)
        return any(changes) or bool(self.flags & {"overall", "separately", "everywhere"})
