"""An analyst's own answer beside a recorded one: a number, a file or SQL; what parts them counts."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from evals.bench import Bench
from evals.output import score_output
from evals.tables import Failure, ResultTable, table_from_rows
from gateway.bench import open_bench
from gateway.ladder.comparable import Comparable, comparable
from gateway.ladder.refusals import problem
from gateway.ladder.view import ComparedAnswer
from gateway.record.entitled import standing_of, still_entitled
from gateway.reply import Refusal
from gateway.service import Gateway
from metric_layer.sql.values import Cell
from traces.records import Caller, Outcome

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class OwnNumber:
    """A figure of the analyst's own, right within `tolerance` (absolute)."""

    value: Decimal
    tolerance: Decimal = Decimal(0)
    means: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A result of the analyst's own as CSV text with a header; names of columns and order do not matter."""

    text: str
    means: Literal["file"] = "file"

    def rows(self) -> list[tuple[Cell, ...]]:
        """Return the rows, numbers and days read as such; an empty cell is a missing value."""
        read = list(csv.reader(self.text.splitlines()))
        return [tuple(map(_cell, row)) for row in read[1:] if row]


@dataclass(frozen=True, slots=True)
class OwnSql:
    """SQL of the analyst's own. It runs like gold SQL of an evaluation: as them, under every check."""

    sql: str
    means: Literal["sql"] = "sql"


Own = OwnNumber | OwnFile | OwnSql


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found, with the recorded answer that it was about."""

    report: ComparedAnswer
    about: Comparable


def compare(gateway: Gateway, caller: Caller, trace_id: str, own: Own) -> Compared | Refusal:
    """Hold an answer against a recorded one, put on record whether they agree, and apply the policy's rules.

    It takes the right to evaluate. SQL and files are held against the recorded query as it runs now, as the
    caller, because no trace has rows. A number is held against the recorded figure under the access it was
    computed with, else against the query's figure as it runs now, as the caller; who may not unseal is told
    whether it agrees, and no figure.
    """
    bench = open_bench(gateway, caller)
    if isinstance(bench, Refusal):
        return bench
    house = gateway.house
    about = comparable(house, caller, gateway.traces.read(trace_id))
    if isinstance(about, Refusal):
        return about
    same_rows = still_entitled(house, caller, about.trace)
    found = _held_against(about, own, bench, same_rows=same_rows)
    if isinstance(found, Refusal):
        return found
    told = own.means != "number" or "unseal" in standing_of(house, caller).rights
    demoted = gateway.ladder.record(about.compared(house, caller, own.means, agreed=found.agreed))
    report = ComparedAnswer(
        trace_id=trace_id,
        question_class=about.question_class,
        means=own.means,
        agreed=found.agreed,
        told=about.told,
        came_to=about.came_to if same_rows else found.came_to,
        ours=found.ours if told else "",
        theirs=found.theirs,
        demoted=demoted or "",
    )
    return Compared(report, about)


@dataclass(frozen=True, slots=True)
class Sides:
    """Whether two answers agree, each in a word or two, and what the recorded question came to."""

    agreed: bool
    ours: str
    theirs: str
    came_to: Outcome


def _held_against(about: Comparable, own: Own, bench: Bench, *, same_rows: bool) -> Sides | Refusal:
    if not isinstance(own, OwnNumber):
        return _tables(about, own, bench)
    if same_rows:
        empty = about.came_to == "no_rows" or not about.closed.answer
        return _figure(() if empty else about.figures, own, empty=empty)
    ours = _again(about, bench)
    if isinstance(ours, Refusal):
        return ours
    figures = _figures(ours)
    return _figure(figures, own, empty=not figures)


def _figure(figures: Sequence[Decimal], own: OwnNumber, *, empty: bool) -> Sides | Refusal:
    theirs = format(own.value, "f")
    if empty:
        return Sides(False, "no rows", theirs, "no_rows")
    if len(figures) != 1:
        message = f"The recorded answer has {len(figures)} figures."
        return problem("many_figures", message, "/answer", str(len(figures)))
    agreed = abs(figures[0] - own.value) <= own.tolerance
    return Sides(agreed, format(figures[0], "f"), theirs, "answered")


def _figures(table: ResultTable) -> tuple[Decimal, ...]:
    """Return every number of a result; a column of numbers beside the metric's makes several."""
    cells = (cell for column in table.columns for cell in column)
    bare = (cell for cell in cells if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool))
    return tuple(number for number in map(Decimal, map(str, bare)) if number.is_finite())


def _again(about: Comparable, bench: Bench) -> ResultTable | Refusal:
    """Return the recorded query's result as the caller gets it now."""
    query = about.closed.query
    found = bench.execute(query.sql) if query else Failure("no query was recorded")
    if isinstance(found, Failure):
        message = f"The recorded query gives you no table: {found.reason}."
        return problem("not_comparable", message, "/trace_id", found.reason)
    return found


def _tables(about: Comparable, own: OwnFile | OwnSql, bench: Bench) -> Sides | Refusal:
    theirs = bench.execute(own.sql) if isinstance(own, OwnSql) else _table(own.rows())
    if isinstance(theirs, Failure):
        code = "own_sql_failed" if isinstance(own, OwnSql) else "own_file_unread"
        return problem(code, f"Your answer gave no table: {theirs.reason}.", "/answer", theirs.reason)
    ours = _again(about, bench)
    if isinstance(ours, Refusal):
        return ours
    agreed = bool(score_output(theirs, ours).exact)
    return Sides(agreed, _size(ours), _size(theirs), "answered" if ours.row_count else "no_rows")


def _table(rows: Sequence[Sequence[Cell]]) -> ResultTable | Failure:
    if not rows:
        return Failure("it has no rows under its header")
    if len({len(row) for row in rows}) != 1:
        return Failure("its rows have different numbers of cells")
    return table_from_rows(rows, len(rows[0]))


def _size(table: ResultTable) -> str:
    cut = ", cut off" if table.truncated else ""
    return f"{table.row_count} rows of {table.width} columns{cut}"


def _cell(text: str) -> Cell:
    """Return a cell of a CSV file by what it looks like."""
    bare = text.strip()
    if not bare:
        return None
    if _NUMBER.fullmatch(bare):
        return Decimal(bare)
    if _DAY.fullmatch(bare):
        try:
            return date.fromisoformat(bare)
        except ValueError:
            return text
    return text
