"""What the doors ask of the house about whether its records are whole."""

from collections.abc import Sequence
from typing import Protocol

from gateway.reply import Refusal, Verification
from traces.records import Caller, Receipt


class VerifyFace(Protocol):
    """The verb over the log itself. It reads all of it, so it may take its time."""

    def verify_traces(self, caller: Caller, receipts: Sequence[Receipt] = ()) -> Verification | Refusal:
        """Check every log byte for byte, for who has the right `verify`."""
        ...
