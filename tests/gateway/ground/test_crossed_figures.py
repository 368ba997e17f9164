"""Years, rounds and highs that belong to another figure of the sentence."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

HOSTED = result(
    "Year, Championship, Winner, Score:",
    ("1951", "National Open", "Al Crane", 281),
    ("1968", "National Open", "Sid Hart", 276),
    ("1983", "National Open", "Ben Ode", 279),
    ("1990", "Masters Cup", "Ian Moss", 271),
    ("2004", "Masters Cup", "Lee Ward", 268),
)
MARKS = result(
    "Event, Time, Venue, Year",
    ("100 metres", "10.37", "Lisbon", "1998"),
    ("400 metres", "50.13", "Turin", "2007"),
    ("800 metres", "1:58.40", "Oslo", "2010"),
)
STOPS = result(
    "Line, Stop, Distance (km):, Connections",
    ("Ferin Line", "Ferin", 0.0, "\u2013"),
    ("Ferin Line", "Odda", 4.5, "Coast Line"),
    ("Ferin Line", "Tull", 31.2, "\u2013"),
    ("Ferin Line", "Brask", 58.9, "\u2013"),
    ("Coast Line", "Odda", 0.0, "Ferin Line"),
    ("Coast Line", "Skerry", 12.7, "\u2013"),
)
EPISODES = result(
    "No.:, Title, Viewers (millions):",
    (1, "Landfall", 1.897),
    (2, "Drift", 1.742),
    (3, "Squall", 1.557),
    (4, "Harbour", 2.224),
)
AIR = result(
    "Temperature (\u00b0C):, Speed of sound (m/s):, Density (kg/m3):",
    (40, 354.9, 1.1270),
    (30, 349.0, 1.1644),
    (20, 343.2, 1.2041),
    (0, 331.3, 1.2922),
)
ROUNDS = result(
    "Candidate, Party, First round Votes:, First round %:, Second round Votes:, Second round %:",
    ("Mila Zorin", "Civic Party", 1985547, 38.57, 2853390, 51.37),
    ("Jan Draha", "Independent", 1369601, 26.6, 2701206, 48.63),
    ("Pavel Finn", "Greens", 526694, 10.23, None, None),
)

ABOUT = {
    id(HOSTED): "Oakmoor Golf Club — Championships hosted",
    id(MARKS): "Rui Sato — Personal bests",
    id(STOPS): "Valean railways — Ferin and Coast lines",
    id(EPISODES): "Tideway season 1 — Episodes",
    id(AIR): "Air",
    id(ROUNDS): "2019 Valean presidential election — Results",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (HOSTED, "Oakmoor has hosted the National Open (1951, 1968, 1983) and the Masters Cup (1990, 2004)."),
        (HOSTED, "Ben Ode won the National Open (1983) with a score of 279."),
        (
            MARKS,
            "Sato has a best of 10.37 seconds in the 100 metres in 1998 and 50.13 seconds in "
            "the 400 metres in 2007.",
        ),
        (STOPS, "The Ferin Line is 58.9 km long."),
        (STOPS, "Tull lies 31.2 km along the Ferin Line."),
        (
            EPISODES,
            "Ratings improved for the rest of the season, reaching an all-time high with "
            "2.224 million viewers.",
        ),
        (EPISODES, "The show hit a low of 1.557 million viewers with “Squall”."),
        (AIR, "At 30 °C the speed of sound is 349.0 m/s."),
        (ROUNDS, "Mila Zorin received 38.57% followed by Jan Draha, who received 26.60%."),
        (ROUNDS, "In the second round Mila Zorin received 51.37% and Jan Draha 48.63%."),
    ],
)
def test_each_figure_with_its_own_year_and_round_passes(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (HOSTED, "Oakmoor has hosted the National Open (1951, 1968, 2004) and the Masters Cup (1990, 1983)."),
        (HOSTED, "Ben Ode (1968) won the National Open with a score of 279."),
        (
            MARKS,
            "Sato has a best of 10.37 seconds in the 100 metres in 2007 and 50.13 seconds in "
            "the 400 metres in 1998.",
        ),
        (
            MARKS,
            "Sato has a best of 10.37 seconds in the 400 metres in 1998 and 50.13 seconds in "
            "the 100 metres in 2007.",
        ),
        (STOPS, "The Ferin Line is 31.2 km long."),
        (STOPS, "The Ferin Line is 4.5 km long and meets the Coast Line at Odda."),
        (
            EPISODES,
            "Ratings improved for the rest of the season, reaching an all-time high with "
            "1.742 million viewers.",
        ),
        (EPISODES, "The show hit a low of 1.742 million viewers."),
        (AIR, "At 30 °C the speed of sound is 0.0 m/s."),
        (ROUNDS, "Mila Zorin received 48.63% followed by Jan Draha, who received 26.60%."),
        (ROUNDS, "Mila Zorin received 38.57% followed by Jan Draha, who received 48.63%."),
        (ROUNDS, "In the second round Mila Zorin received 48.63% and Jan Draha 51.37%."),
    ],
)
def test_crossed_figures_block(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
