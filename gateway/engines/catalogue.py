"""What a database's own catalogue says of its tables, in no engine's own words."""

from dataclasses import dataclass

from metric_layer.definitions import ColumnType


@dataclass(frozen=True, slots=True)
class CatalogueColumn:
    """A column; `type` is None where no result can carry its values, and `native` is the engine's word."""

    name: str
    type: ColumnType | None
    native: str
    nullable: bool
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns whose values are a key of another table; `table` is its schema and name."""

    columns: tuple[str, ...]
    table: tuple[str, str]
    to_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogueTable:
    """A table or view with its keys: those that the database enforces, else only declares."""

    schema: str
    name: str
    columns: tuple[CatalogueColumn, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    enforced: bool = True
