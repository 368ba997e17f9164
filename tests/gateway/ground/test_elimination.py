"""A number whose nearest words are another's: bound to the one cell left for it, and to no other."""

import pytest

from gateway.ground.binding.elimination import Elimination
from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Table

MANAGERS = result(
    "Manager, P:, W:, D:, L:, Win %:percent",
    ("Dai Penrose", 344, 170, 84, 90, 49.4),
    ("Cliff Mann", 58, 12, 19, 27, 20.7),
)
SCORERS = result("Player, GP:, G:, A:, Pts:", ("Gus Larue", 48, 31, 29, 60), ("Bill Ott", 46, 19, 38, 57))
TRIALS = result(
    "Source, Trials:, Converted:, Conversion:fraction",
    ("Organic", 1920, 288, 0.15),
    ("Referral", 640, 160, 0.25),
)
CARRIERS = result("Carrier, Parcels:, Damaged:", ("DPX", 40118, 61), ("Hermia", 28330, 140))
VOLUMES = result(
    "Method, Volume:EUR, Share:percent",
    ("Card", 5310442, 61.3),
    ("Wallet", 3356078, 38.7),
    ("Total", 8666520, 100),
)
CROPS = result("Town, Tonnes:, Farms:", ("Wakefield", 3812, 9), ("Leeds", 2204, 7), ("Total", 6016, 16))
QUEUES = result(
    "Queue, Tickets:, Escalated:, Escalation rate:percent", ("Core", 3012, 211, 7), ("API", 420, 84, 20)
)
SALES = result("Region, Q3 2025:USD, Q3 2026:USD", ("North", 1920440, 2211008), ("South", 2604115, 2404990))
LOANS = result("Branch, Loans:, Lent:GBP", ("Bath", 212, 18440000), ("Bristol", 540, 51905500))
DOUBLES = result("Event, W:, L:, Titles:", ("Melbourne", 21, 9, 2), ("London", 18, 10, 1))
STORMS = result("Storm, Deaths:", ("Dinah", 17), ("Flora", 211), ("Gail", 3))
ROAD = result("Place, mi:, km:, Exit:", ("Rockfield", 4.21, 6.78, 4), ("Penn Hollow", 11.65, 18.75, 12))
ICE = result("Glacier, Area 1985 (km2):, Area 2015 (km2):", ("Hvitbreen", 48.2, 39.7), ("Vesle", 3.4, 1.1))
POLL = result(
    "Province, PSV:percent, UDC:percent, Winner", ("Almada", 41.2, 38.8, "PSV"), ("Beria", 33.0, 49.6, "UDC")
)
HITS = result("Single, US:, UK:", ("Low Light", 58, 19), ("Two Trains", 3, 8), ("Ferry Song", 44, 17))
LANES = result("Lane, Trips:, Late:percent", ("Lyon", 412, 4.4), ("Vienna", 190, 11.3))
DEATHS = [
    declare("sum", of={"col": "deaths"}),
    declare("share", "d2", part=[cell("Flora", "deaths")], whole={"col": "deaths"}),
]
GROWTH = [declare("pct_change", new=cell("North", "q3_2026"), old=cell("North", "q3_2025"))]


