"""Tables whose rows are properties and whose columns are things ("Height: 128 ft, 161 ft"), turned round."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from gateway.ground.table.sheet import as_text, is_key
from metric_layer.resolved import OutputColumn
from traces.grounding import Grounding, SpanFinding
from traces.records import Cell, Citation, Table, Value

FIGURE = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
DIGITS, LETTERS = re.compile(r"\d[\d.,]*"), re.compile(r"[^\W\d_]+(?:[^\S\n][^\W\d_]+)*")
NAME = re.compile(r"[A-Z\"'\u2018\u201c]")
YEAR = re.compile(r"(?:1\d|20)\d\d")
PERIOD = re.compile(r"(?:1\d|20)\d\d|\bQ[1-4]\b|\btotals?\b", re.IGNORECASE)
FEWEST, MOST = 3, 40


def turned(table: Table) -> Table | None:
    """Return a table of text with a row for each thing, where its columns are the things; None for others."""
    if not FEWEST <= len(table.rows) <= MOST or len(table.columns) < FEWEST or table.truncated:
        return None
    if not all(map(is_key, table.columns)) or not _is_by_property(table):
        return None
    first, *things = table.columns
    lines = [list(map(as_text, row)) for row in table.rows]
    named = OutputColumn(name=first.name, kind="dimension", type="string", label=first.label)
    columns = [named, *(_property(line) for line in lines)]
    told = list(zip(lines, columns[1:], strict=True))
    rows = (
        (thing.label or thing.name, *(_value(line[at], column) for line, column in told))
        for at, thing in enumerate(things, 1)
    )
    return Table(columns=tuple(columns), rows=tuple(rows))


def turned_back(found: Grounding, table: Table) -> Grounding:
    """Return what was found in a turned table with every cell where it stands in the table itself."""
    rows = {as_text(row[0]): at for at, row in enumerate(table.rows)}
    citations = tuple(_cited(citation, table, rows) for citation in found.citations)
    findings = tuple(_found(finding, table, rows) for finding in found.findings)
    return found.model_copy(update={"citations": citations, "findings": findings})


def _cited(citation: Citation, table: Table, rows: dict[str, int]) -> Citation:
    if citation.cell is None:
        return citation
    cell = _back(citation.cell, table, rows)
    key = tuple(map(as_text, table.rows[cell.row]))
    return citation.model_copy(update={"cell": cell, "row_key": key, "metric": cell.column})


def _found(finding: SpanFinding, table: Table, rows: dict[str, int]) -> SpanFinding:
    if finding.belongs_to is None:
        return finding
    return finding.model_copy(update={"belongs_to": _back(finding.belongs_to, table, rows)})


def _back(cell: Cell, table: Table, rows: dict[str, int]) -> Cell:
    return Cell(row=rows.get(cell.column, 0), column=table.columns[cell.row + 1].name)


def _is_by_property(table: Table) -> bool:
    """Tell whether the cells of a row look alike, those of a column do not, and headers are names."""
    properties = [as_text(row[0]).strip() for row in table.rows]
    if len(set(properties)) < len(properties) or any(YEAR.search(said) or not said for said in properties):
        return False
    headers = [column.label or column.name for column in table.columns[1:]]
    if not all(NAME.match(header) and not PERIOD.search(header) for header in headers):
        return False
    across = [_alike(row[1:]) for row in table.rows]
    down = [_alike([row[at] for row in table.rows]) for at in range(1, len(table.columns))]
    return sum(across) * 3 > len(across) * 2 and not any(down)


def _alike(cells: Sequence[Value]) -> bool:
    """Tell whether some cells are of one shape: words and figures in the same order."""
    return len(set(_shapes(cells))) == 1


def _shapes(cells: Sequence[Value]) -> Iterator[str]:
    for cell in cells:
        said = as_text(cell).strip()
        if said.strip(" -\u2013\u2014"):
            yield LETTERS.sub("a", DIGITS.sub("9", said)).replace(" ", "")


def _property(line: Sequence[str]) -> OutputColumn:
    """Return the column of a property: of figures where all of its cells are numbers."""
    numbers = all(FIGURE.fullmatch(cell.strip()) for cell in line[1:])
    if numbers and not all(YEAR.fullmatch(cell.strip()) for cell in line[1:]):
        return OutputColumn(name=line[0], kind="metric", type="decimal", label=line[0])
    return OutputColumn(name=line[0], kind="dimension", type="string", label=line[0])


def _value(cell: str, column: OutputColumn) -> Value:
    return cell if is_key(column) else Decimal(cell.strip().replace(",", ""))
