"""Figures that stand among words or marks in text cells: scores, money, records, times."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

GOLF = result(
    "Place, Player, Country, Score, To par, Money ($):",
    ("1", "Rolf Tann", "South Africa", "69-67-70-70=276", "\u22124", 900000),
    ("2", "Per Okum", "Sweden", "68-68-73-70=279", "\u22121", 540000),
    ("T3", "Hugh Marle", "England", "69-70-71-72=282", "+2", 290000),
    ("T3", "Jon Sato", "Japan", "66-70-73-73=282", "+2", 290000),
    ("5", "Ed Rusk", "Canada", "71-70-72-74=287", "+7", 180000),
)
SHIPS = result(
    "Ship, Type, Crew lost, Cost",
    ("Astrid", "Brig", "346 men", "\u00a31,000"),
    ("Borea", "Sloop", "41 men", "\u00a36,500"),
    ("Carina", "Frigate", "12 men", "\u00a312,000"),
)
FILMS2 = result(
    "Film, Studio, Gross, Budget",
    ("Ember Coast", "Lodestar", "$963 million", "$150 million"),
    ("Blue Hollow", "Pell Pictures", "$437.5 million", "$90 million"),
    ("Night Tram", "Lodestar", "$119 million", "$35 million"),
)
SWIM = result(
    "Rank, Swimmer, Nation, Time, Notes",
    ("1", "Ana Wirth", "Norland", "4:07.55", "NR"),
    ("2", "Mia Solt", "Carnia", "4:09.10", ""),
    ("3", "Eva Lind", "Latia", "4:10.02", "PB"),
)
SPRINT = result(
    "Event, Time, Venue, Date",
    ("400 m", "45.67 NR", "Velden", "12 June 2009"),
    ("200 m", "20.91 PB", "Ostia", "3 May 2010"),
    ("Long jump", "6.88 m", "Tarsa", "9 July 2011"),
    ("Marathon", "2:06:21", "Bergstad", "7 April 2012"),
)
GAMES = result(
    "Date, Opponent, Result, Venue",
    ("May 2", "Lakeside Bulls", "35-18", "Norr Arena"),
    ("May 9", "Harbour Kings", "21-24", "Norr Arena"),
    ("May 16", "Inland Foxes", "28-10", "Fox Park"),
)
FEES = result(
    "Player, From, To, Fee",
    ("Mo Tarn", "Alton", "Corby", "\u00a365,000"),
    ("Lee Shaw", "Alton", "Corby", "\u00a3150,000"),
    ("Vic Dole", "Alton", "Barrow", "Free transfer"),
    ("Jan Orme", "Alton", "Dene", "\u00a3300,000"),
)
OPEN = result(
    "Place, Player, Country, Score, To par",
    ("1", "Lou Feld", "Ireland", "67-70-69-71=277", "\u22123"),
    ("2", "Sid Marsh", "Wales", "70-68-70-70=278", "\u22122"),
    ("T3", "Gus Pratt", "Canada", "68-69-72-74=283", "+3"),
    ("T3", "Ray Hood", "Spain", "71-66-70-76=283", "+3"),
)
DASH = result(
    "Year, Meet, Venue, Event, Result",
    ("2006", "State Meet", "Ostia", "100 m", "10.41"),
    ("2007", "State Meet", "Lund", "400 m", "50.20"),
    ("2008", "City Meet", "Lund", "110 m hurdles", "14.02"),
)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            GOLF,
            "Rolf Tann (70) won with 276, while Hugh Marle (72) and Jon Sato (73) made 282 in "
            "a tie for third.",
        ),
        (GOLF, "Ed Rusk finished at seven-over-par 287."),
        (FEES, "Mo Tarn and Lee Shaw moved to Corby for \u00a365,000 and \u00a3150,000."),
        (FEES, "Jan Orme joined Dene for \u00a3300,000."),
        (
            OPEN,
            "Lou Feld (71) won with 277, while Gus Pratt (74) and Ray Hood (76) made 283 in a tie for third.",
        ),
        (OPEN, "Sid Marsh finished second with 278."),
        (OPEN, "Ray Hood carded 66 in the second round and finished on 283."),
        (DASH, "In 2007 he ran the 400 metres in 50.20 at Lund."),
        (DASH, "He finished the 110 metres hurdles (Lund 2008) in 14.02."),
        (SHIPS, "The Astrid went down with 346 men."),
        (SHIPS, "The Borea cost \u00a36,500."),
        (SHIPS, "The Astrid was lost with 346 men and had cost \u00a31,000."),
        (FILMS2, "Ember Coast grossed $963 million on a budget of $150 million."),
        (FILMS2, "Blue Hollow made $437.5 million worldwide."),
        (SWIM, "Ana Wirth of Norland won in a time of 4:07.55."),
        (SPRINT, "Her best in the 400 metres is 45.67, a national record, run at Velden."),
        (SPRINT, "She jumped 6.88 m in the long jump at Tarsa and ran the marathon in 2:06:21."),
        (SPRINT, "Personal bests: 45.67 for the 400 m, 20.91 for the 200 m and 6.88 m for the long jump."),
        (GAMES, "They beat the Lakeside Bulls 35-18 on May 2."),
        (GAMES, "They lost 21-24 to the Harbour Kings."),
    ],
)
def test_the_figure_of_the_own_text_cell_passes(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            GOLF,
            "Rolf Tann (70) won with 279, while Hugh Marle (72) and Jon Sato (73) made 282 in "
            "a tie for third.",
        ),
        (
            GOLF,
            "Rolf Tann (70) won with 276, while Hugh Marle (72) and Jon Sato (73) made 287 in "
            "a tie for third.",
        ),
        (
            GOLF,
            "Rolf Tann (72) won with 276, while Hugh Marle (71) and Jon Sato (73) made 282 in "
            "a tie for third.",
        ),
        (GOLF, "Ed Rusk finished at seven-over-par 282."),
        (FEES, "Mo Tarn and Lee Shaw moved to Corby for \u00a3150,000 and \u00a365,000."),
        (FEES, "Mo Tarn moved to Corby for \u00a3150,000."),
        (FEES, "Vic Dole moved to Barrow for \u00a365,000."),
        (FEES, "Jan Orme joined Corby for \u00a3300,000."),
        (
            OPEN,
            "Lou Feld (277) won with 71, while Gus Pratt (74) and Ray Hood (76) made 283 in a tie for third.",
        ),
        (
            OPEN,
            "Lou Feld (71) won with 277, while Gus Pratt (74) and Ray Hood (283) made 76 in a tie for third.",
        ),
        (OPEN, "Sid Marsh finished second with 68."),
        (OPEN, "Sid Marsh finished second with 277."),
        (OPEN, "Ray Hood carded 67 in the second round and finished on 283."),
        (DASH, "In 2007 he ran the 50.20 metres in 400 at Lund."),
        (DASH, "In 2007 he ran 400 seconds at Lund."),
        (DASH, "He finished the 14.02 metres hurdles (Lund 2008) in 110."),
        (SHIPS, "The Astrid went down with 41 men."),
        (SHIPS, "The Borea went down with 346 men."),
        (SHIPS, "The Borea cost \u00a31,000."),
        (SHIPS, "The Borea cost \u00a312,000."),
        (SHIPS, "The Astrid was lost with 346 men and had cost \u00a312,000."),
        (FILMS2, "Ember Coast grossed $437.5 million on a budget of $150 million."),
        (FILMS2, "Ember Coast grossed $150 million on a budget of $963 million."),
        (FILMS2, "Ember Coast grossed $963 million on a budget of $90 million."),
        (FILMS2, "Blue Hollow made $119 million worldwide."),
        (FILMS2, "Blue Hollow made $437.5 thousand worldwide."),
        (SWIM, "Ana Wirth of Norland won in a time of 4:09.10."),
        (SWIM, "Mia Solt came second in 4:07.55."),
        (SWIM, "Mia Solt came second in 4:10.02."),
        (SPRINT, "Her best in the 400 metres is 20.91, run at Velden."),
        (SPRINT, "Her best in the 400 metres is 45.76."),
        (SPRINT, "She jumped 6.98 m in the long jump at Tarsa and ran the marathon in 2:06:21."),
        (SPRINT, "She jumped 6.88 m in the long jump at Tarsa and ran the marathon in 2:06:12."),
        (SPRINT, "Personal bests: 20.91 for the 400 m, 45.67 for the 200 m and 6.88 m for the long jump."),
        (GAMES, "They beat the Lakeside Bulls 28-10 on May 2."),
        (GAMES, "They beat the Inland Foxes 35-18."),
        (GAMES, "They beat the Lakeside Bulls 35-16 on May 2."),
        (GAMES, "They lost 21-24 to the Inland Foxes."),
        (GAMES, "They lost 18-35 to the Harbour Kings."),
    ],
)
def test_the_figure_of_another_text_cell_blocks(table: Table, draft: str) -> None:
    assert not passes(draft, table)
