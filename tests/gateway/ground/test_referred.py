"""Words that stand for a name or move a number to another one, each true sentence beside its false twin."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

FLEET = result(
    "Type, In service:, Seats:, Introduced",
    ("Airbus A220", 14, 137, "2016"),
    ("Airbus A320", 52, 174, "2001"),
    ("Dash Q400", 9, 76, "2008"),
    ("Embraer E190", 21, 100, "2011"),
)
RACE = result(
    "Pos, Driver, Car, Laps:, Avg. speed:, Top speed:",
    ("1", "Rudi Lang", "Veritas", 40, 131.2, 188.1),
    ("2", "Emil Sorg", "AFM", 40, 130.7, 192.6),
    ("3", "Karl Buhl", "Borgward", 39, 127.9, 185.3),
)
ORDERS = result(
    "Region, Orders:, Returns:", ("Benelux", 4110, 212), ("Iberia", 3870, 301), ("Nordics", 2955, 118)
)
RESORTS = result(
    "Resort, Lifts:, Top m:m, Day pass:CHF",
    ("Tarnau", 24, 2610, 79.0),
    ("Hochegg", 9, 1905, 52.5),
    ("Sillas", 14, 2785, 68.0),
)
CHURCHES = result("Church, Height m:m, Steps:", ("St. Anna", 88.5, 312), ("St. Gall", 121.5, 402))
COSTS = result("Region, Costs:EUR", ("Benelux", 412000), ("Iberia", 402000))
HOUSES = result(
    "Name, Height m:m, Floors:", ("Aster House", 112, 31), ("Baltic Tower", 149, 42), ("Crown Plaza", 96, 27)
)
CREW = result("Name, Days in space:, EVAs:", ("Irina Volk", 611, 9), ("Tom Brand", 168, 2))
UNITS = result(
    "Class, Sets:, Seats:", ("BM 69", 88, 278), ("BM 72", 36, 310), ("BM 74", 36, 241), ("BM 75", 40, 295)
)
TEAMS = result(
    "Team, Wins:, Points:, Budget:USD",
    ("Falcons", 18, 61, 412000),
    ("Herons", 17, 58, 388000),
    ("Kites", 9, 33, 240500),
)
COMICS = result(
    "Title, Issues:, Writer, Artist, Pages:",
    ("Ashfall", 6, "Dina Marsh", "K. Otero", 152),
    ("The Long Tide", 12, "Paul Renner", "Dina Marsh", 304),
    ("Hollow County", 4, "S. Iwata", "K. Otero", 104),
)
CHESS = result(
    "Player, Rating:, Wins:, Draws:, Losses:, Points:",
    ("Ivan Petrosky", 2660, 5, 7, 1, 8.5),
    ("Miguel Tarjan", 2590, 3, 6, 4, 6.0),
    ("Svet Gliga", 2600, 1, 7, 5, 4.5),
)
GOLF = result(
    "Place, Player, R1:, R2:, R3:, R4:, Total:",
    ("1", "Bob Hanley", 69, 71, 68, 70, 278),
    ("T2", "Isao Morita", 72, 68, 70, 69, 279),
    ("4", "Neil Dade", 74, 69, 67, 71, 281),
)
BOWLING = result(
    "Player, O:, M:, R:, W:, Ave:",
    ("J. Tolley", 912.3, 241, 2214, 131, 16.9),
    ("A. W. Fenn", 655.0, 140, 1790, 88, 20.34),
    ("S. Garside", 401.2, 71, 1266, 49, 25.84),
)
SWIM = result(
    "Rank, Swimmer, 50 m:s, 150 m:s",
    ("1", "Liisa Aho", 29.11, 95.42),
    ("2", "Gintare Paule", 28.84, 95.9),
    ("3", "Ewa Sobol", 29.4, 96.74),
)
ACCOUNTS = result(
    "Item, 2022:USD, 2021:USD, 2020:USD",
    ("Deferred revenue, current", 41206, 33870, 29711),
    ("Deferred revenue, non-current", 6120, 7315, 8003),
    ("EMEA", 2104, 2230, 2011),
    ("Americas", 4218, 3977, 3550),
    ("Total net sales", 6322, 6207, 5561),
)
LIGHTS = result(
    "Name, Height m:m, Automated",
    ("Stack Point", 21, "1984"),
    ("Muckle Head", 15, "1988"),
    ("Carrick Bar", 29, "1990"),
)
ERUPTIONS = result(
    "Eruption, Start, VEI:, Deaths:",
    ("First recorded", "12 August 1906", 4, 320),
    ("Modern", "30 January 1951", 3, 41),
)
SALES = result(
    "Region, Certification, Units:",
    ("Canada", "2\u00d7 Platinum", 160000),
    ("Sweden", "Platinum", 40000),
    ("Britain", "3\u00d7 Platinum", 900000),
)
VOTES = result(
    "Question, Yes:percent, Turnout:percent",
    ("Transit", 63.6, 45.9),
    ("Accession", 49.7, 78.7),
    ("Jets", 42.8, 55.6),
)


@pytest.mark.parametrize(
    ("table", "said", "true", "false"),
    [
        pytest.param(FLEET, "The airline flies {} Airbus A320s.", "52", "21", id="plural code"),
        pytest.param(
            FLEET, "Its {} Airbus A220s seat 137 passengers each.", "14", "52", id="verb of the next"
        ),
        pytest.param(
            RACE, "Lang won, but the highest top speed, {} km/h, went to Emil Sorg.", "192.6", "188.1"
        ),
        pytest.param(RACE, "Lang led; the lowest top speed, {}, was set by Karl Buhl.", "185.3", "188.1"),
        pytest.param(
            ORDERS, "Benelux had 4,110 orders, while the most returns, {}, came from Iberia.", "301", "212"
        ),
        pytest.param(
            RESORTS,
            "Sillas reaches 2,785 m, higher than Tarnau (2,610 m), yet its day pass costs CHF {}.",
            "68",
            "79",
        ),
        pytest.param(
            RESORTS,
            "Hochegg has fewer lifts than Tarnau (24), although its day pass costs CHF {}.",
            "52.50",
            "79",
        ),
        pytest.param(CHURCHES, "The tower of St. Gall can be climbed by {} steps.", "402", "312"),
        pytest.param(HOUSES, "The {}-storey Aster House is 112 m tall.", "31", "42"),
        pytest.param(
            HOUSES, "Crown Plaza, a {}-story tower, rises to 96 m.", "27", "42", id="any such tower"
        ),
        pytest.param(CREW, "Irina Volk logged 611 days in space and {} spacewalks.", "nine", "two"),
        pytest.param(
            UNITS,
            "Both the BM 72 and the BM 74 number 36 sets. The former seats {}, the latter 241.",
            "310",
            "241",
        ),
        pytest.param(UNITS, "The fleet holds the BM 72 and the BM 74. The latter seats {}.", "241", "310"),
        pytest.param(
            TEAMS, "The Falcons beat the Herons; the latter's budget was ${}.", "388,000", "412,000"
        ),
        pytest.param(
            COMICS,
            "Dina Marsh wrote Ashfall, drawn by K. Otero, and drew The Long Tide, whose {} issues sold out.",
            "12",
            "6",
        ),
        pytest.param(
            COMICS,
            "K. Otero drew Ashfall by Dina Marsh and Hollow County, whose {} issues followed.",
            "4",
            "6",
        ),
        pytest.param(CHESS, "Gliga, who won only once, ended on {}.", "4.5", "6.0"),
        pytest.param(CHESS, "Tarjan, who drew six times, ended on {}.", "6.0", "4.5"),
        pytest.param(GOLF, "Hanley closed with a {}.", "70", "69"),
        pytest.param(GOLF, "Dade opened with a {}.", "74", "71"),
        pytest.param(GOLF, "Morita's last-round {} left him adrift.", "69", "72"),
        pytest.param(GOLF, "Dade shot a {} in the third round.", "67", "69"),
        pytest.param(BOWLING, "Fenn took {} wickets.", "88", "20"),
        pytest.param(
            BOWLING, "Tolley took 131 wickets at an average of 16.90. Fenn was next with {}.", "88", "49"
        ),
        pytest.param(BOWLING, "Tolley took 131 wickets. Garside followed on {}.", "49", "71"),
        pytest.param(TEAMS, "Falcons finished with 61 points. Herons ended on {}.", "58", "17"),
        pytest.param(ACCOUNTS, "Current deferred revenue amounted to ${} in 2022.", "41,206", "6,120"),
        pytest.param(ACCOUNTS, "Non-current deferred revenue was ${} in 2022.", "6,120", "41,206"),
        pytest.param(
            ACCOUNTS, "EMEA came to $2,104 in 2022, compared to ${} in the prior year.", "2,230", "2,011"
        ),
        pytest.param(
            ACCOUNTS, "EMEA came to $2,104 in 2022, against ${} in the preceding year.", "2,230", "2,011"
        ),
        pytest.param(
            ACCOUNTS, "EMEA came to $2,011 in 2020 and ${} in the following year.", "2,230", "2,104"
        ),
        pytest.param(ACCOUNTS, "EMEA came to $2,011 in 2020 and ${} the following year.", "2,230", "2,104"),
        pytest.param(
            LIGHTS,
            "Carrick Bar is 29 m tall; it was automated in {}, a few years after Stack Point (1984).",
            "1990",
            "1988",
        ),
        pytest.param(ERUPTIONS, "The most recent one, in 1951, claimed {} lives.", "41", "320"),
        pytest.param(ERUPTIONS, "In 1906, {} people died.", "320", "41"),
        pytest.param(SALES, "It went triple platinum for {} units.", "900,000", "160,000"),
        pytest.param(SALES, "In Canada it was certified double platinum for {} units.", "160,000", "40,000"),
        pytest.param(VOTES, "Accession failed by the narrowest of margins: {}% said yes.", "49.7", "78.7"),
    ],
)
def test_a_number_goes_to_what_its_words_refer_to(table: Table, said: str, true: str, false: str) -> None:
    assert passes(said.format(true), table)
    assert not passes(said.format(false), table)


def _apart(first: int, second: int, column: str) -> Derivation:
    return declare("difference", a=cell(first, column), b=cell(second, column))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_whoever_leads_by_a_difference_has_the_smaller_time_or_the_larger_count(
    order: tuple[int, int],
) -> None:
    late, early, points = (_apart(*order, column) for column in ("150_m", "50_m", "points"))
    assert passes("At 150 m Aho led by 0.48 seconds.", SWIM, [late])
    assert not passes("At 150 m Paule led by 0.48 seconds.", SWIM, [late])
    assert passes("At 50 m Paule led by 0.27 seconds.", SWIM, [early])
    assert not passes("At 50 m Aho led by 0.27 seconds.", SWIM, [early])
    assert passes("Falcons won by 3 points.", TEAMS, [points])
    assert not passes("Herons won by 3 points.", TEAMS, [points])


def test_sales_of_a_region_are_not_the_row_of_all_sales() -> None:
    change = declare("pct_change", new=cell(2, "2022"), old=cell(2, "2021"))
    assert passes("EMEA net sales decreased by 5.7% in 2022.", ACCOUNTS, [change])
    assert not passes("Americas net sales decreased by 5.7% in 2022.", ACCOUNTS, [change])
    assert not passes("Total net sales decreased by 5.7% in 2022.", ACCOUNTS, [change])
    assert not passes("EMEA net sales were $6,322 in 2022.", ACCOUNTS)


def test_what_costs_climbed_by_is_no_level_though_a_tower_is_climbed_by_its_steps() -> None:
    assert not passes("Costs in Benelux climbed by \u20ac412,000.", COSTS)
    assert not passes("Costs in Iberia have climbed by \u20ac402,000.", COSTS)


def test_a_year_before_the_first_column_is_no_period_of_the_result() -> None:
    draft = "EMEA came to $2,011 in 2020, compared to $2,230 in the prior year."
    assert codes(check(draft, ACCOUNTS)) & {"window", "wrong_cell"}
    assert not passes("EMEA came to $2,104 in 2022 and $2,011 in the following year.", ACCOUNTS)


def test_a_pair_that_was_not_named_gives_no_former_and_no_latter() -> None:
    assert not passes("The BM 72 runs inland. The former seats 278, the latter 310.", UNITS)


def test_a_day_stands_for_its_year_only_where_no_other_day_of_it_is_listed() -> None:
    polls = result(
        "Date, Yes:percent", ("17 May 1992", 55.8), ("6 December 1992", 49.7), ("6 June 1993", 42.8)
    )
    assert not passes("In 1992, 42.8% said yes.", polls)
    assert not passes("In 1993, 49.7% said yes.", polls)


def test_two_rows_compared_have_the_figures_in_brackets_in_their_order() -> None:
    draft = "Sillas has more lifts than Hochegg ({} against {}), and Tarnau has 24."
    assert passes(draft.format(14, 9), RESORTS)
    assert not passes(draft.format(9, 14), RESORTS)


def test_what_was_the_smallest_is_told_of_the_number_before_it() -> None:
    draft = "Kites' budget of ${} was the smallest of the three, Falcons' $412,000 the largest."
    assert passes(draft.format("240,500"), TEAMS)
    assert not passes(draft.format("388,000"), TEAMS)
    assert not passes(draft.replace("smallest", "largest").format("240,500"), TEAMS)
