"""Ships of a size, spans of days, readings of a clock with hours, places in a chart, who came behind whom."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

SHIPS = result(
    "Date, Name, Nationality, Tonnage:, Fate",
    ("3 March 1941", "Halvard", "Norway", 3120, "Sunk"),
    ("9 March 1941", "Tessaly", "Greece", 4715, "Sunk at 50N"),
    ("2 May 1941", "Orlando Bay", "United Kingdom", 6240, "Damaged"),
    ("17 June 1941", "Mirelle", "France", 2985, "Sunk"),
)
SWIM = result(
    "Rank:, Lane:, Name, Nationality, Time",
    (1, 4, "Ida Sorensen", "Denmark", "2:07.11"),
    (2, 5, "Maud Perrin", "France", "2:08.42"),
    (3, 3, "Kaja Nowak", "Poland", "2:08.90"),
    (4, 6, "Joan Pike", "Great Britain", "2:09.75"),
)
RACE = result(
    "Pos, Driver, Team, Time",
    ("1st", "Alan Marsh", "Delta", "1hr 12:33.07"),
    ("2nd", "Per Lund", "Delta", "1hr 12:51.64"),
    ("3rd", "Ugo Neri", "Omega", "1hr 13:20.98"),
    ("4th", "Ken Abe", "Omega", "51 laps"),
)
TOUR = result(
    "Date, City, Country, Venue",
    ("May 3, 2014", "Leeds", "England", "Corn Hall"),
    ("May 4, 2014", "Leeds", "England", "Corn Hall"),
    ("May 7, 2014", "Lille", "France", "Le Grand"),
    ("May 9, 2014", "Ghent", "Belgium", "Vooruit"),
    ("May 10, 2014", "Ghent", "Belgium", "Vooruit"),
    ("June 2, 2014", "Oslo", "Norway", "Folkhall"),
)
CENSUS = result(
    "Particulars, Total:, Male:, Female:",
    ("Population", 812, 421, 391),
    ("Total Worker", 402, 331, 71),
    ("Main Worker", 367, 310, 57),
    ("Main Worker - Weaver", 141, 120, 21),
    ("Main Worker - Farm Hands", 98, 90, 8),
    ("Main Worker - Trader", 128, 100, 28),
    ("Marginal Worker", 35, 21, 14),
)
CHART = result(
    "Year, Single, Billboard Hot 100:, UK Singles Chart:, Australia:, Album",
    ("1981", '"Cold Rain"', 64, None, None, "Blue Door"),
    ("1981", '"Tell Me"', 22, 37, 4, "Blue Door"),
    ("1982", '"Glass House"', 48, None, None, "Night Bus"),
    ("1983", '"So Long"', 15, None, 9, "Night Bus"),
    ("1984", '"Slow Train"', None, None, 71, "Harbour"),
)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SHIPS, "On 9 March 1941 the boat sank the 4,715-ton Greek ship Tessaly."),
        (SHIPS, "On 3 March 1941 it sank the 3,120-ton Norwegian freighter Halvard."),
        (
            SHIPS,
            "It sank the 3,120-ton Norwegian freighter Halvard and the 2,985-ton French steamer Mirelle.",
        ),
        (SHIPS, "In May it damaged the 6,240-ton British vessel Orlando Bay."),
        (SHIPS, "On 2 May 1941, the boat damaged the 6,240 ton Orlando Bay of the United Kingdom."),
        (SHIPS, "On 17 June 1941, she sent the 2,985-ton French ship Mirelle to the bottom."),
        (SWIM, "France's Maud Perrin was behind Sorensen and won silver in 2:08.42."),
        (SWIM, "Poland's Kaja Nowak finished behind Perrin and took bronze in 2:08.90."),
        (SWIM, "Nowak came in behind Perrin, touching in 2:08.90."),
        (SWIM, "Joan Pike was behind Nowak and finished fourth with 2:09.75."),
        (SWIM, "Sorensen finished ahead of Perrin and won gold in 2:07.11."),
        (TOUR, "The tour stopped at the Corn Hall in Leeds between May 3-4, 2014."),
        (TOUR, "They played Ghent on 9–10 May 2014."),
        (TOUR, "They played Ghent on May 9–10, 2014."),
        (TOUR, "The band was in Leeds on 3 and 4 May 2014."),
        (TOUR, "The Ghent dates, 9-10 May 2014, were at Vooruit."),
        (CENSUS, "Main workers were 141 weavers and 98 farm hands."),
        (CENSUS, "Workers engaged in Main Work were 141 weavers and 98 farm hands."),
        (CENSUS, "Those in main work were 141 weavers, 98 farm hands and 128 traders."),
        (RACE, "Marsh won in a time of 1hr 12:33.07mins."),
        (RACE, "Marsh won in 1hr 12:33.07, ahead of Lund."),
        (RACE, "Lund finished second in 1hr 12:51.64mins, with Neri behind."),
        (RACE, "Ugo Neri needed 1hr 13:20.98 mins."),
        (RACE, "Ugo Neri needed 1 hr 13:20.98."),
        (CHART, "Blue Door came out in 1981 and Tell Me peaked at No. 22 on the Billboard Hot 100 Chart."),
        (CHART, "Tell Me reached number 37 on the UK Singles Chart."),
        (CHART, "Tell Me peaked at No. 22 on the Billboard Hot 100 and at No. 37 on the UK Singles Chart."),
    ],
)
def test_a_sentence_of_a_reporter_passes(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SHIPS, "On 9 March 1941 the boat sank the 3,120-ton Greek ship Tessaly."),
        (SHIPS, "On 9 March 1941 the boat sank the 4,715-ton Greek ship Mirelle."),
        (
            SHIPS,
            "It sank the 2,985-ton Norwegian freighter Halvard and the 3,120-ton French steamer Mirelle.",
        ),
        (SHIPS, "In May it damaged the 4,715-ton British vessel Orlando Bay."),
        (SHIPS, "On 3 March 1941, she sent the 2,985-ton French ship Mirelle to the bottom."),
        (SWIM, "France's Maud Perrin was behind Sorensen and won silver in 2:07.11."),
        (SWIM, "France's Maud Perrin was behind Nowak and won silver in 2:08.42."),
        (SWIM, "France's Maud Perrin was ahead of Sorensen and won silver in 2:08.42."),
        (SWIM, "Poland's Kaja Nowak finished behind Pike and took bronze in 2:08.90."),
        (SWIM, "Nowak came in behind Perrin, touching in 2:08.42."),
        (SWIM, "Sorensen finished ahead of Perrin and won gold in 2:08.42."),
        (TOUR, "The tour stopped at the Corn Hall in Leeds between May 3-7, 2014."),
        (TOUR, "The tour stopped at the Corn Hall in Leeds between May 9-10, 2014."),
        (TOUR, "They played Ghent on 3–4 May 2014."),
        (TOUR, "They played Ghent on 10-11 May 2014."),
        (TOUR, "They played Ghent on May 9–12, 2014."),
        (TOUR, "The band was in Leeds on 3 and 4 June 2014."),
        (CENSUS, "Main workers were 98 weavers and 141 farm hands."),
        (CENSUS, "Workers engaged in Main Work were 141 weavers and 128 farm hands."),
        (CENSUS, "Workers engaged in Main Work were 120 weavers and 98 farm hands."),
        (CENSUS, "Those in main work were 98 weavers, 141 farm hands and 128 traders."),
        (RACE, "Marsh won in a time of 1hr 12:51.64mins."),
        (RACE, "Marsh won in a time of 2hr 12:33.07mins."),
        (RACE, "Lund won in 1hr 12:51.64, ahead of Marsh."),
        (RACE, "Lund finished second in 1hr 12:51.64mins, with Marsh behind."),
        (CHART, "Blue Door came out in 1981 and peaked at No. 37 on the Billboard Hot 100 Chart."),
        (CHART, "Tell Me peaked at No. 37 on the Billboard Hot 100."),
        (CHART, "Tell Me reached number 37 on the Billboard Hot 100 chart."),
        (CHART, "Tell Me reached number 22 on the UK Singles Chart."),
        (CHART, "So Long peaked at No. 9 on the Billboard Hot 100 Chart in 1983."),
        (SWIM, "Maud Perrin won silver in 2:08.42, ahead of Sorensen."),
        (SWIM, "Maud Perrin won silver in 2:08.42, with Sorensen behind."),
    ],
)
def test_its_false_twin_blocks(table: Table, draft: str) -> None:
    assert not passes(draft, table)
