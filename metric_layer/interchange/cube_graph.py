"""Cube's joins and dimensions -> relationships and dimensions, and what a reference stands for."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from metric_layer.expression_foreign import ColumnRef, ForeignSql, equal_columns
from metric_layer.interchange.column_types import ASSUMED, STATED, ColumnTypes
from metric_layer.interchange.cube_models import TYPES, Cube, CubeDimension
from metric_layer.interchange.cube_sql import Reference, references_out
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.names import Names, identifier
from metric_layer.interchange.reading import Part

ONE_TO_ONE = ("one_to_one", "has_one", "hasOne")
MANY_TO_ONE = ("many_to_one", "belongs_to", "belongsTo")
ONE_TO_MANY = ("one_to_many", "has_many", "hasMany")
Member = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CubeEdge:
    """A relationship as a step between two cubes."""

    name: str
    origin: str
    target: str


class CubeGraph:
    """The cubes by name, how they are joined, and the dimension that each member is here."""

    def __init__(self, cubes: Sequence[Cube], gathered: Gathered, names: Names, types: ColumnTypes) -> None:
        self.cubes = {cube.name: cube for cube in cubes}
        self.gathered = gathered
        self.names = names
        self.types = types
        self.edges: list[CubeEdge] = []
        self.dimensions: dict[Member, str] = {}
        members = [(cube.name, part.text("name")) for cube in cubes for part in cube.measures]
        members += [(cube.name, name) for cube in cubes for name in cube.dimensions]
        self._often = Counter(identifier(name) for _, name in members)

    def name_for(self, cube: str, member: str, part: Part) -> str:
        """Give a member its name here: its own where no other cube has one like it."""
        own = [member] if self._often[identifier(member)] == 1 else []
        given = self.names.give("asked", *own, f"{cube}_{member}")
        if given != member:
            part.lose("renamed", f"{cube}.{member}", given, at="name")
        return given

    def build(self, synonyms: Mapping[Member, tuple[str, ...]]) -> None:
        """Add the columns, dimensions, hierarchies and relationships of all cubes."""
        for cube in self.cubes.values():
            for dimension in cube.dimensions.values():
                place = dimension.part.place()
                self.types.know(cube.dataset, dimension.column, TYPES[dimension.kind], STATED, place)
                if dimension.is_key:
                    self.types.is_key(cube.dataset, dimension.column)
                self._dimension(cube, dimension, synonyms.get((cube.name, dimension.name), ()))
            self._hierarchies(cube)
        seen: set[object] = set()
        for cube in self.cubes.values():
            for part in cube.joins:
                self._join(cube, part, seen)

    def add_datasets(self) -> None:
        """Add the datasets, once every column that a measure reads is known."""
        for cube in self.cubes.values():
            columns = self.types.of(cube.dataset)
            if not columns:
                cube.part.lose("cube_empty", cube.name)
                continue
            payload: dict[str, object] = {
                "name": cube.dataset,
                "relation": cube.relation,
                "columns": columns,
                "primary_key": tuple(each.column for each in cube.dimensions.values() if each.is_key),
                "description": cube.description,
            }
            self.gathered.add("datasets", payload, cube.part.place())

    def target_of(self, reference: Reference, cube: Cube) -> tuple[Cube, str] | None:
        """Return (cube, column) of a reference, or None where it is no column."""
        other = self.cubes.get(reference.cube)
        if other is not None and (reference.member or reference.column):
            column = other.column_of(reference)
            return (other, column) if column is not None else None
        if reference.cube in ("", cube.name) or not (reference.member or reference.column):
            column = cube.column_of(reference)
            return (cube, column) if column is not None else None
        return None

    def walk(self, cubes: Sequence[str]) -> tuple[CubeEdge, ...] | None:
        """Return the relationships along a path of cubes, from many to one; None where there are none."""
        found: list[CubeEdge] = []
        for origin, target in pairwise(cubes):
            steps = [edge for edge in self.edges if (edge.origin, edge.target) == (origin, target)]
            if len(steps) != 1:
                return None
            found.append(steps[0])
        return tuple(found)

    def _dimension(self, cube: Cube, dimension: CubeDimension, synonyms: tuple[str, ...]) -> None:
        shown = f"{cube.name}.{dimension.name}"
        if not dimension.is_public:
            if not dimension.is_key:
                dimension.part.lose("cube_not_public", shown)
            return
        name = self.name_for(cube.name, dimension.name, dimension.part)
        payload = {
            "name": name,
            "dataset": cube.dataset,
            "column": dimension.column,
            "label": dimension.label,
            "description": dimension.description,
            "synonyms": tuple(word for word in synonyms if word != name),
        }
        self.gathered.add("dimensions", payload, dimension.part.place())
        self.dimensions[cube.name, dimension.name] = name

    def _hierarchies(self, cube: Cube) -> None:
        for part in cube.part.parts("hierarchies"):
            name = part.text("name")
            part.skip("public")
            levels = [level.rpartition(".") for level in part.texts("levels")]
            found = [self.dimensions.get((where or cube.name, level)) for where, _, level in levels]
            if None in found:
                part.refuse("rests_on_refused", f"{cube.name}.{name}")
                continue
            payload = {
                "name": identifier(f"{cube.name}_{name}"),
                "levels": tuple(found),
                "label": part.text("title"),
            }
            self.gathered.add("hierarchies", payload, part.place())

    def _join(self, cube: Cube, part: Part, seen: set[object]) -> None:
        target, kind = self.cubes.get(part.text("name")), part.text("relationship")
        if target is None or kind not in (*ONE_TO_ONE, *MANY_TO_ONE, *ONE_TO_MANY):
            part.refuse("cube_join", f"{cube.name} to {part.text('name')}", part.text("sql"))
            return
        try:
            pairs = tuple(self._pairs(part.text("sql"), cube, target))
        except ForeignSql as fault:
            part.refuse("cube_join", f"{cube.name} to {target.name}", part.text("sql"), why=fault.message)
            return
        ends = (cube, target)
        if kind in ONE_TO_MANY:
            ends, pairs = (target, cube), tuple((far, near) for near, far in pairs)
        one = kind in ONE_TO_ONE
        key = (frozenset(each.name for each in ends), frozenset(frozenset(pair) for pair in pairs), one)
        if key not in seen:
            seen.add(key)
            self._relationship(ends, pairs, part, one_to_one=one)

    def _relationship(
        self, ends: tuple[Cube, Cube], pairs: tuple[tuple[str, str], ...], part: Part, *, one_to_one: bool
    ) -> None:
        origin, target = ends
        for left, right in pairs:
            for cube, column in ((origin, left), (target, right)):
                self.types.know(cube.dataset, column, "string", ASSUMED, part.place())
            self.types.join((origin.dataset, left), (target.dataset, right))
        name = self.names.give("relationships", f"{origin.dataset}_{target.dataset}")
        payload: dict[str, object] = {
            "name": name,
            "from_dataset": origin.dataset,
            "to_dataset": target.dataset,
            "from_columns": tuple(left for left, _ in pairs),
            "to_columns": tuple(right for _, right in pairs),
            "cardinality": "one_to_one" if one_to_one else "many_to_one",
        }
        self.gathered.add("relationships", payload, part.place())
        self.edges.append(CubeEdge(name, origin.name, target.name))

    def _pairs(self, sql: str, cube: Cube, target: Cube) -> Iterator[tuple[str, str]]:
        text, references = references_out(sql)
        for left, right in equal_columns(text):
            found = dict(self._end(each, references, cube) for each in (left, right))
            if found.keys() != {cube.name, target.name}:
                raise ForeignSql("it does not compare a column of each of the two cubes")
            yield found[cube.name], found[target.name]

    def _end(self, column: ColumnRef, references: list[Reference], cube: Cube) -> tuple[str, str]:
        if column.table or not column.name.startswith("__"):
            raise ForeignSql(f"the column {column.name} names no cube")
        found = self.target_of(references[int(column.name[2:])], cube)
        if found is None:
            raise ForeignSql("a reference in it is no column")
        return found[0].name, found[1]
