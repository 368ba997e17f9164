"""dbt's filters: SQL with `{{ Dimension('entity__name') }}` in it, read without a template engine."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from metric_layer.expression_foreign import MAX_TEXT, Comparison, ForeignSql, comparisons
from metric_layer.interchange.column_types import TOLD
from metric_layer.interchange.dbt_graph import DbtGraph, Unresolved
from metric_layer.interchange.dbt_models import SUB_DAY
from metric_layer.interchange.reading import Part

METRIC_TIME = "metric_time"
_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_OTHER_TEMPLATE = re.compile(r"\{[%#{]|[%#}]\}")
MAX_CALL = 300
DAY = len("2026-01-31")


@dataclass(frozen=True, slots=True)
class _Call:
    """`Dimension('a__b__name', entity_path=['c'])`, taken apart."""

    kind: str
    entities: tuple[str, ...]
    name: str
    grain: str


def where_texts(part: Part, key: str) -> tuple[str, ...]:
    """Return the texts of a filter in any of the forms dbt writes it; all of them have to hold."""
    value = part.raw(key)
    if isinstance(value, dict):
        inner = part.part(key)
        if inner is None or inner.holds("where_sql_template"):
            return (inner.text("where_sql_template"),) if inner else ()
        return tuple(_templates(inner, "where_filters"))
    if isinstance(value, tuple):
        return tuple(_templates(part, key))
    return (part.text(key),) if part.holds(key) else ()


def _templates(part: Part, key: str) -> Iterator[str]:
    value = part.raw(key)
    if isinstance(value, tuple) and all(isinstance(item, str) for item in value):
        yield from part.texts(key)
        return
    for each in part.parts(key):
        yield each.text("where_sql_template")


def filters_of(
    texts: tuple[str, ...], model: str, time: str, graph: DbtGraph
) -> tuple[dict[str, object], ...]:
    """Return filter texts as filters of a definition over a model whose own time dimension is `time`.

    Raises ForeignSql or Unresolved when a text says more than filters do.
    """
    found: list[dict[str, object]] = []
    for text in texts:
        if len(text) > MAX_TEXT:
            raise ForeignSql(f"it is longer than {MAX_TEXT} characters")
        calls: list[_Call] = []

        def placeholder(braces: re.Match[str], calls: list[_Call] = calls) -> str:
            call = _call(braces[1].strip())
            if call not in calls:
                calls.append(call)
            return f'"__{calls.index(call)}"'

        sql = _BRACES.sub(placeholder, text)
        if _OTHER_TEMPLATE.search(sql):
            raise ForeignSql("it holds a template other than {{ Dimension(...) }}")
        parts = comparisons(sql)
        if len({each.column for each in parts}) < len(calls):
            raise ForeignSql("it names a dimension outside a comparison")
        found.extend(_filter(each, calls, model, time, graph) for each in parts)
    return tuple(found)


def _filter(
    comparison: Comparison, calls: list[_Call], model: str, time: str, graph: DbtGraph
) -> dict[str, object]:
    name = comparison.column.name
    if comparison.column.table or not name.startswith("__"):
        raise ForeignSql(f"the column {name} stands outside {{{{ }}}}")
    call = calls[int(name[2:])]
    field = _field(call, comparison, model, time, graph)
    return {"field": field, "op": comparison.op, "values": comparison.values}


def _field(call: _Call, comparison: Comparison, model: str, time: str, graph: DbtGraph) -> str:
    if call.kind == "Entity":
        return graph.entity_dimension(model, call.name)
    if call.name == METRIC_TIME and not call.entities:
        if not time:
            raise Unresolved("metric_time stands for no one time dimension here")
        call = _Call("TimeDimension", (), time, call.grain)
    field, dimension, home = graph.dimension(model, call.entities, call.name)
    values = comparison.values
    if dimension.granularity:
        _refuse_other_days(call.grain or dimension.granularity, comparison)
    if values and not dimension.granularity:
        kind = (
            "boolean"
            if isinstance(values[0], bool)
            else "string"
            if isinstance(values[0], str)
            else "decimal"
        )
        place = dimension.part.place()
        graph.types.know(graph.datasets[home], dimension.column, kind, TOLD, place)  # type: ignore[arg-type]
    return field


def _refuse_other_days(grain: str, comparison: Comparison) -> None:
    """Raise ForeignSql where dbt compares periods and a filter here would compare days.

    Periods within a day begin where the day does, so a whole day still bounds them from one side.
    """
    days = all(isinstance(value, str) and len(value) == DAY for value in comparison.values)
    bounded = comparison.op in ("ge", "lt") and grain in SUB_DAY
    if comparison.values and not (days and (grain == "day" or bounded)):
        raise ForeignSql(f"it compares times by {grain}; a filter here compares whole days")


def _call(text: str) -> _Call:
    """Read one call as Python reads it, without running it."""
    if len(text) > MAX_CALL:
        raise ForeignSql("a reference in {{ }} is too long")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise ForeignSql(f"{{{{ {text} }}}} cannot be read") from fault
    match tree:
        case ast.Call(func=ast.Attribute(value=inner, attr="grain"), args=[ast.Constant(value=str(grain))]):
            call = _reference(inner, text)
            return _Call(call.kind, call.entities, call.name, grain.lower())
    return _reference(tree, text)


def _reference(tree: ast.expr, text: str) -> _Call:
    match tree:
        case ast.Call(func=ast.Name(id=kind), args=args, keywords=keywords) if kind in (
            "Dimension",
            "TimeDimension",
            "Entity",
        ):
            words = [
                arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            ]
            named = {word.arg: word.value for word in keywords}
            path = _texts(named.pop("entity_path", None))
            if len(words) == len(args) and 1 <= len(words) <= 2 and not named and path is not None:
                *entities, name = words[0].split("__")
                grain = words[1].lower() if len(words) == 2 else ""
                return _Call(kind, (*path, *entities), name, grain)
    raise ForeignSql(f"{{{{ {text} }}}} is neither a dimension nor an entity")


def _texts(tree: ast.expr | None) -> tuple[str, ...] | None:
    if tree is None:
        return ()
    if not isinstance(tree, ast.List | ast.Tuple):
        return None
    found = [
        each.value for each in tree.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    return tuple(found) if len(found) == len(tree.elts) else None
