"""One row set ahead of another by a declared difference, and wholes told before their parts."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.grounding import Grounding

SITES = result(
    "Site, NPS:, Response rate:percent, Wait:minutes, Churn:percent",
    ("Basel", 54, 41.2, 12, 2.1),
    ("Bern", 47, 38.0, 17, 3.4),
    ("Zug", 61, 44.5, 9, 1.2),
)
GAPS = (
    declare("difference", "n", a=cell("Basel", "nps"), b=cell("Bern", "nps")),
    declare("pp_change", "r", new=cell("Zug", "response_rate"), old=cell("Bern", "response_rate")),
    declare("difference", "w", a=cell("Bern", "wait"), b=cell("Zug", "wait")),
    declare("pp_change", "c", new=cell("Bern", "churn"), old=cell("Zug", "churn")),
)
ARMS = result(
    "Variant, Views:, Buy rate:fraction, Refund rate:percent",
    ("Baseline", 10240, 0.05, 1.2),
    ("Blue button", 10190, 0.066, 2.0),
    ("Long copy", 10310, 0.042, 1.5),
)
TESTED = (
    declare("pp_change", "b", new=cell("Blue button", "buy_rate"), old=cell("Baseline", "buy_rate")),
    declare("pp_change", "l", new=cell("Long copy", "buy_rate"), old=cell("Baseline", "buy_rate")),
    declare("pp_change", "f", new=cell("Blue button", "refund_rate"), old=cell("Baseline", "refund_rate")),
)
CHANNELS = result("Channel, Leads:, Deals:", ("Fairs", 210, 31), ("Search", 640, 52), ("Email", 150, 27))
WHOLES = (
    declare("sum", "l", of={"column": "leads"}),
    declare("sum", "d", of={"column": "deals"}),
    declare("count_rows", "n"),
    declare("share", "s", part=[cell("Search", "leads")], whole={"column": "leads"}),
    declare("share", "t", part=[cell("Search", "deals")], whole={"column": "deals"}),
)


@pytest.mark.parametrize(
    "draft",
    [
        "Basel outscored Bern by 7 points on NPS.",
        "Zug's response rate was 6.5 points better than Bern's.",
        "Zug beat Bern by 6.5 percentage points on response rate.",
        "Bern trailed Zug by 6.5 pp in response rate.",
        "Bern's churn was 2.2 percentage points worse than Zug's.",
        "Zug's churn was 2.2 points better than Bern's.",
        "Patients in Bern waited 8 minutes longer than in Zug.",
        "The wait in Zug was 8 minutes shorter than in Bern.",
    ],
)
def test_the_row_that_is_ahead_may_be_said_so(draft: str) -> None:
    assert passes(draft, SITES, GAPS)


@pytest.mark.parametrize(
    "draft",
    [
        "Bern outscored Basel by 7 points on NPS.",
        "Bern's response rate was 6.5 points better than Zug's.",
        "Bern beat Zug by 6.5 percentage points on response rate.",
        "Zug beat Basel by 6.5 percentage points on response rate.",
        "Zug trailed Bern by 6.5 pp in response rate.",
        "Bern's churn was 2.2 percentage points better than Zug's.",
        "Zug's churn was 2.2 points worse than Bern's.",
        "Patients in Zug waited 8 minutes longer than in Bern.",
        "Zug beat Bern by 7 points on NPS.",
    ],
)
def test_the_row_that_is_behind_is_not_told_ahead(draft: str) -> None:
    assert not passes(draft, SITES, GAPS)


def test_basis_points_worse_is_below_the_other_row() -> None:
    assert passes("Long copy converted 80 basis points worse than Baseline.", ARMS, TESTED)
    assert not passes("Long copy converted 80 basis points better than Baseline.", ARMS, TESTED)
    assert not passes("Baseline converted 80 basis points worse than Long copy.", ARMS, TESTED)
    assert not passes("Long copy converted 8 basis points worse than Baseline.", ARMS, TESTED)


def test_a_lead_in_one_rate_is_none_in_another() -> None:
    assert passes("Blue button's refund rate was 80 bps worse than Baseline's.", ARMS, TESTED)
    assert not passes("Blue button beat Baseline by 0.8 points on buy rate.", ARMS, TESTED)
    assert not passes("Blue button beat Baseline by 1.6 points on refund rate.", ARMS, TESTED)


SCRAP = result("Plant, Scrap rate H1:percent, Scrap rate H2:percent", ("Brno", 3.1, 2.6), ("Gyor", 4.4, 4.9))
SCRAPPED = tuple(
    declare("pp_change", row, new=cell(row, "scrap_rate_h2"), old=cell(row, "scrap_rate_h1"))
    for row in ("Brno", "Gyor")
)


def test_what_improves_goes_down_where_less_is_better() -> None:
    assert passes("Brno's scrap rate improved by 0.5 percentage points to 2.6% in H2.", SCRAP, SCRAPPED)
    assert passes("Gyor's scrap rate worsened by 0.5 points, to 4.9%.", SCRAP, SCRAPPED)
    assert not passes("Gyor's scrap rate improved by 0.5 points, to 4.9%.", SCRAP, SCRAPPED)
    assert not passes("Brno's scrap rate worsened by 0.5 percentage points.", SCRAP, SCRAPPED)


def test_a_lead_that_its_sign_bears_out_waits_for_nobody() -> None:
    found: Grounding = check("Blue button beat Baseline by 1.6 percentage points.", ARMS, TESTED)
    assert found.verdict == "pass"
    assert codes(check("Baseline beat Blue button by 1.6 percentage points.", ARMS, TESTED))


@pytest.mark.parametrize(
    "draft",
    [
        "The three channels produced 1,000 leads, 64% of which came from Search.",
        "1,000 leads came through the three channels, 64% of them through Search.",
        "Our three channels brought 1,000 leads, of which 64% through Search.",
    ],
)
def test_a_whole_is_told_before_the_row_of_its_share(draft: str) -> None:
    assert passes(draft, CHANNELS, WHOLES)


@pytest.mark.parametrize(
    "draft",
    [
        "The three channels produced 1,000 leads, 64% of which came from Fairs.",
        "The three channels produced 1,000 deals, 64% of which came from Search.",
        "The three channels produced 1,000 leads, 47.3% of which came from Search.",
        "The two channels produced 1,000 leads, 64% of which came from Search.",
        "Search brought 1,000 leads, 64% of the total.",
        "Search produced 1,000 leads.",
    ],
)
def test_a_whole_of_another_column_or_told_of_one_row_blocks(draft: str) -> None:
    assert not passes(draft, CHANNELS, WHOLES)


STORES = result(
    "Store, Region, Sales:GBP, Staff:",
    ("Leeds", "North", 412380, 22),
    ("York", "North", 198745, 11),
    ("Hull", "East", 156210, 9),
    ("Derby", "Midlands", 301900, 17),
    ("Lincoln", "East", 142050, 8),
)
OF_STORES = (
    declare("mean", "m", of={"column": "sales"}),
    declare("sum", "n", of={"column": "sales", "where": {"column": "region", "op": "=", "value": "North"}}),
)


def test_a_place_without_a_figure_is_that_of_the_column_it_names() -> None:
    assert passes("York ranks third by sales.", STORES)
    assert passes("York is the third-largest store by sales.", STORES)
    assert not passes("York ranks second by sales.", STORES)
    assert not passes("York is the second-largest store by sales.", STORES)
    assert not passes("Hull is the third-smallest store by sales.", STORES)


def test_northern_stores_are_those_of_the_north() -> None:
    assert passes("The two northern stores brought in £611,125.", STORES, OF_STORES)
    assert not passes("The two eastern stores brought in £611,125.", STORES, OF_STORES)


def test_an_average_is_not_what_each_had() -> None:
    assert passes("The average store sold £242,257.", STORES, OF_STORES)
    assert passes("Each store sold £242,257 on average.", STORES, OF_STORES)
    assert not passes("Each store sold £242,257.", STORES, OF_STORES)


MONTHS = result("Month, MRR:USD", ("2026-05", 41200), ("2026-06", 42750), ("2026-07", 45100))
GREW = (declare("pct_change", new=cell("2026-07", "mrr"), old=cell("2026-05", "mrr")),)


def test_a_rise_above_the_level_of_one_month_is_none_above_another() -> None:
    assert passes("MRR ended July 9.5% above its May level.", MONTHS, GREW)
    assert not passes("MRR ended July 9.5% above its June level.", MONTHS, GREW)
