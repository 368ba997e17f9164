"""A second figure in brackets right behind a figure or a name: of the same row, in a column of its own."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

VOTES = result(
    "Party, Candidate, Votes:, %:",
    ("Liberal", "Ada Holm", 912, 41.2),
    ("Labour", "Bert Reed", 700, 31.6),
    ("Green", "Cleo Vane", 602, 27.2),
)
PITCHERS = result(
    "Pitcher, G:, W:, L:, ERA:, SO:",
    ("Ned Ott", 30, 14, 8, 2.97, 57),
    ("Lou Pym", 31, 11, 13, 3.91, 131),
    ("Al Dray", 29, 9, 14, 3.24, 103),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Ada Holm was elected with 912 votes (41.2%) to Bert Reed's 700 votes (31.6%).",
            "Ada Holm was elected with 912 votes (31.6%) to Bert Reed's 700 votes (41.2%).",
        ),
        (
            "Ada Holm received 912 votes (41.2%), Bert Reed 700 (31.6%) and Cleo Vane 602 (27.2%).",
            "Ada Holm received 912 votes (27.2%), Bert Reed 700 (31.6%) and Cleo Vane 602 (41.2%).",
        ),
        (
            "The Liberals took 912 votes (41.2%) to Labour's 700 (31.6%).",
            "The Liberals took 912 votes (31.6%) to Labour's 700 (31.6%).",
        ),
        ("Ada Holm won 41.2% of the vote (912 votes).", "Ada Holm won 41.2% of the vote (700 votes)."),
    ],
)
def test_a_share_in_brackets_is_of_the_row_of_the_figure_before_it(right: str, wrong: str) -> None:
    assert passes(right, VOTES)
    assert codes(check(wrong, VOTES))


@pytest.mark.parametrize(
    "draft",
    [
        "Ned Ott (14-8, 2.97) and Lou Pym (11-13, 3.91) were the starters.",
        "Ned Ott (14\u20138, 2.97 ERA) led the staff.",
        "Lou Pym went 11-13 with 131 strikeouts.",
    ],
)
def test_a_record_in_brackets_is_what_was_won_and_lost(draft: str) -> None:
    assert passes(draft, PITCHERS)


@pytest.mark.parametrize(
    "draft",
    [
        "Ned Ott (8\u201314, 2.97) led the staff.",
        "Ned Ott (11\u201313, 2.97) led the staff.",
        "Ned Ott (14\u20138, 3.91) led the staff.",
        "Lou Pym (13\u201311, 3.91) also started.",
        "Ned Ott (11-13, 3.91) and Lou Pym (14-8, 2.97) were the starters.",
    ],
)
def test_a_record_turned_round_or_of_another_row_is_refused(draft: str) -> None:
    assert codes(check(draft, PITCHERS))


def test_a_share_of_the_vote_says_nothing_of_a_row_called_votes() -> None:
    table = result(
        "Candidate, Party, First round Votes:, First round %:, Second round Votes:, Second round %:",
        ("Luc Arno", "PRL", 8330, 38.2, 12632, 67.08),
        ("Mina Sorel", "REP", 4406, 20.2, 6199, 32.92),
        ("Votes", "Votes", 21810, 100, 18831, 100),
    )
    assert passes("Luc Arno won the second round with 67.08% of the vote against Mina Sorel, 32.92%.", table)
    assert codes(check("Mina Sorel won the second round with 67.08% of the vote.", table))
