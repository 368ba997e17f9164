"""Who beat whom by which figures, who was ahead, the first few of a list, and who turned out to vote."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

MAYOR = result(
    "Party, Candidate, Votes:, %:percent",
    ("Nonpartisan", "Dora Finch", 9120, 50.4),
    ("Nonpartisan", "Hal Prior", 8871, 49.0),
    ("Write-in", "Write-in", 110, 0.6),
    ("Turnout", "Turnout", 18101, None),
)
RACE = result(
    "Party, Candidate, Votes:, %:percent",
    ("Green", "Ada Monk", 41000, 41.0),
    ("Green", "Ben Ost", 30000, 30.0),
    ("Green", "Cy Pratt", 20000, 20.0),
    ("Green", "Dee Quill", 9000, 9.0),
)
NATION = result(
    "Candidate, Party, Votes:, %:percent",
    ("Ida Berg", "Unity", 512004, 61.2),
    ("Nils Dahl", "Reform", 324880, 38.8),
    ("Valid votes", "Valid votes", 836884, 100.0),
    ("Rejected votes", "Rejected votes", 9116, None),
    ("Total polled", "Total polled", 846000, None),
    ("Registered electors", "Registered electors", 1128000, None),
    ("Turnout", "Turnout", None, 75.0),
)
WARD = result(
    "Ethnic group, Population:, %:percent",
    ("Nordic", 20110, 40.2),
    ("Slavic", 14020, 28.0),
    ("Baltic", 8010, 16.0),
    ("Celtic", 5030, 10.1),
    ("Iberian", 2860, 5.7),
    ("Total population", 50030, 100.0),
)
FILMS = result(
    "Year, Title, Role",
    ("1971", "Red Harbour", "Miguel"),
    ("1971", "Doc Adler", "Bill"),
    ("1971", "Captain Sorrow", "-"),
    ("1973", "Noon Again", "Hand"),
)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (MAYOR, "In 2009, Prior was defeated by Dora Finch by a total of 9,120 votes to 8,871."),
        (MAYOR, "Hal Prior was narrowly beaten by Dora Finch, 50.4% to 49.0%."),
        (MAYOR, "Finch defeated Prior by a count of 9,120 votes (50.4%) to 8,871 (49%)."),
        (RACE, "Cy Pratt came third with 20.0% of the vote, with Ada Monk and Ben Ost ahead of him."),
        (NATION, "Turnout was 75%, with 846,000 voting out of the 1,128,000 voters registered."),
        (WARD, "The three largest ethnic groups are Nordic (40.2%), Slavic (28%) and Baltic (16%)."),
        (WARD, "The top two ethnic groups are Nordic and Slavic."),
        (WARD, "The two smallest ethnic groups are Celtic and Iberian."),
        (FILMS, "In 1971 he appeared in three films: Red Harbour, Doc Adler and Captain Sorrow."),
    ],
)
def test_sides_places_and_lists_of_the_table_pass(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (MAYOR, "In 2009, Prior was defeated by Dora Finch by a total of 8,871 votes to 9,120."),
        (MAYOR, "Dora Finch was defeated by Prior by a total of 9,120 votes to 8,871."),
        (MAYOR, "Hal Prior was narrowly beaten by Dora Finch, 49.0% to 50.4%."),
        (MAYOR, "Finch defeated Prior by a count of 8,871 votes (49%) to 9,120 (50.4%)."),
        (MAYOR, "Finch defeated Prior by a count of 9,120 votes (49%) to 8,871 (50.4%)."),
        (RACE, "Cy Pratt came third with 30.0% of the vote, with Ada Monk and Ben Ost ahead of him."),
        (RACE, "Cy Pratt came second with 20.0% of the vote, with Ada Monk ahead of him."),
        (RACE, "Cy Pratt came third with 20.0% of the vote, with Ada Monk and Dee Quill ahead of him."),
        (NATION, "Turnout was 75%, with 1,128,000 voting out of the 846,000 voters registered."),
        (NATION, "Turnout was 75%, with 836,884 voting out of the 1,128,000 voters registered."),
        (NATION, "Turnout was 61.2%, with 846,000 voting."),
        (WARD, "The three largest ethnic groups are Nordic (40.2%), Slavic (28%) and Celtic (10.1%)."),
        (WARD, "The four largest ethnic groups are Nordic (40.2%), Slavic (28%) and Baltic (16%)."),
        (WARD, "The three largest ethnic groups are Nordic (28%), Slavic (40.2%) and Baltic (16%)."),
        (WARD, "The top two ethnic groups are Nordic and Baltic."),
        (WARD, "The two smallest ethnic groups are Nordic and Slavic."),
        (FILMS, "In 1971 he appeared in 3 films: Red Harbour, Doc Adler and Captain Sorrow."),
        (FILMS, "In 1971 he appeared in four films: Red Harbour, Doc Adler and Captain Sorrow."),
    ],
)
def test_swapped_sides_wrong_places_and_lists_block(table: Table, draft: str) -> None:
    assert not passes(draft, table)
