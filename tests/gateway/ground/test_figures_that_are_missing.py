"""Figures said to be missing, losses in brackets, and verbs of "up" and "down" that move nothing."""

import pytest

from tests.gateway.ground.drafts import check, codes, declare, passes, result

DEVICES = result(
    "Device, Sessions:, Error rate:percent, Refunds:, Rating:, Turnaround:hours",
    ("Phone", 81200, 0.4, 31, 4.5, 22),
    ("Tablet", 12100, 0.9, 0, 4.1, 31),
    ("Kiosk", 5300, None, None, None, None),
)
FLOWS = result(
    "Month, Receipts:EUR, Net flow:EUR",
    ("2026-04", 812400, -88750),
    ("2026-05", 955300, 215100),
    ("2026-06", 701000, -32450),
)
CLUBS = result("Branch, Sign-ups:, Visits:", ("Delft", 412, 20310), ("Breda", 298, 14220))


@pytest.mark.parametrize(
    "draft",
    [
        "Phone had an error rate of 0.4%; there is no error rate for Kiosk.",
        "No rating is available for Kiosk.",
        "Kiosk has no error rate yet.",
        "Kiosk's rating is not available yet.",
        "No turnaround time was recorded for Kiosk.",
        "We do not have a rating for Kiosk.",
        "Refunds of Kiosk are not reported yet.",
        "Tablet had no refunds.",
    ],
)
def test_a_figure_that_is_missing_may_be_said_to_be(draft: str) -> None:
    assert passes(draft, DEVICES)


@pytest.mark.parametrize(
    "draft",
    [
        "There is no error rate for Tablet.",
        "No rating is available for Tablet.",
        "The rating of Tablet is not available.",
        "No error rate was reported for Phone.",
        "No turnaround time was recorded for Phone.",
        "We do not have a rating for Phone.",
        "We have no figure for Tablet's rating.",
        "Refunds of Phone are not reported yet.",
        "There is no error rate for any device.",
        "Kiosk had no refunds.",
        "Refunds at Kiosk: none.",
        "Phone had no refunds.",
    ],
)
def test_a_figure_that_is_there_or_a_missing_one_told_as_zero_blocks(draft: str) -> None:
    assert not passes(draft, DEVICES)


@pytest.mark.parametrize(
    "draft",
    [
        "Net flow: April (€88,750), May €215,100, June (€32,450).",
        "Net flow was €215,100 in May, against (€88,750) in April.",
        "Net flow\nApril: (€88,750)\nMay: €215,100\nJune: (€32,450)",
        "Receipts were highest in May (€955,300).",
    ],
)
def test_brackets_beside_a_row_may_mean_a_loss(draft: str) -> None:
    assert passes(draft, FLOWS)


@pytest.mark.parametrize(
    "draft",
    [
        "Net flow: April €88,750, May €215,100.",
        "Net flow: April (€88,750), May (€215,100), June (€32,450).",
        "Net flow: May (€215,100); June (€32,450).",
        "Net flow: April (€32,450), June (€88,750).",
    ],
)
def test_a_loss_without_a_sign_or_a_gain_in_brackets_of_losses_blocks(draft: str) -> None:
    assert not passes(draft, FLOWS)


@pytest.mark.parametrize(
    "draft",
    [
        "412 people signed up in Delft.",
        "Delft opened up with 412 sign-ups.",
        "Staff in Breda followed up on 298 sign-ups.",
        "Delft picked up the phone for 20,310 visits.",
    ],
)
def test_a_verb_with_up_behind_it_is_no_trend(draft: str) -> None:
    assert check(draft, CLUBS).verdict == "pass"


def test_what_went_up_is_a_trend_all_the_same() -> None:
    assert check("Sign-ups in Delft were up to 412 and are up again.", CLUBS).flags == ("trend",)
    assert check("Sign-ups picked up in Delft, to 412.", CLUBS).flags == ("trend",)
    total = declare("sum", of={"column": "sign_ups"})
    assert not codes(check("Sign-ups added up to 710 in total.", CLUBS, (total,)))
