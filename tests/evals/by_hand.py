"""Scores pairs of queries over small tables, to be held against figures that were worked out by hand."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import duckdb
import pytest

from evals.both import read_side
from evals.precision import PrecisionRecall
from evals.scores import CaseScores, score_sides
from evals.tables import Failure, ResultTable, table_from_rows
from metric_layer.sql.components import Warehouse

F = Fraction
U = None
"""Undefined."""

Figure = F | int | None
Both = tuple[Figure, Figure]
Four = tuple[Figure, Figure, Figure, Figure]


@dataclass(frozen=True)
class Pairs:
    """The tables that pairs are run over."""

    connection: duckdb.DuckDBPyConnection
    warehouse: Warehouse

    def scored(self, gold: str, candidate: str, decimals: int | None = None) -> CaseScores:
        """Return the scores of a candidate beside its gold query."""
        one, other = (read_side(sql, self.warehouse, self._execute) for sql in (gold, candidate))
        return score_sides(one, other, self.warehouse, decimals=decimals)[0]

    def _execute(self, sql: str) -> ResultTable | Failure:
        try:
            found = self.connection.execute(sql)
        except duckdb.Error as fault:
            return Failure(str(fault))
        return table_from_rows(found.fetchall(), len(found.description or ()))


@contextmanager
def pairs_over(script: str, columns: Mapping[str, tuple[str, ...]]) -> Iterator[Pairs]:
    """Make the tables of a script; `columns` names what each of them has."""
    with duckdb.connect() as connection:
        connection.execute(script)
        yield Pairs(connection, Warehouse("duckdb", columns, "main"))


def output_is(found: CaseScores, worked_out: Four) -> bool:
    """Tell whether columns and cells came out as (columns P, columns R, cells P, cells R)."""
    return _same(found.output.columns, worked_out[:2]) and _same(found.output.cells, worked_out[2:])


def component_is(found: CaseScores, name: str, worked_out: Both) -> bool:
    """Tell whether one set of the component family came out as (P, R)."""
    return _same(getattr(found.component, name), worked_out)


def _same(found: PrecisionRecall, worked_out: Both) -> bool:
    pairs = zip((found.precision, found.recall), worked_out, strict=True)
    return all(
        one is other if one is None or other is None else one == pytest.approx(float(other), abs=1e-12)
        for one, other in pairs
    )
