"""Queries over the lending library, drawn piece by piece: joins, groups, windows, CTEs, set operations."""

from typing import NamedTuple

from hypothesis import strategies as st

COLUMNS = {
    "members": {"member_id": "number", "full_name": "text", "branch": "text", "joined": "date"},
    "loans": {
        "loan_id": "number",
        "member_id": "number",
        "item_id": "number",
        "lent_on": "date",
        "fee": "number",
        "state": "text",
    },
    "items": {"item_id": "number", "title": "text", "genre": "text", "price": "number"},
    "fines": {"fine_id": "number", "loan_id": "number", "amount": "number"},
}
EDGES = (
    ("loans", "members", "member_id"),
    ("loans", "items", "item_id"),
    ("fines", "loans", "loan_id"),
)
VALUES = {
    "number": ("0", "2", "-1", "3.5", "NULL"),
    "text": ("'late'", "'north'", "'it''s'", "''", "NULL"),
    "date": ("DATE '2026-02-01'", "DATE '2020-01-05'", "CURRENT_DATE", "NULL"),
}
SCALARS = {
    "number": (
        "{0}",
        "{0} + {1}",
        "{0} - {1} * 2",
        "ABS({0})",
        "COALESCE({0}, {1})",
        "NULLIF({0}, {1})",
        "- {0}",
        "({0})",
        "CAST({0} AS INTEGER)",
        "CASE WHEN {0} > {1} THEN {0} ELSE {1} END",
        "GREATEST({0}, {1})",
        "{0} / NULLIF({1}, 0)",
    ),
    "text": (
        "{0}",
        "UPPER({0})",
        "{0} || '-' || {1}",
        "COALESCE({0}, 'none')",
        "SUBSTRING({0}, 1, 2)",
        "REPLACE({0}, 'a', 'b')",
        "CASE WHEN {0} LIKE 'l%' THEN {0} END",
        "CAST({0} AS VARCHAR)",
        "TRIM({0})",
    ),
    "date": ("{0}", "{0} + INTERVAL '1' DAY", "CAST({0} AS DATE)", "COALESCE({0}, {1})"),
}
TESTS = {
    "number": ("{0} > {1}", "{0} IN ({1}, 1, 2)", "{0} BETWEEN {1} AND 9", "{0} IS NOT NULL", "{0} <> {1}"),
    "text": ("{0} = {1}", "{0} LIKE 'l%'", "{0} IS NULL", "NOT {0} = {1}", "{0} IS DISTINCT FROM {1}"),
    "date": ("{0} >= {1}", "EXTRACT(MONTH FROM {0}) = 2", "{0} IS NULL"),
}
AGGREGATES = ("COUNT(*)", "SUM({})", "MIN({})", "MAX({})", "COUNT(DISTINCT {})", "AVG({})")
WINDOWS = (
    "ROW_NUMBER() OVER (PARTITION BY {0} ORDER BY {1})",
    "SUM({2}) OVER (PARTITION BY {0})",
    "LAG({2}) OVER (ORDER BY {1}, {0})",
    "COUNT(*) OVER (PARTITION BY {0} ORDER BY {1} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
)


class Tables(NamedTuple):
    """A FROM clause, and the columns it offers as (text, type)."""

    text: str
    columns: tuple[tuple[str, str], ...]


@st.composite
def _tables(draw: st.DrawFn) -> Tables:
    first = draw(st.sampled_from(sorted(COLUMNS)))
    aliases = {first: draw(st.sampled_from(("", "t", "Main")))}
    text = f"lend.{first} {aliases[first]}".rstrip()
    for many, one, key in EDGES if draw(st.booleans()) else ():
        known = next((name for name in (many, one) if name in aliases), None)
        other = one if known == many else many
        if known is None or other in aliases:
            continue
        aliases[other] = f"u{len(aliases)}"
        kind = draw(st.sampled_from(("JOIN", "LEFT JOIN", "INNER JOIN", "FULL JOIN")))
        left = aliases[known] or known
        text += f" {kind} lend.{other} AS {aliases[other]} ON {aliases[other]}.{key} = {left}.{key}"
    columns = tuple(
        (f"{alias or name}.{column}", kind)
        for name, alias in aliases.items()
        for column, kind in COLUMNS[name].items()
    )
    return Tables(text, columns)


