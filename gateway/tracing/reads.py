"""Which columns a recorded query read, table by table, and what its own columns are made of."""

from collections import OrderedDict

from gateway.house import House
from metric_layer.sql import Reading
from policies.entitlement import Entitlement
from traces.export.exported import Exported, Output, Reads
from traces.literals import MARK
from traces.records import Close

_REMEMBERED = 1024
_NOTHING = Reads()


class ReadColumns:
    """Reads the SQL of questions again, as it is stored, against what their role may see today.

    Names of tables and columns stand in clear there; literals do not matter. What a role sees no more, or a
    text that this version cannot read, is left out.
    """

    def __init__(self, house: House) -> None:
        self._roles = {role.role_name: role for role in house.entitlements}
        self._known: OrderedDict[tuple[str, str], Reads] = OrderedDict()

    def of(self, question: Exported) -> Reads:
        """Return what the query of a question read; nothing where there was none."""
        closed, role = question.closed, self._roles.get(question.opened.role)
        if closed is None or closed.query is None or role is None:
            return _NOTHING
        key = role.role_name, closed.query.sql
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _reads(role.reader.read(_readable(closed.query.sql)), role, closed)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


def _readable(sql: str) -> str:
    """Return stored SQL with a literal in the place of each mark, so that it can be parsed."""
    return sql.replace(f"'{MARK}'", "''").replace(f'"{MARK}"', '"sealed"').replace(MARK, "0")


def _reads(reading: Reading, role: Entitlement, closed: Close) -> Reads:
    types = {
        table.name: {column.name: column.type for column in table.columns} for table in role.catalogue.tables
    }
    tables: dict[str, dict[str, str]] = {table.name: {} for table in reading.tables if table.known}
    for column in reading.columns:
        if column.table in tables:
            tables[column.table][column.column] = types.get(column.table, {}).get(column.column, "")
    shape = {column.name: column.type for column in closed.shape.columns} if closed.shape else {}
    outputs = tuple(
        Output(name=each.name, type=shape.get(each.name, ""), sources=each.lineage)
        for each in reading.outputs
    )
    return Reads(tables=tables, outputs=outputs)
