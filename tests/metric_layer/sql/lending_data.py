"""Rows for the lending library on DuckDB and PostgreSQL: few enough to compare whole results."""

ROWS = {
    "members": "i AS member_id, 'm' || i AS full_name, 'x' || i AS mail, 'y' || i AS mobile, "
    "CASE i % 3 WHEN 0 THEN 'north' WHEN 1 THEN 'south' END AS branch, "
    "DATE '2020-01-01' + CAST(i AS INTEGER) AS joined",
    "items": "i AS item_id, 't' || i AS title, CASE WHEN i % 2 = 0 THEN 'art' END AS genre, "
    "CAST(i * 1.5 AS DECIMAL(8, 2)) AS price",
    "loans": "i AS loan_id, i % 20 AS member_id, i % 7 AS item_id, "
    "DATE '2026-01-01' + CAST(i AS INTEGER) AS lent_on, CAST(i % 5 AS DECIMAL(8, 2)) AS fee, "
    "CASE WHEN i % 4 = 0 THEN 'late' ELSE 'fine' END AS state",
    "fines": "i AS fine_id, i % 40 AS loan_id, CAST(i * 0.25 AS DECIMAL(8, 2)) AS amount",
    "gate_log": "i AS entry_id, i % 20 AS member_id, "
    "TIMESTAMP '2026-09-01 00:00:00' + i * INTERVAL '20 hours' AS entered_at, "
    "CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS door, CAST('{\"a\": 1}' AS JSON) AS badge",
}
COUNTS = {"members": 20, "items": 7, "loans": 60, "fines": 90, "gate_log": 100}
SERIES = {"duckdb": "range(0, {})", "postgres": "generate_series(0, {} - 1)"}


def statements(engine: str) -> tuple[str, ...]:
    """Return what makes the library's schema and rows on an engine."""
    tables = (
        f"CREATE TABLE lend.{name} AS SELECT {columns} FROM {SERIES[engine].format(COUNTS[name])} AS t(i)"
        for name, columns in ROWS.items()
    )
    return ("CREATE SCHEMA lend", *tables)
