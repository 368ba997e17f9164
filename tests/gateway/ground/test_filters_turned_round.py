"""Another value of a filtered field, or the opposite of the one that ran, is not what the question asked."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, check, codes, passes, result

TICKETS = result("Team, Tickets opened:, Tickets solved:", ("Billing", 3120, 2890), ("Login", 1180, 1002))
ORDERS = result("Country, Orders:", ("Spain", 840), ("Italy", 1015))
START, END = date(2026, 10, 1), date(2026, 11, 1)
URGENT = Scope(
    today=TODAY,
    start=START,
    end=END,
    metrics=("Tickets opened", "Tickets solved"),
    filters=(("priority", "in", ("Urgent",)),),
)
PAID = Scope(
    today=TODAY,
    start=START,
    end=END,
    metrics=("Orders",),
    filters=(("customer_type", "eq", ("Business",)), ("status", "in", ("Paid",))),
)


@pytest.mark.parametrize(
    "draft",
    [
        "Billing solved 2,890 low-priority tickets in October 2026.",
        "Billing solved 2,890 non-urgent tickets in October 2026.",
        "Billing solved 2,890 tickets of normal priority in October 2026.",
        "Billing solved 2,890 tickets that were not urgent in October 2026.",
        "Billing solved 2,890 medium priority tickets in October 2026.",
    ],
)
def test_another_value_of_the_field_blocks(draft: str) -> None:
    assert codes(check(draft, TICKETS, scope=URGENT)) == {"filter"}


@pytest.mark.parametrize(
    "draft",
    [
        "Billing solved 2,890 urgent tickets in October 2026.",
        "Billing solved 2,890 urgent-priority tickets in October 2026.",
        "Billing solved 2,890 tickets of urgent priority in October 2026.",
        "Billing solved 2,890 tickets, all urgent, from our top-priority queue in October 2026.",
    ],
)
def test_the_value_that_ran_passes(draft: str) -> None:
    assert passes(draft, TICKETS, scope=URGENT)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Spain placed 840 paid orders.", "Spain placed 840 unpaid orders."),
        ("Spain placed 840 business orders.", "Spain placed 840 non-business orders."),
        ("Spain placed 840 orders, all of them paid.", "Spain placed 840 orders that were not paid."),
    ],
)
def test_a_value_turned_round_blocks(true: str, false: str) -> None:
    assert passes(true, ORDERS, scope=PAID)
    assert not passes(false, ORDERS, scope=PAID)
