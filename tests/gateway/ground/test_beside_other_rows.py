"""Numbers beside those of other rows and other columns: lists, moves told again, contests and asides."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import Q3, passes, result
from traces.records import Derivation, Table

SUPP = result(
    "Supplier, Orders:, Late:, On-time rate:percent, Spend:GBP",
    ("Alto", 412, 37, 91.0, 318000),
    ("Brix", 268, 54, 79.9, 204500),
    ("Cova", 95, 4, 95.8, 61250),
)
HOSP = result(
    "Unit, Beds:, Patients:, Falls:, Nurses:",
    ("Ward 3", 28, 412, 9, 31),
    ("Ward 5", 22, 367, 4, 26),
    ("Ward 7", 34, 508, 13, 37),
)
LIB = result(
    "Library, Visitors:, Loans:, New members:, Events:",
    ("Central", 48210, 30115, 912, 64),
    ("Park", 21340, 18420, 388, 41),
    ("Dock", 9870, 7655, 151, 22),
)
CAMP = result(
    "Campaign, Impressions:, Clicks:, CTR:percent, Spend:EUR",
    ("Launch", 1840000, 25760, 1.4, 18400),
    ("Retarget", 620000, 17980, 2.9, 9300),
    ("Brand", 2950000, 20650, 0.7, 22100),
)
REG = result(
    "Region, Sales 2025:USD, Sales 2026:USD",
    ("East", 840000, 910000),
    ("West", 1120000, 1065000),
    ("South", 455000, 498000),
)
MRR = result(
    "Month, Opening MRR:USD, New MRR:USD, Churned MRR:USD, Closing MRR:USD",
    ("2026-07", 412000, 31000, 18500, 424500),
    ("2026-08", 424500, 27800, 22300, 430000),
    ("2026-09", 430000, 35600, 14900, 450700),
)


@pytest.mark.parametrize(
    ("right", "wrongs", "table", "declared"),
    [
        (
            "Brix delivered 54 of its 268 orders late, an on-time rate of 79.9%.",
            (
                "Brix delivered 37 of its 268 orders late, an on-time rate of 79.9%.",
                "Brix delivered 54 of its 412 orders late, an on-time rate of 79.9%.",
            ),
            SUPP,
            (),
        ),
        (
            "Ward 7 treated 508 patients in 34 beds and recorded 13 falls.",
            (
                "Ward 7 treated 508 patients in 37 beds and recorded 13 falls.",
                "Ward 7 treated 412 patients in 34 beds and recorded 13 falls.",
            ),
            HOSP,
            (),
        ),
        (
            "Ward 7 saw 13 falls with a team of 37, Ward 5 (26 nurses) only 4.",
            (
                "Ward 7 saw 13 falls with a team of 34, Ward 5 (26 nurses) only 4.",
                "Ward 7 saw 13 falls with a team of 37, Ward 5 (26 nurses) only 9.",
            ),
            HOSP,
            (),
        ),
        (
            "We place more orders with Alto than with Brix: 412 compared with 268.",
            (
                "We place more orders with Alto than with Brix: 268 compared with 412.",
                "We place more orders with Alto than with Brix: 412 compared with 95.",
            ),
            SUPP,
            (),
        ),
        (
            "Central held 64 events, with Park at 41 and Dock at 22.",
            ("Central held 64 events, with Park at 22 and Dock at 41.",),
            LIB,
            (),
        ),
        (
            "Launch drew 25,760 clicks at a CTR of 1.4%; Brand drew 20,650 at 0.7%.",
            (
                "Launch drew 25,760 clicks at a CTR of 1.4%; Brand drew 20,650 at 2.9%.",
                "Launch drew 25,760 clicks at a CTR of 1.4%; Brand drew 17,980 at 0.7%.",
            ),
            CAMP,
            (),
        ),
        (
            "Ward 3 has 28 beds and 31 nurses, Ward 5 has 22 and 26, Ward 7 has 34 and 37.",
            (
                "Ward 3 has 28 beds and 31 nurses, Ward 5 has 26 and 22, Ward 7 has 34 and 37.",
                "Ward 3 has 28 beds and 31 nurses, Ward 5 has 22 and 26, Ward 7 has 37 and 34.",
            ),
            HOSP,
            (),
        ),
        (
            "East grew from $840,000 to $910,000, South from $455,000 to $498,000.",
            (
                "East grew from $840,000 to $910,000, South from $498,000 to $455,000.",
                "East grew from $910,000 to $840,000, South from $455,000 to $498,000.",
            ),
            REG,
            (),
        ),
        (
            "August opened at $424,500, gained $27,800, shed $22,300 and closed at $430,000.",
            (
                "August opened at $430,000, gained $27,800, shed $22,300 and closed at $424,500.",
                "August opened at $424,500, gained $22,300, shed $27,800 and closed at $430,000.",
            ),
            MRR,
            (),
        ),
        (
            "Park signed up 388 new members and held 41 events.",
            (
                "Park signed up 912 new members and held 41 events.",
                "Park signed up 388 new members and held 64 events.",
            ),
            LIB,
            (),
        ),
        (
            "New MRR came to $31,000, $27,800 and $35,600 in July, August and September.",
            ("New MRR came to $27,800, $31,000 and $35,600 in July, August and September.",),
            MRR,
            (),
        ),
        (
            "West outsold East in 2026, $1,065,000 to $910,000.",
            (
                "West outsold East in 2026, $910,000 to $1,065,000.",
                "East outsold West in 2026, $910,000 to $1,065,000.",
            ),
            REG,
            (),
        ),
        (
            "Launch out-clicked Brand by 25,760 to 20,650.",
            ("Launch out-clicked Brand by 20,650 to 25,760.",),
            CAMP,
            (),
        ),
    ],
)
def test_a_number_keeps_its_own_row_and_column(
    right: str, wrongs: tuple[str, ...], table: Table, declared: tuple[Derivation, ...]
) -> None:
    scope = replace(Q3, metrics=tuple(column.label for column in table.columns[1:]), start=date(2026, 1, 1))
    assert passes(right, table, declared, scope)
    assert not [wrong for wrong in wrongs if passes(wrong, table, declared, scope)]
