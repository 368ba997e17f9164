"""Records in which every field says something, whatever fields there come to be."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from metric_layer.plan import MetricPlan
from tests.traces.samples import NOON

RecordT = TypeVar("RecordT", bound=BaseModel)
_PLAIN: Mapping[type, Any] = {
    str: "text",
    int: 3,
    float: 2.5,
    bool: True,
    Decimal: Decimal("4.25"),
    datetime: NOON,
    date: NOON.date(),
}
_PLAN = MetricPlan.model_validate(
    {
        "metrics": ["net_revenue"],
        "dimensions": ["region"],
        "filters": [{"field": "region", "op": "in", "values": ["north", "south"]}],
        "time": {"field": "order_date", "from": "2026-01-01", "to": "2026-03-31", "grain": "month"},
        "order": {"by": "net_revenue", "dir": "desc"},
        "limit": 5,
    }
)


def complete(kind: type[RecordT], **known: object) -> RecordT:
    """Return a record of a kind whose every field is filled, those of its parts included."""
    values: dict[str, Any] = {
        name: known[name] if name in known else _value(field.annotation)
        for name, field in kind.model_fields.items()
    }
    return kind.model_construct(**values)


def _value(annotation: Any) -> Any:
    found = get_origin(annotation)
    inner = get_args(annotation)
    if found is Annotated:
        return _value(inner[0])
    if found in (Union, UnionType):
        return _value(next(each for each in inner if each is not NoneType))
    if found is Literal:
        return inner[-1]
    if found is tuple:
        return (_value(inner[0]),) if inner[-1] is Ellipsis else tuple(map(_value, inner))
    if found is not None:
        return {"key": _value(inner[1])}
    if annotation is MetricPlan:
        return _PLAN
    return complete(annotation) if annotation not in _PLAIN else _PLAIN[annotation]
