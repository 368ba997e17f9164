"""Signs told by a verb beside a column of changes, and a column told by what its rows did."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result

CLUBS = result(
    "Club, Members:, Joins:, Cancellations:, Net change:",
    ("Riverside", 1846, 63, 105, -42),
    ("Eastgate", 2310, 148, 91, 57),
    ("Uptown", 975, 40, 52, -12),
    ("Stadium", 3128, 201, 117, 84),
)
BRANCHES = result(
    "Branch, Loans:, Visitors:, Overdue items:",
    ("Central", 41870, 63205, 1940),
    ("Westfield", 12655, 17480, 388),
    ("Mill Road", 8914, 10236, 275),
)
MORE = declare("difference", a=cell(0, "loans"), b=cell(1, "loans"))


@pytest.mark.parametrize(
    "draft",
    [
        "Riverside lost a net 42 members; Stadium gained 84.",
        "Riverside lost 42 members, while Stadium gained 84.",
        "Uptown shed a net 12 members.",
    ],
)
def test_a_verb_gives_a_net_change_its_sign_and_the_cells_settle_it(draft: str) -> None:
    assert check(draft, CLUBS).verdict == "pass"


@pytest.mark.parametrize(
    "draft",
    [
        "Riverside gained a net 42 members.",
        "Riverside gained a net 42 members; Stadium lost 84.",
        "Riverside lost a net 42 members; Eastgate gained 84.",
        "Uptown shed a net 52 members.",
        "Stadium gained a net 201 members.",
    ],
)
def test_a_net_change_with_the_wrong_sign_row_or_column_is_blocked(draft: str) -> None:
    assert codes(check(draft, CLUBS))


@pytest.mark.parametrize(
    "draft", ["Stadium steadily gained 84.", "Stadium gained 84 for the third month running."]
)
def test_more_than_one_change_stays_open_beside_a_signed_change(draft: str) -> None:
    assert check(draft, CLUBS).verdict == "hold"


def test_what_was_done_names_the_column_before_a_word_of_another() -> None:
    assert check("Central lent 41,870 items, 29,215 more than Westfield.", BRANCHES, [MORE]).verdict == "pass"
    assert passes("Central had 1,940 overdue items.", BRANCHES)


@pytest.mark.parametrize(
    "draft",
    [
        "Central lent 1,940 items.",
        "Westfield lent 41,870 items, 29,215 more than Central.",
        "Central lent 41,870 items, 29,215 fewer than Westfield.",
        "Central lent 41,870 items, 29,215 more than Mill Road.",
    ],
)
def test_a_difference_said_of_other_rows_or_the_other_way_round_is_blocked(draft: str) -> None:
    assert codes(check(draft, BRANCHES, [MORE]))
