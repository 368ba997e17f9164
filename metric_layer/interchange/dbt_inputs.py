"""What a dbt metric is made of: inputs by name, with filter, alias and offset; windows such as `7 days`."""

from dataclasses import dataclass, field

from metric_layer.interchange.dbt_filters import where_texts
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

UNITS = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True)
class Input:
    """A metric or measure that another one uses."""

    name: str
    alias: str = ""
    filters: tuple[str, ...] = ()
    offset: dict[str, object] | None = None
    to_grain: str = ""
    part: Part | None = field(default=None, repr=False)


def input_of(part: Part, key: str) -> Input | None:
    """Return one input, written as a name or as a mapping; None where there is none."""
    if not part.holds(key):
        return None
    if isinstance(part.peek(key), str):
        return Input(part.text(key))
    found = part.part(key)
    return _read(found) if found is not None else None


def inputs_of(part: Part, key: str) -> tuple[Input, ...]:
    """Return a list of inputs."""
    value = part.peek(key)
    if isinstance(value, tuple) and all(isinstance(item, str) for item in value):
        return tuple(Input(name) for name in part.texts(key))
    return tuple(_read(each) for each in part.parts(key))


def _read(part: Part) -> Input:
    return Input(
        name=part.text("name"),
        alias=part.text("alias"),
        filters=where_texts(part, "filter"),
        offset=span_of(part, "offset_window"),
        to_grain=part.text("offset_to_grain"),
        part=part,
    )


def span_of(part: Part, key: str) -> dict[str, object] | None:
    """Return a length of time, written as `7 days` or as count and granularity. Raises Refused."""
    if not part.holds(key):
        return None
    if isinstance(part.peek(key), str):
        words = part.text(key).lower().split()
        count, unit = words if len(words) == 2 else ("", "")
    else:
        found = part.part(key)
        count, unit = (found.text("count"), found.text("granularity").lower()) if found else ("", "")
    unit = unit.removesuffix("s")
    if unit not in UNITS or not count.isdigit():
        raise Refused("dbt_window", seen=part.peek(key))
    return {"count": int(count), "unit": unit}
