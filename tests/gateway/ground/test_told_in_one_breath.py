"""Names, years, days, places and outcomes of one clause: told of a row that does not hold them they block."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, codes, passes, result
from traces.records import Table

FILMS = result(
    "Year, Title, Role, Director, Notes",
    ("2003", "Salt Road", "Ines", "Paul Varga", ""),
    ("2005", "The Lower Field", "Marta Coll", "Ana Ruiz", "Nominated - Iris Award"),
    ("2005", "Night Ferry", "Nurse", "Paul Varga", ""),
    ("2008", "Glasshouse", "Eva", "Leo Brandt", ""),
    ("2016", "Quiet Hours", "Judge Adler", "Leo Brandt", ""),
)
SHOWS = result(
    "Year, Title, Role, Notes",
    ("2001\u20132004", "Mill Street", "Poppy Dean", "62 episodes"),
    ("2006\u20132009", "Cold Harbour", "Ruth Shaw", "24 episodes"),
    ("2012\u20132016", "Parish", "Kate Moor", "48 episodes"),
)
PRIZES = result(
    "Year, Award, Category, Work, Result",
    ("2007", "Northern Music Awards", "Best New Act", "Kestrel Hall", "Nominated"),
    ("2009", "Northern Music Awards", "Album of the Year", "Tin Roofs", "Won"),
    ("2009", "Lyra Prize", "Best Song", "Coal Train", "Nominated"),
    ("2010", "Lyra Prize", "Best Video", "Slow River", "Won"),
)
RACES = result(
    "Year, Competition, Venue, Position, Event, Notes",
    ("2006", "World Junior Championships", "Beijing, China", "7th", "3000 m steeplechase", "8:51.20"),
    ("2009", "European U23 Championships", "Kaunas, Lithuania", "2nd", "3000 m steeplechase", "8:33.14"),
    ("2010", "European Championships", "Barcelona, Spain", "11th", "3000 m steeplechase", "8:41.77"),
    ("2011", "Universiade", "Shenzhen, China", "3rd", "5000 m", "13:58.02"),
    ("2012", "European Championships", "Helsinki, Finland", "1st", "3000 m steeplechase", "8:30.66"),
)
FINAL = result(
    "Rank, Name, Nationality, Time",
    ("", "Jon Aske", "Norway", "1:57.12"),
    ("", "Pietro Sala", "Italy", "1:57.90"),
    ("", "Dan Whitlow", "Great Britain", "1:58.33"),
    ("4", "Luis Prado", "Spain", "1:59.01"),
    ("5", "Kenji Mori", "Japan", "2:00.45"),
)
SEATS = result(
    "Election Year, Name of member, Party",
    ("1962", "Hugo Marsh", "Farmers' Party"),
    ("1966", "Hugo Marsh", "Farmers' Party"),
    ("1970", "Edda Vik", "Labour"),
    ("1974", "Rolf Aune", "Progress"),
    ("1978", "Edda Vik", "Labour"),
)
RELEASES = result(
    "Region, Date, Format, Label",
    ("Ireland", "4 May 2012", "Digital download", "Low Tide"),
    ("United Kingdom", "7 May 2012", "CD", "Low Tide"),
    ("Japan", "25 July 2012", "CD", "Kaze"),
)
SHIPS = result(
    "Ship, Built, Fate",
    ("Aurel Star", "1921", "Scrapped 1946"),
    ("Aurel Queen", "1925", "Torpedoed 9 March 1941"),
)
CENSUS = result(
    "Particulars, Total, Male:, Female:", ("Houses", "214", None, None), ("Population", "1083", 561, 522)
)
MAYORS = result(
    "Name, Took office, Left office, Party",
    ("Henry Stack", "1902", "1911", "Liberal"),
    ("Albert Roe", "1911", "1919", "Conservative"),
    ("Joan Pell", "1919", "1930", "Liberal"),
)
LINERS = result(
    "Ship, Built, In service",
    ("Aurel Cross", "1928", "1929\u20131958"),
    ("Aurel Dawn", "1936", "1937\u20131964"),
)
VOTES = result("Party, Candidate, Votes:", ("Labour", "Susan Marl", 14212), ("Green", "Roy Finch", 2003))

TWINS = [
    (
        "In 2008, Ferrer played Eva in the film Glasshouse.",
        "In 2008, Ferrer played Eva in the film Quiet Hours.",
        FILMS,
    ),
    (
        "Ferrer played Judge Adler in the 2016 film Quiet Hours.",
        "Ferrer played Ines in the 2016 film Quiet Hours.",
        FILMS,
    ),
    (
        "In 2005 Ferrer appeared in The Lower Field and Night Ferry.",
        "In 2005 Ferrer appeared in The Lower Field and Salt Road.",
        FILMS,
    ),
    (
        "In 2003, Ferrer made her debut as Ines in Paul Varga's Salt Road.",
        "In 2003, Ferrer made her debut as Ines in Paul Varga's Glasshouse.",
        FILMS,
    ),
    (
        "Hart played Poppy Dean in 62 episodes of Mill Street.",
        "Hart played Kate Moor in 62 episodes of Mill Street.",
        SHOWS,
    ),
    (
        "Hart is known for Cold Harbour (2006\u20132009) and Parish (2012\u20132016).",
        "Hart is known for Cold Harbour (2004\u20132009) and Parish (2012\u20132016).",
        SHOWS,
    ),
    (
        "Hart played Poppy Dean in Mill Street from 2001-2004.",
        "Hart played Poppy Dean in Mill Street from 2001-2009.",
        SHOWS,
    ),
    (
        "Hart played Poppy Dean in Mill Street from 2001 to 2004.",
        "Hart played Poppy Dean in Mill Street from 2004 to 2004.",
        SHOWS,
    ),
    (
        "Kestrel Hall was nominated for Best Song at the 2009 Lyra Prize and won Best Video in 2010.",
        "Kestrel Hall was awarded Best Song at the 2009 Lyra Prize and won Best Video in 2010.",
        PRIZES,
    ),
    (
        "Tin Roofs won Album of the Year at the Northern Music Awards.",
        "Tin Roofs lost Album of the Year at the Northern Music Awards.",
        PRIZES,
    ),
    (
        "Lind won the silver medal at the 2009 European U23 Championships in Kaunas.",
        "Lind won the bronze medal at the 2009 European U23 Championships in Kaunas.",
        RACES,
    ),
    (
        "Lind won the silver medal at the 2009 European U23 Championships in Kaunas.",
        "Lind lost the silver medal at the 2009 European U23 Championships in Kaunas.",
        RACES,
    ),
    (
        "Lind came seventh at the 2006 World Junior Championships and third at the 2011 Universiade.",
        "Lind came seventh at the 2006 World Junior Championships and fourth at the 2011 Universiade.",
        RACES,
    ),
    (
        "Norway's Jon Aske won gold in 1:57.12.",
        "Norway's Jon Aske won silver in 1:57.12.",
        FINAL,
    ),
    (
        "Pietro Sala won silver in 1:57.90 while Whitlow finished third in 1:58.33.",
        "Pietro Sala won silver in 1:57.90 while Whitlow finished second in 1:58.33.",
        FINAL,
    ),
    (
        "Hugo Marsh of the Farmers' Party won the elections of 1962 and 1966.",
        "Hugo Marsh of the Farmers' Party won the elections of 1962 and 1974.",
        SEATS,
    ),
    (
        "Hugo Marsh won the seat in 1966.",
        "Hugo Marsh lost the seat in 1966.",
        SEATS,
    ),
    (
        "Edda Vik represented Labour after winning in 1970 and 1978.",
        "Edda Vik represented Labour after winning in 1970 and 1974.",
        SEATS,
    ),
    (
        "It was released in the United Kingdom on 7 May 2012, and in Japan by Kaze on 25 July 2012.",
        "It was released in the United Kingdom on 4 May 2012, and in Japan by Kaze on 25 July 2012.",
        RELEASES,
    ),
    (
        "The Aurel Queen, built in 1925, was torpedoed on 9 March 1941.",
        "The Aurel Queen, built in 1925, was torpedoed on 2 March 1941.",
        SHIPS,
    ),
    (
        "The Aurel Star, built in 1921, was scrapped in 1946.",
        "The Aurel Star, built in 1921, was scrapped in 1941.",
        SHIPS,
    ),
    (
        "The Aurel Queen was torpedoed on 9 March 1941.",
        "The Aurel Queen was torpedoed on 9 March 1925.",
        SHIPS,
    ),
    (
        "Orlin has a population of 1,083, of which 561 are male and 522 female.",
        "Orlin has a population of 561, of which 561 are male and 522 female.",
        CENSUS,
    ),
    (
        "Joan Pell of the Liberal Party succeeded Albert Roe in 1919.",
        "Joan Pell of the Liberal Party preceded Albert Roe in 1919.",
        MAYORS,
    ),
    (
        "Henry Stack was replaced by Albert Roe in 1911.",
        "Henry Stack replaced Albert Roe in 1911.",
        MAYORS,
    ),
    (
        "Aurel Cross was in service from 1929 to 1958.",
        "Aurel Cross was in service from 1928 to 1958.",
        LINERS,
    ),
]


@pytest.mark.parametrize(("right", "wrong", "table"), TWINS)
def test_what_one_clause_tells_is_of_one_row(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert codes(check(wrong, table))


def test_a_year_that_neither_a_table_without_years_nor_its_title_says_blocks() -> None:
    scope = replace(ANYTHING, subject="2014 Harrow Vale by-election")
    assert passes("Susan Marl won the 2014 by-election with 14,212 votes.", VOTES, scope=scope)
    assert codes(check("Susan Marl won with 14,212 votes, having started in 2005.", VOTES, scope=scope))


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Susan Marl beat Roy Finch of the Green Party.", VOTES),
        ("She never played Ines in Glasshouse.", FILMS),
        ("Salt Road and Glasshouse came out in 2003 and 2008.", FILMS),
        ("Lind ran in Beijing before he won at Helsinki in 2012.", RACES),
        ("Edda Vik won the seat for Labour in 1970, and Rolf Aune for Progress in 1974.", SEATS),
    ],
)
def test_names_of_several_rows_in_one_sentence_pass(draft: str, table: Table) -> None:
    assert passes(draft, table)


SEASONS = result(
    "Season, Series, Place, Team",
    ("1933", "Coppa Verde", "2nd", "Alda"),
    ("", "Gran Premio di Lume", "3rd", "Alda"),
    ("1951", "Trofeo Sale", "8th", "Brera SpA"),
    ("", "World Series of Cars", "5th", "Brera SpA"),
)
STAGE = result(
    "Year, Production, Role, Notes",
    ("2007", "Carousel", "Ensemble", ""),
    ("2015", "The Tamed Lady", "Katherine", "Presented by Comet Ensemble"),
)


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        (
            "In 1951, Corti finished 5th at the World Series of Cars for Brera SpA.",
            "In 1933, Corti finished 8th at the Trofeo Sale for Brera SpA.",
            SEASONS,
        ),
        (
            "In 2015, Lott played Katherine in The Tamed Lady for Comet Ensemble.",
            "In 2007, Lott played Katherine in The Tamed Lady for Comet Ensemble.",
            STAGE,
        ),
    ],
)
def test_a_row_without_a_time_goes_on_and_a_word_of_a_longer_name_is_none(
    right: str, wrong: str, table: Table
) -> None:
    assert passes(right, table)
    assert not passes(wrong, table)
