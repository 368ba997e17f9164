"""What a row of the table of constructs says, and the advice that several rows share."""

from typing import Literal, NamedTuple

Level = Literal["error", "degraded", "info"]

STATE_TYPE = "Write the column's real type before you certify what rests on it."
AS_COLUMN = "Make it a column of the table or view, then import again."
AS_VIEW = "Put the query into a reviewed view, then import again."


class Construct(NamedTuple):
    """A thing that is not kept as it is. `outcome` is the sentence of its line in a report."""

    format: str
    what: str
    level: Level
    outcome: str
    step: str = ""


class Kept(NamedTuple):
    """A thing that is kept, and what it becomes."""

    format: str
    what: str
    becomes: str
