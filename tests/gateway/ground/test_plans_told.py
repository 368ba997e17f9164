"""A plan, what came of it and the difference told in one go: each number is of its own column."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import Q3, cell, declare, passes, result
from traces.records import Derivation, Table

COSTS = result(
    "Department, Budget:EUR, Actual:EUR, Variance:EUR",
    ("Facilities", 410000, 436500, 26500),
    ("Fleet", 295000, 281200, -13800),
    ("Training", 88000, 93400, 5400),
    ("Legal", 120000, 112750, -7250),
)
REGIONS = result(
    "Region, Plan:EUR, Actual:EUR", ("Benelux", 610, 655), ("Iberia", 480, 455), ("Nordics", 350, 390)
)
OPEX = result(
    "Cost centre, Budget:USD, Actual:USD, Variance:USD",
    ("IT", 3100000, 3360000, 260000),
    ("Legal", 940000, 905000, -35000),
    ("Travel", 310000, 352000, 42000),
)
PROJECTS = result("Project, Budget:GBP, Spent:GBP", ("Depot", 220000, 198500), ("Yard", 140000, 151250))
SALES = result(
    "Team, Target:EUR, Booked:EUR, Attainment:percent",
    ("North", 800000, 912000, 114.0),
    ("South", 650000, 598000, 92.0),
)
ENERGY = result(
    "Site, Consumption:kWh, Target:kWh, Cost:EUR",
    ("Antwerp", 812000, 780000, 146160),
    ("Liège", 455000, 470000, 81900),
    ("Mons", 298500, 310000, 53730),
)
REPS = result(
    "Rep, Bookings:USD, Quota:USD, Deals:, Win rate:percent",
    ("Adams", 742000, 650000, 18, 31.5),
    ("Brown", 498000, 550000, 11, 24.0),
    ("Costa", 615000, 600000, 21, 38.2),
)


@pytest.mark.parametrize(
    ("right", "wrongs", "table", "declared"),
    [
        (
            "Facilities spent €436,500 against a budget of €410,000, i.e. €26,500 over.",
            (
                "Facilities spent €410,000 against a budget of €436,500, i.e. €26,500 over.",
                "Facilities spent €436,500 against a budget of €410,000, i.e. €26,500 under.",
            ),
            COSTS,
            (),
        ),
        (
            "Legal spent €112,750 of its €120,000 budget, leaving €7,250.",
            (
                "Legal spent €120,000 of its €112,750 budget, leaving €7,250.",
                "Legal spent €112,750 of its €120,000 budget, leaving €5,400.",
            ),
            COSTS,
            (),
        ),
        (
            "Training: €93,400 spent on a budget of €88,000, so €5,400 over.",
            (
                "Training: €93,400 spent on a budget of €88,000, so €5,400 under.",
                "Training: €88,000 spent on a budget of €93,400, so €5,400 over.",
            ),
            COSTS,
            (),
        ),
        (
            "Against a budget of €410,000 Facilities spent €436,500.",
            ("Against a budget of €436,500 Facilities spent €410,000.",),
            COSTS,
            (),
        ),
        (
            "Training overspent by €5,400: €93,400 against €88,000 budgeted.",
            (
                "Training overspent by €5,400: €88,000 against €93,400 budgeted.",
                "Training underspent by €5,400: €93,400 against €88,000 budgeted.",
            ),
            COSTS,
            (),
        ),
        (
            "Legal cost us €112,750, some €7,250 below the €120,000 we had budgeted.",
            (
                "Legal cost us €112,750, some €7,250 above the €120,000 we had budgeted.",
                "Legal cost us €120,000, some €7,250 below the €112,750 we had budgeted.",
            ),
            COSTS,
            (),
        ),
        (
            "Benelux came in €45 above its plan of €610.",
            (
                "Benelux came in €45 below its plan of €610.",
                "Benelux came in €45 above its plan of €655.",
            ),
            REGIONS,
            (declare("difference", a=cell(0, "actual"), b=cell(0, "plan")),),
        ),
        (
            "Iberia missed its plan of €480 by €25.",
            (
                "Iberia beat its plan of €480 by €25.",
                "Iberia missed its plan of €455 by €25.",
            ),
            REGIONS,
            (declare("difference", a=cell(1, "actual"), b=cell(1, "plan")),),
        ),
        (
            "Iberia fell €25 short of its plan of €480.",
            (
                "Iberia came in €25 ahead of its plan of €480.",
                "Iberia fell €25 short of its plan of €455.",
            ),
            REGIONS,
            (declare("difference", a=cell(1, "actual"), b=cell(1, "plan")),),
        ),
        (
            "At €655, Benelux was €45 over its plan.",
            (
                "At €655, Benelux was €45 under its plan.",
                "At €610, Benelux was €45 over its plan.",
            ),
            REGIONS,
            (declare("difference", a=cell(0, "actual"), b=cell(0, "plan")),),
        ),
        (
            "Legal spent $905,000 on a $940,000 budget, so $35,000 is left.",
            (
                "Legal spent $940,000 on a $905,000 budget, so $35,000 is left.",
                "Legal spent $905,000 on a $940,000 budget, so $42,000 is left.",
            ),
            OPEX,
            (),
        ),
        (
            "Legal used $905k of the $940k budgeted, with $35k to spare.",
            (
                "Legal used $940k of the $905k budgeted, with $35k to spare.",
                "Travel used $352k of the $310k budgeted, with $42k to spare.",
            ),
            OPEX,
            (),
        ),
        (
            "Travel cost $352,000 instead of the $310,000 we planned.",
            ("Travel cost $310,000 instead of the $352,000 we planned.",),
            OPEX,
            (),
        ),
        (
            "IT overspent its budget of $3.1 million by $260,000.",
            (
                "IT underspent its budget of $3.1 million by $260,000.",
                "IT overspent its budget of $3.36 million by $260,000.",
            ),
            OPEX,
            (),
        ),
        (
            "Legal is $35,000 under budget ($905,000 against $940,000).",
            (
                "Legal is $35,000 over budget ($905,000 against $940,000).",
                "Legal is $35,000 under budget ($940,000 against $905,000).",
            ),
            OPEX,
            (),
        ),
        (
            "The IT budget was $3.1 million; actual spend came to $3.36 million.",
            ("The IT budget was $3.36 million; actual spend came to $3.1 million.",),
            OPEX,
            (),
        ),
        (
            "Depot has spent £198,500 of its £220,000 budget.",
            (
                "Depot has spent £220,000 of its £198,500 budget.",
                "Depot has spent £151,250 of its £220,000 budget.",
            ),
            PROJECTS,
            (),
        ),
        (
            "Yard cost £151,250 against £140,000 budgeted, £11,250 over.",
            (
                "Yard cost £140,000 against £151,250 budgeted, £11,250 over.",
                "Yard cost £151,250 against £140,000 budgeted, £11,250 under.",
            ),
            PROJECTS,
            (declare("difference", a=cell(1, "spent"), b=cell(1, "budget")),),
        ),
        (
            "At £151,250, Yard is £11,250 over budget.",
            (
                "At £140,000, Yard is £11,250 over budget.",
                "At £151,250, Yard is £11,250 under budget.",
            ),
            PROJECTS,
            (declare("difference", a=cell(1, "spent"), b=cell(1, "budget")),),
        ),
        (
            "Depot came in £21,500 below its budget of £220,000.",
            (
                "Depot came in £21,500 above its budget of £220,000.",
                "Depot came in £21,500 below its budget of £198,500.",
            ),
            PROJECTS,
            (declare("difference", a=cell(0, "budget"), b=cell(0, "spent")),),
        ),
        (
            "South missed its target of €650,000: it booked €598,000, or 92%.",
            ("South missed its target of €598,000: it booked €650,000, or 92%.",),
            SALES,
            (),
        ),
        (
            "South booked €598,000, €52,000 short of its target.",
            (
                "South booked €650,000, €52,000 short of its target.",
                "South booked €598,000, €52,000 ahead of its target.",
            ),
            SALES,
            (declare("difference", a=cell(1, "target"), b=cell(1, "booked")),),
        ),
        (
            "North beat its €800,000 target by €112,000.",
            (
                "North missed its €800,000 target by €112,000.",
                "North beat its €912,000 target by €112,000.",
            ),
            SALES,
            (declare("difference", a=cell(0, "booked"), b=cell(0, "target")),),
        ),
        (
            "Antwerp used 812,000 kWh against a target of 780,000, 32,000 too much.",
            ("Antwerp used 780,000 kWh against a target of 812,000, 32,000 too much.",),
            ENERGY,
            (declare("difference", a=cell(0, "consumption"), b=cell(0, "target")),),
        ),
        (
            "Mons came in 11,500 kWh under its target of 310,000.",
            (
                "Mons came in 11,500 kWh over its target of 310,000.",
                "Mons came in 11,500 kWh under its target of 298,500.",
            ),
            ENERGY,
            (declare("difference", a=cell(2, "target"), b=cell(2, "consumption")),),
        ),
        (
            "Adams booked $742,000 against a quota of $650,000, i.e. $92,000 over.",
            (
                "Adams booked $650,000 against a quota of $742,000, i.e. $92,000 over.",
                "Adams booked $742,000 against a quota of $650,000, i.e. $92,000 under.",
            ),
            REPS,
            (declare("difference", a=cell(0, "bookings"), b=cell(0, "quota")),),
        ),
        (
            "Brown missed his $550,000 quota by $52,000.",
            (
                "Brown beat his $550,000 quota by $52,000.",
                "Brown missed his $498,000 quota by $52,000.",
            ),
            REPS,
            (declare("difference", a=cell(1, "quota"), b=cell(1, "bookings")),),
        ),
    ],
)
def test_what_came_and_what_was_planned_keep_their_columns(
    right: str, wrongs: tuple[str, ...], table: Table, declared: tuple[Derivation, ...]
) -> None:
    scope = replace(Q3, metrics=tuple(column.label for column in table.columns[1:]), start=date(2026, 1, 1))
    assert passes(right, table, declared, scope)
    assert not [wrong for wrong in wrongs if passes(wrong, table, declared, scope)]
