"""Firsts and lasts by their days, names and times in order, who is ahead by the figures told, differences."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result
from traces.records import Table

RELEASES = result(
    "Country, Date, Format, Label",
    ("Canada", "2 May 2008", "CD", "Maplewood"),
    ("Ireland", "9 May 2008", "CD", "Quay"),
    ("Canada", "30 August 2019", "LP", "Maplewood Vinyl"),
)
FILMS = result(
    "Year, Title, Role, Language, Notes",
    ("1999", "Low Tide", "Mo", "Dutch", "Short film"),
    ("2002", "Stone Bridge", "Anna", "Dutch", "-"),
    ("2004", "Stone Bridge II", "Anna", "German", "-"),
    ("2009", "White Acre", "Vera", "German", "-"),
)
SHIPS = result(
    "Name, Laid down, Launched, Commissioned",
    ("Heron", "4 June 1931", "8 July 1933", "2 March 1935"),
    ("Black Heron", "9 August 1932", "1 May 1934", "6 October 1936"),
)
MEMBERS = result(
    "Election, Member, Party",
    ("1968", "Ada Storr", "Labour"),
    ("1979", "Ben Ould", "Unity"),
    ("2001", "Cora Venn", "Labour"),
)
RALLY = result(
    "-, Pilot, Aircraft, Points (of this landing)",
    ("1.", "Iris Holm", "Moth", "284 (70)"),
    ("2.", "Paul Rees", "Monocoupe", "281 (75)"),
    ("3.", "Jan Vos", "Avian", "266 (60)"),
)
SWIM = result(
    "Lane:, Name, Nation, Final time",
    (4, "Lena Kirk", "Ireland", "58.31"),
    (6, "Ana Ruiz", "Spain", "58.90"),
    (1, "Mia Berg", "Norway", "1:00.02"),
)
SONGS = result(
    "Draw:, Artist, Points:",
    (1, "Ottel", 131),
    (2, "Mira Sand", 148),
    (3, "Duo Vasco", 60),
)
VOTE = result(
    "Party, Candidate, Votes, %, ±",
    ("Labour", "Tom McReady", "20,114", "52.4", "N/A"),
    ("Unity", "Ann Vale-Moor", "18,270", "47.6", "N/A"),
    ("Majority", "Majority", "1,844", "4.8", "N/A"),
    ("-", "Labour hold", "Swing", "-", "N/A"),
)
TONNAGE = result(
    "Date, Name, Nationality, Tonnage, Fate",
    ("3 May 1917", "Elsa Lind", "Sweden", "1,310", "Sunk"),
    ("5 May 1917", "Bittern", "United Kingdom", "412", "Sunk"),
    ("8 June 1917", "San Roque", "Spain", "2,876", "Damaged"),
)
MEETS = result(
    "Year, Meet, Event, Result",
    ("2003", "Bern Games", "400 m hurdles", "49.10"),
    ("2003", "Bern Games", "4 × 400 m relay", "3:05.20"),
    ("2006", "Lund Cup", "400 m hurdles", "48.77"),
)
CAREER = result("Team, P:, W:, Win %:", ("Orwell", 80, 36, 45.0), ("Orwell B", 40, 22, 55.0))
CHARTS = result(
    "Year, Single, Album, Peak US:, Peak UK:",
    ("1988", "Amber", "Dust", 14, 3),
    ("1990", "Cobalt", "Dust", None, 40),
    ("1991", "Dune", "Salt", 9, 11),
)

CAPTAINS = result(
    "Captain, From, To",
    ("John Moor", "12 May 1801", "3 June 1804"),
    ("Henry Ash", "4 June 1804", "19 October 1806"),
    ("Samuel Ashby", "2 November 1806", "30 January 1810"),
)
FINALS = result(
    "Year, Champion, Runner-up, Score",
    ("2004", "Aldo Rios", "Marc Vidal", "6–4, 6–3"),
    ("2005", "Marc Vidal", "Tom Hale", "7–5, 6–2"),
    ("2006", "Tom Hale", "Aldo Rios", "6–1, 6–2"),
)
BRIDGES = result(
    "Bridge, Opened, Length", ("Norval Bridge", "1931", "412 m"), ("Tolbury Viaduct", "1862", "268 m")
)
STAGE = result(
    "Year, Production, Role, Venue",
    ("2003", "Old Money", "Freddie", "Royal Court"),
    ("2003–04", "Old Money", "Freddie", "Westgate"),
    ("2011", "Tempest Hour", "Duke", "Pier Theatre"),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            CAPTAINS,
            "The ship's first captain was John Moor, who took command on 12 May 1801.",
            "The ship's first captain was Henry Ash, who took command on 4 June 1804.",
        ),
        (
            CAPTAINS,
            "Ash and Ashby took command on 4 June 1804 and 2 November 1806, respectively.",
            "Ash and Ashby took command on 2 November 1806 and 4 June 1804, respectively.",
        ),
        (FINALS, "In 2006, Tom Hale defeated Rios 6–1, 6–2.", "In 2006, Tom Hale defeated Rios 7–5, 6–2."),
        (FINALS, "Vidal won the title in 2005.", "Vidal won the title in 2006."),
        (
            BRIDGES,
            "Norval Bridge (412 m) is longer than Tolbury Viaduct (268 m).",
            "Tolbury Viaduct (268 m) is longer than Norval Bridge (412 m).",
        ),
        (SHIPS, "Heron was laid down on 4 June 1931.", "Heron was laid down on 8 July 1933."),
        (
            FILMS,
            "Stone Bridge, her debut film, came out in 2002.",
            "White Acre, her debut film, came out in 2009.",
        ),
        (
            STAGE,
            "He reprised his role as Freddie from 2003 in Old Money at the Westgate.",
            "He reprised his role as Freddie from 2003 in Tempest Hour at the Westgate.",
        ),
    ],
)
def test_days_before_1900_scores_sizes_and_deeds_are_of_their_row(
    table: Table, true: str, false: str
) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            RELEASES,
            "It was first released on 2 May 2008 by Maplewood in Canada.",
            "It was first released on 30 August 2019 by Maplewood in Canada.",
        ),
        (
            RELEASES,
            "It was first released in Ireland on 9 May 2008.",
            "It was first released on 9 May 2008 in Ireland by Quay.",
        ),
        (
            RELEASES,
            "The most recent release was on 30 August 2019.",
            "The most recent release was on 9 May 2008.",
        ),
        (
            FILMS,
            "Her first German film was Stone Bridge II in 2004.",
            "Her first German film was White Acre in 2009.",
        ),
        (FILMS, "Her first film was Stone Bridge in 2002.", "Her first film was White Acre in 2009."),
        (FILMS, "She made her debut in Low Tide in 1999.", "She made her debut in White Acre in 2009."),
        (FILMS, "Her last film, White Acre, came out in 2009.", "Her last film, Low Tide, came out in 1999."),
        (
            SHIPS,
            "Heron was the first ship to be commissioned, on 2 March 1935.",
            "Black Heron was the first ship to be commissioned, on 6 October 1936.",
        ),
        (MEMBERS, "The current member is Cora Venn.", "The current member is Ben Ould."),
    ],
)
def test_a_first_or_last_agrees_with_the_days_of_the_rows(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    "said",
    [
        "Her first leading role was in White Acre in 2009.",
        "In 2009 she gave her last performance, in White Acre.",
        "She first appeared as Vera in 2009.",
    ],
)
def test_a_first_of_a_kind_that_no_cell_tells_stays_open(said: str) -> None:
    assert passes(said, FILMS)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            FILMS,
            "She played Anna in Stone Bridge and Stone Bridge II, released in 2002 and 2004, respectively.",
            "She played Anna in Stone Bridge and Stone Bridge II, released in 2004 and 2002, respectively.",
        ),
        (
            FILMS,
            "Stone Bridge and Stone Bridge II came out in 2002 and 2004.",
            "Stone Bridge and Stone Bridge II came out in 2004 and 2002.",
        ),
        (
            FILMS,
            "Released in 2002 and 2009 were Stone Bridge and White Acre.",
            "Released in 2009 and 2002 were Stone Bridge and White Acre.",
        ),
        (
            SHIPS,
            "Heron and Black Heron were launched on 8 July 1933 and 1 May 1934, respectively.",
            "Heron and Black Heron were launched on 1 May 1934 and 8 July 1933, respectively.",
        ),
    ],
)
def test_names_and_times_of_two_lists_go_in_order(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    "said",
    [
        "Ada Storr won the seat in 1968 and Ben Ould in 1979, 11 years later.",
        "Ben Ould won in 1979, 11 years after Ada Storr.",
        "Cora Venn won in 2001, a gap of 22 years.",
    ],
)
def test_a_difference_of_two_times_in_digits_needs_a_declaration(said: str) -> None:
    assert passes(said.split(",")[0] + ".", MEMBERS)
    assert not passes(said, MEMBERS)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            RALLY,
            "With 284 points, Iris Holm beat Paul Rees, who had 281.",
            "With 284 points, Iris Holm lost to Paul Rees, who had 281.",
        ),
        (
            RALLY,
            "Paul Rees, with 281 points, trailed Iris Holm, who had 284.",
            "Paul Rees, with 281 points, outscored Iris Holm, who had 284.",
        ),
        (
            SWIM,
            "Lena Kirk, timed at 58.31, edged out Ana Ruiz, who swam 58.90.",
            "Lena Kirk, timed at 58.31, was edged out by Ana Ruiz, who swam 58.90.",
        ),
        (
            SONGS,
            "Mira Sand, with 148 points, finished ahead of Ottel, who had 131.",
            "Mira Sand, with 148 points, finished behind Ottel, who had 131.",
        ),
    ],
)
def test_who_is_ahead_has_the_better_of_two_figures_told(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            VOTE,
            "McReady emerged the winner by 1,844 votes: McReady received 20,114 votes to Vale-Moor's 18,270.",
            "McReady emerged the winner by 1,844 votes: McReady received 18,270 votes to Vale-Moor's 20,114.",
        ),
        (VOTE, "McReady won by a majority of 1,844 votes.", "Vale-Moor won by a majority of 1,844 votes."),
        (
            VOTE,
            "Tom McReady met Ann Vale-Moor: Ann Vale-Moor received 18,270 votes to MacReady's 20,114.",
            "Tom McReady met Ann Vale-Moor: Ann Vale-Moor received 18,270 votes to Mr Lund's 20,114.",
        ),
        (
            TONNAGE,
            "It sank Elsa Lind (1,310 tons) on 3 May 1917 and Bittern (412 tons) on 5 May 1917.",
            "It sank Elsa Lind (412 tons) on 3 May 1917 and Bittern (1,310 tons) on 5 May 1917.",
        ),
        (
            MEETS,
            "He ran the 400 m hurdles and the 4 × 400 m at the Bern Games in 2003.",
            "He ran the 400 m hurdles and the 4 × 300 m at the Bern Games in 2003.",
        ),
        (
            CAREER,
            "His win percentage was 45.0 at Orwell and 55.0 at Orwell B.",
            "His win percentage was 36 at Orwell and 22 at Orwell B.",
        ),
        (
            CHARTS,
            'In the UK "Amber" and "Cobalt" reached number 3 and number 40, respectively.',
            'In the UK "Amber" and "Cobalt" reached number 40 and number 3, respectively.',
        ),
        (
            CHARTS,
            '"Amber" and "Cobalt" reached number 3 and number 40 in the UK.',
            '"Amber" and "Cobalt" reached number 40 and number 3 in the UK.',
        ),
        (
            CHARTS,
            'Her highest-charting single in the UK was "Amber", which reached number 3.',
            'Her highest-charting single in the UK was "Dune", which reached number 11.',
        ),
    ],
)
def test_margins_brackets_relays_percentages_and_charts(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


def test_a_text_column_of_numbers_is_read_as_one_of_numbers() -> None:
    table = result(
        "Particulars, Total, Male, Female", ("Houses", "62", "-", "-"), ("Population", "1,148", "602", "546")
    )
    assert passes("It has 62 houses and a population of 1,148.", table)
    assert codes(check("It has 1,148 houses and a population of 62.", table))
