"""How one dialect folds identifiers, and the catalogue indexed by folded names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.relation import relation_parts
from metric_layer.sql.catalogue import Catalogue, CatalogueColumn, CatalogueJoin, CatalogueTable

SCALAR = (
    "int",
    "bigint",
    "smallint",
    "decimal",
    "numeric",
    "float",
    "double",
    "bool",
    "date",
    "time",
    "varchar",
    "text",
)
"""How the names of types begin whose values have no fields."""


def fold(dialect: Dialect, name: str, quoted: bool, relation: bool = False) -> str:
    """Return the name as the engine compares it. `relation` marks tables, whose case BigQuery keeps."""
    if dialect == "postgres":
        return name if quoted else name.lower()
    if dialect == "snowflake":
        return name if quoted else name.upper()
    if dialect == "bigquery" and relation:
        return name
    return name.lower()


def fold_identifier(dialect: Dialect, node: exp.Expr, relation: bool = False) -> str:
    """Return an identifier node's folded name."""
    return fold(dialect, node.name, bool(node.args.get("quoted")), relation)


def quote_all(tree: exp.Expr, dialect: Dialect) -> None:
    """Write every identifier as the engine stores it, so that quoting it changes nothing."""
    for node in tree.find_all(exp.Identifier):
        if not node.args.get("quoted"):
            if dialect in ("postgres", "snowflake"):
                node.set("this", fold_identifier(dialect, node))
            node.set("quoted", True)


def respell(tree: exp.Expr, spellings: Mapping[str, str]) -> None:
    """Write every name as the catalogue does, else in capitals, where capitals make no difference.

    Names that differ by their capitals are one to the engine: then they are one to us, too.
    """
    for node in tree.find_all(exp.Identifier):
        capitals = node.name.upper()
        node.set("this", spellings.get(capitals, capitals))
        node.set("quoted", True)


@dataclass(frozen=True, slots=True, eq=False)
class IndexedTable:
    """A catalogue table with its columns by folded name. `path` is (catalog, schema, table), folded.

    `lineages` holds what each column comes from: itself. One is equal to itself alone.
    """

    table: CatalogueTable
    path: tuple[str, str, str]
    columns: dict[str, CatalogueColumn]
    keys: tuple[frozenset[str], ...]
    personal: frozenset[str]
    time_column: str
    lineages: tuple[frozenset[tuple[str, str]], ...]


class CatalogueIndex:
    """A catalogue prepared for look-ups. Immutable once built."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.dialect = catalogue.dialect
        self.by_path = {entry.path: entry for entry in map(self._index, catalogue.tables)}
        self.by_name = {entry.table.name: entry for entry in self.by_path.values()}
        self.joins = _joins_by_pair(catalogue.joins)
        self.spellings = _spellings(catalogue) if catalogue.folds else None

    def find(self, catalog: str, schema: str, table: str) -> IndexedTable | None:
        """Return the table a folded name means, defaults filled in; None when the role sees no such table."""
        return self.by_path.get(self.path(catalog, schema, table))

    def path(self, catalog: str, schema: str, table: str) -> tuple[str, str, str]:
        """Return a folded name with the default catalog and schema filled in."""
        home = self.catalogue
        return (
            catalog or self._stored(home.default_catalog, relation=True),
            schema or self._stored(home.default_schema, relation=True),
            table,
        )

    def declared(self, left: str, right: str) -> tuple[tuple[CatalogueJoin, bool], ...]:
        """Return the declared joins between two tables, each with whether it is written backwards."""
        return self.joins.get((left, right), ())

    def column(self, name: str) -> str:
        """Return a catalogue column name as folded names are compared with it."""
        return self._stored(name)

    def is_scalar(self, origins: Iterable[tuple[str, str]]) -> bool:
        """Say whether any of these columns, each given as (table, column), is of a type without fields."""
        columns = (self.by_name[table].columns.get(self.column(column)) for table, column in origins)
        return any(column is not None and column.type.lower().startswith(SCALAR) for column in columns)

    def _stored(self, name: str, relation: bool = False) -> str:
        """Fold a name of the catalogue, which is written exactly as the database holds it."""
        if self.dialect in ("postgres", "snowflake") or (self.dialect == "bigquery" and relation):
            return name
        return name.lower()

    def _index(self, table: CatalogueTable) -> IndexedTable:
        parts = [self._stored(part, relation=True) for part in relation_parts(table.name)]
        catalog, schema, name = (["", "", *parts])[-3:]
        keys = (table.grain, *table.unique)
        columns = {self.column(c.name): c for c in table.columns}
        return IndexedTable(
            table=table,
            path=self.path(catalog, schema, name),
            columns=columns,
            keys=tuple(frozenset(self.column(c) for c in key) for key in keys if key),
            personal=frozenset(self.column(c.name) for c in table.columns if c.personal),
            time_column=self.column(table.time_column) if table.time_column else "",
            lineages=tuple(frozenset({(table.name, c.name)}) for c in columns.values()),
        )


def _spellings(catalogue: Catalogue) -> dict[str, str]:
    """Return how each name of a catalogue is written, by its capitals."""
    parts = {part for table in catalogue.tables for part in relation_parts(table.name)}
    columns = {column.name for table in catalogue.tables for column in table.columns}
    home = {catalogue.default_catalog, catalogue.default_schema} - {""}
    return {name.upper(): name for name in sorted(parts | columns | home)}


def _joins_by_pair(
    joins: tuple[CatalogueJoin, ...],
) -> dict[tuple[str, str], tuple[tuple[CatalogueJoin, bool], ...]]:
    found: dict[tuple[str, str], tuple[tuple[CatalogueJoin, bool], ...]] = {}
    for join in joins:
        there, back = (join.left_table, join.right_table), (join.right_table, join.left_table)
        found[there] = (*found.get(there, ()), (join, False))
        found[back] = (*found.get(back, ()), (join, True))
    return found
