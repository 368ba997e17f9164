"""Parts told of a whole: what the whole and the part are called, and the share that they make."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import ANYTHING, Q3, cell, declare, passes, result
from traces.records import Derivation, Table


class Told(NamedTuple):
    """What a draft is checked against."""

    table: Table
    declared: Sequence[Derivation] = ()
    scope: Scope = ANYTHING


MONTHS = Told(
    result(
        "Month, Orders:, Returns:, Net revenue:EUR",
        ("January", 410, 31, 81200),
        ("February", 455, 28, 90400),
        ("March", 520, 44, 101300),
        ("April", 390, 25, 77700),
        ("Total", 1775, 128, 350600),
    )
)
REGIONS = Told(
    result(
        "Region, Plan:EUR, Actual:EUR, Gap:EUR, Share %:percent",
        ("Benelux", 500, 540, 40, 27),
        ("Iberia", 400, 380, -20, 19),
        ("Nordics", 300, 330, 30, 16.5),
        ("Rest of world", 700, 650, -50, 32.5),
        ("Other", 100, 100, 0, 5),
        ("Total", 2000, 2000, 0, 100),
    )
)
CHANNELS = Told(
    result(
        "Channel, Visits:, Orders:, Conversion %:percent, Revenue:EUR",
        ("Web", 12400, 620, 5, 31000),
        ("App", 8200, 574, 7, 28700),
        ("Store", 3100, 930, 30, 46500),
        ("Partners", 900, 90, 10, 9000),
        ("Total", 24600, 2214, 9, 115200),
    )
)
LANDS = Told(
    result(
        "Country, Channel, Orders:",
        ("Spain", "Web", 120),
        ("Spain", "Store", 80),
        ("Italy", "Web", 90),
        ("Italy", "Store", 60),
        ("Total", "Total", 350),
    )
)
QUARTER = Told(
    result("Month, Orders:", ("July", 410), ("August", 455), ("September", 520), ("Total", 1385)), scope=Q3
)
WEB, APP, ALL = (cell(name, "orders") for name in ("Web", "App", "Total"))
SUMMED = CHANNELS._replace(declared=[declare("sum", of=[WEB, APP])])
SHARED = CHANNELS._replace(declared=[declare("share", part=WEB, whole=ALL)])


@pytest.mark.parametrize(
    ("told", "draft"),
    [
        (MONTHS, "Of the 1,775 orders, 410 came in January."),
        (MONTHS, "Of the 1,775 orders, 410 were in January and 455 in February."),
        (MONTHS, "Of the 128 returns, 31 came in January."),
        (MONTHS, "Of the 1,775, 410 came in January."),
        (MONTHS, "Of the total 1,775 orders, 410 came in January."),
        (MONTHS, "Of the 410 orders in January, 31 were returned."),
        (REGIONS, "Of the 2,000 in plan, 500 came from Benelux."),
        (REGIONS, "Of the 2,000, 540 came from Benelux."),
        (REGIONS, "Of the 2,000 in actual, 540 came from Benelux."),
        (QUARTER, "Of the 1,385 orders, 455 came in August."),
        (LANDS, "Of the 350 orders, 60 came from Store in Italy."),
        (CHANNELS, "Of the 2,214 orders, 620 came from Web."),
        (CHANNELS, "Of the 2,214 orders, 930 came from stores and 574 from App."),
        (SUMMED, "Of the 1,194 orders on Web and App, 574 came from App."),
        (MONTHS, "Out of the 1,775 orders, only 410 came in January."),
        (MONTHS, "Of the 1,775 total orders, 410 came in January, 455 in February and 520 in March."),
        (REGIONS, "Of the 2,000, 540 came from Benelux, 380 from Iberia and 330 from the Nordics."),
        (REGIONS, "Of the 2,000, about 540 came from Benelux."),
    ],
)
def test_a_part_of_a_whole_told_by_its_name_passes(told: Told, draft: str) -> None:
    """The noun is the column's, and the part is all that its clause names."""
    assert passes(draft, told.table, told.declared, told.scope)


