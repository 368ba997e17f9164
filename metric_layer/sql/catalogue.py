"""What one role may see of the database: the tables, columns, keys and joins SQL is read against."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal

from metric_layer.plan import Dialect

PersonalUse = Literal["", "deny", "mask", "aggregate"]
JoinCardinality = Literal["many_to_one", "one_to_one"]


@dataclass(frozen=True, slots=True)
class CatalogueColumn:
    """A column as the role sees it. `personal` is the role's rule for its tag; empty when it carries none.

    `scale` is what governed SQL multiplies it by.
    """

    name: str
    type: str
    personal: PersonalUse = ""
    scale: Decimal | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CatalogueTable:
    """A reviewed table or view, named `table`, `schema.table` or `catalog.schema.table`.

    `grain` is the primary key and `unique` lists further keys. `time_column` is set only where a time
    predicate no wider than `max_window_days` is demanded on every reference.
    """

    name: str
    columns: tuple[CatalogueColumn, ...]
    grain: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    time_column: str = ""
    max_window_days: int = 0
    dataset: str = ""


@dataclass(frozen=True, slots=True)
class CatalogueJoin:
    """A declared join: many rows of the left table (or one) meet at most one row of the right."""

    left_table: str
    left_columns: tuple[str, ...]
    right_table: str
    right_columns: tuple[str, ...]
    cardinality: JoinCardinality = "many_to_one"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything SQL text may name, for one role and one dialect. `now` is the policy's clock.

    A name without a schema belongs to `default_schema`; an empty `default_catalog` leaves names at two parts.
    `folds` says that the session reads quoted names whatever their capitals, as it does unquoted ones.
    `week_start` and `fiscal_start_month` are the layer's: where the periods of governed SQL begin.
    `personal` is the rule of each column that carries a tag, by table and column.
    """

    dialect: Dialect
    default_catalog: str
    default_schema: str
    tables: tuple[CatalogueTable, ...]
    joins: tuple[CatalogueJoin, ...]
    now: datetime
    digest: str
    folds: bool = False
    week_start: str = "monday"
    fiscal_start_month: int = 1
    personal: Mapping[tuple[str, str], PersonalUse] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tagged = {(t.name, c.name): c.personal for t in self.tables for c in t.columns if c.personal}
        object.__setattr__(self, "personal", tagged)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Size limits, counted before the parser runs, and the row cap that the regenerated text carries.

    `characters` of text, `nesting` of brackets, `subscripts` in one chain; `generated_rows` and
    `recursion_steps` bound what a query may make up; `max_rows` is the LIMIT.
    """

    characters: int = 65_536
    nesting: int = 100
    subscripts: int = 50
    generated_rows: int = 100_000
    recursion_steps: int = 10_000
    max_rows: int = 10_000
