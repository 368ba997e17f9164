"""The row of those who voted ("Turnout", else "Total votes"), and how it is said: "751 votes were cast"."""

import re
from collections.abc import Iterator
from decimal import Decimal

from gateway.ground.table.summary_rows import NOTES

VOTED = re.compile(
    r"(?:voter\s)?turnout|(?:total\s)?(?:(?:votes|ballots)\s)?(?:cast|polled)|voters?\svoting", re.IGNORECASE
)
HUNDRED = Decimal(100)
# Stems of what is counted.
OF_VOTES = frozenset(("vote", "ballot"))
SAID = (
    "votes cast", "votes were cast", "vote cast", "ballots cast", "ballots were cast", "cast a ballot",
    "cast a vote", "cast their ballots", "cast their votes", "cast ballots", "turned out",
    "turned out to vote",
    "went to the polls", "people turned out", "people turned out to vote", "voters turned out",
    "voting", "votes polled", "votes were polled", "voters went to the polls",
    "people went to the polls", "people voted", "voters voted", "electors voted",
)  # fmt: skip


ROLL = re.compile(
    r"(?:total\s)?(?:(?:registered|enrolled|eligible)\s(?:electors|voters)|electors|electorate)|electoral\s(?:roll|register)",
    re.IGNORECASE,
)
ON_ROLL = (
    "on the electoral roll", "on the electoral register", "on the electoral rolls",
    "on the roll", "on the rolls",
    "people on the electoral roll", "people on the electoral register", "registered voters",
    "registered electors",
    "voters registered", "electors registered", "registered to vote", "eligible to vote", "entitled to vote",
    "eligible voters", "enrolled voters", "voters enrolled", "enrolled to vote",
)  # fmt: skip


def is_roll(name: str) -> bool:
    """Tell whether a row is called by those who may vote."""
    return ROLL.fullmatch(NOTES.sub("", name).strip()) is not None


def is_turnout(name: str) -> bool:
    """Tell whether a row is called by those who voted."""
    return VOTED.fullmatch(NOTES.sub("", name).strip()) is not None


def is_count(figure: Decimal | None, *, whole: bool) -> bool:
    """Tell whether a figure counts votes; `whole` says that its column holds whole numbers only."""
    return figure is not None and (whole or (figure == figure.to_integral_value() and figure > HUNDRED))


def ways_to_say(voted: bool, words: frozenset[str]) -> Iterator[str]:
    """Yield what is said of the row of those who voted; `words` are stems of the labels of figures."""
    if voted or not OF_VOTES.isdisjoint(words):
        yield from SAID