@pytest.mark.parametrize(
    ("true", "false", "table"),
    [
        (
            "Dai Penrose won 170 of 344, a win rate of 49.4%.",
            "Dai Penrose won 84 of 344, a win rate of 49.4%.",
            MANAGERS,
        ),
        ("Cliff Mann won only 12 of his 58 matches.", "Cliff Mann won only 27 of his 58 matches.", MANAGERS),
        (
            "Gus Larue had 60 points on 31 goals and 29 assists in 48 games.",
            "Gus Larue had 60 points on 31 goals and 48 assists in 29 games.",
            SCORERS,
        ),
        ("Referral trials convert best: 160 of 640.", "Referral trials convert best: 640 of 160.", TRIALS),
        (
            "Hermia damaged 140 of 28,330 parcels, DPX 61 of 40,118.",
            "Hermia damaged 140 of 28,330 parcels, DPX 61 of 28,330.",
            CARRIERS,
        ),
        (
            "Card made up 61.3% of volume, \u20ac5.31M of a total of \u20ac8.67M.",
            "Card made up 61.3% of volume, \u20ac5.31M of a total of \u20ac3.36M.",
            VOLUMES,
        ),
        (
            "There are 16 farms in total, 9 of them in Wakefield.",
            "There are 7 farms in total, 9 of them in Wakefield.",
            CROPS,
        ),
        ("Core has 3,012 tickets and 211 escalations.", "Core has 3,012 tickets and 84 escalations.", QUEUES),
        ("Bristol lent \u00a351.9m over 540 loans.", "Bristol lent \u00a351.9m over 212 loans.", LOANS),
        ("She won 2 titles in Melbourne.", "She won 21 titles in Melbourne.", DOUBLES),
        ("The exit for Penn Hollow is at mile 11.65.", "The exit for Penn Hollow is at mile 18.75.", ROAD),
        (
            "Hvitbreen covered 48.2 km\u00b2 in 1985 and 39.7 km\u00b2 in 2015.",
            "Hvitbreen covered 39.7 km\u00b2 in 1985 and 48.2 km\u00b2 in 2015.",
            ICE,
        ),
        (
            "In Beria the PSV won 33.0% against 49.6% for the UDC.",
            "In Beria the PSV won 49.6% against 33.0% for the UDC.",
            POLL,
        ),
    ],
)
def test_a_name_taken_by_another_number_leaves_the_one_cell_that_is_left(
    true: str, false: str, table: Table
) -> None:
    assert passes(true, table), check(true, table).findings
    assert not passes(false, table)


def test_a_change_upon_an_earlier_period_goes_to_the_later_one() -> None:
    assert passes("North is up 15.1% on Q3 2025 to $2.21M.", SALES, GROWTH)
    assert codes(check("North is up 15.1% on Q3 2025 to $1.92M.", SALES, GROWTH)) == {"wrong_cell"}
    assert passes("North rose by 15.1% in Q3 2026, from $1.92M to $2.21M.", SALES, GROWTH)
    assert not passes("North rose by 15.1% in Q3 2026, from $2.60M to $2.21M.", SALES, GROWTH)


def test_a_declared_total_may_be_told_before_the_row_of_its_share() -> None:
    assert passes("The storms took 231 lives, 91% of them during Flora.", STORMS, DEATHS)
    assert not passes("Flora took 231 lives, 91% of them during Flora.", STORMS, DEATHS)
    assert not passes("The storms took 231 lives, 91% of them during Gail.", STORMS, DEATHS)
    assert passes("Flora made up 91% of storm deaths, which came to 231.", STORMS, DEATHS)
    assert not passes("Flora made up 91% of storm deaths, and it took 231 lives.", STORMS, DEATHS)


def test_the_best_place_is_the_smallest_number_and_an_open_quality_is_left_to_a_person() -> None:
    assert passes('"Two Trains" was the biggest hit, reaching number 3 in the US.', HITS)
    assert passes("Vienna is the least reliable lane with 11.3% late.", LANES)
    assert not passes('"Ferry Song" was the biggest hit, reaching number 44 in the US.', HITS)
    assert not passes("Vienna has the lowest late rate with 11.3% late.", LANES)


def test_sides_and_lists_are_told_by_their_order_alone() -> None:
    assert not passes("In Beria the UDC beat the PSV by 33.0% to 49.6%.", POLL)
    assert not passes("Gus Larue had 31 assists and 29 goals.", SCORERS)


def test_elimination_is_what_binds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Elimination, "settle", lambda self, bindings, sentence: bindings)
    assert not passes("There are 16 farms in total, 9 of them in Wakefield.", CROPS)
