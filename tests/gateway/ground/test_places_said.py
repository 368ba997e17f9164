"""Places and slopes told in words: they must be those of the column whose figure is told beside them."""

import pytest

from tests.gateway.ground.drafts import check, declare, passes, result

SEATS = result(
    "Department, Inhabitants:, Area:",
    ("Vale", 812340, 3104),
    ("Heath", 540118, 18220),
    ("Mere", 1104902, 9415),
    ("Fell", 233076, 41870),
    ("Crown", 698425, 148),
)
SHARE = (
    declare("share", part=[{"row": 4, "column": "inhabitants"}], whole={"column": "inhabitants"}),
    declare("rank", "d2", row=4, column="inhabitants", order="desc"),
)
LIFTS = result(
    "Lift, Lower terminal (m):m, Upper terminal (m):m, Length (m):m",
    ("Alba", 1320, 2210, 2100),
    ("Brenta", 980, 1840, 3050),
)
CONTEST = result(
    "Draw, Country, Points:, Place:",
    ("1", "Norway", 61, 4),
    ("2", "Malta", 133, 1),
    ("3", "Latvia", 48, 5),
    ("4", "Cyprus", 98, 2),
    ("5", "Serbia", 77, 3),
)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("With 20.6% of all inhabitants, Crown ranks third.", True),
        ("With 20.6% of all inhabitants, Crown ranks second.", False),
        ("Crown ranks third, with 20.6% of all inhabitants.", True),
        ("Crown ranks second, with 20.6% of all inhabitants.", False),
        ("Crown is the third-largest by inhabitants, with 20.6% of them.", True),
        ("Crown is the second-largest by inhabitants, with 20.6% of them.", False),
    ],
)
def test_a_place_told_with_a_share_is_that_of_the_share(draft: str, stands: bool) -> None:
    assert passes(draft, SEATS, SHARE) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("With 698,425 inhabitants, Crown ranks third.", True),
        ("With 698,425 inhabitants, Crown ranks second.", False),
        ("Mere has 1,104,902 inhabitants and ranks first.", True),
        ("Mere has 1,104,902 inhabitants and ranks second.", False),
        ("At 233,076 inhabitants, Fell ranks fifth.", True),
        ("At 233,076 inhabitants, Fell ranks fourth.", False),
    ],
)
def test_a_place_behind_its_figure_is_that_of_the_column(draft: str, stands: bool) -> None:
    assert passes(draft, SEATS) == stands


def test_a_place_in_something_else_is_left_to_a_judge() -> None:
    assert check("With 698,425 inhabitants, Crown ranks second by wealth.", SEATS).verdict == "hold"


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Alba climbs from 1,320 m to 2,210 m.", True),
        ("Alba climbs from 2,210 m to 1,320 m.", False),
        ("Brenta ascends from 980 m to 1,840 m over a length of 3,050 m.", True),
        ("Brenta ascends from 1,840 m to 980 m over a length of 3,050 m.", False),
        ("Alba descends from 2,210 m to 1,320 m.", True),
        ("Alba descends from 1,320 m to 2,210 m.", False),
        ("Brenta drops from 1,840 m to 980 m.", True),
        ("Brenta drops from 980 m to 1,840 m.", False),
    ],
)
def test_a_slope_goes_the_way_its_two_figures_do(draft: str, stands: bool) -> None:
    assert passes(draft, LIFTS) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Cyprus, performing fourth, finished second with 98 points.", True),
        ("Cyprus, performing third, finished second with 98 points.", False),
        ("Malta sang second and won with 133 points.", True),
        ("Malta sang fourth and won with 133 points.", False),
    ],
)
def test_a_turn_in_a_contest_is_that_of_the_draw(draft: str, stands: bool) -> None:
    assert passes(draft, CONTEST) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Mere ranks first with 1,104,902 inhabitants, Vale second with 812,340.", True),
        ("Mere ranks first with 1,104,902 inhabitants, Vale third with 812,340.", False),
        ("With 1,104,902 inhabitants, Mere is the largest and Vale ranks second with 812,340.", True),
        ("With 812,340 inhabitants, Vale is the largest and Mere ranks second with 1,104,902.", False),
    ],
)
def test_each_of_two_rows_has_its_own_place(draft: str, stands: bool) -> None:
    assert passes(draft, SEATS) == stands
