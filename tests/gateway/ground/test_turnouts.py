"""Votes cast, voters on the roll and majorities: rows that are nobody's votes."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

SEAT = result(
    "Party, Candidate, Votes:, %:, +:",
    ("Whig", "Henry Moss", 412, 54.9, None),
    ("Tory", "Giles Fenn", 339, 45.1, None),
    ("Majority", "Majority", 73, 9.7, None),
    ("Turnout", "Turnout", 751, 71.2, None),
    ("Registered electors", "Registered electors", 1055, None, None),
)
LIST = result(
    "Party, Votes:, %:, Seats:",
    ("People's Union", 3811204, 97.4, 180),
    ("Against", 4210, 0.1, None),
    ("Invalid/blank votes", 98100, 2.5, None),
    ("Total", 3913514, 100, 180),
    ("Registered voters/turnout", 4420118, 88.5, None),
)

ABOUT = {id(SEAT): "1841 Marlow by-election", id(LIST): "1951 Vardar parliamentary election — Results"}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SEAT, "751 votes were cast while the number of registered electors was 1,055."),
        (SEAT, "Moss received 412 votes out of a total of 751 and his majority was 73 votes."),
        (SEAT, "Henry Moss won 412 of the 751 votes cast."),
        (SEAT, "Fenn polled 339 out of 751 votes."),
        (SEAT, "Henry Moss won by a margin of 73 votes."),
        (SEAT, "There were 1,055 registered electors and turnout was 71.2%."),
        (SEAT, "751 people voted, a turnout of 71.2%."),
        (SEAT, "A total of 751 votes were cast."),
        (
            LIST,
            "Almost 4 million people turned out to vote and only 4,210 of them voted "
            "against, while another 98,100 ballots were invalid or blank.",
        ),
        (LIST, "Over 3.9 million people turned out to vote."),
        (LIST, "Some 3.91 million people went to the polls."),
        (LIST, "3,913,514 votes were cast, of which 98,100 were invalid."),
        (LIST, "Of the 3,913,514 ballots cast, 98,100 were invalid or blank."),
        (LIST, "The People's Union won 180 seats with 97.4% of the vote; turnout was 88.5%."),
        (LIST, "Of 4,420,118 registered voters, 3,913,514 cast a ballot."),
    ],
)
def test_what_is_said_of_voters_is_their_row(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SEAT, "1,055 votes were cast while the number of registered electors was 751."),
        (SEAT, "412 votes were cast."),
        (SEAT, "Moss received 412 votes out of a total of 1,055 and his majority was 73 votes."),
        (SEAT, "Moss received 412 votes out of a total of 751 and his majority was 339 votes."),
        (SEAT, "Moss received 412 votes out of a total of 339."),
        (SEAT, "Henry Moss won 412 of the 412 votes cast."),
        (SEAT, "Giles Fenn won by a margin of 73 votes."),
        (SEAT, "751 people voted, a turnout of 54.9%."),
        (SEAT, "A total of 1,055 votes were cast."),
        (
            LIST,
            "Almost 4 million people turned out to vote and only 98,100 of them voted "
            "against, while another 4,210 ballots were invalid or blank.",
        ),
        (LIST, "Almost 3.9 million people turned out to vote."),
        (LIST, "Some 4.42 million people went to the polls."),
        (LIST, "4,420,118 votes were cast, of which 98,100 were invalid."),
        (LIST, "The People's Union won 180 seats with 97.4% of the vote; turnout was 97.4%."),
    ],
)
def test_another_row_is_not_the_voters(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
