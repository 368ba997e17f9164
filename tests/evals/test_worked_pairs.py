"""Pairs of queries over small tables whose figures were worked out by hand from the written decisions."""

from collections.abc import Iterator

import pytest

from tests.evals.by_hand import Both, F, Four, Pairs, U, component_is, output_is, pairs_over

TABLES = """
CREATE TABLE singer (id INT, name VARCHAR, country VARCHAR, age INT);
INSERT INTO singer VALUES (1, 'Ana', 'FR', 30), (2, 'Bo', 'FR', 41), (3, 'Cy', 'US', 30), (4, 'Di', 'US', 52),
    (5, 'Ed', 'JP', 25);
CREATE TABLE concert (id INT, singer_id INT, year INT, seats INT);
INSERT INTO concert VALUES (1, 1, 2014, 100), (2, 1, 2015, 200), (3, 2, 2014, 300), (4, 3, 2014, 100),
    (5, 4, 2015, 400), (6, 4, 2015, 400);
CREATE TABLE num (n INT);
INSERT INTO num FROM range(1, 11);
"""
COLUMNS = {
    "singer": ("id", "name", "country", "age"),
    "concert": ("id", "singer_id", "year", "seats"),
    "num": ("n",),
}
BY_COUNTRY = "SELECT country, {} FROM singer GROUP BY country"
NAMES = "SELECT name FROM singer"
PAIRED = "SELECT a.name, b.name FROM singer a JOIN singer b ON a.country = b.country AND a.id {} b.id"

