"""Votes with their share, a margin with the winner's share, who was on the roll and who voted."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

POLL = result(
    "Party, Candidate, Votes:, %:percent",
    ("Liberal", "Ada Holm", 4207, 50.9),
    ("Tory Union", "Bert Reed", 4054, 49.1),
    ("People's Union", "Cleo Vane", 357, 3.3),
    ("Majority", "Majority", 153, 1.9),
    ("Registered electors", "Registered electors", 14835, None),
    ("Turnout", "Turnout", 8618, 81.8),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Ada Holm of the Liberals won with a majority of 153 and 50.9% of votes.",
            "Ada Holm of the Liberals won with a majority of 153 and 49.1% of votes.",
        ),
        (
            "Ada Holm won with a majority of 153 votes and 50.9% of the vote.",
            "Ada Holm won with a majority of 153 votes and 1.9% of the vote.",
        ),
        (
            "Ada Holm won with a majority of 153 and 50.9% of the vote.",
            "Bert Reed won with a majority of 153 and 49.1% of the vote.",
        ),
        (
            "Ada Holm of the Liberals defeated Bert Reed of Tory by 153 votes.",
            "Bert Reed of Tory defeated Ada Holm of the Liberals by 153 votes.",
        ),
        (
            "Ada Holm defeated Bert Reed of Union by 153 votes.",
            "Ada Holm defeated Cleo Vane of Union by 153 votes.",
        ),
        (
            "Cleo Vane placed third with 357 ballots, or 3.3% of the vote.",
            "Cleo Vane placed third with 357 ballots, or 49.1% of the vote.",
        ),
        ("Bert Reed had 4,054 votes, or 49.1%.", "Bert Reed had 4,054 votes, or 50.9%."),
        (
            "There were 14,835 people on the electoral roll, of which 8,618 voted.",
            "There were 8,618 people on the electoral roll, of which 14,835 voted.",
        ),
        (
            "There were 14,835 people on the electoral roll, of whom 8,618 voted.",
            "There were 14,835 people on the electoral roll, of whom 4,207 voted.",
        ),
        ("Of the 14,835 registered voters, 8,618 voted.", "Of the 14,835 registered voters, 4,054 voted."),
        ("Of the 8,618 who voted, 50.9% chose Holm.", "Of the 4,207 who voted, 50.9% chose Holm."),
        (
            "Ada Holm was elected with 4,207 votes, with 14,835 voters registered.",
            "Ada Holm was elected with 4,207 votes, with 8,618 voters registered.",
        ),
    ],
)
def test_each_figure_of_a_vote_is_of_its_own_row(right: str, wrong: str) -> None:
    assert passes(right, POLL)
    assert codes(check(wrong, POLL))


FINAL = result(
    "Rank:, Name, Nationality, Time:",
    (2, "Bea Reed", "Australia", 24.25),
    (3, "Cleo Vane", "Netherlands", 24.26),
    (4, "Dora Lund", "United States", 24.63),
    (5, "Edda Pol", "Germany", 24.65),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Cleo Vane finished third in 24.26, followed in the fourth spot by American Dora Lund in 24.63.",
            "Cleo Vane finished third in 24.26, followed in the fifth spot by American Dora Lund in 24.63.",
        ),
        (
            "Cleo Vane finished third in 24.26, followed in the fourth place by Dora Lund in 24.63.",
            "Cleo Vane finished fourth in 24.26, followed in the fourth place by Dora Lund in 24.63.",
        ),
        (
            "Cleo Vane came third in 24.26, followed in fourth place by Dora Lund in 24.63.",
            "Cleo Vane came third in 24.63, followed in fourth place by Dora Lund in 24.26.",
        ),
    ],
)
def test_a_place_behind_a_passive_is_of_who_is_named_behind_it(right: str, wrong: str) -> None:
    assert passes(right, FINAL)
    assert codes(check(wrong, FINAL))
