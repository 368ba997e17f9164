"""Cube's views: their other names become synonyms, or dimensions that name their path."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from metric_layer.interchange.cube_graph import CubeGraph, Member
from metric_layer.interchange.cube_models import Cube
from metric_layer.interchange.reading import Part


@dataclass(frozen=True, slots=True)
class Shown:
    """A member that a view shows under another name, over a path of cubes."""

    cube: Cube
    member: str
    name: str
    path: tuple[str, ...]
    part: Part = field(repr=False)


def read_views(views: list[Part], cubes: dict[str, Cube]) -> tuple[Shown, ...]:
    """Return what views show under another name; what else they say is reported."""
    found: list[Shown] = []
    for view in views:
        name = view.text("name")
        view.skip("title", "description", "public", "folders", "meta")
        if view.holds("extends"):
            view.refuse("cube_extends", name, view.text("extends"))
            continue
        view.lose("cube_view", name)
        if view.holds("access_policy"):
            view.lose("cube_access_policy", name, at="access_policy")
            view.raw("access_policy")
        for entry in view.parts("cubes"):
            found += _entry(entry, name, cubes)
    return tuple(found)


def synonyms_by_member(shown: tuple[Shown, ...]) -> dict[Member, tuple[str, ...]]:
    """Return the other names of members that are shown without a path, or that are measures."""
    found: dict[Member, tuple[str, ...]] = {}
    for each in shown:
        if len(each.path) == 1 or each.member not in each.cube.dimensions:
            key = (each.cube.name, each.member)
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), each.name)))
    return found


def add_paths(shown: tuple[Shown, ...], graph: CubeGraph) -> None:
    """Add a dimension for each one that a view shows under another name over a path."""
    for each in shown:
        dimension = each.cube.dimensions.get(each.member)
        if len(each.path) == 1 or dimension is None or (each.cube.name, each.member) not in graph.dimensions:
            continue
        path = graph.walk(each.path)
        if path is None:
            each.part.lose("cube_view_path", each.name, ".".join(each.path))
            continue
        payload = {
            "name": graph.names.give("asked", each.name),
            "dataset": each.cube.dataset,
            "column": dimension.column,
            "description": dimension.description,
            "via": tuple(edge.name for edge in path),
        }
        graph.gathered.add("dimensions", payload, each.part.place())


def _entry(entry: Part, view: str, cubes: dict[str, Cube]) -> Iterator[Shown]:
    path = tuple(entry.text("join_path").split("."))
    prefix = f"{entry.text('alias') or path[-1]}_" if entry.flag("prefix") else ""
    cube = cubes.get(path[-1])
    if cube is None:
        entry.refuse("cube_view_path", view, ".".join(path))
        return
    excluded = set(entry.texts("excludes"))
    for member, name, part in _included(entry, cube):
        shown = f"{prefix}{name}"
        if member not in excluded and shown != member:
            yield Shown(cube, member, shown, path, part)


def _included(entry: Part, cube: Cube) -> Iterator[tuple[str, str, Part]]:
    value = entry.peek("includes")
    if value == "*" or value is None:
        entry.raw("includes")
        members = (*cube.dimensions, *(str(part.peek("name")) for part in cube.measures))
        yield from ((member, member, entry) for member in members)
        return
    words = entry.raw("includes")
    for index, item in enumerate(words if isinstance(words, tuple) else ()):
        if isinstance(item, str):
            yield item, item, entry
        elif isinstance(item, dict):
            part = entry.child("includes", index)
            part.skip("title", "description", "format", "meta")
            name = part.text("name")
            yield name, part.text("alias") or name, part
