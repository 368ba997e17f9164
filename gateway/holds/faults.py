"""Why a hold cannot be decided now; each is one answer to the one who tried."""


class NotDecidable(Exception):
    """A hold cannot be decided. `hold_id` names it."""

    code = "not_decidable"

    def __init__(self, hold_id: str, message: str) -> None:
        """Keep the id beside the message."""
        super().__init__(message)
        self.hold_id = hold_id


class UnknownHold(NotDecidable):
    """No hold has that id."""

    code = "unknown_hold"


class AlreadyDecided(NotDecidable):
    """Somebody was quicker, or this person decided before; a hold is decided once."""

    code = "already_decided"


class HoldExpired(NotDecidable):
    """The hold's time is over, which counts as denied."""

    code = "hold_expired"


class OwnQuestion(NotDecidable):
    """The asker cannot decide what they asked."""

    code = "own_question"


class UnknownFinding(NotDecidable):
    """The decision names a finding that the hold has not."""

    code = "unknown_finding"
