"""Sentences of an encyclopedia over its tables, each true one with twins that are false."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

VALE = result(
    "Party, Leader, Seats won:, Seats +/-:, Votes:, Vote share:percent",
    ("Social Democrats", "Mira Kesk", 62, 9, 812440, 31.8),
    ("Centre", "Paul Aro", 48, -7, 640112, 25.1),
    ("National Union", "Oskar Lind", 41, -4, 560903, 22.0),
    ("Greens", "Tilda Berg", 19, 6, 271334, 10.6),
    ("Left", "Jon Vik", 10, -4, 153220, 6.0),
    ("Others", None, 0, 0, 115010, 4.5),
    ("Total", "Total", 180, None, 2553019, 100.0),
)
BAT = result(
    "Team, Years, Matches:, Runs:, Average:, 100s:, Wickets:, Bowling average:",
    ("Kent", "1998\u20132005", 88, 4021, 32.16, 6, 112, 29.41),
    ("Essex", "2006\u20132010", 41, 1733, 28.88, 2, 60, 31.05),
    ("England", "2001\u20132004", 12, 402, 22.33, 0, 19, 38.42),
)
SWIM = result(
    "Rank, Lane:, Name, Nationality, Time",
    ("1", "4", "Ana Costa", "Brazil", "2:08.14"),
    ("2", "5", "Lena Voss", "Germany", "2:08.71"),
    ("3", "3", "Mei Lin", "China", "2:09.35"),
    ("4", "6", "Kate Byrne", "Ireland", "2:10.02"),
)
CENSUS = result(
    "Census year, Population:, Households:, Change (%):percent",
    ("1981", 4120, 1230, None),
    ("1991", 4512, 1395, 9.5),
    ("2001", 4388, 1460, -2.7),
    ("2011", 4975, 1688, 13.4),
)
TOWER = result(
    "Rank:, Name, City, Height (m):, Height (ft):, Floors:, Completed",
    (1, "Meridian Tower", "Porto Alto", 312, 1024, 71, "2014"),
    (2, "Sable Building", "Porto Alto", 265, 869, 58, "2009"),
    (3, "Harbour Point", "Lunas", 241, 791, 52, "2018"),
    (4, "Civic Plaza", "Lunas", 198, 650, 44, "1987"),
)
SHOW = result(
    "No. overall:, No. in season:, Title, Directed by, Original air date, U.S. viewers (millions):",
    (23, 1, "\u201cThe Ledge\u201d", "Ari Munn", "September 20, 2011", 9.84),
    (24, 2, "\u201cNight Ferry\u201d", "Beth Ode", "September 27, 2011", 8.91),
    (25, 3, "\u201cGlass\u201d", "Ari Munn", "October 4, 2011", 8.43),
    (26, 4, "\u201cThe Long Way\u201d", "Carl Ives", "October 11, 2011", 9.02),
)
ALBUM = result(
    "Title, Year, Peak US:, Peak UK:, Sales, Certification",
    ("Paper Moons", "2003", 12, 4, "1,200,000", "Platinum"),
    ("Low Country", "2006", 3, 1, "2,450,000", "2\u00d7 Platinum"),
    ("Salt", "2010", 27, 15, "310,000", "Gold"),
)
AIRPORT = result(
    "Rank:, Airport, City, Passengers 2017:, Passengers 2018:, Change:percent",
    (1, "Alta International", "Alta", 18204511, 19112305, 4.99),
    (2, "Brenna Field", "Brenna", 7310220, 7102845, -2.84),
    (3, "Corso", "Corso", 2204118, 2390775, 8.47),
)
SHIPS = result(
    "Date, Ship, Flag, Sunk or damaged, Tonnage (GRT):",
    ("3 May 1941", "Aldenham", "United Kingdom", "Sunk", 4312),
    ("11 May 1941", "Brisk", "Norway", "Damaged", 6120),
    ("11 May 1941", "Ceres", "Netherlands", "Sunk", 5208),
    ("2 June 1941", "Dorset Lass", "United Kingdom", "Sunk", 2871),
)
MEDAL = result(
    "Rank:, Nation, Gold:, Silver:, Bronze:, Total:",
    (1, "Kenya", 6, 4, 3, 13),
    (2, "Jamaica", 5, 6, 2, 13),
    (3, "Ethiopia", 3, 3, 5, 11),
    (4, "Norway", 1, 0, 1, 2),
    ("", "Total", 15, 13, 11, 39),
)

ABOUT = {
    id(VALE): "2010 Valean parliamentary election — Results",
    id(BAT): "Roy Tamm (cricketer) — First-class statistics",
    id(SWIM): "Swimming at the 2012 Games — Women's 200 metre butterfly — Final",
    id(CENSUS): "Stanmoor — Demographics",
    id(TOWER): "List of tallest buildings in Valea",
    id(SHOW): "Harbour Lights season 2 — Episodes",
    id(ALBUM): "The Hollows discography — Studio albums",
    id(AIRPORT): "Busiest airports in Valea",
    id(SHIPS): "U-711 — Raiding history",
    id(MEDAL): "1994 Highland Games — Medal table",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (VALE, "The Social Democrats led by Mira Kesk won 62 of the 180 seats, a gain of nine."),
        (
            VALE,
            "The Social Democrats won 62 seats with 31.8% of the vote, ahead of Centre with "
            "48 seats and 25.1%.",
        ),
        (VALE, "Centre and the National Union lost seven and four seats respectively."),
        (VALE, "The Greens, led by Tilda Berg, increased their seats by six to 19."),
        (VALE, "The Left, the National Union and Centre all lost seats."),
        (VALE, "Over 2.5 million votes were cast, of which the Social Democrats received 812,440."),
        (
            BAT,
            "Tamm played 88 first-class matches for Kent between 1998 and 2005, scoring "
            "4,021 runs at an average of 32.16 with six centuries.",
        ),
        (
            BAT,
            "For Essex he scored 1,733 runs at an average of 28.88 and took 60 wickets at an "
            "average of 31.05.",
        ),
        (BAT, "In 12 matches for England he took 19 wickets at 38.42."),
        (BAT, "He took 112 wickets for Kent at a bowling average of 29.41."),
        (
            SWIM,
            "Ana Costa of Brazil won the gold medal with a time of 2:08.14, ahead of "
            "Germany's Lena Voss in 2:08.71.",
        ),
        (
            SWIM,
            "Lena Voss and Mei Lin finished second and third with times of 2:08.71 and 2:09.35 respectively.",
        ),
        (SWIM, "Kate Byrne finished fourth in 2:10.02."),
        (CENSUS, "The population of Stanmoor was 4,120 in 1981, 4,512 in 1991 and 4,388 in 2001."),
        (
            CENSUS,
            "According to the 2011 census, Stanmoor had a population of 4,975 living in 1,688 households.",
        ),
        (CENSUS, "The population fell by 2.7% between 1991 and 2001 and rose by 13.4% to 4,975 in 2011."),
        (
            TOWER,
            "Meridian Tower in Porto Alto is the tallest building at 312 metres (1,024 ft), "
            "with 71 floors, completed in 2014.",
        ),
        (TOWER, "The 58-storey Sable Building, which rises 265 m, is the second tallest."),
        (TOWER, "Harbour Point (241 m) and Civic Plaza (198 m) are in Lunas."),
        (SHOW, "The season premiered on September 20, 2011 to 9.84 million viewers."),
        (SHOW, 'The third episode, "Glass", directed by Ari Munn, drew 8.43 million viewers.'),
        (
            SHOW,
            '"Night Ferry" was watched by 8.91 million U.S. viewers, down from 9.84 million for "The Ledge".',
        ),
        (
            ALBUM,
            "Low Country (2006) reached number three in the US and number one in the UK, "
            "selling 2,450,000 copies.",
        ),
        (
            ALBUM,
            "Their first album, Paper Moons, peaked at number 12 on the US chart and number 4 in the UK.",
        ),
        (ALBUM, "Salt sold 310,000 copies and was certified Gold."),
        (
            AIRPORT,
            "Alta International handled 19,112,305 passengers in 2018, an increase of 4.99% "
            "on the 18,204,511 of 2017.",
        ),
        (AIRPORT, "Brenna Field saw passenger numbers fall 2.84% to 7,102,845 in 2018."),
        (AIRPORT, "Corso, the third busiest airport, had over 2.3 million passengers in 2018."),
        (
            SHIPS,
            "On 11 May 1941 U-711 damaged the Norwegian Brisk (6,120 GRT) and sank the Dutch "
            "Ceres of 5,208 GRT.",
        ),
        (SHIPS, "The British ship Aldenham of 4,312 GRT was sunk on 3 May 1941."),
        (SHIPS, "Dorset Lass, of 2,871 GRT, was sunk on 2 June 1941."),
        (MEDAL, "Kenya won 13 medals: six gold, four silver and three bronze."),
        (MEDAL, "Kenya and Jamaica both won 13 medals, with Kenya winning six golds to Jamaica's five."),
        (MEDAL, "Norway won one gold and one bronze but no silver."),
        (MEDAL, "A total of 39 medals were awarded, of which 15 were gold."),
        (MEDAL, "Ethiopia finished third with 11 medals, three of them gold and five bronze."),
    ],
)
def test_what_a_table_says_passes(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (VALE, "The Social Democrats led by Mira Kesk won 62 of the 180 seats, a loss of nine."),
        (
            VALE,
            "The Social Democrats won 62 seats with 31.8% of the vote, ahead of Centre with "
            "48 seats and 22.0%.",
        ),
        (VALE, "Centre and the National Union lost four and seven seats respectively."),
        (VALE, "The Greens, led by Tilda Berg, increased their seats by four to 19."),
        (VALE, "Over 2.5 million votes were cast, of which the Centre received 812,440."),
        (
            BAT,
            "Tamm played 88 first-class matches for Kent between 1998 and 2005, scoring "
            "4,021 runs at an average of 29.41 with six centuries.",
        ),
        (
            BAT,
            "For Essex he scored 1,733 runs at an average of 31.05 and took 60 wickets at an "
            "average of 28.88.",
        ),
        (BAT, "In 12 matches for England he took 19 wickets at 22.33."),
        (BAT, "In 12 matches for England he took 60 wickets at 38.42."),
        (
            SWIM,
            "Ana Costa of Brazil won the gold medal with a time of 2:08.71, ahead of "
            "Germany's Lena Voss in 2:08.14.",
        ),
        (
            SWIM,
            "Lena Voss and Mei Lin finished second and third with times of 2:09.35 and 2:08.71 respectively.",
        ),
        (SWIM, "Kate Byrne finished third in 2:10.02."),
        (CENSUS, "The population of Stanmoor was 4,120 in 1981, 4,388 in 1991 and 4,512 in 2001."),
        (
            CENSUS,
            "According to the 2011 census, Stanmoor had a population of 4,388 living in 1,688 households.",
        ),
        (CENSUS, "The population fell by 9.5% between 1991 and 2001."),
        (
            TOWER,
            "Meridian Tower in Porto Alto is the tallest building at 312 metres (869 ft), "
            "with 71 floors, completed in 2014.",
        ),
        (TOWER, "The 52-storey Sable Building, which rises 265 m, is the second tallest."),
        (TOWER, "Harbour Point (198 m) and Civic Plaza (241 m) are in Lunas."),
        (SHOW, "The season premiered on September 20, 2011 to 8.91 million viewers."),
        (SHOW, 'The third episode, "Glass", directed by Ari Munn, drew 9.02 million viewers.'),
        (
            SHOW,
            '"Night Ferry" was watched by 9.84 million U.S. viewers, down from 8.91 million for "The Ledge".',
        ),
        (
            ALBUM,
            "Low Country (2006) reached number one in the US and number three in the UK, "
            "selling 2,450,000 copies.",
        ),
        (
            ALBUM,
            "Their first album, Paper Moons, peaked at number 4 on the US chart and number 12 in the UK.",
        ),
        (ALBUM, "Salt sold 1,200,000 copies and was certified Gold."),
        (
            AIRPORT,
            "Alta International handled 18,204,511 passengers in 2018, an increase of 4.99% "
            "on the 19,112,305 of 2017.",
        ),
        (AIRPORT, "Brenna Field saw passenger numbers rise 2.84% to 7,102,845 in 2018."),
        (AIRPORT, "Corso, the second busiest airport, had over 2.3 million passengers in 2018."),
        (
            SHIPS,
            "On 11 May 1941 U-711 damaged the Norwegian Brisk (5,208 GRT) and sank the Dutch "
            "Ceres of 6,120 GRT.",
        ),
        (SHIPS, "The British ship Aldenham of 4,312 GRT was sunk on 2 June 1941."),
        (MEDAL, "Kenya won 13 medals: four gold, six silver and three bronze."),
        (MEDAL, "Kenya and Jamaica both won 13 medals, with Kenya winning five golds to Jamaica's six."),
        (MEDAL, "Norway won one gold and one silver but no bronze."),
        (MEDAL, "A total of 39 medals were awarded, of which 13 were gold."),
        (MEDAL, "Ethiopia finished third with 11 medals, five of them gold and three bronze."),
    ],
)
def test_what_it_does_not_say_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
