"""Map a labelled pair of queries onto the product's own scorer, over a database made from its DDL."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from evals.both import read_side
from evals.scores import CaseScores, Side, score_sides
from evals.tables import Failure, ResultTable, table_from_rows
from metric_layer.sql.components import Warehouse, read_components

Case = Mapping[str, Any]
LISTED = (
    "SELECT table_schema, table_name, column_name FROM information_schema.columns "
    "ORDER BY table_schema, table_name, ordinal_position"
)


def verdicts(cases: Iterable[Case], datasets_path: Path | None = None) -> Iterable[dict[str, Any]]:
    """Yield one verdict line per case."""
    datasets = {} if datasets_path is None else json.loads(datasets_path.read_text(encoding="utf-8"))
    for case in cases:
        ddl = case["ddl"] if "ddl" in case else datasets.get(case.get("dataset"), ())
        with _Database(ddl, case.get("row_limit")) as database:
            gold, candidate = (database.side(case, name) for name in ("gold", "candidate"))
            scores, _ = score_sides(
                gold,
                candidate,
                database.warehouse,
                offered=case.get("offered"),
                decimals=case.get("decimals"),
            )
        yield {"id": case["id"], "scores": _figures(scores)}


def _figures(scores: CaseScores) -> dict[str, Any]:
    """The labels put the spurious tables beside precision and recall."""
    figures = scores.model_dump(mode="json")
    if scores.retrieval is not None:
        figures["retrieval"] = {**figures["retrieval"]["score"], "spurious": scores.retrieval.spurious}
    return figures


class _Database:
    """An in-memory database with the case's tables."""

    def __init__(self, ddl: Sequence[str], row_limit: int | None) -> None:
        self._connection = duckdb.connect()
        self._limit = row_limit
        for statement in ddl:
            self._connection.execute(statement)
        self.warehouse = Warehouse("duckdb", self._columns(), "main")

    def __enter__(self) -> "_Database":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def side(self, case: Case, name: str) -> Side:
        given = case.get(f"{name}_result")
        if given is None:
            return read_side(case.get(f"{name}_sql"), self.warehouse, self._execute)
        origins = given.get("origins")
        table = table_from_rows(
            [tuple(row) for row in given["rows"]],
            len(given["columns"]),
            origins=None if origins is None else tuple(origins),
            limit=self._limit,
        )
        truncated = table.truncated or given.get("truncated", False)
        sql = case.get(f"{name}_sql")
        reading = None if sql is None else read_components(sql, self.warehouse)
        return Side(reading, ResultTable(table.columns, table.row_count, table.origins, truncated))

    def _execute(self, sql: str) -> ResultTable | Failure:
        try:
            found = self._connection.execute(sql)
            width = len(found.description or ())
            rows = found.fetchall() if self._limit is None else found.fetchmany(self._limit + 1)
        except (duckdb.Error, ValueError, OverflowError) as fault:
            return Failure(str(fault))
        return table_from_rows(rows, width, limit=self._limit)

    def _columns(self) -> dict[str, list[str]]:
        columns: dict[str, list[str]] = {}
        for schema, table, column in self._connection.execute(LISTED).fetchall():
            name = table if schema == "main" else f"{schema}.{table}"
            columns.setdefault(name.casefold(), []).append(column.casefold())
        return columns
