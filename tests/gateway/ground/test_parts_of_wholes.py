"""Parts behind their whole, rows named by a figure, and swings."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

FLIGHT = result(
    "Nationality, Passengers:, Crew:, Total:",
    ("Hungary", 131, 9, 140),
    ("Italy", 22, 0, 22),
    ("Sweden", 6, 1, 7),
    ("Total", 159, 10, 169),
)
TREATY = result(
    "Status, Coastal states:, Landlocked states:, Total:",
    ("Signed and ratified", 41, 27, 68),
    ("Only signed", 9, 14, 23),
    ("Non-signatory", 4, 6, 10),
    ("Total", 54, 47, 101),
)
AIR = result(
    "Temperature (\u00b0C):, Speed of sound (m/s):, Density (kg/m3):",
    (40, 354.9, 1.1270),
    (30, 349.0, 1.1644),
    (25, 346.1, 1.1839),
    (20, 343.2, 1.2041),
    (10, 337.3, 1.2466),
    (0, 331.3, 1.2922),
)
WARD = result(
    "Ward, Men:, Women:, Total:",
    ("Northgate", 412, 431, 843),
    ("Hillside", 298, 305, 603),
    ("Docks", 377, 340, 717),
    ("Total", 1087, 1076, 2163),
)
SWING = result(
    "Party, Candidate, Votes:, %:, \u00b1:",
    ("Tory", "Hal Dunn", 18204, 49.3, 7.41),
    ("Labour", "Eve Stone", 13022, 35.3, -6.20),
    ("Liberal", "Ned Price", 5690, 15.4, -1.21),
    ("Majority", "Majority", 5182, 14.0, None),
    ("Turnout", "Turnout", 36916, 70.2, None),
)

ABOUT = {
    id(FLIGHT): "Malev Flight 240 — Passengers and crew",
    id(TREATY): "Parties to the River Convention — Summary",
    id(AIR): "Density of air — Dry air",
    id(WARD): "Wards of Eastport",
    id(SWING): "1968 Calder by-election",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (FLIGHT, "Of the 159 passengers, 131 were from Hungary, while the other 22 were from Italy."),
        (FLIGHT, "Of the 159 passengers, 131 were from Hungary, 22 were from Italy and 6 were from Sweden."),
        (FLIGHT, "Of the 10 crew, nine were from Hungary and one was from Sweden."),
        (FLIGHT, "There were 159 passengers and 10 crew on board, 169 in total."),
        (
            TREATY,
            "Out of the 68 states to ratify the River Convention, 41 were coastal states and 27 were not.",
        ),
        (TREATY, "Of the 68 states that signed and ratified, 41 were coastal and 27 were landlocked."),
        (
            TREATY,
            "Of the 23 states that only signed, nine were coastal states and 14 were landlocked states.",
        ),
        (AIR, "At 20 °C, dry air has a density of 1.2041 kg/m³."),
        (AIR, "At 30 °C the speed of sound is 349.0 m/s and the density is 1.1644 kg/m3."),
        (AIR, "The density of air is 1.2922 kg/m³ at 0 °C and 1.1270 kg/m³ at 40 °C."),
        (AIR, "Sound travels at 343.2 m/s at 20 °C."),
        (WARD, "Of the 843 residents of Northgate, 412 were men and 431 were women."),
        (WARD, "Of the 2,163 people, 1,087 were men and 1,076 were women."),
        (WARD, "Docks has 717 inhabitants, of whom 377 are men and 340 are women."),
        (
            SWING,
            "A swing of more than seven percent to the Tories saw their candidate Hal Dunn "
            "win by 5,182 votes.",
        ),
        (SWING, "Hal Dunn won with 49.3%, a swing of 7.41 percentage points."),
    ],
)
def test_parts_of_their_whole_pass(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (FLIGHT, "Of the 159 passengers, 131 were from Hungary, 6 were from Italy and 22 were from Sweden."),
        (FLIGHT, "Of the 169 passengers, 131 were from Hungary and 22 were from Italy."),
        (FLIGHT, "Of the 159 passengers, 22 were from Hungary, while 131 were from Italy."),
        (FLIGHT, "Of the 131 passengers, 131 were from Hungary."),
        (FLIGHT, "Of the 10 crew, one was from Hungary and nine were from Sweden."),
        (FLIGHT, "There were 159 passengers and 10 crew on board, 159 in total."),
        (
            TREATY,
            "Out of the 68 states to ratify the River Convention, 27 were coastal states and 41 were not.",
        ),
        (
            TREATY,
            "Out of the 101 states to ratify the River Convention, 41 were coastal states and 27 were not.",
        ),
        (TREATY, "Of the 68 states that signed and ratified, 27 were coastal and 41 were landlocked."),
        (
            TREATY,
            "Of the 23 states that only signed, 14 were coastal states and nine were landlocked states.",
        ),
        (AIR, "At 25 °C, dry air has a density of 1.2041 kg/m³."),
        (AIR, "At 30 °C the speed of sound is 346.1 m/s and the density is 1.1644 kg/m3."),
        (AIR, "At 15 °C, dry air has a density of 1.2041 kg/m3."),
        (AIR, "The density of air is 1.1270 kg/m³ at 0 °C and 1.2922 kg/m³ at 40 °C."),
        (AIR, "Sound travels at 343.2 m/s at 10 °C."),
        (AIR, "Sound travels at 331.3 m/s at 20 °C."),
        (WARD, "Of the 843 residents of Northgate, 431 were men and 412 were women."),
        (WARD, "Of the 717 residents of Northgate, 412 were men and 431 were women."),
        (WARD, "Of the 2,163 people, 1,076 were men and 1,087 were women."),
        (WARD, "Docks has 717 inhabitants, of whom 340 are men and 377 are women."),
        (
            SWING,
            "A swing of more than eight percent to the Tories saw their candidate Hal Dunn "
            "win by 5,182 votes.",
        ),
        (
            SWING,
            "A swing of more than seven percent to the Tories saw their candidate Hal Dunn "
            "win by 5,690 votes.",
        ),
        (SWING, "Hal Dunn won with 49.3%, a swing of 6.20 percentage points."),
    ],
)
def test_swapped_parts_and_other_wholes_block(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
