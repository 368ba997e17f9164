"""Ossie datasets and fields: columns, dimensions, and SQL that metrics may use in their place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from metric_layer.definitions import ColumnType
from metric_layer.expression_apart import rewritten
from metric_layer.expression_foreign import ForeignSql, columns_in, plain_column
from metric_layer.interchange.column_types import ASSUMED, STATED, ColumnTypes
from metric_layer.interchange.ossie_own import extension_of
from metric_layer.interchange.reading import Part

DIALECTS = ("ANSI_SQL", "OSSIE_SQL_2026", "SNOWFLAKE", "BIGQUERY", "DATABRICKS")
DATATYPES: Mapping[str, ColumnType] = {
    "String": "string",
    "Integer": "integer",
    "Decimal": "decimal",
    "Float": "float",
    "Boolean": "boolean",
    "Date": "date",
    "DateTime": "timestamp",
    "DateTimeTz": "timestamptz",
}
_QUERY = ("select ", "with ", "(")


@dataclass(frozen=True, slots=True)
class OssieDataset:
    """A dataset. `columns` maps fields to columns, `computed` fields to the SQL they stand for."""

    name: str
    relation: str
    primary_key: tuple[str, ...]
    unique_keys: tuple[tuple[str, ...], ...]
    description: str
    columns: Mapping[str, str]
    computed: Mapping[str, str]
    dimensions: Mapping[str, Part]
    part: Part = field(repr=False)

    def column(self, name: str) -> str:
        """Return the column that a field, or a column itself, is."""
        return self.columns.get(name, name)

    def has(self, name: str) -> bool:
        """Say whether a field or a column has a name."""
        return name in self.columns or name in self.computed or name in self.columns.values()


def read_dataset(part: Part, name: str, types: ColumnTypes) -> OssieDataset | None:
    """Return a dataset with its fields, or None where it stands on a query."""
    extension_of(part)
    shown = part.text("name")
    synonyms_of(part, shown, has_place=False)
    relation = _source(part)
    if not relation or relation.lower().lstrip().startswith(_QUERY):
        part.refuse("ossie_query", shown, relation)
        return None
    columns: dict[str, str] = {}
    computed: dict[str, str] = {}
    dimensions: dict[str, Part] = {}
    for each in part.named("fields"):
        _field(each, name, types, columns, computed, dimensions)
    computed = dict(_settled(computed, part))
    found = OssieDataset(
        name=name,
        relation=relation,
        primary_key=tuple(columns.get(key, key) for key in part.texts("primary_key")),
        unique_keys=tuple(tuple(columns.get(key, key) for key in keys) for keys in _keys(part)),
        description=part.text("description"),
        columns=columns,
        computed=computed,
        dimensions=dimensions,
        part=part,
    )
    for key in (found.primary_key, *found.unique_keys):
        for column in key:
            types.know(name, column, "string", ASSUMED, part.place())
    for column in found.primary_key:
        types.is_key(name, column)
    return found


def _settled(computed: Mapping[str, str], part: Part) -> Iterator[tuple[str, str]]:
    """Yield the computed fields that stand on columns alone, without the dataset's name in them."""
    for name, sql in computed.items():
        try:
            nested = [column.name for column in columns_in(sql) if column.name in computed]
            if not nested:
                yield name, rewritten(sql, {})
                continue
            why = f"it is made of {nested[0]}, which is computed itself"
        except ForeignSql as fault:
            why = fault.message
        part.lose("ossie_computed_field", name, sql, at="fields", why=why)


def _field(
    part: Part,
    dataset: str,
    types: ColumnTypes,
    columns: dict[str, str],
    computed: dict[str, str],
    dimensions: dict[str, Part],
) -> None:
    extension_of(part)
    name, sql = part.text("name"), expression_of(part)
    role, datatype = part.part("dimension"), part.text("datatype")
    is_time = role.flag("is_time", default=datatype in ("Date", "DateTime", "DateTimeTz")) if role else False
    if datatype and datatype not in DATATYPES:
        part.refuse("ossie_datatype", f"{dataset}.{name}", datatype, at="datatype")
        return
    column = _own_column(sql)
    if column is None:
        if role is not None:
            part.lose("ossie_computed_dimension", f"{dataset}.{name}", sql)
        if sql:
            computed[name] = sql
        return
    if datatype:
        types.know(dataset, column, DATATYPES[datatype], STATED, part.place())
    elif is_time:
        types.know(dataset, column, "timestamp", ASSUMED, part.place())
    else:
        types.know(dataset, column, place=part.place())
    if is_time and datatype and DATATYPES[datatype] not in ("date", "timestamp", "timestamptz"):
        part.lose("ossie_time_part", f"{dataset}.{name}", datatype)
    columns[name] = column
    if role is not None:
        dimensions[name] = part
        return
    types.describe(dataset, column, part.text("description"))
    synonyms_of(part, name, has_place=False)


def expression_of(part: Part) -> str:
    """Return the SQL of an expression in the dialect that is read best."""
    found = part.part("expression")
    dialects = found.parts("dialects") if found else []
    by_name = {each.text("dialect"): each.text("expression") for each in dialects}
    chosen = next((name for name in DIALECTS if name in by_name), "")
    name = part.text("name")
    if not chosen:
        part.lose("ossie_dialect", name, ", ".join(by_name))
        return ""
    if chosen != DIALECTS[0]:
        part.lose("ossie_other_sql", name, chosen)
    if len(by_name) > 1:
        part.lose("ossie_other_dialects", name, ", ".join(sorted(by_name.keys() - {chosen})))
    return by_name[chosen]


def synonyms_of(part: Part, name: str, *, has_place: bool = True) -> tuple[str, ...]:
    """Return the synonyms of an AI context; what else it says is reported."""
    if isinstance(part.peek("ai_context"), str):
        part.lose("ossie_ai_context", name, part.text("ai_context"), at="ai_context")
        return ()
    context = part.part("ai_context")
    if context is None:
        return ()
    words = context.texts("synonyms")
    if words and not has_place:
        part.lose("ossie_synonyms", name, ", ".join(words), at="ai_context")
    for key in context.spoken():
        if key != "synonyms":
            context.lose("ossie_ai_context", name, context.raw(key), at=key)
    return words


def _source(part: Part) -> str:
    if not isinstance(part.peek("source"), dict):
        return part.text("source")
    found = part.part("source")
    if found is None or found.text("kind") != "table":
        return ""
    return found.text("object")


def _keys(part: Part) -> tuple[tuple[str, ...], ...]:
    value = part.raw("unique_keys")
    if not isinstance(value, tuple):
        return ()
    return tuple(tuple(str(word) for word in key) for key in value if isinstance(key, tuple))


def _own_column(sql: str) -> str | None:
    """Return the column a field's SQL names and nothing else, with or without its dataset."""
    try:
        return plain_column(rewritten(sql, {})) if sql else None
    except ForeignSql:
        return None
