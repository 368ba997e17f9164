"""Cube's rolling windows and time shifts -> windows and offsets."""

from metric_layer.interchange.composite import Payload
from metric_layer.interchange.dbt_inputs import UNITS
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

UNBOUNDED = "unbounded"


def window_of(part: Part) -> Payload | None:
    """Return a rolling window as keys of a cumulative metric; None without one. Raises Refused."""
    window = part.part("rolling_window")
    if window is None:
        return None
    kind, trailing = window.text("type", "fixed"), window.text("trailing")
    leading, offset = window.text("leading"), window.text("offset", "end")
    if kind == "to_date":
        return {"to_date": window.text("granularity")}
    if kind != "fixed" or offset != "end" or not trailing or leading.split()[:1] not in ([], ["0"]):
        raise Refused("cube_window", seen=f"{kind} trailing {trailing} leading {leading} offset {offset}")
    return {} if trailing == UNBOUNDED else {"window": _span(trailing)}


def shift_of(part: Part) -> Payload | None:
    """Return by how much time a measure is shifted; None if it is not. Raises Refused."""
    part.skip("multi_stage")
    shifts = part.parts("time_shift")
    if not shifts:
        return None
    interval, kind = shifts[0].text("interval"), shifts[0].text("type", "prior")
    if len(shifts) > 1 or kind != "prior" or shifts[0].holds("name"):
        raise Refused("cube_multi_stage", "one shift into the past is read", interval)
    if shifts[0].holds("time_dimension"):
        part.lose("cube_shift_field", part.text("name"), shifts[0].text("time_dimension"))
    return _span(interval)


def _span(text: str) -> Payload:
    words = text.lower().split()
    count, unit = (words[0], words[1].removesuffix("s")) if len(words) == 2 else ("", "")
    if unit not in UNITS or not count.isdigit():
        raise Refused("cube_window", seen=text)
    return {"count": int(count), "unit": unit}
