"""A decision model that answers, is down, is slow or talks nonsense, as the simulation draws it."""

from collections.abc import Mapping
from random import Random

from policies.judge import JudgeFault, Opinion, Request, opinion_of

NONSENSE: tuple[Mapping[str, object], ...] = (
    {},
    {"yes": 1.0},
    {"yes": "1", "no": 0.0},
    {"yes": True, "no": False},
    {"yes": 1.7, "no": -0.7},
    {"yes": float("nan"), "no": 0.5},
    {"yes": 0.95, "no": 0.95},
    {"yes": 1.0, "no": 0.0, "sure": 1.0},
)


class FakeJudge:
    """Answers through the checks that every answer of a real model takes; `allowed` counts its sure ones."""

    def __init__(self, draw: Random) -> None:
        self.chances: list[float] = []
        self._draw = draw

    def ask(self, request: Request) -> Opinion:
        kind = self._draw.choice(("down", "slow", "nonsense", "answer", "answer", "answer"))
        if kind in ("down", "slow"):
            raise JudgeFault(kind, "simulated")
        if kind == "nonsense":
            return opinion_of(request.question, self._draw.choice(NONSENSE))
        chance = round(self._draw.choice((0.0, 0.05, 0.5, 0.89, 0.9, 0.97, 1.0)), 2)
        self.chances.append(chance)
        return opinion_of(request.question, {"yes": chance, "no": 1 - chance})
