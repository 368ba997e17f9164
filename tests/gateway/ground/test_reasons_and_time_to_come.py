"""Reasons and time to come are flagged in whatever words; their look-alikes are not."""

import pytest

from tests.gateway.ground.drafts import check, result

DESKS = result("Desk, Tickets closed:", ("Tampa", 57), ("Reno", 33))


@pytest.mark.parametrize(
    "draft",
    [
        "The 57 tickets of Tampa stem from the outage.",
        "The 57 tickets of Tampa are due largely to the outage.",
        "Owing mainly to the outage, Tampa closed 57.",
        "Thanks in no small part to the new tool, Tampa closed 57.",
        "The 57 of Tampa were down to the outage.",
        "Tampa closed 57 on account of the outage.",
        "Tampa owes its 57 tickets to the outage.",
        "The 57 tickets of Tampa arose from the outage.",
        "The 57 tickets of Tampa can be traced to the outage.",
    ],
)
def test_a_reason_is_flagged(draft: str) -> None:
    assert check(draft, DESKS).flags == ("cause",)


@pytest.mark.parametrize(
    "draft",
    [
        "Tampa should close 57 again.",
        "Tampa should carry 57 again after Q3.",
        "Tampa should soon return to 57.",
        "Tampa should be at 57 again.",
        "Tampa ought to reach 57 once more.",
        "Tampa is bound to reach 57.",
        "Tampa is about to reach 57.",
        "The desk in Tampa, with 57 tickets, is due to open in 2027.",
        "The desk in Tampa, with 57 tickets, is scheduled for a move.",
    ],
)
def test_time_to_come_is_flagged(draft: str) -> None:
    assert check(draft, DESKS).flags == ("forecast",)


@pytest.mark.parametrize(
    "draft",
    [
        "The 57 of Tampa should be read with care.",
        "It should be noted that Tampa closed 57.",
        "Tampa closed 57, which should be checked.",
        "The limit of Tampa was set to 57.",
    ],
)
def test_advice_and_settings_are_no_forecasts(draft: str) -> None:
    assert check(draft, DESKS).flags == ()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Tampa closed 57 tickets, see https://bi.example.com/r/8841.",
            "Tampa closed 58 tickets, see https://bi.example.com/r/8841.",
        ),
        (
            "Tampa closed 57 (https://bi.example.com/r/8841). Reno closed 33.",
            "Tampa closed 57 (https://bi.example.com/r/8841). Reno closed 34.",
        ),
        (
            "See https://bi.example.com/r/8841, where Reno closed 33.",
            "See https://bi.example.com/r/8,841, where Reno closed 33.",
        ),
    ],
)
def test_an_address_may_end_a_clause(right: str, wrong: str) -> None:
    assert check(right, DESKS).verdict == "pass"
    assert check(wrong, DESKS).verdict == "block"
