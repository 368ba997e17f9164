"""Lists of names and lists of figures: which figure is whose."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

MAYOR = result(
    "Party, Candidate, Votes:, %:percent, +:",
    ("Green", "Ada Brook", 8214, 38.62, 4.1),
    ("Labour", "Tom Pell", 6120, 28.78, -2.2),
    ("Conservative", "Iris Vane-Holt", 4377, 20.58, -1.7),
    ("Independent", "Sam Ode Jr.", 2557, 12.02, 0.4),
    ("Majority", "Majority", 2094, 9.84, None),
    ("Turnout", "Turnout", 21268, 64.1, None),
)

ABOUT = {id(MAYOR): "2019 Redford mayoral election — Results"}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (MAYOR, "Brook, Pell, Vane-Holt and Ode received 38.62%, 28.78%, 20.58% and 12.02% of the vote."),
        (MAYOR, "Ada Brook received 38.62% followed by Tom Pell, who received 28.78%."),
        (
            MAYOR,
            "Ada Brook received 38.62%, followed by Tom Pell with 28.78% and Iris Vane-Holt with 20.58%.",
        ),
        (
            MAYOR,
            "Ada Brook was opposed by Labour nominee Tom Pell and Independent candidate Sam "
            "Ode Jr., who received 28.78% and 12.02%, respectively.",
        ),
        (
            MAYOR,
            "Ada Brook was opposed by Labour's Tom Pell and Sam Ode Jr., who each received "
            "28.78% and 12.02%, respectively.",
        ),
        (MAYOR, "Green candidate Ada Brook defeated Tom Pell, who polled 6,120 votes."),
        (MAYOR, "Ada Brook of the Green Party defeated Tom Pell by 8,214 votes to 6,120 votes."),
        (MAYOR, "Ada Brook defeated Tom Pell by 38.62% of the votes to 28.78% of the votes."),
        (MAYOR, "Tom Pell (Labour) and Iris Vane-Holt (Conservative) polled 6,120 and 4,377 votes."),
        (
            MAYOR,
            "Tom Pell of Labour and Iris Vane-Holt of the Conservative party polled 6,120 "
            "and 4,377 votes respectively.",
        ),
        (MAYOR, "Green Ada Brook defeated Labour nominee, Tom Pell with 38.62% of the vote."),
        (MAYOR, "Ada Brook won with 8,214 votes against 6,120 for Tom Pell."),
        (MAYOR, "Ada Brook beat Tom Pell and Iris Vane-Holt, who took 6,120 and 4,377 votes."),
        (MAYOR, "Tom Pell came second with 28.78%, Vane-Holt third with 20.58% and Ode last with 12.02%."),
        (MAYOR, "8,214 voters chose Ada Brook, 6,120 chose Tom Pell and 4,377 chose Vane-Holt."),
        (MAYOR, "Brook and Pell won 8,214 and 6,120 votes, or 38.62% and 28.78%."),
        (
            MAYOR,
            "The Greens' Ada Brook took 38.62 percent while her closest rivals Tom Pell and "
            "Iris Vane-Holt took 28.78 and 20.58 percent.",
        ),
    ],
)
def test_figures_in_the_order_of_their_names_pass(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (MAYOR, "Brook, Pell, Vane-Holt and Ode received 38.62%, 20.58%, 28.78% and 12.02% of the vote."),
        (MAYOR, "Brook, Pell and Ode received 38.62%, 28.78%, and 20.58% of the vote."),
        (MAYOR, "Ada Brook received 28.78% followed by Tom Pell, who received 38.62%."),
        (
            MAYOR,
            "Ada Brook received 38.62%, followed by Tom Pell with 20.58% and Iris Vane-Holt with 28.78%.",
        ),
        (
            MAYOR,
            "Ada Brook was opposed by Labour nominee Tom Pell and Independent candidate Sam "
            "Ode Jr., who received 12.02% and 28.78%, respectively.",
        ),
        (MAYOR, "Green candidate Ada Brook defeated Tom Pell, who polled 8,214 votes."),
        (MAYOR, "Ada Brook of the Green Party defeated Tom Pell by 6,120 votes to 8,214 votes."),
        (MAYOR, "Ada Brook defeated Tom Pell by 28.78% of the votes to 38.62% of the votes."),
        (MAYOR, "Tom Pell (Labour) and Iris Vane-Holt (Conservative) polled 4,377 and 6,120 votes."),
        (
            MAYOR,
            "Tom Pell of Labour and Iris Vane-Holt of the Conservative party polled 4,377 "
            "and 6,120 votes respectively.",
        ),
        (MAYOR, "Green Ada Brook defeated Labour nominee, Tom Pell with 28.78% of the vote."),
        (MAYOR, "Ada Brook beat Tom Pell and Iris Vane-Holt, who took 4,377 and 6,120 votes."),
        (MAYOR, "Tom Pell came second with 28.78%, Vane-Holt third with 12.02% and Ode last with 20.58%."),
        (MAYOR, "8,214 voters chose Ada Brook, 4,377 chose Tom Pell and 6,120 chose Vane-Holt."),
        (MAYOR, "Brook and Pell won 8,214 and 6,120 votes, or 28.78% and 38.62%."),
        (
            MAYOR,
            "The Greens' Ada Brook took 38.62 percent while her closest rivals Tom Pell and "
            "Iris Vane-Holt took 20.58 and 28.78 percent.",
        ),
    ],
)
def test_figures_that_changed_places_block(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