# id, gold, candidate, (columns P, columns R, cells P, cells R)
OUTPUT: tuple[tuple[str, str, str, Four], ...] = (
    ("the same", NAMES, NAMES, (1, 1, 1, 1)),
    ("a column more", NAMES, "SELECT name, age FROM singer", (F(1, 2), 1, 1, 1)),
    ("a column less", "SELECT name, age FROM singer", NAMES, (1, F(1, 2), 1, 1)),
    ("a filter lost", f"{NAMES} WHERE country = 'FR'", NAMES, (F(2, 5), 1, F(2, 5), 1)),
    ("a filter more", NAMES, f"{NAMES} WHERE age >= 30", (1, F(4, 5), 1, F(4, 5))),
    ("another column", "SELECT country FROM singer", NAMES, (0, 0, U, U)),
    ("a count by another name", "SELECT COUNT(*) FROM singer", "SELECT COUNT(id) FROM singer", (1, 1, 1, 1)),
    ("another count", "SELECT COUNT(*) FROM singer", "SELECT COUNT(DISTINCT country) FROM singer",
     (0, 0, U, U)),
    # FR 35.5, US 41, JP 25 against FR 71, US 82, JP 25: one of three values in common.
    ("sum for mean", BY_COUNTRY.format("AVG(age)"), BY_COUNTRY.format("SUM(age)"),
     (F(2, 3), F(2, 3), F(4, 6), F(4, 6))),
    ("least for most", "SELECT year, MAX(seats) FROM concert GROUP BY year",
     "SELECT year, MIN(seats) FROM concert GROUP BY year", (F(1, 2), F(1, 2), 1, 1)),
    # FR 2, US 2, JP 1 against FR 3, US 3: the counts have nothing in common.
    ("a fan-out that also loses a row", BY_COUNTRY.format("COUNT(*)"),
     "SELECT country, COUNT(*) FROM singer JOIN concert ON singer.id = singer_id GROUP BY country",
     (F(1, 2), F(1, 3), 1, F(2, 3))),
    ("an inner join for a left one",
     "SELECT name, COUNT(concert.id) FROM singer LEFT JOIN concert ON singer.id = singer_id GROUP BY name",
     "SELECT name, COUNT(concert.id) FROM singer JOIN concert ON singer.id = singer_id GROUP BY name",
     (1, F(11, 15), 1, F(4, 5))),
    ("distinct lost", "SELECT DISTINCT year FROM concert", "SELECT year FROM concert", (1, 1, F(2, 6), 1)),
    ("distinct more", "SELECT year FROM concert", "SELECT DISTINCT year FROM concert", (1, 1, 1, F(2, 6))),
    ("columns in another order", "SELECT name, age FROM singer", "SELECT age, name FROM singer",
     (1, 1, 1, 1)),
    ("both empty", f"{NAMES} WHERE age > 99", f"{NAMES} WHERE age < 9", (U, U, U, U)),
    ("gold empty", f"{NAMES} WHERE age > 99", NAMES, (0, U, 0, U)),
    ("candidate empty", NAMES, f"{NAMES} WHERE age > 99", (U, 0, U, 0)),
    ("candidate fails", NAMES, "SELECT nme FROM singer", (U, 0, U, U)),
    ("gold fails", "SELECT nme FROM singer", NAMES, (U, U, U, U)),
    ("candidate is no query", NAMES, "DELETE FROM singer", (U, 0, U, U)),
    ("rows in another order", NAMES, f"{NAMES} ORDER BY age DESC", (1, 1, 1, 1)),
    # One origin: the pair stands, with nothing in common.
    ("the other end", f"{NAMES} ORDER BY age DESC LIMIT 1", f"{NAMES} ORDER BY age LIMIT 1", (0, 0, 0, 0)),
    ("a join for a subquery", f"{NAMES} WHERE id IN (SELECT singer_id FROM concert)",
     "SELECT DISTINCT s.name FROM singer s JOIN concert c ON c.singer_id = s.id", (1, 1, 1, 1)),
    ("a join for a subquery, repeating", f"{NAMES} WHERE id IN (SELECT singer_id FROM concert)",
     "SELECT s.name FROM singer s JOIN concert c ON c.singer_id = s.id", (1, 1, F(4, 6), 1)),
    ("rounded without leave", "SELECT AVG(age) FROM singer", "SELECT ROUND(AVG(age)) FROM singer",
     (0, 0, U, U)),
    ("text for a number", "SELECT year FROM concert WHERE id = 1",
     "SELECT CAST(year AS VARCHAR) FROM concert WHERE id = 1", (0, 0, U, U)),
    ("a float for an integer", "SELECT age FROM singer", "SELECT CAST(age AS DOUBLE) FROM singer",
     (1, 1, 1, 1)),
    ("a self-join with its sides swapped", PAIRED.format("<"),
     PAIRED.format("<").replace("a.name, b.name", "b.name, a.name"), (1, 1, 1, 1)),
    ("a self-join walked the other way", PAIRED.format("<"), PAIRED.format(">"), (1, 1, 1, 1)),
    ("union all for union", "SELECT country FROM singer UNION SELECT country FROM singer",
     "SELECT country FROM singer UNION ALL SELECT country FROM singer", (1, 1, F(3, 10), 1)),
    # The gold counts are 2 and 2: one value, and no column holds just it.
    ("having lost", BY_COUNTRY.format("COUNT(*)") + " HAVING COUNT(*) > 1", BY_COUNTRY.format("COUNT(*)"),
     (F(1, 3), F(1, 2), F(2, 3), 1)),
    ("a constant beside", f"{NAMES.replace('name', 'name, 7 AS k')} WHERE country = 'FR'",
     f"{NAMES.replace('name', '7, name')} WHERE country = 'FR'", (1, 1, 1, 1)),
    # Of the gold years only one is no NULL: nothing to pair a computed column by.
    ("zero for nothing",
     "SELECT s.name, c.year FROM singer s LEFT JOIN concert c ON s.id = c.singer_id WHERE s.id IN (3, 5)",
     "SELECT s.name, COALESCE(c.year, 0) FROM singer s LEFT JOIN concert c ON s.id = c.singer_id"
     " WHERE s.id IN (3, 5)", (F(1, 2), F(1, 2), 1, 1)),
    ("a finer group", "SELECT year, COUNT(*) FROM concert GROUP BY year",
     "SELECT year, COUNT(*) FROM concert GROUP BY year, singer_id", (F(1, 2), F(1, 2), F(2, 5), 1)),
    ("one of three wrong", "SELECT id, name, age FROM singer", "SELECT id, name, country FROM singer",
     (F(2, 3), F(2, 3), 1, 1)),
    ("a fifth of the values", "SELECT n * 1 FROM num", "SELECT n * 1 FROM num WHERE n < 3",
     (1, F(1, 5), 1, F(1, 5))),
    ("a tenth of the values", "SELECT n * 1 FROM num", "SELECT n * 1 FROM num WHERE n < 2", (0, 0, U, U)),
    ("five times the values", "SELECT n * 1 FROM num WHERE n < 3", "SELECT n * 1 FROM num",
     (F(1, 5), 1, F(1, 5), 1)),
    ("three shelves for five rows", "SELECT country FROM singer", "SELECT DISTINCT country FROM singer",
     (1, 1, 1, F(3, 5))),
    ("a row more under a key of two", "SELECT singer_id, year, seats FROM concert WHERE id <= 3",
     "SELECT singer_id, year, seats FROM concert WHERE id <= 4", (F(8, 9), 1, F(9, 12), 1)),
    ("small letters", "SELECT DISTINCT country FROM singer", "SELECT DISTINCT LOWER(country) FROM singer",
     (0, 0, U, U)),
)  # fmt: skip

