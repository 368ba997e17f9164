"""Names listed in a cell with figures, gases in headers, totals of stages, margins, one ship of a size."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, passes, result
from traces.records import Table

ASSEMBLY = result(
    "Party, Party 2, Candidate, Votes:, %:, ±:",
    ("-", "LDP", "Hari Menon", 61240, 47.31, None),
    ("-", "NCU", "Asha Rao", 48110, 37.17, None),
    ("-", "BSF", "Dev Nair", 16090, 12.43, None),
    ("-", "IND.", "Lal Shah", 2110, 1.63, None),
    ("-", "NOTA", "None of the Above", 1890, 1.46, None),
    ("Majority", "Majority", "Majority", 13130, 10.14, None),
    ("Turnout", "Turnout", "Turnout", 129440, 63.2, None),
    ("-", "LDP gain from NCU", "LDP gain from NCU", None, None, None),
)
VOTE = result(
    "Party, Candidate, Votes:, %:percent",
    ("Labour", "Tom Reed", 40210, 52.4),
    ("Unity", "Ann Vale", 29529, 38.5),
    ("Green", "Ida Lowe", 6998, 9.1),
    ("Majority", "Majority", 10681, 13.9),
    ("Turnout", "Turnout", 76737, 71.0),
)
RELAY = result(
    "Rank:, Lane:, Nation, Swimmers, Time, Time behind:",
    (
        1,
        4,
        "Norway",
        "Ann Holt (53.10) Ida Moss (52.90) Kari Lunde-Berg (53.85) Sigrid Aasen (52.44)",
        "3:31.20",
        None,
    ),
    (
        2,
        5,
        "France",
        "Mia Sorel (53.70) Lea Brun (53.05) Chantal Delacroix (54.12) Jeanne Marchand (52.96)",
        "3:34.12",
        2.92,
    ),
    (
        3,
        2,
        "Kenya",
        "Joy Oduor (54.40) Ruth Wanja (53.41) Grace Atieno-Ouma (54.77) Mercy Chebet (53.00)",
        "3:35.06",
        3.86,
    ),
)
GASES = result(
    "Sulphur dioxide (SO2) annual average, 2010:, 2011",
    ("Limit for the protection of materials", None, "50 µg/m3"),
    ("Orwell-North", 17.45, "-"),
    ("Orwell-South", 19.2, "21.4 µg/m3"),
)
EMISSIONS = result(
    "Sector, CO2 (kt):, CH4 (kt):, N2O (kt):",
    ("Transport", 120, 4, 1.5),
    ("Energy", 340, 12, 2.1),
    ("Farming", 60, 90, 22),
)
STAGES = result(
    "Stage:, Date, Course, Distance, Type, Winner",
    (1, "25 June", "Orwell to Lund", "236 km (147 mi)", "Plain stage", "Jan Berg"),
    (2, "26 June", "Lund to Vale", "182 km (113 mi)", "Plain stage", "Lew Karr"),
    (None, "27 June", "Vale", "Vale", "Rest day", "Rest day"),
    (3, "28 June", "Vale to Mell", "314 km (195 mi)", "Mountain stage", "Jan Berg"),
    (4, "29 June", "Mell to Tarn", "223 km (139 mi)", "Plain stage", "Ivo Holm"),
    (None, "Total", "955 km (593 mi)", "955 km (593 mi)", "955 km (593 mi)", "955 km (593 mi)"),
)
SHIPS = result(
    "Date, Name, Nationality, Tonnage (GRT):, Fate",
    ("14 June 1941", "St. Orla", "United Kingdom", 5120, "Sunk"),
    ("21 December 1941", "HMS Brave", "Royal Navy", 9400, "Sunk"),
    ("2 February 1942", "Corla", "Netherlands", 6240, "Damaged"),
    ("4 February 1942", "Silver Ray", "United Kingdom", 4710, "Sunk"),
    ("16 May 1942", "Nicaro", "United States", 1390, "Sunk"),
)
SUBJECTS = {
    id(ASSEMBLY): "Orwell North (Assembly constituency) — Election results",
    id(VOTE): "1931 Lund by-election",
    id(RELAY): "4 x 100 m freestyle relay — Final",
    id(GASES): "Air of Orwell — Gases",
    id(EMISSIONS): "Emissions of Lund",
    id(STAGES): "1951 Tour of Orwell — Route and stages",
    id(SHIPS): "Hans Brandt — Ships attacked",
}


def _passes(draft: str, table: Table) -> bool:
    """Tell whether a draft passes over a table of its own subject."""
    return passes(draft, table, scope=replace(ANYTHING, subject=SUBJECTS[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            ASSEMBLY,
            "Hari Menon took Orwell for the LDP, beating the NCU's Asha Rao by a margin of 13,130 votes.",
        ),
        (ASSEMBLY, "Hari Menon of the LDP defeated Asha Rao of the NCU by 13,130 votes."),
        (ASSEMBLY, "Menon won the seat by a margin of 13,130 votes."),
        (
            ASSEMBLY,
            "Hari Menon (LDP) beat his rival, Asha Rao (NCU), with a margin of 13,130 votes (10.14%).",
        ),
        (ASSEMBLY, "The LDP gained the seat from the NCU with a majority of 13,130 votes."),
        (ASSEMBLY, "Asha Rao lost to Hari Menon by a margin of 13,130 votes."),
        (ASSEMBLY, "Dev Nair of BSF came third with 16,090 votes."),
        (VOTE, "Labour candidate Tom Reed defeated Unity candidate Ann Vale by a margin of 10,681 votes."),
        (VOTE, "Tom Reed won in 1931, defeating Ann Vale by 10,681 votes."),
        (RELAY, "Jeanne Marchand swam 52.96 for France, who won silver in 3:34.12."),
        (RELAY, "Mercy Chebet of Kenya swam the last leg in 53.00."),
        (RELAY, "Sigrid Aasen was the fastest of Norway's swimmers with 52.44."),
        (RELAY, "Kari Lunde-Berg swam her leg in 53.85."),
        (RELAY, "Norway's Ida Moss (52.90) and France's Lea Brun (53.05) swam second."),
        (RELAY, "France finished in 3:34.12, 2.92 seconds behind Norway."),
        (RELAY, "France finished 2.92 seconds behind Norway."),
        (RELAY, "Kenya were 3.86 seconds behind Norway."),
        (RELAY, "Norway won in 3:31.20, 2.92 seconds ahead of France."),
        (GASES, "For the protection of materials the limit of SO2 is 50 µg/m3."),
        (GASES, "Orwell-North had 17.45 µg/m3 of SO2 in 2010."),
        (GASES, "Orwell South reached 21.4 µg/m3 in 2011."),
        (GASES, "Against a limit of 50 µg/m3, Orwell-North had 17.45 µg/m3 of SO2 in 2010."),
        (EMISSIONS, "Transport emitted 120 kt of CO2 and 4 kt of CH4."),
        (EMISSIONS, "Farming emits 22 kt of N2O."),
        (EMISSIONS, "CH4 from farming came to 90 kt."),
        (STAGES, "The 1951 Tour of Orwell was run over 4 stages and 955 km (593 mi)."),
        (STAGES, "The race had a total distance of 955 km (593 mi)."),
        (STAGES, "The Tour of Orwell covered four stages over 955 km."),
        (STAGES, "In all the race came to 4 stages over 955 km (593 mi)."),
        (STAGES, "Jan Berg won the first stage, 236 km from Orwell to Lund."),
        (SHIPS, "Hans Brandt damaged one ship of 6,240 GRT and sank one warship of 9,400 tons."),
        (SHIPS, "Brandt damaged one ship of 6,240 GRT."),
        (SHIPS, "He sank the HMS Brave of 9,400 GRT in 1941."),
    ],
)
def test_what_the_table_says_passes(table: Table, draft: str) -> None:
    assert _passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            ASSEMBLY,
            "Hari Menon took Orwell for the LDP, beating the NCU's Asha Rao by a margin of 48,110 votes.",
        ),
        (
            ASSEMBLY,
            "Asha Rao took Orwell for the NCU, beating the LDP's Hari Menon by a margin of 13,130 votes.",
        ),
        (ASSEMBLY, "Hari Menon of the LDP defeated Dev Nair of the BSF by 13,130 votes."),
        (ASSEMBLY, "Rao won the seat by a margin of 13,130 votes."),
        (
            ASSEMBLY,
            "Hari Menon (LDP) beat his rival, Asha Rao (NCU), with a margin of 12,130 votes (10.14%).",
        ),
        (ASSEMBLY, "The NCU gained the seat from the LDP with a majority of 13,130 votes."),
        (ASSEMBLY, "Asha Rao beat Hari Menon by a margin of 13,130 votes."),
        (ASSEMBLY, "Hari Menon won by a margin of 61,240 votes."),
        (VOTE, "Labour candidate Tom Reed defeated Green candidate Ida Lowe by a margin of 10,681 votes."),
        (VOTE, "Unity candidate Ann Vale defeated Labour candidate Tom Reed by a margin of 10,681 votes."),
        (RELAY, "Jeanne Marchand swam 53.05 for France, who won silver in 3:34.12."),
        (RELAY, "Mercy Chebet of Kenya swam the last leg in 52.44."),
        (RELAY, "Sigrid Aasen was the fastest of Norway's swimmers with 52.90."),
        (RELAY, "Kari Lunde-Berg swam her leg in 53.10."),
        (RELAY, "Norway's Ida Moss (53.05) and France's Lea Brun (52.90) swam second."),
        (RELAY, "Jeanne Marchand swam 54.12."),
        (RELAY, "Mia Sorel swam 52.96."),
        (RELAY, "Jeanne Marchand swam 52.96 in a relay that took silver in 3:35.06."),
        (RELAY, "Norway swam 53.10."),
        (RELAY, "France finished 3.86 seconds behind Norway."),
        (RELAY, "Kenya were 2.92 seconds behind Norway."),
        (RELAY, "Kenya were 3.86 seconds behind France."),
        (RELAY, "Norway won in 3:31.20, 3.86 seconds ahead of France."),
        (RELAY, "France finished 2.92 seconds ahead of Norway."),
        (GASES, "For the protection of materials the limit of NO2 is 50 µg/m3."),
        (GASES, "Orwell-North had 17.45 µg/m3 of SO3 in 2010."),
        (GASES, "Orwell-North had 19.2 µg/m3 of SO2 in 2010."),
        (GASES, "Against a limit of 50 µg/m3, Orwell-North had 19.2 µg/m3 of SO2 in 2010."),
        (EMISSIONS, "Transport emitted 4 kt of CO2 and 120 kt of CH4."),
        (EMISSIONS, "Farming emits 90 kt of N2O."),
        (EMISSIONS, "CO2 from farming came to 90 kt."),
        (EMISSIONS, "Farming emits 22 kt of SF6."),
        (STAGES, "The 1951 Tour of Orwell was run over 5 stages and 955 km (593 mi)."),
        (STAGES, "The race had a total distance of 845 km (593 mi)."),
        (STAGES, "In all the race came to 3 stages over 955 km (593 mi)."),
        (STAGES, "The race had a total distance of 314 km."),
        (STAGES, "The Tour of Orwell covered four stages over 236 km."),
        (STAGES, "Jan Berg won the first stage, 182 km from Orwell to Lund."),
        (SHIPS, "Hans Brandt damaged one ship of 5,120 GRT and sank one warship of 9,400 tons."),
        (SHIPS, "Brandt damaged two ships of 6,240 GRT."),
        (SHIPS, "Brandt damaged one ship of 6,204 GRT."),
        (SHIPS, "Hans Brandt sank one ship of 6,240 GRT."),
        (SHIPS, "Hans Brandt sank three ships and damaged one ship of 6,240 GRT."),
        (SHIPS, "He sank the HMS Brave of 5,120 GRT in 1941."),
    ],
)
def test_what_another_row_or_column_says_blocks(table: Table, draft: str) -> None:
    assert not _passes(draft, table)
