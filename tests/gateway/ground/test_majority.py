"""By how much somebody won: the row of the majority, or a declared difference, never anybody's own figure."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result

VOTES = (
    ("Liberal", "Ada Holm", 912, 41.2),
    ("Labour", "Bert Reed", 700, 31.6),
    ("Green", "Cleo Vane", 602, 27.2),
)
PLAIN = result("Party, Candidate, Votes:, %:", *VOTES)
SUMMED = result(
    "Party, Candidate, Votes:, %:",
    *VOTES,
    ("Majority", "Majority", 212, 9.6),
    ("Turnout", "Turnout", 2214, 63.0),
)
LEAD = declare("difference", a=cell(0, "votes"), b=cell(1, "votes"))


@pytest.mark.parametrize(
    "draft",
    [
        "Holm beat Reed by 212 votes.",
        "Holm beat Labour's Bert Reed by a margin of 212 votes.",
        "Ada Holm won the seat with a majority of 212 votes.",
        "Ada Holm won the seat with a majority of 9.6%.",
        "Reed lost to Holm by 212 votes.",
        "Reed was defeated by 212 votes by the Liberal candidate, Ada Holm.",
        "Holm held the seat with a 212-vote majority.",
        "Holm beat Reed by 212 votes, with Cleo Vane third on 602.",
        "The Liberal majority was 212 votes.",
        "The majority was 212 votes.",
        "Bert Reed, who had 700 votes, was beaten by 212.",
    ],
)
def test_a_margin_is_the_figure_of_the_row_of_the_majority(draft: str) -> None:
    assert passes(draft, SUMMED)


@pytest.mark.parametrize(
    "draft",
    [
        "Holm beat Reed by 700 votes.",
        "Holm beat Reed by 912 votes.",
        "Ada Holm won the seat with a majority of 912 votes.",
        "Ada Holm won the seat with a majority of 41.2%.",
        "Holm was elected with a majority of 602.",
        "Reed was defeated by 700 votes by the Liberal candidate, Ada Holm.",
        "Holm held the seat with a 602-vote majority.",
    ],
)
def test_nobodys_own_figure_is_a_margin(draft: str) -> None:
    assert codes(check(draft, SUMMED))


@pytest.mark.parametrize(
    "draft",
    [
        "Reed beat Holm by 212 votes.",
        "Holm beat Vane by 212 votes.",
        "Vane lost to Holm by 212 votes.",
        "Holm lost to Reed by 212 votes.",
        "Reed won the seat with a majority of 212 votes.",
    ],
)
def test_a_majority_is_the_winners_over_the_second(draft: str) -> None:
    assert codes(check(draft, SUMMED))


def test_the_row_of_the_majority_is_no_count_of_votes() -> None:
    assert codes(check("Holm had 212 votes.", SUMMED))


@pytest.mark.parametrize(
    "draft",
    [
        "Holm beat Reed by 912 votes.",
        "Holm won by 41.2%.",
        "Reed lost by 700 votes.",
        "Holm won with a majority of 912 votes.",
        "Holm had a margin of 602 votes over Reed.",
    ],
)
def test_without_such_a_row_no_cell_is_a_margin(draft: str) -> None:
    assert codes(check(draft, PLAIN))


def test_a_declared_difference_is_a_margin_of_its_two_rows_only() -> None:
    assert passes("Holm beat Reed by 212 votes.", PLAIN, [LEAD])
    assert codes(check("Reed beat Holm by 212 votes.", PLAIN, [LEAD]))
    assert codes(check("Holm beat Vane by 212 votes.", PLAIN, [LEAD]))


def test_two_sides_of_a_vote_are_no_margin() -> None:
    assert passes("Holm had a victory by 912 votes to Reed's 700 votes.", PLAIN)
    assert codes(check("Holm had a victory by 700 votes to Reed's 912 votes.", PLAIN))


def test_a_ratio_called_a_margin_is_none() -> None:
    table = result("Store, Sales:EUR, Gross margin:percent", ("Aalst", 900, 41.5), ("Ghent", 700, 38.0))
    assert passes("Aalst had a gross margin of 41.5%.", table)
    assert codes(check("Aalst had a gross margin of 38%.", table))