@pytest.mark.parametrize(
    ("told", "draft"),
    [
        (MONTHS, "Of the 1,775 employees, 410 left in January."),
        (MONTHS, "Of the 1,775 customers, 410 came in January."),
        (MONTHS, "Of the 1,775 web orders, 410 came in January."),
        (MONTHS, "Of the 1,775 orders in 2025, 410 came in January."),
        (MONTHS, "Of the 1,775 orders, 410 were cancelled in January."),
        (MONTHS, "Of the 1,775 orders, 410 were returned in January."),
        (MONTHS, "Of the 1,775 orders since March, 410 came in January."),
        (MONTHS, "Of the 1,775 units, 410 were lost in January."),
        (MONTHS, "Of the 410 orders in January, 390 came from April."),
        (REGIONS, "Of the 2,000 in costs, 540 came from Benelux."),
        (REGIONS, "Of the 2,000 customers, 540 came from Benelux."),
        (REGIONS, "Of the 2,000 in Q1, 540 came from Benelux."),
        (REGIONS, "Of the 2,000 in the Nordics, 540 came from Benelux."),
        (REGIONS, "Of the 2,000, 540 did not come from Benelux."),
        (REGIONS, "Of the 2,000, all but 540 came from Benelux."),
        (REGIONS, "Of the 2,000 in actual, all but 540 came from Benelux."),
        (REGIONS, "Of the 2,000 in actual, 540 did not come from Benelux."),
        (REGIONS, "Of the 2,000 in actual, 540 never came from Benelux."),
        (REGIONS, "Of the 540 in Benelux, 380 came from Iberia."),
        (REGIONS, "Of the \u20ac2,000 in costs, \u20ac540 came from Benelux."),
        (QUARTER, "Of the 1,385 orders in July, 455 came in August."),
        (LANDS, "Of the 350 orders in Spain, 120 came from Web."),
        (LANDS, "Of the 350 web orders, 120 came from Spain."),
        (LANDS, "Of the 350 orders, 80 came from Store."),
        (LANDS, "Of the 350 orders, 60 came from stores."),
        (LANDS, "Of the 350 orders, 60 came from Store."),
        (LANDS, "Of the 350 orders, 120 came from Spain."),
        (CHANNELS, "Of the 930 orders in Store, 620 came from Web."),
        (SUMMED, "Of the 1,194 orders on Web, 574 came from App."),
        (SUMMED, "Of the 1,194 orders on Web and App, 930 came from Store."),
        (MONTHS, "Of the 1,775 orders, 410 were lost, in January."),
        (MONTHS, "Of the 1,775 January orders, 410 came in January."),
        (MONTHS, "Of the 410 orders in January, 455 came in February."),
        (MONTHS, "Of the 1,775 orders, 410 came in January, but 455 were cancelled in February."),
        (REGIONS, "Of the 2,000, 540 came from Benelux and the rest from Iberia."),
        (REGIONS, "Of the 2,000, 540 came from Benelux and the remaining came from Iberia."),
        (REGIONS, "Of the \u20ac540 in Benelux, \u20ac380 came from Iberia."),
        (MONTHS, "Of 520 orders in March, 390 came in April."),
        (REGIONS, "Of the 2,000, 540 came from Benelux and Iberia."),
        (REGIONS, "Of the 2,000, 540 came from Benelux and all others from Iberia."),
    ],
)
def test_a_whole_or_part_called_otherwise_is_refused(told: Told, draft: str) -> None:
    """Another noun, place, period, a denial or a part of a part says what no cell does."""
    assert not passes(draft, told.table, told.declared, told.scope)


@pytest.mark.parametrize(
    ("told", "draft"),
    [
        (CHANNELS, "Web brought 620 of 2,214 orders and converted 5% of visits."),
        (REGIONS, "Benelux sold \u20ac540 of \u20ac2,000 (27%)."),
        (REGIONS, "Benelux: 540 of 2,000 (27%)."),
        (CHANNELS, "Web brought 620 of 2,214 orders (5% conversion)."),
        (CHANNELS, "Web brought 620 of 2,214 orders, at a conversion of 5%."),
        (SHARED, "Web brought 620 of 2,214 orders (28%)."),
        (SHARED, "Web brought 620 of 2,214 orders, or 28% of orders."),
        (SHARED, "Web brought 28% of orders (620 of 2,214)."),
        (SHARED, "28% of the 2,214 orders came from Web."),
        (SHARED, "Web brought 620 of 2,214 orders (about 28%)."),
        (REGIONS, "27% of the 2,000 in actual came from Benelux."),
        (CHANNELS, "Web converted 5% of visits (620 of 12,400)."),
    ],
)
def test_a_share_beside_its_part_and_whole_passes(told: Told, draft: str) -> None:
    """A percentage is their quotient, or says what else it is of."""
    assert passes(draft, told.table, told.declared, told.scope)


@pytest.mark.parametrize(
    ("told", "draft"),
    [
        (CHANNELS, "Web brought 620 of 2,214 orders (5%)."),
        (CHANNELS, "Store: 930 of 2,214 (30%)."),
        (CHANNELS, "Partners brought 90 of 2,214 orders, or 10%."),
        (CHANNELS, "Partners brought 90 of the 2,214 orders, or 10%."),
        (REGIONS, "Benelux sold \u20ac500 of \u20ac2,000 (27%)."),
        (REGIONS, "Benelux: 500 of 2,000 (27%)."),
        (CHANNELS, "Web brought 620 (5%) of 2,214 orders."),
        (CHANNELS, "Web brought 5% (620 of 2,214) of orders."),
        (CHANNELS, "Web brought 5% of orders (620 of 2,214)."),
        (CHANNELS, "Web brought 620 of 2,214 orders, i.e. 5%."),
        (CHANNELS, "Web brought 620 of 2,214 orders, which is 5%."),
        (CHANNELS, "Web brought 620 of 2,214 orders, a share of 5%."),
        (CHANNELS, "Web brought 620 of 2,214 orders (5% of orders)."),
        (CHANNELS, "Web brought 620 of 2,214 orders (5% of the total)."),
        (SHARED, "Web brought 620 of 2,214 orders (29%)."),
        (CHANNELS, "30% of the 2,214 orders came from Store."),
    ],
)
def test_another_share_beside_a_part_and_whole_is_refused(told: Told, draft: str) -> None:
    """A percentage of another column is not what the part is of the whole."""
    assert not passes(draft, told.table, told.declared, told.scope)
