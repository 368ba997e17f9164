"""Ways people tell a result, each true sentence beside the false one that differs in one thing."""

from collections.abc import Sequence

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

SCORERS = result(
    "Player, League:, Cup:, Total:",
    ("Danny Kerr", 21, 5, 26),
    ("Luis Amaro", 9, 1, 10),
    ("Tom Beckwith", 7, 0, 11),
)
SEASONS = result(
    "Season, Games:, Points per game:, Rebounds:", ("2007-08", 31, 9.4, 4.1), ("2009-10", 29, 18.3, 6.2)
)
MONTHS = result(
    "Month, Signups:, MRR:USD",
    ("2026-04", 412, 184200),
    ("2026-05", 455, 192750),
    ("2026-06", 398, 195010),
    ("2026-07", 510, 207400),
)
QUEUES = result(
    "Queue, Opened:, Resolved:, CSAT:percent",
    ("Billing", 1204, 1150, 88.4),
    ("Logistics", 2310, 2075, 79.1),
    ("Technical", 845, 861, 91.7),
)
ITEMS = result(
    "Item, 2020:USD, 2019:USD, 2018:USD",
    ("Domestic", 412300, 398750, 377420),
    ("International", 188940, 201115, 176300),
    ("All sales", 601240, 599865, 553720),
)
LIGHTS = result(
    "Lighthouse, Built, Height (ft):, Automated",
    ("Cape Rook", "1848", 92, "1986"),
    ("Sandal Point", "1871", 64, "1979"),
    ("Isle Hern", "1902", 131, "1991"),
)
BRIDGES = result(
    "Bridge, Length (m):, Opened",
    ("Queens", 412, "1908"),
    ("Harbour", 1135, "1964"),
    ("Millgate", 96, "1851"),
)
FINALS = result(
    "Season, Tournament, Opponent, Score",
    ("1999", "Lugano", "Ana Petrova", "6-3, 6-4"),
    ("2002", "Osaka", "Rosa Mendez", "7-5, 6-1"),
)
RALLY = result(
    "Position, Driver, Time, Points:",
    ("1", "Jari Lehto", "3:12:44.1", 25),
    ("2", "Paul Garrick", "+36.8", 18),
    ("Ret", "Yves Martel", "Engine", 0),
)
TEAMS = result("Department, Headcount:, Tenure:years", ("Sales", 236, 2.1), ("Finance", 74, 6.9))


@pytest.mark.parametrize(
    ("true", "false", "table"),
    [
        # as many names in a list as numbers: each its own, said "respectively" or not
        (
            "Billing and Technical opened 1,204 and 845.",
            "Billing and Technical opened 845 and 1,204.",
            QUEUES,
        ),
        (
            "Kerr and Amaro scored 26 and 10 goals respectively.",
            "Kerr and Amaro scored 10 and 26 goals respectively.",
            SCORERS,
        ),
        (
            "The queues opened 1,204, 2,310 and 845 tickets respectively.",
            "The queues opened 2,310, 1,204 and 845 tickets respectively.",
            QUEUES,
        ),
        # two rows, no column named: one column alone holds both
        (
            "His average went from 9.4 in 2007-08 to 18.3 in 2009-10.",
            "His average went from 9.4 in 2007-08 to 31.8 in 2009-10.",
            SEASONS,
        ),
        # a name behind a turn is what is said next
        (
            "Billing had 88.4% while the Technical queue had 91.7%.",
            "Billing had 91.7% while the Technical queue had 88.4%.",
            QUEUES,
        ),
        # all rows counted by a noun of the reader's own
        (
            "In all 4,359 tickets were opened by the three queues.",
            "In all 4,359 tickets were opened by the four queues.",
            QUEUES,
        ),
        # an extreme without a number of its own
        ("Technical has the highest CSAT.", "Logistics has the highest CSAT.", QUEUES),
        ("CSAT was lowest in Logistics.", "CSAT was lowest in Billing.", QUEUES),
        (
            "CSAT was highest in Technical (91.7%).",
            "CSAT was highest in Billing (88.4%).",
            QUEUES,
        ),
        (
            "Logistics opened more tickets (2,310) than any other queue.",
            "Billing opened more tickets (1,204) than any other queue.",
            QUEUES,
        ),
        ("CSAT ranged between 79.1% and 91.7%.", "CSAT ranged between 88.4% and 91.7%.", QUEUES),
        (
            "Logistics opened the most with 2,310, followed by Billing with 1,204.",
            "Logistics opened the most with 2,310, followed by Technical with 845.",
            QUEUES,
        ),
        (
            "The oldest bridge is Millgate, 96 m long.",
            "The oldest bridge is Queens, 412 m long.",
            BRIDGES,
        ),
        # what is denied
        (
            "Tom Beckwith did not score in the cup, but had 7 in the league.",
            "Danny Kerr did not score in the cup, but had 21 in the league.",
            SCORERS,
        ),
        # years and scores of another row
        (
            "Cape Rook was built in 1848 and automated in 1986.",
            "Cape Rook was built in 1848 and automated in 1979.",
            LIGHTS,
        ),
        (
            "In the Osaka final she beat Rosa Mendez 7-5, 6-1.",
            "In the Osaka final she beat Rosa Mendez 6-3, 6-4.",
            FINALS,
        ),
        # a lap time is a figure, and a rank in words is the row's
        (
            "Jari Lehto won the rally in a time of 3:12:44.1.",
            "Jari Lehto won the rally in a time of 3:13:44.1.",
            RALLY,
        ),
        (
            "Paul Garrick came second in the rally and earned 18 points.",
            "Paul Garrick came third in the rally and earned 18 points.",
            RALLY,
        ),
        # a stretch of time is a figure where the result measures time
        (
            "People in Finance stay for 6.9 years on average.",
            "People in Finance stay for 6.9 months on average.",
            TEAMS,
        ),
    ],
)
def test_the_true_sentence_passes_and_its_twin_blocks(true: str, false: str, table: Table) -> None:
    assert passes(true, table)
    assert check(false, table).verdict == "block"


