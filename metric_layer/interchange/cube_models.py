"""The cubes of a Cube document: relation, joins, dimensions, measures, as Cube says them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metric_layer.definitions import ColumnType
from metric_layer.expression_apart import rewritten
from metric_layer.expression_foreign import ForeignSql, plain_column
from metric_layer.interchange.cube_sql import Reference, is_template, references_out
from metric_layer.interchange.reading import Part

TYPES: Mapping[str, ColumnType] = {
    "string": "string",
    "number": "decimal",
    "time": "timestamp",
    "boolean": "boolean",
}
WITHOUT_MEANING = ("refresh_key", "sql_alias", "context_members", "suggest_filters")
DERIVING = ("extends", "sub_query", "case", "latitude", "longitude")


@dataclass(frozen=True, slots=True)
class CubeDimension:
    """A dimension that is a column. `kind` is Cube's own type."""

    name: str
    column: str
    kind: str
    is_key: bool
    is_public: bool
    label: str
    description: str
    part: Part = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube on a table. `computed` maps dimensions that are no column to their SQL."""

    name: str
    dataset: str
    relation: str
    description: str
    dimensions: Mapping[str, CubeDimension]
    computed: Mapping[str, str]
    joins: tuple[Part, ...]
    measures: tuple[Part, ...]
    part: Part = field(repr=False)

    def column_of(self, reference: Reference) -> str | None:
        """Return the column that a reference within this cube is, or None where it is none."""
        if reference.column:
            return reference.column
        found = self.dimensions.get(reference.member or reference.cube)
        return found.column if found else None


def read_cube(part: Part, dataset: str) -> Cube | None:
    """Return one cube; None where it does not stand on a table."""
    name = part.text("name")
    part.skip(*WITHOUT_MEANING)
    relation = part.text("sql_table") or _table_of(part.text("sql"))
    if part.holds("extends"):
        part.refuse("cube_extends", name, part.text("extends"))
        return None
    if not relation or is_template(relation):
        part.refuse("cube_query", name, part.text("sql"))
        return None
    if part.holds("data_source") and part.text("data_source") != "default":
        part.lose("cube_data_source", name, part.text("data_source"), at="data_source")
    _around(part, name)
    dimensions: dict[str, CubeDimension] = {}
    computed: dict[str, str] = {}
    for each in part.named("dimensions"):
        _dimension(each, name, dimensions, computed)
    return Cube(
        name=name,
        dataset=dataset,
        relation=relation,
        description=part.text("description") or part.text("title"),
        dimensions=dimensions,
        computed=computed,
        joins=tuple(part.parts("joins")),
        measures=tuple(part.named("measures")),
        part=part,
    )


def _around(part: Part, name: str) -> None:
    """Report what stands around the members of a cube."""
    if not is_public(part):
        part.lose("cube_private", name)
    for each in part.parts("segments"):
        each.refuse("cube_segment", f"{name}.{each.text('name')}")
    if part.holds("pre_aggregations"):
        part.lose("cube_pre_aggregations", name, at="pre_aggregations")
        part.raw("pre_aggregations")
    if part.holds("access_policy"):
        part.lose("cube_access_policy", name, at="access_policy")
        part.raw("access_policy")
    if part.holds("meta"):
        part.lose("meta_not_kept", name, part.raw("meta"), at="meta")


def _dimension(part: Part, cube: str, dimensions: dict[str, CubeDimension], computed: dict[str, str]) -> None:
    name, kind, sql = part.text("name"), part.text("type"), part.text("sql")
    shown = f"{cube}.{name}"
    part.skip("propagate_filters_to_sub_query", "suggest_filters")
    if part.holds("granularities"):
        part.lose("cube_granularities", shown, at="granularities")
        part.raw("granularities")
    if part.holds("meta"):
        part.lose("meta_not_kept", shown, part.raw("meta"), at="meta")
    if kind not in TYPES or any(part.holds(key) for key in DERIVING):
        part.refuse("cube_dimension", shown, kind)
        return
    column = own_column(sql or name)
    if column is None:
        part.refuse("cube_computed_dimension", shown, sql)
        own = own_sql(sql)
        if own is not None:
            computed[name] = own
        return
    is_key = part.flag("primary_key")
    dimensions[name] = CubeDimension(
        name=name,
        column=column,
        kind=kind,
        is_key=is_key,
        is_public=is_public(part, default=not is_key),
        label=part.text("title"),
        description=part.text("description"),
        part=part,
    )


def is_public(part: Part, *, default: bool = True) -> bool:
    """Say whether a cube or a member can be asked from outside; `shown` is the older word."""
    public, is_shown = part.flag("public", default=default), part.flag("shown", default=True)
    return public and is_shown


def own_sql(sql: str) -> str | None:
    """Return SQL over the cube's own columns without references, or None where it reads another member."""
    try:
        text, references = references_out(sql)
        if any(not each.column or each.cube for each in references):
            return None
        return rewritten(text, {f"__{index}": f'"{each.column}"' for index, each in enumerate(references)})
    except ForeignSql:
        return None


def own_column(sql: str) -> str | None:
    """Return the column of the cube that a piece of SQL names and nothing else."""
    own = own_sql(sql)
    return plain_column(own) if own is not None else None


def _table_of(sql: str) -> str:
    words = sql.strip().rstrip(";").split()
    is_whole = len(words) == 4 and [word.lower() for word in words[:3]] == ["select", "*", "from"]
    return words[3] if is_whole else ""
