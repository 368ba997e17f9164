"""Tables whose rows are properties and whose columns are things: each figure is of its thing and property."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

COASTERS = result(
    "Statistic, Old Comet, Comet",
    ("Opened", "1984", "2012"),
    ("Manufacturer", "Orwell Works", "Vale Rides"),
    ("Track", "Wood", "Steel"),
    ("Height", "128 ft or 39 m", "161 ft or 49 m"),
    ("Drop", "120 ft or 37 m", "150 ft or 46 m"),
    ("Length", "3,840 ft or 1,170 m", "4,410 ft or 1,344 m"),
    ("Speed", "58 mph or 93 km/h", "70 mph or 113 km/h"),
    ("Max vertical angle", "51°", "81°"),
)
BOWL = result(
    "Statistics, Ashfall, Marlow",
    ("First downs", "17", "22"),
    ("Plays–yards", "61–288", "74–401"),
    ("Rushes–yards", "30–110", "38–166"),
    ("Passing yards", "178", "235"),
    ("Passing: Comp–Att–Int", "18–31–1", "21–36–0"),
    ("Time of possession", "27:48", "32:12"),
)
MODELS = result(
    "Specification, Model A, Model B",
    ("Engine", "1.4 L I4", "2.0 L I4"),
    ("Power", "75 hp", "110 hp"),
    ("Weight", "1,040 kg", "1,180 kg"),
    ("Top speed", "165 km/h", "190 km/h"),
    ("Produced", "1991–1996", "1994–2001"),
)
TOWNS = result(
    "Category, Lund, Vale, Mell",
    ("Population", "12,400", "8,310", "30,050"),
    ("Area", "41 km²", "18.5 km²", "77 km²"),
    ("Elevation", "310 m", "122 m", "15 m"),
    ("Mayor", "Ina Holt", "Jan Berg", "Lew Karr"),
)
SUBJECTS = {
    id(COASTERS): "Comet (roller coaster) — Characteristics",
    id(BOWL): "1998 Border Bowl — Statistics",
    id(MODELS): "Orwell 200 — Specifications",
    id(TOWNS): "Towns of the district",
}


def _passes(draft: str, table: Table) -> bool:
    """Tell whether a draft passes over a table of its own subject."""
    return passes(draft, table, scope=replace(ANYTHING, subject=SUBJECTS[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (COASTERS, "The Comet stands 161 ft (49 m) tall and drops 150 ft (46 m) at an angle of 81°."),
        (COASTERS, "Old Comet was 128 ft high and reached 58 mph."),
        (COASTERS, "The Comet opened in 2012 with a length of 4,410 ft (1,344 m)."),
        (COASTERS, "Built by Vale Rides, Comet has a top speed of 70 mph (113 km/h)."),
        (COASTERS, "Old Comet had a drop of 120 feet (37 m) and a maximum vertical angle of 51 degrees."),
        (COASTERS, "Comet's 161 ft height compares with 128 ft for Old Comet."),
        (BOWL, "Of passes Marlow completed 21 of 36, for 235 yards."),
        (BOWL, "Marlow held the ball for 32:12 and gained 22 first downs."),
        (BOWL, "Ashfall passed for 178 yards and Marlow for 235."),
        (MODELS, "Model B weighs 1,180 kg and its 2.0 L engine makes 110 hp."),
        (MODELS, "Model A, with 75 hp, has a top speed of 165 km/h."),
        (MODELS, "Model B was produced from 1994 to 2001."),
        (TOWNS, "Lund, with 12,400 people, covers 41 km²."),
        (TOWNS, "Mell has a population of 30,050 and lies at 15 m."),
        (TOWNS, "Vale has 8,310 inhabitants on 18.5 km² and its mayor is Jan Berg."),
    ],
)
def test_a_property_of_its_thing_passes(table: Table, draft: str) -> None:
    assert _passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (COASTERS, "The Comet stands 150 ft (46 m) tall and drops 161 ft (49 m) at an angle of 81°."),
        (COASTERS, "The Comet stands 128 ft (39 m) tall."),
        (COASTERS, "Old Comet was 161 ft high and reached 58 mph."),
        (COASTERS, "The Comet opened in 1984 with a length of 4,410 ft (1,344 m)."),
        (COASTERS, "Built by Orwell Works, Comet has a top speed of 70 mph (113 km/h)."),
        (COASTERS, "Old Comet had a drop of 120 feet (37 m) and a maximum vertical angle of 81 degrees."),
        (COASTERS, "The Comet stands 161 ft (39 m) tall."),
        (COASTERS, "Comet's 128 ft height compares with 161 ft for Old Comet."),
        (COASTERS, "Comet is 4,410 ft high."),
        (BOWL, "Marlow completed 21 of 31 passes for 235 yards."),
        (BOWL, "Marlow completed 18 of 31 passes for 178 yards."),
        (BOWL, "Marlow completed 21 of 36 passes for 166 yards."),
        (BOWL, "Ashfall held the ball for 32:12 and gained 17 first downs."),
        (BOWL, "Marlow ran 74 plays for 288 yards."),
        (BOWL, "Ashfall passed for 235 yards and Marlow for 178."),
        (BOWL, "Marlow completed 36 of 21 passes for 235 yards."),
        (MODELS, "Model B weighs 1,040 kg and its 2.0 L engine makes 110 hp."),
        (MODELS, "Model A, with 110 hp, has a top speed of 165 km/h."),
        (MODELS, "Model A was produced from 1994 to 2001."),
        (MODELS, "Model A has a top speed of 190 km/h."),
        (MODELS, "Model B weighs 190 kg."),
        (TOWNS, "Lund, with 8,310 people, covers 41 km²."),
        (TOWNS, "Mell has a population of 30,050 and lies at 122 m."),
        (TOWNS, "Vale has 8,310 inhabitants on 18.5 km² and its mayor is Ina Holt."),
        (TOWNS, "Lund covers 310 km²."),
    ],
)
def test_another_property_or_thing_blocks(table: Table, draft: str) -> None:
    assert not _passes(draft, table)


def test_what_is_cited_stands_in_the_table_as_it_is() -> None:
    found = check("Old Comet was 128 ft high and reached 58 mph.", COASTERS)
    cells = [(citation.cell.row, citation.cell.column) for citation in found.citations if citation.cell]
    assert cells == [(3, "old_comet"), (6, "old_comet")]
    wrong = check("Old Comet reached 70 mph.", COASTERS)
    assert [(f.belongs_to.row, f.belongs_to.column) for f in wrong.findings if f.belongs_to] == [(6, "comet")]
