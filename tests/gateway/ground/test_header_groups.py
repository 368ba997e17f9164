"""Columns under a merged header ("League Apps", "Total Apps"): those of the header that a clause names."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

ROUNDS = result(
    "Candidate, Party, First round Votes:, First round %:, Second round Votes:, Second round %:",
    ("Luc Arno", "PRL", 8330, 38.2, 12632, 67.08),
    ("Mina Sorel", "REP", 4406, 20.2, 6199, 32.92),
    ("Ida Blum", "FN", 3026, 13.88, None, None),
)
CAREER = result(
    "Club, Season, Division, League Apps:, League Goals:, FA Cup Apps:, FA Cup Goals:, "
    "Total Apps:, Total Goals:",
    ("Orwell Town", "2003\u201304", "Division One", 27, 3, 2, 1, 34, 5),
    ("Orwell Town", "2004\u201305", "Division One", 37, 4, 3, 0, 45, 4),
    ("Orwell Town", "Total", "Total", 64, 7, 5, 1, 79, 9),
    ("Marsh Rovers", "2005\u201306", "Division Two", 18, 9, 1, 0, 21, 10),
    ("Marsh Rovers", "2006\u201307", "Division Two", 30, 12, 4, 2, 36, 15),
    ("Marsh Rovers", "Total", "Total", 48, 21, 5, 2, 57, 25),
    ("Career total", "Career total", "Career total", 112, 28, 10, 3, 136, 34),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Luc Arno won the second round with 67.08% of the vote.",
            "Luc Arno won the second round with 38.2% of the vote.",
        ),
        ("Arno won the second round with 12,632 votes.", "Arno won the second round with 8,330 votes."),
        (
            "In the first round, Sorel received 4,406 votes.",
            "In the first round, Sorel received 6,199 votes.",
        ),
        (
            "Mina Sorel took 20.2% in the first round and 32.92% in the second round.",
            "Mina Sorel took 32.92% in the first round and 20.2% in the second round.",
        ),
        (
            "Ida Blum received 13.88% of the votes in the first round.",
            "Ida Blum received 13.88% of the votes in the second round.",
        ),
    ],
)
def test_a_round_by_name_is_its_own_columns(right: str, wrong: str) -> None:
    assert passes(right, ROUNDS)
    assert codes(check(wrong, ROUNDS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "In 2003-04 he scored 3 goals in 27 league games for Orwell Town.",
            "In 2003-04 he scored 5 goals in 27 league games for Orwell Town.",
        ),
        (
            "Ladd made 64 league appearances for Orwell Town.",
            "Ladd made 79 league appearances for Orwell Town.",
        ),
        (
            "Ladd made a total of 79 appearances for Orwell Town, scoring 9 goals.",
            "Ladd made a total of 64 appearances for Orwell Town, scoring 9 goals.",
        ),
        (
            "Ladd played 57 games for Marsh Rovers in all competitions.",
            "Ladd played 48 games for Marsh Rovers in all competitions.",
        ),
        (
            "In the 2006\u201307 season he scored 15 goals in 36 appearances in all competitions.",
            "In the 2006\u201307 season he scored 12 goals in 36 appearances in all competitions.",
        ),
        (
            "He scored 2 goals in the FA Cup for Marsh Rovers.",
            "He scored 21 goals in the FA Cup for Marsh Rovers.",
        ),
        (
            "Ladd made 64 league appearances and 79 appearances overall for Orwell Town.",
            "Ladd made 79 league appearances and 64 appearances overall for Orwell Town.",
        ),
    ],
)
def test_a_competition_by_name_or_all_of_them_is_its_own_columns(right: str, wrong: str) -> None:
    assert passes(right, CAREER)
    assert codes(check(wrong, CAREER))


def test_a_division_whose_name_holds_the_word_is_no_header() -> None:
    table = result(
        "Season, Division, League Apps:, League Goals:, Total Apps:, Total Goals:",
        ("2011\u201312", "League Two", 12, 1, 15, 2),
        ("2012\u201313", "League One", 30, 6, 34, 8),
    )
    assert passes("In 2012\u201313 he played in League One and made 34 appearances in all.", table)
    assert codes(check("In 2012\u201313 he played in League One and made 30 appearances in all.", table))
