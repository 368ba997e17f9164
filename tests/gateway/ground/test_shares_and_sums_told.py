"""Rates are no shares of a whole, totals are not what each has, and one row's figure is not everybody's."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

STORES = result(
    "Store, Orders:, Refunds:, Refund rate:percent, Gross margin:percent",
    ("Ghent", 4210, 202, 4.8, 31.2),
    ("Bruges", 2985, 95, 3.2, 35.9),
    ("Hasselt", 3640, 240, 6.6, 28.4),
    ("Namur", 1875, 71, 3.8, 33.0),
)
CHANNELS = result(
    "Channel, Revenue:EUR, Share of revenue:percent, Growth:percent",
    ("Web", 512400, 48.8, 12.4),
    ("Stores", 310250, 29.6, -3.1),
    ("Phone", 227350, 21.6, 27.5),
)
DEVICES = result(
    "Device, Orders:, Percentage:percent, Conversion:percent",
    ("Mobile", 8420, 61.0, 2.1),
    ("Desktop", 4417, 32.0, 3.9),
    ("Tablet", 966, 7.0, 2.8),
)
PLANS = result(
    "Plan, Subscribers:, Churn rate:percent",
    ("Basic", 14210, 5.2),
    ("Plus", 8930, 3.4),
    ("Pro", 3105, 1.9),
)
KITCHENS = result(
    "Kitchen, Meals:, Waste:kg, Waste rate:fraction",
    ("Airport", 18200, 910, 0.05),
    ("Harbour", 12450, 996, 0.08),
    ("Campus", 22100, 442, 0.02),
)
BRANCHES = result(
    "Branch, Loans:, New members:, E-book share:percent",
    ("Central", 18420, 302, 22.4),
    ("West", 7310, 95, 31.0),
    ("Lakeside", 4225, 61, 14.8),
)
SHIFTS = result(
    "Line, Early shift:, Late shift:, Night shift:",
    ("Line A", 1240, 1185, 960),
    ("Line B", 1510, 1422, 1105),
)
MONTHS = result(
    "Month, New customers:", ("2026-07", 312), ("2026-08", 287), ("2026-09", 341), ("2026-10", 298)
)
OCTOBER = Scope(today=TODAY, start=date(2026, 10, 1), end=date(2026, 11, 1), metrics=("Orders", "Refunds"))
AUTUMN = Scope(today=TODAY, start=date(2026, 7, 1), end=date(2026, 11, 1), metrics=("New customers",))
ALL_REFUNDS = declare("sum", "d1", of={"column": "refunds"})
ALL_STAFF = declare("sum", "d1", of={"column": "new_customers"})
OF_REFUNDS = declare("share", "d1", part=cell(2, "refunds"), whole={"column": "refunds"})
ALL_SHIFTS = declare(
    "sum", "d1", of=[cell(0, shift) for shift in ("early_shift", "late_shift", "night_shift")]
)
TWO_STORES = declare("sum", "d1", of=[cell(0, "refunds"), cell(1, "refunds")])


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (STORES, "Hasselt refunded 6.6% of its orders.", "Hasselt accounts for 6.6% of all refunds."),
        (
            STORES,
            "In Namur, 3.8% of orders were refunded.",
            "Namur makes up 3.8% of everything we paid back.",
        ),
        (STORES, "Bruges kept a gross margin of 35.9%.", "Bruges contributed 35.9% of group profit."),
        (
            STORES,
            "Refunds represent 3.2% of orders in Bruges.",
            "Bruges represents 3.2% of all refunds.",
        ),
        (CHANNELS, "Web accounts for 48.8% of revenue.", "Web accounts for 12.4% of revenue."),
        (
            CHANNELS,
            "Phone brought in 21.6% of group revenue.",
            "Phone brought in 27.5% of group revenue.",
        ),
        (DEVICES, "Tablets made up 7.0% of orders.", "Tablets made up 2.8% of orders."),
        (DEVICES, "Desktop converts at 3.9%.", "Desktop delivered 3.9% of all orders."),
        (
            PLANS,
            "5.2% of Basic subscribers left.",
            "Some 5.2% of all subscribers are on Basic.",
        ),
        (PLANS, "Churn on Plus was 3.4%.", "Plus holds 3.4% of all subscribers."),
        (KITCHENS, "Campus throws away only 2%.", "Campus is responsible for 2% of total waste."),
        (
            KITCHENS,
            "The waste rate in the Harbour was 8%.",
            "8% of all waste came from the Harbour.",
        ),
        (
            BRANCHES,
            "E-books made up 31.0% of loans in West.",
            "West made up 31.0% of all loans.",
        ),
    ],
)
def test_a_rate_of_a_row_is_no_share_of_the_whole(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


def test_a_declared_share_of_all_is_no_share_of_what_the_row_has() -> None:
    assert passes("Hasselt accounts for 39.5% of all refunds.", STORES, (OF_REFUNDS,))
    assert passes("The chain paid 39.5% of its refunds in Hasselt.", STORES, (OF_REFUNDS,))
    assert not passes("Hasselt refunded 39.5% of its own orders.", STORES, (OF_REFUNDS,))
    assert not passes("Hasselt paid back 39.5% of its orders.", STORES, (OF_REFUNDS,))


@pytest.mark.parametrize(
    ("table", "declared", "true", "false"),
    [
        (STORES, ALL_REFUNDS, "The four stores paid 608 refunds.", "Each store paid 608 refunds."),
        (STORES, ALL_REFUNDS, "We paid 608 refunds in all.", "We paid 608 refunds per store."),
        (
            STORES,
            ALL_REFUNDS,
            "The stores paid 608 refunds together.",
            "The stores paid 608 refunds each.",
        ),
        (
            STORES,
            ALL_REFUNDS,
            "Across all stores there were 608 refunds.",
            "On average a store paid 608 refunds.",
        ),
        (
            STORES,
            ALL_REFUNDS,
            "The stores had 608 refunds in total.",
            "Every one of the four stores had 608 refunds.",
        ),
        (SHIFTS, ALL_SHIFTS, "Line A packed 3,385 units.", "Line A packed 3,385 units per shift."),
        (SHIFTS, ALL_SHIFTS, "Line A packed 3,385 units in all.", "Line A packed 3,385 units in each shift."),
        (
            MONTHS,
            ALL_STAFF,
            "The four months brought 1,238 new customers.",
            "Each month brought 1,238 new customers.",
        ),
        (
            MONTHS,
            ALL_STAFF,
            "We won 1,238 new customers from July to October 2026.",
            "We won 1,238 new customers a month.",
        ),
    ],
)
def test_a_total_is_not_what_each_has(table: Table, declared: Derivation, true: str, false: str) -> None:
    assert passes(true, table, (declared,))
    assert not passes(false, table, (declared,))


@pytest.mark.parametrize(
    "draft",
    [
        "We took 4,210 orders.",
        "Group orders came to 4,210.",
        "The chain as a whole took 4,210 orders in October 2026, and 202 Ghent orders were refunded.",
        "Altogether we took 4,210 orders in October 2026, and in Ghent 202 were refunded.",
        "We paid 240 refunds in October 2026.",
    ],
)
def test_one_store_is_not_all_of_them(draft: str) -> None:
    assert not passes(draft, STORES, scope=OCTOBER)


@pytest.mark.parametrize(
    "draft",
    [
        "Ghent took 4,210 orders and paid 202 refunds.",
        "Ghent did well. It took 4,210 orders.",
        "The busiest store took 4,210 orders.",
        "Ghent as a whole took 4,210 orders, and 202 were refunded.",
    ],
)
def test_what_one_store_had_is_said_of_it(draft: str) -> None:
    assert passes(draft, STORES, scope=OCTOBER)


def test_the_last_of_several_periods_is_what_there_is_now() -> None:
    members = result("Month, Members:", ("2026-08", 8120), ("2026-09", 8355), ("2026-10", 8610))
    scope = Scope(today=TODAY, start=date(2026, 8, 1), end=date(2026, 11, 1), metrics=("Members",))
    assert passes("We now have 8,610 members.", members, scope=scope)
    assert not passes("We now have 8,355 members.", members, scope=scope)
    assert not passes("We have 8,355 members.", members, scope=scope)


def test_the_sum_of_two_is_not_told_of_all() -> None:
    assert passes("Ghent and Bruges paid 297 refunds.", STORES, (TWO_STORES,))
    assert not passes("The four stores paid 297 refunds.", STORES, (TWO_STORES,))


def test_a_majority_is_more_than_half() -> None:
    assert passes("Mobile brought the majority of orders, 61.0%.", DEVICES)
    assert not passes("Web brought the majority of revenue, 48.8%.", CHANNELS)
    assert "claim" in codes(check("A majority of 48.8% came through the Web.", CHANNELS))
