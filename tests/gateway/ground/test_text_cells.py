"""Amounts that stand in text cells are bound like figures, and never name a row."""

import pytest

from gateway.ground.lexing.amounts import is_amount
from tests.gateway.ground.drafts import check, passes, result

RACE = result(
    "Place, Runner, Time, Throw, Prize",
    ("1st", "Osk Berg", "3:41.2", "61.40 m (201 ft)", "£1,200"),
    ("2nd", "Lena Mars", "3:44.9", "58.15 m (191 ft)", "£800"),
)
LIFTS = result("Lift, Kind, Height", ("Ridge", "8-seat gondola", "412 m"), ("Bowl", "T-bar", "155 m"))


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12.5 km", True), ("£1,200", True), ("6.2%", True), ("140 (35%)", True), ("3:41.2", True),
        ("800 seats, 40 cars", True), ("2.5", True), ("1984", False), ("31", False), ("2nd", False),
        ("1998–99", False), ("4 June 2003", False), ("8-seat gondola", False), ("Route 66", False),
    ],
)  # fmt: skip
def test_an_amount_is_told_from_a_name(text: str, amount: bool) -> None:
    assert is_amount(text) is amount


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Osk Berg won in 3:41.2.", "Osk Berg won in 3:44.9."),
        ("Lena Mars ran 3:44.9.", "Lena Mars ran 3:49.4."),
        ("Lena Mars threw 58.15 m.", "Lena Mars threw 61.40 m."),
        ("Osk Berg threw 201 feet.", "Osk Berg threw 191 feet."),
        ("Osk Berg earned £1,200.", "Osk Berg earned £800."),
        ("The Ridge lift climbs 412 metres.", "The Ridge lift climbs 155 metres."),
    ],
)
def test_an_amount_in_a_text_cell_belongs_to_its_row(true: str, wrong: str) -> None:
    table = LIFTS if "lift" in true else RACE
    assert passes(true, table)
    assert not passes(wrong, table)


def test_a_clock_time_is_no_figure_where_the_result_has_none() -> None:
    table = result("Region, Orders:", ("North", 120))
    assert passes("At 09:30 North had 120 orders.", table)


def test_a_code_inside_a_text_cell_is_a_name() -> None:
    assert passes("Ridge is an 8-seat gondola of 412 m.", LIFTS)
    assert "no_source" in {f.code for f in check("Ridge is a 6-seat gondola of 412 m.", LIFTS).findings}


def test_the_day_of_a_date_is_no_figure() -> None:
    table = result("Mine, Date, Deaths:", ("Alder", "14 October 1901", 81), ("Birch", "3 March 1912", 14))
    assert passes("On 14 October 1901, 81 people died at Alder.", table)
    assert not passes("On 14 October 1901, 14 people died at Alder.", table)
