"""The reading of an open term that a team keeps."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Choice:
    """The reading a team chose for an ambiguous term. `by` is the pseudonym of who chose it.

    `definition` is the digest, `version` the version of what was chosen (empty and 0 where it has none).
    """

    team: str
    term: str
    option: str
    definition: str
    version: int
    by: str
    at: datetime