def amounts(op: str, first: str, second: str, new: tuple[str, str], old: tuple[str, str]) -> Derivation:
    return Derivation.model_validate({"id": "d1", "op": op, "args": {first: cell(*new), second: cell(*old)}})


MRR = amounts("pct_change", "new", "old", ("2026-07", "mrr"), ("2026-04", "mrr"))
MORE = amounts("difference", "a", "b", ("2026-07", "signups"), ("2026-06", "signups"))
OPENED = amounts("difference", "a", "b", ("Billing", "opened"), ("Billing", "resolved"))
FEWER = amounts("pct_change", "new", "old", ("International", "2020"), ("International", "2019"))
LOST = amounts("difference", "a", "b", ("International", "2019"), ("International", "2020"))
SHARE = declare("share", part=[cell("International", "2020")], whole=[cell("All sales", "2020")])


@pytest.mark.parametrize(
    ("true", "false", "table", "declared"),
    [
        (
            "MRR grew 12.6% from April to July 2026, reaching $207,400.",
            "MRR grew 12.6% from April to July 2026, reaching $195,010.",
            MONTHS,
            MRR,
        ),
        (
            "MRR grew 12.6% from April to July 2026.",
            "MRR grew 12.6% from May to July 2026.",
            MONTHS,
            MRR,
        ),
        (
            "July brought 510 signups, 112 more than June.",
            "July brought 510 signups, 112 more than May.",
            MONTHS,
            MORE,
        ),
        (
            "Billing opened 54 more tickets than it resolved.",
            "Billing resolved 54 more tickets than it opened.",
            QUEUES,
            OPENED,
        ),
        ("International fell 6.1% in 2020.", "International fell 6.1% in 2019.", ITEMS, FEWER),
        (
            "International fell 6.1% between 2019 and 2020.",
            "International fell 6.1% between 2018 and 2019.",
            ITEMS,
            FEWER,
        ),
        (
            "International fell by $12,175 between 2019 and 2020.",
            "International rose by $12,175 between 2019 and 2020.",
            ITEMS,
            LOST,
        ),
        (
            "International made up 31.4% of all sales in 2020.",
            "Domestic made up 31.4% of all sales in 2020.",
            ITEMS,
            SHARE,
        ),
    ],
)
def test_a_declared_figure_is_told_of_its_own_rows_and_periods(
    true: str, false: str, table: Table, declared: Derivation
) -> None:
    assert passes(true, table, [declared])
    assert check(false, table, [declared]).verdict == "block"


@pytest.mark.parametrize(
    "draft",
    [
        "The 1997 album sold 188,500 copies.",
        "Released in 1990, Undertow sold 412,000 copies.",
    ],
)
def test_a_year_before_a_singular_noun_counts_nothing(draft: str) -> None:
    albums = result(
        "Album, Released, Sales:", ("Undertow", "14 May 1990", 412000), ("Static", "20 October 1997", 188500)
    )
    assert passes(draft, albums)


def test_a_year_that_something_is_measured_from_may_be_of_another_row() -> None:
    census = result("Year, Residents:", ("1951", 4100), ("1961", 4510))
    change = declare("pct_change", new=cell("1961", "residents"), old=cell("1951", "residents"))
    said: Sequence[Derivation] = [change]
    assert passes("In the 1961 census, residents were 4,510, up 10% from 1951.", census, said)


def test_half_a_columns_name_in_money_counts_no_things() -> None:
    stock = result("Item, On hand:, Unit cost:USD", ("Bearing", 1520, 1.15), ("Gear", 340, 38))
    assert passes("There are 1,520 units of Bearing.", stock)
    assert "wrong_cell" in codes(check("There are 340 units of Bearing.", stock))
