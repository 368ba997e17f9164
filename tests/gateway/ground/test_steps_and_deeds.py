"""Columns that are steps of one count, and rows that are deeds, said in other words; and their twins."""

import pytest

from tests.gateway.ground.drafts import passes, result

COHORTS = result(
    "Cohort, New members:, Month 1 retention:percent, Month 3 retention:percent, Month 6 retention:percent",
    ("2026-01", 1210, 71.2, 52.3, 40.8),
    ("2026-02", 980, 68.4, 49.9, 38.1),
    ("2026-03", 1105, 73.0, 55.1, None),
)
CHURN = result(
    "Plan, Subscribers:, 30-day churn:percent, 90-day churn:percent",
    ("Basic", 8100, 6.4, 14.9),
    ("Family", 3350, 3.1, 8.2),
)
PAID = result(
    "Agency, Invoices:, Paid within 30 days:percent, Paid within 60 days:percent",
    ("Norr", 210, 61.0, 88.1),
    ("Syd", 180, 55.6, 91.7),
)
FUNNEL = result(
    "Step, People:",
    ("Page view", 90210),
    ("Account created", 22400),
    ("Add to basket", 6230),
    ("Checkout", 2910),
    ("Order placed", 1745),
    ("Order returned", 411),
)
STAGES = result(
    "Stage, Leads:",
    ("Demo requested", 640),
    ("Interview held", 160),
    ("Proposal sent", 233),
    ("Offer made", 44),
    ("Offer accepted", 31),
)
HUBS = result("Hub, Check-ins:, Walk-ins:", ("Pier 1", 810, 120), ("Pier 2", 640, 205))


@pytest.mark.parametrize(
    "draft",
    [
        "Of the 1,210 who joined in January 2026, 71.2% were there after month 1 and 52.3% after month 3.",
        "The January 2026 cohort stood at 71.2% after one month, 52.3% after three and 40.8% after six.",
        "The January 2026 cohort kept 71.2% in the first month and 52.3% by the third month.",
        "In month three, 49.9% of the February 2026 cohort remained.",
        "After 3 months, retention of the February 2026 cohort was 49.9%.",
        "The 3-month retention of the March 2026 cohort was 55.1%.",
    ],
)
def test_a_step_is_named_by_its_number_in_any_order(draft: str) -> None:
    assert passes(draft, COHORTS)


@pytest.mark.parametrize(
    "draft",
    [
        "Of the 1,210 who joined in January 2026, 52.3% were there after month 1 and 71.2% after month 3.",
        "The January 2026 cohort stood at 71.2% after one month, 40.8% after three and 52.3% after six.",
        "By month 6, 49.9% of the February 2026 cohort was left.",
        "In the third month, 68.4% of the February 2026 cohort remained.",
        "In the second month, 68.4% of the February 2026 cohort remained.",
        "By month 9, 38.1% of the February 2026 cohort was left.",
    ],
)
def test_a_figure_of_another_step_blocks(draft: str) -> None:
    assert not passes(draft, COHORTS)


def test_days_of_a_label_are_a_step_wherever_they_stand() -> None:
    assert passes("Within 90 days, 14.9% of Basic subscribers had churned.", CHURN)
    assert passes("Basic churn was 6.4% after 30 days and 14.9% after 90.", CHURN)
    assert passes("Family loses 3.1% of subscribers in 30 days.", CHURN)
    assert passes("Within 60 days, 91.7% of Syd's invoices had been paid.", PAID)
    assert not passes("Within 90 days, 6.4% of Basic subscribers had churned.", CHURN)
    assert not passes("Basic churn was 14.9% after 30 days and 6.4% after 90.", CHURN)
    assert not passes("Within 60 days, 14.9% of Basic subscribers had churned.", CHURN)
    assert not passes("Within 30 days, 91.7% of Syd's invoices had been paid.", PAID)


@pytest.mark.parametrize(
    "draft",
    [
        "About 90,200 people viewed a page and 1,745 of them got as far as placing an order.",
        "22,400 people created their account.",
        "6,230 people added something to the basket and 2,910 went on to check out.",
        "2,910 people checked out.",
        "411 people returned an order.",
    ],
)
def test_a_step_is_named_by_what_people_did(draft: str) -> None:
    assert passes(draft, FUNNEL)


@pytest.mark.parametrize(
    "draft",
    [
        "About 90,200 people created an account and 1,745 of them placed an order.",
        "2,910 people created their account.",
        "6,230 people checked out.",
        "411 people placed an order.",
        "1,745 people returned an order.",
        "90,210 people viewed a page, 1,745 created an account and 22,400 placed an order.",
    ],
)
def test_people_who_did_something_else_block(draft: str) -> None:
    assert not passes(draft, FUNNEL)


def test_stages_are_told_as_deeds_too() -> None:
    assert passes("We made 44 offers, of which 31 were accepted.", STAGES)
    assert passes("160 leads were interviewed and 233 were sent a proposal.", STAGES)
    assert not passes("We made 31 offers.", STAGES)
    assert not passes("160 leads got an offer.", STAGES)
    assert not passes("160 leads requested a demo.", STAGES)


def test_a_column_of_a_verb_and_its_particle_is_said_as_one() -> None:
    assert passes("810 people checked in at Pier 1 and 120 walked in.", HUBS)
    assert not passes("120 people checked in at Pier 1.", HUBS)
    assert not passes("640 people walked in at Pier 2.", HUBS)
