"""Claims beside the numbers: found by class, settled by code where the cells can, held where they cannot."""

import pytest

from tests.gateway.ground.drafts import cell, check, declare, regions, result

REGIONS = regions("USD", "Net revenue", 2948150, 1377420, 803115)
MONTHS = result("Month, Net revenue:USD", ("2026-07", 1242300), ("2026-08", 1301750), ("2026-09", 1388600))


@pytest.mark.parametrize(
    ("draft", "flags"),
    [
        ("Benelux made $2,948,150.", ()),
        ("Benelux made more than $2.9 million.", ()),
        ("Benelux made at least $2.9M.", ()),
        ("The up-to-date figure for Benelux is $2,948,150.", ()),
        ("Benelux made $2,948,150 because of the new prices.", ("cause",)),
        ("Thanks to the campaign, Benelux made $2,948,150.", ("cause",)),
        ("The price change lifted Benelux to $2,948,150.", ("cause",)),
        ("Benelux is on track to reach $2,948,150 again.", ("forecast",)),
        ("Benelux will grow beyond $2,948,150.", ("forecast",)),
        ("Benelux recovered to $2,948,150.", ("trend",)),
        ("Benelux was the strongest region with $2,948,150.", ("comparison",)),
        ("Nordics came last with $803,115.", ("comparison",)),
    ],
)
def test_each_class_of_claim_is_flagged(draft: str, flags: tuple[str, ...]) -> None:
    assert check(draft, REGIONS).flags == flags


@pytest.mark.parametrize(
    "draft", ["Benelux made $2,948,150 because of the new prices.", "Benelux will make $2,948,150."]
)
def test_cause_and_forecast_always_hold(draft: str) -> None:
    found = check(draft, REGIONS)
    assert (found.verdict, found.settled) == ("hold", ())
    assert {f.code for f in found.findings} == {"claim"}


@pytest.mark.parametrize(
    "draft",
    [
        "Benelux had the highest net revenue, $2,948,150.",
        "Nordics had the lowest net revenue, $803,115.",
        "Iberia made $1,377,420, more than Nordics.",
        "Benelux exceeded Iberia with $2,948,150.",
    ],
)
def test_what_the_cells_bear_out_is_settled_by_code(draft: str) -> None:
    found = check(draft, REGIONS)
    assert found.verdict == "pass"
    assert found.settled[0].startswith("comparison: Net revenue")


@pytest.mark.parametrize(
    "draft",
    [
        "Iberia had the highest net revenue, $1,377,420.",
        "Iberia had the lowest net revenue, $1,377,420.",
        "Iberia made $1,377,420, less than Nordics.",
        "Iberia exceeded Benelux with $1,377,420.",
    ],
)
def test_what_the_cells_refute_blocks_with_the_figures(draft: str) -> None:
    found = check(draft, REGIONS)
    assert found.verdict == "block"
    assert next(f for f in found.findings if f.code == "claim").expected


def test_a_trend_is_settled_by_its_declared_change() -> None:
    change = declare("pct_change", new=cell("2026-08", "net_revenue"), old=cell("2026-07", "net_revenue"))
    found = check("Net revenue rose 4.8% in August 2026.", MONTHS, [change])
    assert (found.verdict, found.settled) == (
        "pass",
        ("trend: pct_change(2026-08.net_revenue, 2026-07.net_revenue)",),
    )


def test_a_trend_between_two_cells_is_read_off_them() -> None:
    assert (
        check("Net revenue rose from $1,242,300 in July to $1,301,750 in August.", MONTHS).verdict == "pass"
    )
    assert (
        check("Net revenue fell from $1,242,300 in July to $1,301,750 in August.", MONTHS).verdict == "block"
    )


def test_a_race_is_won_by_the_smaller_figure() -> None:
    times = result("Runner, Time:seconds", ("Ada Quist", 13.14), ("Ben Rowe", 13.30))
    assert check("Ada Quist beat Ben Rowe in 13.14 seconds.", times).verdict == "hold"


def test_the_highest_of_a_cut_result_is_not_known() -> None:
    table = result("Region, Orders:", ("North", 2000), ("South", 5000), truncated=True)
    assert check("South had the most orders, 5,000.", table).verdict == "hold"
