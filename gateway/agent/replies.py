"""What a model replies, read: strict JSON, and the shapes that a plan, a statement and a text come in."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Annotated, Literal, Never, TypeVar

from pydantic import BaseModel, Field

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from metric_layer.validate import plain, pointer_text, read_value

MOST_CHARACTERS = 65_536
MOST_STEPS = 50
StepId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,19}$")]
S = TypeVar("S", bound=BaseModel)


class NotJson(Exception):
    """A reply that is no JSON object. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Uses(Record):
    """A filter of a later step by what an earlier one found: the values of one of its columns."""

    field: Annotated[str, Field(max_length=200)]
    op: Literal["in", "not_in"] = "in"
    step: StepId
    column: Annotated[str, Field(max_length=200)]


class StepReply(Record):
    """One query of a plan. `decides` says that its result decides how the plan goes on."""

    id: StepId
    plan: MetricPlan
    uses: Annotated[tuple[Uses, ...], Field(max_length=10)] = ()
    decides: bool = False


class PlanReply(Record):
    """A whole plan, or what is missing for one."""

    steps: Annotated[tuple[StepReply, ...], Field(max_length=MOST_STEPS)] = ()
    missing: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=20)] = ()


class SqlReply(Record):
    """One statement, or what is missing for one."""

    sql: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""
    missing: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=20)] = ()


class TextReply(Record):
    """The words of an answer."""

    text: Annotated[str, Field(min_length=1, max_length=8_000)]


def read_object(text: str) -> Mapping[str, object]:
    """Read a reply as one JSON object. Raises NotJson.

    Keys without a value are left out: schemas of strict endpoints demand every key.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotJson("too_long", f"The reply is longer than {MOST_CHARACTERS:,} characters.")
    try:
        found = json.loads(
            text, parse_float=Decimal, parse_constant=_no_number, object_pairs_hook=_without_doubles
        )
    except (ValueError, RecursionError) as fault:
        raise NotJson("not_json", "The reply is no JSON.") from fault
    if not isinstance(found, dict):
        raise NotJson("not_an_object", "The reply is no JSON object.")
    return found


def read_shape(found: Mapping[str, object], shape: type[S]) -> S | tuple[Issue, ...]:
    """Return a reply in its shape, or every part of it that does not fit."""
    read = read_value(plain(dict(found)), partial(shape.model_validate, strict=True), shape)
    if isinstance(read, shape):
        return read
    assert isinstance(read, list)
    return tuple(
        Issue(
            code=problem.code,
            message=problem.message,
            path=pointer_text(problem.pointer),
            seen=problem.seen[:200],
            candidates=problem.candidates,
            next_step=problem.next_step,
        )
        for problem in read
    )


def schema_of(
    shape: type[BaseModel], metrics: Sequence[str] = (), dimensions: Sequence[str] = ()
) -> Mapping[str, object]:
    """Return the JSON Schema of a shape; a plan in it may name these metrics and dimensions only."""
    schema = shape.model_json_schema(by_alias=True)
    parts = schema.get("$defs", {})
    plan = parts.get("MetricPlan", {}).get("properties", {})
    plan.pop("dialect", None)
    if metrics:
        _only(plan["metrics"]["items"], metrics)
        _only(parts["MetricFilter"]["properties"]["metric"], metrics)
    if dimensions:
        _only(plan["dimensions"]["items"], dimensions)
        _only(parts["Filter"]["properties"]["field"], dimensions)
        _only(parts["Uses"]["properties"]["field"], dimensions)
    return schema


def _only(place: dict[str, object], names: Sequence[str]) -> None:
    """Narrow a text of a schema to some names."""
    place.clear()
    place.update({"type": "string", "enum": list(names)})


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return {name: value for name, value in found.items() if value is not None}


def _no_number(text: str) -> Never:
    raise ValueError(f"{text} is no number of JSON")