@st.composite
def _value(draw: st.DrawFn, columns: tuple[tuple[str, str], ...], kind: str) -> str:
    named = [text for text, of in columns if of == kind]
    leaves = [*named, *named, *VALUES[kind]]
    picked = draw(st.lists(st.sampled_from(leaves), min_size=2, max_size=2))
    return draw(st.sampled_from(SCALARS[kind])).format(*picked)


@st.composite
def _test(draw: st.DrawFn, columns: tuple[tuple[str, str], ...]) -> str:
    text, kind = draw(st.sampled_from(columns))
    test = draw(st.sampled_from(TESTS[kind])).format(text, draw(st.sampled_from(VALUES[kind][:-1])))
    more = draw(st.sampled_from(("", " AND ", " OR ")))
    return f"({test}{more}{draw(_test(columns))})" if more and draw(st.booleans()) else test


@st.composite
def selects(draw: st.DrawFn) -> str:
    """Draw one SELECT with numbered output names."""
    tables = draw(_tables())
    where = f" WHERE {draw(_test(tables.columns))}" if draw(st.booleans()) else ""
    kind = draw(st.sampled_from(("plain", "distinct", "grouped", "window")))
    if kind == "grouped":
        return draw(_grouped(tables, where))
    kinds = draw(st.lists(st.sampled_from(sorted({of for _, of in tables.columns})), min_size=1, max_size=3))
    outputs = [f"{draw(_value(tables.columns, of))} AS c{at}" for at, of in enumerate(kinds)]
    if kind == "window":
        by, order = (draw(st.sampled_from(tables.columns))[0] for _ in range(2))
        numbers = [text for text, of in tables.columns if of == "number"]
        window = draw(st.sampled_from(WINDOWS)).format(by, order, numbers[0])
        keys = ", ".join(text for text, _ in tables.columns)
        outputs.append(f"{window.replace(f'ORDER BY {order}', f'ORDER BY {order}, {keys}')} AS w")
    distinct = "DISTINCT " if kind == "distinct" else ""
    return f"SELECT {distinct}{', '.join(outputs)} FROM {tables.text}{where}"


@st.composite
def _grouped(draw: st.DrawFn, tables: Tables, where: str) -> str:
    by, _ = draw(st.sampled_from(tables.columns))
    numbers = [text for text, of in tables.columns if of == "number"]
    aggregate = draw(st.sampled_from(AGGREGATES)).format(draw(st.sampled_from(numbers)))
    having = " HAVING COUNT(*) > 1" if draw(st.booleans()) else ""
    group = draw(st.sampled_from((by, "1", f"ROLLUP ({by})", f"GROUPING SETS (({by}), ())")))
    return f"SELECT {by} AS c0, {aggregate} AS c1 FROM {tables.text}{where} GROUP BY {group}{having}"


@st.composite
def queries(draw: st.DrawFn) -> str:
    """Draw a whole query: a SELECT, or one inside a CTE, a derived table, a set operation or a subquery."""
    inner = draw(selects())
    shape = draw(
        st.sampled_from(("plain", "cte", "derived", "union", "exists", "scalar", "ordered", "bracket"))
    )
    if shape == "cte":
        return f"WITH w AS ({inner}) SELECT * FROM w"
    if shape == "derived":
        return f"SELECT d.c0 AS x, COUNT(*) AS n FROM ({inner}) AS d GROUP BY d.c0"
    if shape == "union":
        word = draw(st.sampled_from(("UNION", "UNION ALL", "EXCEPT", "INTERSECT")))
        return f"SELECT c0 FROM ({inner}) AS a {word} SELECT c0 FROM ({inner}) AS b WHERE c0 IS NOT NULL"
    if shape == "exists":
        return (
            "SELECT l.loan_id FROM lend.loans AS l WHERE EXISTS (SELECT 1 FROM lend.fines AS f "
            f"WHERE f.loan_id = l.loan_id) AND l.fee < (SELECT COUNT(*) FROM ({inner}) AS q)"
        )
    if shape == "scalar":
        return f"SELECT (SELECT COUNT(*) FROM ({inner}) AS q) AS n, m.branch FROM lend.members AS m"
    if shape == "bracket":
        return f"({inner})"
    return f"{inner} ORDER BY 1 DESC" if shape == "ordered" else inner
