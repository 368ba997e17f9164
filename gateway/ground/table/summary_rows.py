"""Rows that sum up the others by their name: totals, turnout, votes that did not count."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise

NAMES = frozenset(
    (
        "overall", "overall total", "all", "sum", "career", "career total", "majority", "plurality",
        "turnout", "electorate", "registered electors", "registered voters", "eligible voters",
        "valid votes", "invalid votes", "blank votes", "spoilt votes",
        "spoiled votes", "spoilt ballots", "spoiled ballots", "informal votes", "rejected votes",
        "rejected ballots", "total rejected ballots", "total invalid votes", "votes cast", "ballots cast",
        "voter turnout", "total electorate", "electors", "total polled", "polled", "votes polled",
        "total votes polled", "polled votes", "abstentions", "did not vote",
    )
)  # fmt: skip
# What such a name may begin with before a bar ("Invalid/blank votes"), and a name of its own elsewhere.
BEGINS = frozenset(("registered", "valid", "invalid", "blank", "rejected", "spoilt", "eligible"))
# The whole that parts are of: "Total", "Grand total (2)", "Total votes cast".
WHOLE = re.compile(
    r"(?:(?:grand|overall)\s)?totals?(?:\s(?:number\sof\s)?(?:valid\s|formal\s)?(?:votes?|ballots?|seats?|members|population)"
    r"(?:\scast)?)?|all|sum|overall|valid\svotes",
    re.IGNORECASE,
)
# Notes behind a name: marks, and more about a total ("Total (turnout 94%)").
NOTES = re.compile(
    r"(?:\s?[(\[]\w{1,2}[)\]]|(?<=[Tt]otal)\s\((?:turnout|of\s|incl|excl)[^()]{0,40}\)|[*\u2020\u2021:])+\Z"
)


def sums_up(names: Iterable[str]) -> bool:
    """Tell whether one of a row's names says that it sums up others ("Invalid/blank votes")."""
    for name in names:
        parts = [part.strip() for part in NOTES.sub("", name).strip().lower().split("/")]
        if any(map(_is_sum, parts)) and all(part in BEGINS or _is_sum(part) for part in parts):
            return True
    return False


def is_of_all(names: Iterable[str]) -> bool:
    """Tell whether a row's names say nothing but that it sums up others ("Career total", and no club)."""
    return all(sums_up([name]) for name in names if name.strip(" -"))


def runs_up(figures: Sequence[Decimal]) -> bool:
    """Tell whether figures run up from nothing, each above the one before ("0, 12, 40 km")."""
    return len(figures) > 2 and not figures[0] and all(a < b for a, b in pairwise(figures))


def is_whole(names: Iterable[str]) -> bool:
    """Tell whether one of a row's names says that it is the whole that the others are parts of."""
    return any(WHOLE.fullmatch(NOTES.sub("", name).strip()) is not None for name in names)


def _is_sum(said: str) -> bool:
    return said in NAMES or WHOLE.fullmatch(said) is not None
