"""How often each came, rates with a unit of two parts, what was set aside and what it cost, who is new."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

CLUBS = result(
    "Club, Members:, New members:, Cancelled:, Visits:, Visits per member:",
    ("Harbour", 2140, 118, 61, 17120, 8.0),
    ("Hilltop", 1385, 44, 72, 8310, 6.0),
    ("Station", 3020, 260, 95, 27180, 9.0),
)
FARMS = result(
    "Farm, Crop, Hectares:ha, Tonnes:t, Yield:t/ha",
    ("Lower Mead", "Wheat", 120, 984, 8.2),
    ("Lower Mead", "Barley", 80, 520, 6.5),
    ("Upper Mead", "Wheat", 95, 703, 7.4),
)
BUDGETS = result(
    "Department, Budget:EUR, Actual:EUR",
    ("Marketing", 640000, 671200),
    ("IT", 910000, 882700),
    ("Legal", 185000, 203500),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (CLUBS, "Members of Station came 9 times on average.", "Members of Station came 6 times on average."),
        (
            CLUBS,
            "Each Hilltop member visited 6 times, each Station member 9 times.",
            "Each Hilltop member visited 9 times, each Station member 6 times.",
        ),
        (CLUBS, "Of Hilltop's 1,385 members, 44 are new.", "Of Hilltop's 1,385 members, 72 are new."),
        (
            FARMS,
            "Wheat yields were 8.2 t/ha at Lower Mead and 7.4 t/ha at Upper Mead.",
            "Wheat yields were 7.4 t/ha at Lower Mead and 8.2 t/ha at Upper Mead.",
        ),
        (FARMS, "Barley came to 520 t at Lower Mead.", "Barley came to 520 t/ha at Lower Mead."),
        (BUDGETS, "Legal cost \u20ac203,500.", "Legal cost \u20ac185,000."),
        (BUDGETS, "We had set aside \u20ac910,000 for IT.", "We had set aside \u20ac882,700 for IT."),
    ],
)
def test_how_a_figure_is_told_says_which_one_it_is(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)
