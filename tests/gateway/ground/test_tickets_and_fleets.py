"""Tickets of two, fleets, censuses and seasons as an encyclopedia tells them."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

GUB = result(
    "Party, Candidate, Running mate, Popular vote Count:, Popular vote Percentage:percent, Electoral vote:",
    ("Republican", "Hugh Carver", "Dale Ames", 1204331, 52.14, 9),
    ("Democratic", "Lena Stowe", "Roy Tull", 1022118, 44.25, 4),
    ("Libertarian", "Al Finch", "Bea Moss", 83402, 3.61, 0),
    ("Total", "Total", "Total", 2309851, 100.0, 13),
)
DRV = result(
    "Year, Team, Races:, Wins:, Poles:, Podiums:, Points:, Position",
    ("2006", "Lowther Racing", 16, 1, 0, 4, 61, "5th"),
    ("2007", "Lowther Racing", 18, 3, 2, 7, 112, "3rd"),
    ("2008", "Apex Grand Prix", 18, 6, 5, 11, 164, "1st"),
    ("2009", "Apex Grand Prix", 17, 0, 1, 3, 48, "9th"),
)
CENS = result(
    "Year, Population:, \u00b1%:percent",
    ("1900", 812, None),
    ("1910", 1240, 52.7),
    ("1920", 1503, 21.2),
    ("1930", 1377, -8.4),
    ("1940", 1421, 3.2),
)
AWD = result(
    "Year, Award, Category, Nominated work, Result",
    ("2009", "Golden Lamp", "Best Song", "Rivers", "Won"),
    ("2010", "Golden Lamp", "Best Album", "Harbour", "Nominated"),
    ("2012", "Silver Reel", "Best Score", "Low Sun", "Won"),
)
GROUPS = result(
    "Ethnic group, Population 2001:, Share 2001:percent, Population 2011:, Share 2011:percent",
    ("Serbs", 4410, 61.2, 4108, 58.9),
    ("Hungarians", 1802, 25.0, 1690, 24.2),
    ("Roma", 402, 5.6, 611, 8.8),
    ("Total", 7206, 100.0, 6975, 100.0),
)
VESSEL = result(
    "Ship, Built, Tonnage (GRT):, Length (m):, Passengers:, Status",
    ("Aurelia", "1934", 18240, 186.2, 1240, "Scrapped 1966"),
    ("Bellona", "1951", 23110, 201.4, 1410, "Museum ship"),
    ("Corinth", "1957", 9870, 148.0, 640, "Sank 1971"),
)
RATE = result(
    "Season, Episodes:, Premiere date, Finale date, Average viewers (millions):, Rank:",
    ("1", 22, "September 18, 2001", "May 14, 2002", 11.42, 31),
    ("2", 24, "September 24, 2002", "May 20, 2003", 13.87, 18),
    ("3", 23, "September 23, 2003", "May 25, 2004", 12.05, 24),
)
NFL = result(
    "Year, Team, GP:, Comp:, Att:, Yards:, TD:, Int:, Rating:",
    ("1984", "Denver", 14, 98, 201, 1320, 7, 9, 64.2),
    ("1985", "Denver", 16, 240, 441, 3021, 19, 14, 79.8),
    ("1986", "Tampa", 11, 121, 260, 1544, 8, 13, 58.7),
    ("Career", "Career", 41, 459, 902, 5885, 34, 36, 70.4),
)

ABOUT = {
    id(GUB): "1984 Valean gubernatorial election — Results",
    id(DRV): "Jan Oberg — Career summary",
    id(CENS): "Dunmore — Demographics",
    id(GROUPS): "Palanka — Ethnic groups",
    id(VESSEL): "Meridian Line — Fleet",
    id(RATE): "Harbour Lights (TV series) — Ratings",
    id(NFL): "Rod Keel — Passing statistics",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            GUB,
            "Republican Hugh Carver won the election with 1,204,331 votes and nine electoral "
            "votes, while Democrat Lena Stowe took 1,022,118 votes and four electoral votes.",
        ),
        (GUB, "Hugh Carver and Dale Ames defeated Lena Stowe and Roy Tull, 52.14% to 44.25%."),
        (GUB, "Libertarian candidate Al Finch received 83,402 votes (3.61%)."),
        (GUB, "Carver got 52.14% of the popular vote and Stowe 44.25%."),
        (GUB, "In total, 2,309,851 votes were cast."),
        (
            DRV,
            "In 2008 Oberg won the championship for Apex Grand Prix with six wins, five "
            "poles and 164 points.",
        ),
        (DRV, "In 2007 he finished third with 112 points from 18 races."),
        (DRV, "He scored 61 points in 2006 and 112 points in 2007 with Lowther Racing."),
        (
            CENS,
            "The population of Dunmore rose from 812 in 1900 to 1,503 in 1920 before "
            "declining to 1,377 in 1930.",
        ),
        (CENS, "The population grew by 52.7% to 1,240 in 1910."),
        (
            GROUPS,
            "In 2011 the municipality had 4,108 Serbs (58.9%), 1,690 Hungarians (24.2%) and 611 Roma (8.8%).",
        ),
        (GROUPS, "Serbs made up 61.2% of the population in 2001 and 58.9% in 2011."),
        (GROUPS, "According to the 2011 census, the municipality has 6,975 inhabitants."),
        (VESSEL, "The Bellona, built in 1951, measured 23,110 GRT and could carry 1,410 passengers."),
        (
            VESSEL,
            "Aurelia (18,240 GRT) and Bellona (23,110 GRT) carried 1,240 and 1,410 passengers respectively.",
        ),
        (VESSEL, "At 201.4 metres the Bellona was the longest ship of the fleet."),
        (RATE, "The second season averaged 13.87 million viewers and ranked 18th."),
        (
            RATE,
            "The first season premiered on September 18, 2001 and averaged 11.42 million "
            "viewers over 22 episodes.",
        ),
        (NFL, "In 1985, Keel threw for 3,021 yards with 19 touchdowns and 14 interceptions for Denver."),
        (
            NFL,
            "Over his career he completed 459 of 902 passes for 5,885 yards, with 34 "
            "touchdowns and 36 interceptions.",
        ),
        (NFL, "He completed 240 of his 441 passes in 1985."),
    ],
)
def test_what_stands_in_the_row_and_column_passes(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            GUB,
            "Republican Hugh Carver won the election with 1,204,331 votes and four electoral "
            "votes, while Democrat Lena Stowe took 1,022,118 votes and nine electoral votes.",
        ),
        (GUB, "Hugh Carver and Dale Ames defeated Lena Stowe and Roy Tull, 44.25% to 52.14%."),
        (GUB, "Libertarian candidate Al Finch received 83,402 votes (44.25%)."),
        (
            DRV,
            "In 2008 Oberg won the championship for Apex Grand Prix with five wins, six "
            "poles and 164 points.",
        ),
        (DRV, "In 2007 he finished fifth with 112 points from 18 races."),
        (DRV, "He scored 112 points in 2006 and 61 points in 2007 with Lowther Racing."),
        (
            CENS,
            "The population of Dunmore rose from 812 in 1900 to 1,377 in 1920 before "
            "declining to 1,503 in 1930.",
        ),
        (CENS, "The population grew by 21.2% to 1,240 in 1910."),
        (
            GROUPS,
            "In 2011 the municipality had 4,108 Serbs (58.9%), 611 Hungarians (24.2%) and 1,690 Roma (8.8%).",
        ),
        (
            GROUPS,
            "In 2011 the municipality had 4,410 Serbs (58.9%), 1,690 Hungarians (24.2%) and 611 Roma (8.8%).",
        ),
        (GROUPS, "Serbs made up 58.9% of the population in 2001 and 61.2% in 2011."),
        (GROUPS, "According to the 2011 census, the municipality has 4,108 inhabitants."),
        (VESSEL, "The Bellona, built in 1951, measured 18,240 GRT and could carry 1,410 passengers."),
        (
            VESSEL,
            "Aurelia (18,240 GRT) and Bellona (23,110 GRT) carried 1,410 and 1,240 passengers respectively.",
        ),
        (VESSEL, "At 186.2 metres the Bellona was the longest ship of the fleet."),
        (RATE, "The second season averaged 12.05 million viewers and ranked 18th."),
        (
            RATE,
            "The first season premiered on September 24, 2002 and averaged 11.42 million "
            "viewers over 22 episodes.",
        ),
        (NFL, "In 1985, Keel threw for 3,021 yards with 14 touchdowns and 19 interceptions for Denver."),
        (
            NFL,
            "Over his career he completed 459 of 902 passes for 5,885 yards, with 36 "
            "touchdowns and 34 interceptions.",
        ),
        (NFL, "He completed 121 of his 441 passes in 1985."),
    ],
)
def test_what_stands_elsewhere_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
