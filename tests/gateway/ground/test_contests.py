"""Elections and races told as people tell them: parts of a total row, who beat whom, places, initials."""

import pytest

from tests.gateway.ground.drafts import check, passes, result
from traces.records import Table

COUNCIL = result(
    "List, Ballots:, %:, Seats:, Change",
    ("Harbour Bloc", 41210, 48.1, 61, "+4"),
    ("Mountain Union", 29890, 34.9, 38, "-3"),
    ("Green List", 14570, 17.0, 16, "New"),
    ("Vacant", None, None, 2, "-"),
    ("Total", 85670, 100, 117, "0"),
)
BY_ELECTION = result(
    "Candidate, Votes:, Share:percent",
    ("Ann Vale", 5120, 61.2),
    ("Tom Reed", 3246, 38.8),
    ("Invalid/blank votes", 311, None),
    ("Total votes(2)", 8677, 100),
    ("Registered voters/turnout", 12010, 72.2),
)
RACE = result(
    "Party, Candidate, Votes:, %:percent",
    ("Farmers", "Ann Vale", 5120, 61.2),
    ("Labour", "Tom Reed Jr.", 3246, 38.8),
    ("Majority", "Majority", 1874, None),
    ("Turnout", "Turnout", 8366, None),
)
RIDING = result(
    "Party, Candidate, Votes:, %:",
    ("Farmers", "Ann Vale", 5120, 61.2),
    ("Labour", "Thomas (Tom) Reed", 3246, 38.8),
    ("Total votes", "Total votes", 8366, 100.0),
)
SWIM = result(
    "Rank:, Lane:, Name, Nation, Time:",
    (None, 4, "Ida Bech", "Denmark", 56.61),
    (None, 2, "Petra Novak", "Slovakia", 57.97),
    (4, 5, "Mary O'Dell", "Ireland", 59.27),
    (5, 1, "Yuki Mori", "Japan", 59.13),
    (6, 8, "Anca Pop", "Romania", 59.43),
)
ROUNDS = result(
    "Candidate, Party, Round one votes:, Round one %:, Round two votes:, Round two %:",
    ("Ibra Sow", "Party for Work", 119294, 36.16, 179738, 58.04),
    ("Omar Ba", "Movement of the South", 76621, 23.23, 129943, 41.96),
    ("Hama Diallo", "Northern Front", 65373, 19.82, None, None),
    ("Moussa Diallo", "Civic Pact", 27467, 8.33, None, None),
    ("Amina Cisse", "Union", 13473, 4.08, None, None),
    ("Invalid/blank votes", "Invalid/blank votes", 17710, None, 20320, None),
    ("Total", "Total", 319938, 100, 330001, 100),
    ("Registered voters/turnout", "Registered voters/turnout", 680000, 49.66, 680000, 51.0),
)
PARTIES = result(
    "Party, Votes:, Seats:",
    ("Valdorian People's Unity Party", 41200, 61),
    ("National Peasants' League", 30100, 38),
    ("Non-party candidates", 9100, 17),
    ("Total", 81200, 117),
)
ALIKE = result(
    "Party, Votes:, Seats:",
    ("Valdorian People's Unity Party", 41200, 61),
    ("Volunteer Pensioners United Party", 30100, 38),
    ("Free List", 800, 1),
)
BRACKETED = result("Party, Votes:, Seats:", ("Unity Front (UFR)", 41200, 61), ("Peasants (PSN)", 30100, 38))
SPRINT = result(
    "Rank:, Lane:, Name, Nation, Time:",
    (1, 5, "Ida Bech", "Denmark", 53.7),
    (2, 6, "Yu Wen", "China", 53.84),
    (5, 2, "Josefa Lund", "Sweden", 54.59),
    (6, 1, "Lacey Nye", "Canada", 54.74),
)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Harbour Bloc won 61 of the 117 seats.", True),
        ("Harbour Bloc won 61 out of 117 seats.", True),
        ("The result was a win for the Harbour Bloc, which took 61 of the 117 seats.", True),
        ("The Green List took 16 of the 117 seats.", True),
        ("Harbour Bloc took 41,210 of the 85,670 ballots.", True),
        ("Harbour Bloc won 61 of the 115 seats.", False),
        ("Harbour Bloc won 61 of the 100 seats.", False),
        ("Harbour Bloc won 38 of the 117 seats.", False),
        ("Mountain Union took 61 of the 117 seats.", False),
        ("Harbour Bloc won 117 of the 61 seats.", False),
        ("Harbour Bloc took 41,210 of the 29,890 ballots.", False),
        ("Harbour Bloc took 41,210 of the 117 ballots.", False),
    ],
)
def test_a_part_of_a_total_row_is_one_of_its_own_column(draft: str, stands: bool) -> None:
    assert passes(draft, COUNCIL) == stands


def test_the_whole_of_some_votes_is_no_turnout_and_no_invalid_vote() -> None:
    told = "Ann Vale was elected with 5,120 of the {} votes cast."
    assert passes(told.format("8,677"), BY_ELECTION)
    assert not passes(told.format("12,010"), BY_ELECTION)
    assert not passes(told.format("311"), BY_ELECTION)


