"""What the doors ask of the house about held questions."""

from collections.abc import Sequence
from typing import Protocol

from gateway.reply import Refusal
from gateway.reviews.view import Calibration, HoldList, HoldView
from traces.records import Caller


class HoldFace(Protocol):
    """The verbs on held questions that every door shares. All of them block for moments only."""

    def list_holds(self, caller: Caller, status: str = "waiting", limit: int = 100) -> HoldList | Refusal:
        """Return the held questions that a caller may see."""
        ...

    def show_hold(self, caller: Caller, hold_id: str) -> HoldView | Refusal:
        """Return one held question with all that is needed to decide it."""
        ...

    def hold_waits(self, caller: Caller, hold_id: str) -> bool:
        """Say whether a hold that the caller may see still waits for a decision."""
        ...

    def decide_hold(
        self, caller: Caller, hold_id: str, verdict: str, reason: str, findings: Sequence[str] = ()
    ) -> HoldView | Refusal:
        """Accept, deny or take an accept back. Nothing runs."""
        ...

    def calibration(self, caller: Caller) -> Calibration | Refusal:
        """Return how far judges agreed with people."""
        ...
