"""A year told with a name is a year of one of its rows."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, codes, result
from traces.records import Table

FILMS = result(
    "Year, Title, Role, Director",
    ("1998", "Morning Star", "Ada", "Ivo Kern"),
    ("2001", "Old Mill", "Lena", "Mia Sorel"),
    ("2001", "Harbour Lights", "Nora", "Ivo Kern"),
    ("2004", "Copper Hill", "Judge Moss", "Lew Karr"),
    ("2009", "The Long Field", "Ada", "Mia Sorel"),
)
AWARDS = result(
    "Year, Award, Category, Work",
    ("2002", "Lund Film Awards", "Best Actress", "Old Mill"),
    ("2004", "Vale Critics", "Best Supporting Actress", "Copper Hill"),
    ("2010", "Lund Film Awards", "Best Actress", "The Long Field"),
)
CAREER = result(
    "Season, Club, League, Apps:, Goals:",
    ("1990–91", "Ashfall", "Division One", 30, 11),
    ("1991–92", "Ashfall", "Division One", 28, 9),
    ("1992–93", "Kelby", "Premier", 35, 20),
    ("1993–94", "Kelby", "Premier", 31, 14),
)
MEETS = result(
    "Year, Competition, Venue, Position, Event",
    ("1978", "Border Games", "Lund", "1st", "Marathon"),
    ("1982", "Border Games", "Vale", "4th", "10,000 m"),
    ("1985", "Orwell Marathon", "Orwell", "1st", "Marathon"),
    ("1987", "Tarn Half Marathon", "Tarn", "1st", "Half marathon"),
)
MEMBERS = result(
    "Member, Party, Elected, Left",
    ("Tom Reed", "Labour", "1925", "1931"),
    ("Ann Vale", "Unity", "1931", "1945"),
    ("Hal Prior", "Labour", "1945", "1950"),
)
FINALS = result(
    "Year, Champion, Runner-up, Venue",
    ("1990", "Ashfall", "Kelby", "Lund"),
    ("1991", "Kelby", "Marlow", "Vale"),
    ("1992", "Ashfall", "Marlow", "Lund"),
)
SUBJECT = replace(ANYTHING, subject="Ida Merrin")


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (FILMS, "Merrin played Lena in Old Mill (2001) and Judge Moss in Copper Hill (2004)."),
        (FILMS, "In 2001 Merrin appeared in Old Mill and Harbour Lights."),
        (FILMS, "After Old Mill, she played Judge Moss in the 2004 film Copper Hill."),
        (FILMS, "In 2009 she was Ada in The Long Field by Mia Sorel, who had directed Old Mill in 2001."),
        (FILMS, "After Morning Star, in 2001 Merrin appeared in Old Mill."),
        (FILMS, '"Copper Hill" (2004) was directed by Lew Karr.'),
        (AWARDS, "In 2004 she won Best Supporting Actress at the Vale Critics for Copper Hill."),
        (AWARDS, "Merrin won at the 2010 Lund Film Awards, after a nomination in 2002 for Old Mill."),
        (CAREER, "Prior joined Kelby in 1992 and left Ashfall in 1992."),
        (CAREER, "In 1993 Prior was with Kelby in the Premier league."),
        (MEETS, "Wanja won the Orwell Marathon in 1985 and the Tarn Half Marathon in 1987."),
        (MEETS, "Wanja ran at the 1982 Border Games in Vale."),
        (MEMBERS, "Since 1945 the member was Hal Prior of Labour."),
        (MEMBERS, "In 1931 Tom Reed left and Ann Vale was elected."),
        (FINALS, "Ashfall won the cup in 1990 and 1992, whereas Kelby won it in 1991."),
        (FINALS, "Marlow lost the final in 1991 and 1992."),
    ],
)
def test_a_year_of_the_name_beside_it_stands(table: Table, draft: str) -> None:
    assert not codes(check(draft, table, scope=SUBJECT))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (FILMS, "Merrin played Lena in Old Mill (2004) and Judge Moss in Copper Hill (2004)."),
        (FILMS, "In 2004 Merrin appeared in Old Mill and Harbour Lights."),
        (FILMS, "She made her debut in Morning Star in 2001."),
        (FILMS, "She worked with Ivo Kern again on the 2004 film Harbour Lights."),
        (FILMS, '"Copper Hill" (2009) was directed by Lew Karr.'),
        (FILMS, 'Merrin starred as Nora in "Harbour Lights" in 1998.'),
        (AWARDS, "In 2002 she won Best Supporting Actress at the Vale Critics for Copper Hill."),
        (AWARDS, "Merrin won Best Actress at the 2004 Lund Film Awards for The Long Field."),
        (CAREER, "Prior played for Ashfall in 1993."),
        (CAREER, "In the 1993–94 season he played for Ashfall."),
        (MEETS, "Wanja won the Orwell Marathon in 1987."),
        (MEETS, "Wanja ran at the 1987 Border Games in Vale."),
        (MEETS, "In 1978 she won the Orwell Marathon."),
        (MEMBERS, "Ann Vale of Unity was elected in 1925."),
        (MEMBERS, "Since 1925 the member was Hal Prior of Labour."),
        (FINALS, "Ashfall won the cup in 1990 and 1991."),
        (FINALS, "Kelby beat Marlow in the 1992 final in Vale."),
        (FINALS, "In 1990 Ashfall beat Marlow in Lund."),
    ],
)
def test_a_year_of_other_rows_blocks(table: Table, draft: str) -> None:
    assert codes(check(draft, table, scope=SUBJECT))