def test_what_is_rejected_in_business_is_no_row_that_sums_up() -> None:
    orders = result("Status, Orders:", ("Valid", 412), ("Rejected", 37), ("Blank", 9))
    assert passes("Valid is the highest with 412 orders.", orders)
    assert not passes("Rejected is the highest with 37 orders.", orders)
    assert not passes("There were 37 orders.", orders)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("61.2", "38.8", "Farmer Ann Vale defeated Labour nominee Tom Reed Jr. with {}% of the vote."),
        ("61.2", "38.8", "Ann Vale defeated incumbent Tom Reed Jr. with {}% of the vote."),
        ("5,120", "3,246", "Ann Vale beat Labour's Tom Reed Jr. with {} votes."),
        ("38.8", "61.2", "Labour nominee Tom Reed Jr. lost to Ann Vale with {}% of the vote."),
        ("38.8", "61.2", "Ann Vale defeated Tom Reed Jr., who won {}% of the vote."),
        ("61.2% to 38.8", "38.8% to 61.2", "Ann Vale beat Labour's Tom Reed Jr. {}%."),
        ("5,120 votes to 3,246", "3,246 votes to 5,120", "The Farmers' Ann Vale beat Tom Reed Jr. by {}."),
    ],
)
def test_what_is_said_behind_a_victory_is_of_who_is_told_first(right: str, wrong: str, told: str) -> None:
    assert passes(told.format(right), RACE)
    assert not passes(told.format(wrong), RACE)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Vale defeated Reed 61.2% to 38.8%.", True),
        ("Vale defeated Reed 38.8% to 61.2%.", False),
        ("Reed defeated Vale 61.2% to 38.8%.", False),
        ("Reed defeated Vale 38.8% to 61.2%.", False),
        ("Reed lost to Vale with 38.8%.", True),
        ("Vale beat Reed by 5,120 votes to 3,246.", True),
        ("Vale beat Reed by 3,246 votes to 5,120.", False),
    ],
)
def test_last_names_are_the_sides_of_a_contest(draft: str, stands: bool) -> None:
    assert passes(draft, RIDING) == stands


@pytest.mark.parametrize(
    ("first", "second", "third", "stands"),
    [
        ("59.13", "59.27", "59.43", True),
        ("59.27", "59.13", "59.43", False),
        ("59.13", "59.43", "59.27", False),
        ("59.13", "4.00", "59.43", False),
    ],
)
def test_a_figure_in_brackets_is_of_the_name_before_it(
    first: str, second: str, third: str, stands: bool
) -> None:
    draft = (
        f"Japan's Yuki Mori ({first}) and Mary O'Dell ({second}) swam in the final with Romania's Anca Pop "
        f"({third}) closing the field."
    )
    assert passes(draft, SWIM) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Hama Diallo placed third with 19.82% of the vote and Moussa Diallo placed fourth.", True),
        ("Hama Diallo placed third with 19.82% of the vote and Amina Cisse placed fifth.", True),
        ("Hama Diallo placed second with 19.82% of the vote and Moussa Diallo placed fourth.", False),
        ("Hama Diallo placed third with 19.82% of the vote and Moussa Diallo placed fifth.", False),
        ("Hama Diallo placed third with 19.82% of the vote and Amina Cisse placed fourth.", False),
        ("Ibra Sow placed first with 36.16% of the vote.", True),
        ("Omar Ba placed first with 23.23% of the vote.", False),
    ],
)
def test_places_count_no_row_that_sums_up(draft: str, stands: bool) -> None:
    assert check(draft, ROUNDS).verdict == ("pass" if stands else "block")


@pytest.mark.parametrize(
    ("draft", "table", "stands"),
    [
        ("The VPUP won 61 of the 117 seats.", PARTIES, True),
        ("The VPUP won 38 of the 117 seats.", PARTIES, False),
        ("The NPL won 38 seats.", PARTIES, True),
        ("The NPL won 61 seats.", PARTIES, False),
        ("NPC won 17 seats.", PARTIES, True),
        ("NPC won 38 seats.", PARTIES, False),
        ("The VPUP won 61 seats.", ALIKE, False),
        ("The UFR won 61 seats and PSN 38.", BRACKETED, True),
        ("The UFR won 38 seats and PSN 61.", BRACKETED, False),
    ],
)
def test_initials_name_the_one_row_they_stand_for(draft: str, table: Table, stands: bool) -> None:
    assert passes(draft, table) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Josefa Lund's highest rank was 5th.", True),
        ("Josefa Lund's highest rank was 2nd.", False),
        ("The highest rank was 5.", False),
        ("Ida Bech had the best time, 53.7.", True),
        ("Josefa Lund had the best time, 54.59.", False),
    ],
)
def test_the_best_of_one_person_ranks_no_other_row(draft: str, stands: bool) -> None:
    assert passes(draft, SPRINT) == stands
