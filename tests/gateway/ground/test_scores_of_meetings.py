"""Scores of matches whose two sides stand in two columns: both names choose the row and its score."""

import pytest

from tests.gateway.ground.drafts import passes, result

MATCHES = result(
    "Date, Home, Score, Away, Crowd:",
    ("3 March 2019", "Tromo", "4:4", "Bodo", 1210),
    ("5 March 2019", "Harst", "0\u20132", "Tromo", 980),
    ("9 March 2019", "Bodo", "5:1", "Harst", 1544),
    ("12 March 2019", "Tromo", "3:2", "Harst", 2105),
)
ROUNDS = result(
    "Date, Home team, Away team, Result, Attendance:",
    ("4 September 2021", "Ellby", "Storm Varde", "28\u201324", 1102),
    ("5 September 2021", "Kolding North", "Ringsted", "19\u201331", 844),
    ("11 September 2021", "Ringsted", "Ellby", "26\u201326", 1310),
    ("12 September 2021", "Storm Varde", "Kolding North", "33\u201322", 905),
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Tromo and Bodo drew 4-4.", "Tromo and Bodo drew 3-3."),
        ("Tromo beat Harst 2-0 away before 980 people.", "Tromo beat Harst 4-0 away before 980 people."),
        ("Harst lost 2\u20130 at home to Tromo.", "Harst lost 3\u20130 at home to Tromo."),
        ("Harst lost 5\u20131 at Bodo.", "Harst won 5\u20131 at Bodo."),
        ("The match between Tromo and Bodo ended 4-4.", "The match between Tromo and Bodo ended 5-1."),
        (
            "Tromo and Bodo drew 4\u20134 before a crowd of 1,210.",
            "Tromo and Bodo drew 4\u20134 before a crowd of 1,544.",
        ),
        ("Bodo defeated Harst 5\u20131 on 9 March.", "Harst defeated Bodo 5\u20131 on 9 March."),
    ],
)
def test_two_names_choose_the_match_and_its_score(true: str, false: str) -> None:
    assert passes(true, MATCHES)
    assert not passes(false, MATCHES)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "Ringsted won 31\u201319 at Kolding North in front of 844 people.",
            "Ringsted won 31\u201319 at Kolding North in front of 905 people.",
        ),
        (
            "Kolding North fell to a 33\u201322 defeat at Storm Varde.",
            "Storm Varde fell to a 33\u201322 defeat at Kolding North.",
        ),
        (
            "Storm Varde's 33\u201322 win over Kolding North was watched by 905 spectators.",
            "Storm Varde's 33\u201322 win over Kolding North was watched by 1,310 spectators.",
        ),
        (
            "On 11 September Ringsted and Ellby drew 26\u201326.",
            "On 12 September Ringsted and Ellby drew 26\u201326.",
        ),
    ],
)
def test_whoever_is_told_first_the_score_is_of_the_match_of_both(true: str, false: str) -> None:
    assert passes(true, ROUNDS)
    assert not passes(false, ROUNDS)


def test_a_figure_told_apart_is_not_of_the_match_of_both_names() -> None:
    assert not passes("Ringsted had 905 spectators, and Ellby came later.", ROUNDS)
