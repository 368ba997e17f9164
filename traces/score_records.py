"""A reference-free score as a closing record keeps it: figures, codes and hashes, and no text."""

from typing import Literal

from metric_layer.record import Record


class StefMark(Record):
    """How far a query was what its plan asks for, from 0 to 100, with everything the score is made of.

    `missing`, `contradicted`, `extras`, `benign` and `waived` count filters and rules. `judge` names who gave
    the verdict, `rules` is the hash of the rulebook: marks of two judges or rulebooks do not compare.
    """

    score: float
    band: Literal["excellent", "good", "marginal", "poor"]
    base: int
    boost: int
    multiplier: float
    alignment: Literal["fully_applied", "fully_applied_with_extras", "partially_applied", "not_applied"]
    vacuous: bool = False
    missing: int = 0
    contradicted: int = 0
    extras: int = 0
    benign: int = 0
    verdict: Literal["correct", "likely_correct", "potentially_incorrect", "incorrect"]
    confidence: float
    waived: int = 0
    judge: str
    rules: str