JOINED = "SELECT s.name FROM singer s JOIN concert c ON s.id = c.singer_id WHERE c.year = 2014"
WHERE = "SELECT name FROM singer WHERE {}"
ALL: Both = (1, 1)
NONE: Both = (U, U)

# id, gold, candidate, set -> (P, R)
COMPONENTS: tuple[tuple[str, str, str, dict[str, Both]], ...] = (
    ("a join in its old spelling", JOINED,
     "SELECT name FROM singer, concert WHERE singer.id = concert.singer_id AND year = 2014",
     {"tables": ALL, "columns": ALL, "joins": ALL, "filters": ALL, "aggregations": NONE, "group_by": NONE}),
    ("a join that is not there", JOINED, WHERE.format("age > 30"),
     {"tables": (1, F(1, 2)), "columns": ALL, "joins": (U, 0), "filters": (0, 0)}),
    ("a join on the wrong key", JOINED, JOINED.replace("c.singer_id", "c.id"),
     {"tables": ALL, "joins": (0, 0), "filters": ALL}),
    ("one of two aggregates", BY_COUNTRY.format("COUNT(*), AVG(age)"),
     "SELECT country, COUNT(1), SUM(age) FROM singer GROUP BY 1",
     {"aggregations": (F(1, 2), F(1, 2)), "group_by": ALL, "joins": NONE}),
    ("a range in two halves", WHERE.format("age BETWEEN 30 AND 41"), WHERE.format("41 >= age AND age >= 30"),
     {"filters": ALL}),
    ("a range without its end", WHERE.format("age BETWEEN 30 AND 41"), WHERE.format("age >= 30 AND age < 41"),
     {"filters": (F(1, 2), F(1, 2))}),
    ("a list of one", WHERE.format("country IN ('FR')"), WHERE.format("country = 'FR'"), {"filters": ALL}),
    ("a list as alternatives", WHERE.format("country = 'US' OR country = 'FR'"),
     WHERE.format("country IN ('FR', 'US')"), {"filters": ALL}),
    ("a negation pushed in", WHERE.format("NOT age > 30"), WHERE.format("age <= 30"), {"filters": ALL}),
    ("another value", WHERE.format("country = 'FR'"), WHERE.format("country = 'US'"), {"filters": (0, 0)}),
    ("having as a filter of a subquery",
     "SELECT country FROM singer GROUP BY country HAVING COUNT(*) > 1",
     "SELECT country FROM (SELECT country, COUNT(*) AS n FROM singer GROUP BY country) WHERE n > 1",
     {"filters": ALL, "aggregations": ALL, "group_by": ALL}),
    ("exists for a join", JOINED.replace("WHERE c.year = 2014", ""),
     "SELECT name FROM singer s WHERE EXISTS (SELECT 1 FROM concert c WHERE c.singer_id = s.id)",
     {"tables": ALL, "columns": ALL, "joins": ALL}),
    ("a CTE under the name of a table", JOINED,
     "WITH concert AS (SELECT * FROM singer) SELECT name FROM concert", {"tables": (1, F(1, 2))}),
    ("distinct is no group", "SELECT country FROM singer GROUP BY country",
     "SELECT DISTINCT country FROM singer", {"group_by": (U, 0), "columns": ALL}),
    ("a limit of the agent's own", NAMES, f"SELECT * FROM ({NAMES}) LIMIT 100",
     {"tables": ALL, "columns": ALL}),
)  # fmt: skip


@pytest.fixture(scope="module")
def pairs() -> Iterator[Pairs]:
    with pairs_over(TABLES, COLUMNS) as opened:
        yield opened


@pytest.mark.parametrize(
    ("gold", "candidate", "expected"), [p[1:] for p in OUTPUT], ids=[p[0] for p in OUTPUT]
)
def test_the_output_figures_are_those_worked_out_by_hand(
    gold: str, candidate: str, expected: Four, pairs: Pairs
) -> None:
    found = pairs.scored(gold, candidate)
    assert output_is(found, expected), found.output


@pytest.mark.parametrize(
    ("gold", "candidate", "expected"), [p[1:] for p in COMPONENTS], ids=[p[0] for p in COMPONENTS]
)
def test_the_component_figures_are_those_worked_out_by_hand(
    gold: str, candidate: str, expected: dict[str, Both], pairs: Pairs
) -> None:
    found = pairs.scored(gold, candidate)
    for name, worked_out in expected.items():
        assert component_is(found, name, worked_out), (name, found.component)


def test_a_case_with_decimals_takes_what_is_rounded(pairs: Pairs) -> None:
    gold, candidate = "SELECT AVG(age) FROM singer", "SELECT ROUND(AVG(age)) FROM singer"
    assert output_is(pairs.scored(gold, candidate, decimals=0), (1, 1, 1, 1))
