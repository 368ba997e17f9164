"""Places by a named figure, verbs before totals, ends of a stretch, chart places, moves told on."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

MEDALS = result(
    "Rank:, Nation, Gold:, Silver:, Bronze:",
    (1, "Norland", 31, 12, 9),
    (2, "Estavia", 22, 25, 11),
    (3, "Quintal", 19, 14, 28),
    (4, "Borea", 8, 7, 10),
)
QUEUES = result(
    "Queue, Received:, Closed:, Reopened:",
    ("Billing", 310, 288, 14),
    ("Delivery", 540, 561, 32),
    ("Returns", 122, 119, 5),
)
SALES = result(
    "Month, Segment, Sales:USD",
    *(
        (month, segment, value)
        for month, row in (
            ("2026-04", (5120, 880, 2340)),
            ("2026-05", (4900, 1010, 2405)),
            ("2026-06", (5333, 990, 2190)),
        )
        for segment, value in zip(("Retail", "Online", "Trade"), row, strict=True)
    ),
)
YEARLY = result(
    "Country, 2021:USD, 2022:USD, 2023:USD", ("Norland", 5120, 4900, 5333), ("Borea", 880, 1010, 990)
)
CHARTS = result(
    "Chart, Peak position:, Weeks on chart:, Year-end position:",
    ("Belgium (Ultratop)", 6, 31, 44),
    ("Canada (CHUM)", 12, 9, None),
    ("France (SNEP)", 3, 22, 17),
)
NOTES = result(
    "Item, 2021:USD, 2020:USD",
    ("Opening balance", 7310, 6904),
    ("Increases for positions of prior periods", 512, 980),
    ("Settlements in the prior year", -905, -644),
)
RATES = result(
    "Year, Export share (%):percent, Import share (%):percent, Savings rate (%):percent",
    ("2011", 41.2, 38.4, 12.6),
    ("2012", 40.7, 37.9, 11.3),
    ("2013", 43.8, 44.6, 13.9),
    ("2014", 44.1, 36.2, 15.2),
)
SUMS = tuple(
    declare("sum", f"d{at}", of={"column": name})
    for at, name in enumerate(("received", "closed", "reopened"))
)
TRADE = (declare("pct_change", new=cell(8, "sales"), old=cell(5, "sales")),)
NORLAND = (declare("pct_change", new=cell(0, "2023"), old=cell(0, "2022")),)

RIGHT: tuple[tuple[str, Table, tuple[Derivation, ...]], ...] = (
    ("Estavia ranked 1st for silver medals with 25.", MEDALS, ()),
    ("Quintal came second for silver with 14 and first in bronze with 28.", MEDALS, ()),
    ("Estavia ranked second with 22 gold medals.", MEDALS, ()),
    ("Across the three queues we received 972 requests and closed 968.", QUEUES, SUMS),
    ("Across all three queues the team received 972 requests, closed 968 and reopened 51.", QUEUES, SUMS),
    ("Across the three queues we closed 968 requests and reopened 51.", QUEUES, SUMS),
    ("Trade sales slipped by 8.9% from May to June, to $2,190.", SALES, TRADE),
    ("Between May and June, Trade sales fell 8.9% to $2,190.", SALES, TRADE),
    ("Trade sales fell from $2,405 to $2,190 between May and June.", SALES, ()),
    ("Norland's figure rose 8.8% from 2022 to 2023, reaching $5,333.", YEARLY, NORLAND),
    ("It reached number six in Belgium and number three in France.", CHARTS, ()),
    ("It ended the year at number 44 in Belgium and number 17 in France.", CHARTS, ()),
    ("Settlements in the prior year were -$905 in 2021 and -$644 in 2020.", NOTES, ()),
    ("In 2020, increases for positions of prior periods came to $980.", NOTES, ()),
    ("The savings rate stood at 11.3% in 2012 before rising again to 15.2% in 2014.", RATES, ()),
    ("The import share hit 44.6% in 2013 before falling to 36.2% in 2014.", RATES, ()),
)
WRONG: tuple[tuple[str, Table, tuple[Derivation, ...]], ...] = (
    ("Estavia ranked 2nd for silver medals with 25.", MEDALS, ()),
    ("Estavia ranked 2nd for silver medals.", MEDALS, ()),
    ("Quintal came third for silver with 14 and first in bronze with 28.", MEDALS, ()),
    ("Estavia ranked first with 22 gold medals.", MEDALS, ()),
    ("Across the three queues we received 968 requests and closed 972.", QUEUES, SUMS),
    ("Across all three queues the team received 968 requests, closed 972 and reopened 51.", QUEUES, SUMS),
    ("Across the three queues we closed 972 requests and reopened 51.", QUEUES, SUMS),
    ("Across the three queues the team closed 968 requests and received 51.", QUEUES, SUMS),
    ("Trade sales slipped by 8.9% from May to June, to $2,405.", SALES, TRADE),
    ("Trade sales slipped by 8.9% from April to May, to $2,405.", SALES, TRADE),
    ("Between May and June, Trade sales fell 8.9% to $2,340.", SALES, TRADE),
    ("Trade sales fell from $2,340 to $2,190 between May and June.", SALES, ()),
    ("Norland's figure rose 8.8% from 2022 to 2023, reaching $4,900.", YEARLY, NORLAND),
    ("It reached number three in Belgium and number six in France.", CHARTS, ()),
    ("It reached number 44 in Belgium and number 17 in France.", CHARTS, ()),
    ("It ended the year at number 6 in Belgium and number 3 in France.", CHARTS, ()),
    ("Settlements in the prior year were -$644 in 2021 and -$905 in 2020.", NOTES, ()),
    ("Increases for positions of prior periods were $512 in 2022.", NOTES, ()),
    ("The savings rate stood at 11.3% in 2012 before rising again to 44.1% in 2014.", RATES, ()),
    ("The savings rate fell to 11.3% in 2012 before it rebounded to 43.8% in 2013.", RATES, ()),
    ("The import share hit 44.6% in 2013 before falling to 15.2% in 2014.", RATES, ()),
)


@pytest.mark.parametrize(("draft", "table", "declared"), RIGHT)
def test_what_is_told_of_its_order_or_course_passes(
    draft: str, table: Table, declared: tuple[Derivation, ...]
) -> None:
    assert passes(draft, table, declared)


@pytest.mark.parametrize(("draft", "table", "declared"), WRONG)
def test_the_same_words_around_a_figure_of_elsewhere_block(
    draft: str, table: Table, declared: tuple[Derivation, ...]
) -> None:
    assert check(draft, table, declared).verdict == "block"


def test_a_wrong_place_by_a_figure_is_told_with_the_right_one() -> None:
    found = check("Estavia ranked 2nd for silver medals.", MEDALS)
    assert codes(found) == {"wrong_cell"}
    assert next(f.expected for f in found.findings if f.code == "wrong_cell") == "1"


def test_equal_figures_share_a_place() -> None:
    tied = result("Rank:, Club, Wins:, Draws:", (1, "Alm", 9, 2), (2, "Bro", 9, 1), (3, "Cay", 7, 4))
    assert passes("Bro ranked first for wins with 9.", tied)
    assert passes("Cay ranked third for wins with 7.", tied)
    assert not passes("Cay ranked first for wins with 7.", tied)


def test_a_stretch_of_another_span_does_not_carry_a_declared_change() -> None:
    assert passes("Trade sales fell 8.9% from May to June.", SALES, TRADE)
    assert not passes("Trade sales fell 8.9% from April to May.", SALES, TRADE)


def test_a_level_over_a_stretch_without_a_year_is_no_figure_of_one_month() -> None:
    months = result(
        "Month, Signups:, Churned:",
        *(("2026-06", 310, 44), ("2026-07", 288, 52), ("2026-08", 345, 39), ("2026-09", 402, 61)),
    )
    both = [declare("sum", of=[cell(0, "signups"), cell(1, "signups")])]
    assert passes("There were 598 signups from June to July.", months, both)
    assert passes("Signups peaked at 345 between June and August.", months)
    assert passes("Between June and September, signups climbed from 310 to 402.", months)
    assert not passes("There were 310 signups from June to July.", months)
    assert not passes("Signups were 288 between June and July.", months)
    assert not passes("Between June and August, signups climbed from 310 to 402.", months)


def test_a_second_change_of_the_sentence_has_the_stretch_beside_it() -> None:
    months = result("Month, Revenue:USD", ("2026-06", 51200), ("2026-07", 49800), ("2026-08", 53900))
    fall = declare("pct_change", new=cell(1, "revenue"), old=cell(0, "revenue"))
    rise = declare("pct_change", "d2", new=cell(2, "revenue"), old=cell(1, "revenue"))
    assert passes("Revenue rose 8.2% in August, after falling 2.7% from June to July.", months, [fall, rise])
    assert not passes(
        "Revenue rose 8.2% in August, after falling 2.7% from July to August.", months, [fall, rise]
    )
