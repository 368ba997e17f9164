"""Cube's measures -> metrics; those that a measure is made of come first."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metric_layer.expression_apart import Leaf, formula_text, rewritten, take_apart
from metric_layer.expression_foreign import Comparison, ForeignSql, comparisons, plain_column
from metric_layer.interchange.column_types import ASSUMED, TOLD
from metric_layer.interchange.composite import Composites, Payload, head
from metric_layer.interchange.cube_graph import CubeGraph, Member
from metric_layer.interchange.cube_models import Cube, is_public
from metric_layer.interchange.cube_sql import Reference, references_out
from metric_layer.interchange.cube_windows import shift_of, window_of
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

TYPES = {
    "count": "count",
    "count_distinct": "count_distinct",
    "count_distinct_approx": "approx_count_distinct",
    "sum": "sum",
    "avg": "avg",
    "min": "min",
    "max": "max",
    "running_total": "sum",
}
CALCULATED = ("number", "number_agg")
STAGES = ("group_by", "reduce_by", "add_group_by", "order_by", "case", "mask")
WITHOUT_MEANING = ("drill_members", "drill_member_references", "suggest_filters")
MAX_DEPTH = 40
DISPLAYS: Mapping[str, Payload] = {
    "percent": {"style": "percent", "decimals": 2},
    "currency": {"style": "decimal", "decimals": 2},
}


@dataclass(frozen=True, slots=True)
class _Measure:
    cube: Cube
    name: str
    given: str
    part: Part = field(repr=False)


class CubeMeasures:
    """Builds every measure that can be kept."""

    def __init__(
        self, graph: CubeGraph, composites: Composites, synonyms: Mapping[Member, tuple[str, ...]]
    ) -> None:
        self._graph = graph
        self._composites = composites
        self._synonyms = synonyms
        self._measures = {
            (cube.name, name): _Measure(cube, name, graph.name_for(cube.name, name, part), part)
            for cube in graph.cubes.values()
            for part in cube.measures
            if (name := part.text("name"))
        }
        self._built: set[Member] = set()
        self._refused: set[Member] = set()
        self._open: list[Member] = []

    def build(self) -> None:
        """Add every measure that can be kept; report every other."""
        for key in self._measures:
            try:
                self._resolve(key)
            except Refused:
                continue

    def _resolve(self, key: Member) -> str:
        found = self._measures[key]
        if key in self._built:
            return found.given
        shown = ".".join(key)
        if key in self._refused or len(self._open) >= MAX_DEPTH:
            raise Refused("rests_on_refused", seen=shown)
        self._refused.add(key)  # so that a circle comes back here and is refused
        self._open.append(key)
        try:
            self._one(found)
        except Refused as fault:
            found.part.refuse(fault.code, shown, fault.seen, why=fault.why)
            raise Refused("rests_on_refused", seen=shown) from fault
        except ForeignSql as fault:
            found.part.refuse("sql_not_read", shown, found.part.text("sql"), why=fault.message)
            raise Refused("rests_on_refused", seen=shown) from fault
        finally:
            self._open.pop()
        self._refused.discard(key)
        self._built.add(key)
        return found.given

    def _one(self, found: _Measure) -> None:
        part, kind = found.part, found.part.text("type")
        part.skip(*WITHOUT_MEANING)
        stages = [key for key in STAGES if part.holds(key)]
        if stages:
            raise Refused("cube_multi_stage", seen=", ".join(stages))
        said = self._said(found)
        if kind in CALCULATED:
            self._calculated(found, said)
        elif kind in TYPES:
            self._aggregate(found, said, kind)
        else:
            raise Refused("cube_measure_type", seen=kind)
        part.lose("no_time_field", found.given)

    def _said(self, found: _Measure) -> Payload:
        part, shown = found.part, f"{found.cube.name}.{found.name}"
        description, style = part.text("description"), part.text("format")
        if not description:
            part.lose("no_description", shown)
        if part.holds("meta"):
            part.lose("meta_not_kept", shown, part.raw("meta"), at="meta")
        if not is_public(part):
            part.lose("cube_private", shown)
        said = head(found.given, "", part.text("title"), description)
        others = self._synonyms.get((found.cube.name, found.name), ())
        said["synonyms"] = tuple(word for word in others if word != found.given)
        if style in DISPLAYS:
            said["display"] = DISPLAYS[style]
        elif style not in ("", "number"):
            part.lose("cube_format", shown, style, at="format")
        return said

    def _aggregate(self, found: _Measure, said: Payload, kind: str) -> None:
        part = found.part
        payload = self._payload(found, TYPES[kind], part.text("sql"))
        window = {} if kind == "running_total" else window_of(part)
        part.skip("multi_stage")
        if window is None:
            self._composites.add_leaf(said, payload, part.place())
            return
        base = self._composites.known(payload)
        if base is None:
            base = self._graph.names.give("asked", f"{found.given}_base")
            words = f"What {found.given} adds up."
            self._composites.add_leaf(head(base, "", "", words), payload, part.place())
        cumulative: Payload = {"type": "cumulative", "metric": base}
        self._graph.gathered.add("metrics", said | cumulative | window, part.place())

    def _payload(self, found: _Measure, kind: str, sql: str) -> Payload:
        cube, place = found.cube, found.part.place()
        payload: Payload = {"type": kind, "dataset": cube.dataset}
        filters, case = self._filters(found)
        if filters:
            payload["filters"] = filters
        scalar = self._scalar(sql, cube) if sql and not (kind == "count" and sql.strip() == "*") else ""
        if case:
            scalar = f"CASE WHEN {case} THEN {scalar or '1'} END"
        if not scalar:
            if kind != "count":
                raise Refused("cube_measure_type", "it says not of what", kind)
            return payload
        counting = kind in ("count", "count_distinct", "approx_count_distinct")
        column = plain_column(scalar)
        if column is None:
            self._graph.types.learn(cube.dataset, scalar, "string" if counting else "decimal", place)
            return payload | {"expression": scalar}
        strength = ASSUMED if counting else TOLD
        self._graph.types.know(cube.dataset, column, "string" if counting else "decimal", strength, place)
        return payload | {"column": column}

    def _scalar(self, sql: str, cube: Cube) -> str:
        """Return SQL over the cube's own columns. Raises Refused where it reads another cube or a measure."""
        text, references = references_out(sql)
        pieces = {f"__{index}": self._piece(each, cube) for index, each in enumerate(references)}
        return rewritten(text, pieces)

    def _piece(self, reference: Reference, cube: Cube) -> str:
        computed = cube.computed.get(reference.member or ("" if reference.column else reference.cube))
        if computed is not None and reference.cube in ("", cube.name, reference.cube):
            return computed
        found = self._graph.target_of(reference, cube)
        if found is None or found[0] is not cube:
            raise Refused("cube_other_cube", seen=reference.member or reference.column or reference.cube)
        return f'"{found[1]}"'

    def _filters(self, found: _Measure) -> tuple[tuple[Payload, ...], str]:
        """Return a measure's filters as filters over dimensions, and as SQL what is more than those."""
        filters: list[Payload] = []
        rest: list[str] = []
        for part in found.part.parts("filters"):
            sql = part.text("sql")
            text, references = references_out(sql)
            try:
                filters += [self._filter(each, references, found.cube) for each in comparisons(text)]
            except (ForeignSql, Refused):
                rest.append(f"({self._scalar(sql, found.cube)})")
        return tuple(filters), " AND ".join(rest)

    def _filter(self, found: Comparison, references: list[Reference], cube: Cube) -> Payload:
        """A filter over times stays SQL: there a day is its first instant, in a filter here the whole day."""
        name = found.column.name
        reference = references[int(name[2:])] if name.startswith("__") else Reference("", column=name)
        target = self._graph.target_of(reference, cube)
        if target is None:
            raise Refused("cube_other_cube", seen=name)
        for dimension in target[0].dimensions.values():
            given = self._graph.dimensions.get((target[0].name, dimension.name))
            if dimension.column == target[1] and given is not None and dimension.kind != "time":
                return {"field": given, "op": found.op, "values": found.values}
        raise Refused("cube_other_cube", seen=name)

    def _calculated(self, found: _Measure, said: Payload) -> None:
        part, sql = found.part, found.part.text("sql")
        if part.holds("filters") or part.holds("rolling_window"):
            raise Refused("cube_calculated_filter")
        text, references = references_out(sql)
        keys = [self._measure_of(each, found.cube) for each in references]
        shift = shift_of(part)
        if shift is not None:
            base = [key for key in keys if key is not None]
            if len(base) != 1 or text.strip() != '"__0"':
                raise Refused("cube_multi_stage", "it shifts more than one measure", sql)
            made: Payload = {
                "type": "period_over_period",
                "metric": self._resolve(base[0]),
                "calculation": "value",
            }
            self._graph.gathered.add("metrics", said | made | {"offset": shift}, part.place())
        elif any(key is not None for key in keys):
            self._over_measures(said, text, keys, part)
        else:
            formula = take_apart(self._scalar(sql, found.cube))
            self._composites.add(said, formula, lambda leaf: self._of_leaf(leaf, found), part.place())

    def _over_measures(self, said: Payload, text: str, keys: list[Member | None], part: Part) -> None:
        def name_of(word: str) -> str:
            key = keys[int(word[2:])] if word.startswith("__") else None
            if key is None:
                raise Refused("cube_other_cube", "it mixes measures and columns", word)
            return self._resolve(key)

        expression = formula_text(text, name_of)
        top, _, bottom = expression.partition(" / ")
        made: Payload = {"type": "derived", "expression": expression}
        if top.isidentifier() and bottom.isidentifier():
            made = {"type": "ratio", "numerator": top, "denominator": bottom}
        self._graph.gathered.add("metrics", said | made, part.place())

    def _of_leaf(self, leaf: Leaf, found: _Measure) -> Payload:
        payload: Payload = {"type": leaf.type, "dataset": found.cube.dataset}
        if leaf.percentile is not None:
            payload["percentile"] = leaf.percentile
        if leaf.null_as_zero:
            payload["null_as_zero"] = True
        if leaf.expression:
            self._graph.types.learn(found.cube.dataset, leaf.expression, "decimal", found.part.place())
            column = plain_column(leaf.expression)
            payload |= {"column": column} if column else {"expression": leaf.expression}
        return payload

    def _measure_of(self, reference: Reference, cube: Cube) -> Member | None:
        if reference.column:
            return None
        if reference.member:
            key = (reference.cube or cube.name, reference.member)
        else:
            key = (cube.name, reference.cube)
        return key if key in self._measures else None
