"""From a fact to a dimension: the one declared path, or why there is none, or the paths to choose between."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from metric_layer.definitions import Dimension
from metric_layer.issues import Option
from metric_layer.layer import Layer
from metric_layer.resolved import Hop
from metric_layer.visible import Visible

Path = tuple[Hop, ...]
MAX_HOPS = 8
MAX_PATHS = 8


@dataclass(frozen=True, slots=True)
class NoPath:
    """Why a dimension cannot be reached: `walk` is the to-many way that exists, if any."""

    reason: Literal["unreachable", "to_many", "many_to_many"]
    walk: Path = ()


@dataclass(frozen=True, slots=True)
class ManyPaths:
    """Several paths lead to a dimension; each option names the relationship that sets its path apart."""

    options: tuple[Option, ...]


def find_path(
    layer: Layer, start: str, dimension: Dimension, visible: Visible, choice: str = ""
) -> Path | NoPath | ManyPaths:
    """Find the one path from a fact to a dimension that meets at most one row at each step."""
    if dimension.dataset == start and not dimension.via:
        return ()
    found = list(_chosen(_to_one_paths(layer, start, dimension, visible), choice))
    if len(found) == 1:
        return found[0]
    if found:
        return ManyPaths(options_of(found))
    return _explain(layer, start, dimension, visible)


def find_filter_path(
    layer: Layer, start: str, dimension: Dimension, visible: Visible, choice: str = ""
) -> Path | NoPath | ManyPaths:
    """Like `find_path`, but a filter may also look into the rows that belong to each row of the fact."""
    found = find_path(layer, start, dimension, visible, choice)
    if not isinstance(found, NoPath) or found.reason != "to_many":
        return found
    walks = list(_chosen(_child_paths(layer, start, dimension, visible), choice))
    return walks[0] if len(walks) == 1 else ManyPaths(options_of(walks)) if walks else found


def options_of(paths: list[Path]) -> tuple[Option, ...]:
    """Return one option per path, named by a relationship that only this path walks where there is one."""
    names = [_edges(path) for path in paths]
    options: list[Option] = []
    for index, path in enumerate(paths):
        others = {edge for other, edges in enumerate(names) if other != index for edge in edges}
        own = [edge for edge in names[index] if edge not in others]
        options.append(Option(name=own[0] if own else "+".join(names[index]), description=words_of(path)))
    return tuple(sorted(options, key=lambda option: option.name))


def words_of(path: Path) -> str:
    """Return a path in words: `order_lines to orders (line_order), orders to customers (order_customer)`."""
    steps = [
        f"{hop.from_dataset} to {'many ' if hop.to_many else ''}{hop.to_dataset} ({hop.relationship})"
        for hop in path
    ]
    return ", ".join(steps)


def _edges(path: Path) -> tuple[str, ...]:
    return tuple(hop.relationship for hop in path)


def _chosen(paths: Iterator[Path], choice: str) -> list[Path]:
    """Keep the paths a choice names; a choice that names none of them settles nothing."""
    found = list(paths)
    if len(found) < 2 or not choice:
        return found
    kept = [path for path in found if "+".join(_edges(path)) == choice]
    return kept or [path for path in found if choice in _edges(path)] or found


def _to_one_paths(layer: Layer, start: str, dimension: Dimension, visible: Visible) -> Iterator[Path]:
    if not dimension.via:
        yield from _walks(layer, start, dimension.dataset, visible)
        return
    tail = _tail(layer, dimension)
    if not all(visible.dataset(hop.to_dataset) for hop in tail) or any(hop.to_many for hop in tail):
        return
    whole = [(*head, *tail) for head in _walks(layer, start, tail[0].from_dataset, visible)]
    inside = [tail[index + 1 :] for index, hop in enumerate(tail) if hop.to_dataset == start]
    yield from whole or inside[:1]


def _tail(layer: Layer, dimension: Dimension) -> Path:
    """Return the hops of a dimension's `via`; rules.py has shown that they follow each other."""
    edges = [layer.relationships[name] for name in dimension.via]
    return tuple(
        next(
            hop for hop in layer.hops[edge.from_dataset] if hop.relationship == edge.name and not hop.to_many
        )
        for edge in edges
    )


def _walks(layer: Layer, start: str, target: str, visible: Visible) -> Iterator[Path]:
    """Yield at most MAX_PATHS simple walks over to-one steps."""
    sources = layer.to_one_sources[target]
    waiting: list[tuple[str, Path]] = [(start, ())]
    found = 0
    while waiting and found < MAX_PATHS:
        here, path = waiting.pop()
        if here == target:
            found += 1
            yield path
            continue
        steps = [
            hop
            for hop in _steps(layer, start, path, visible)
            if not hop.to_many and hop.to_dataset in sources
        ]
        waiting.extend((hop.to_dataset, (*path, hop)) for hop in reversed(steps))


def _child_paths(layer: Layer, start: str, dimension: Dimension, visible: Visible) -> Iterator[Path]:
    """Yield walks down to the rows that belong to the fact's, then over to-one steps to the dimension."""
    sources = layer.to_one_sources[dimension.dataset]
    waiting: list[Path] = [()]
    found = 0
    while waiting and found < MAX_PATHS:
        path = waiting.pop()
        passed = {start, *(hop.to_dataset for hop in path)}
        for rest in _to_one_paths(layer, path[-1].to_dataset, dimension, visible) if path else ():
            if not passed & {step.to_dataset for step in rest}:
                found += 1
                yield (*path, *rest)
        steps = [
            hop
            for hop in _steps(layer, start, path, visible)
            if hop.to_many and sources & layer.to_one_sources[hop.to_dataset]
        ]
        waiting.extend((*path, hop) for hop in reversed(steps))


def _steps(layer: Layer, start: str, path: Path, visible: Visible) -> list[Hop]:
    """Return the hops a walk may take next without meeting a dataset again or one that is hidden."""
    if len(path) >= MAX_HOPS:
        return []
    here = path[-1].to_dataset if path else start
    passed = {start, *(hop.to_dataset for hop in path)}
    return [
        hop for hop in layer.hops[here] if hop.to_dataset not in passed and visible.dataset(hop.to_dataset)
    ]


def _explain(layer: Layer, start: str, dimension: Dimension, visible: Visible) -> NoPath:
    """Say what kind of way exists where no to-one path does."""
    down = next(_child_paths(layer, start, dimension, visible), None)
    if down is not None:
        return NoPath("to_many", down)
    if dimension.via:
        return NoPath("unreachable")
    across = _any_walk(layer, start, dimension.dataset, visible)
    return NoPath("many_to_many", across) if across else NoPath("unreachable")


def _any_walk(layer: Layer, start: str, target: str, visible: Visible) -> Path:
    """Return a shortest walk over any steps, or an empty one."""
    came: dict[str, Path] = {start: ()}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        for hop in layer.hops[here]:
            if hop.to_dataset not in came and visible.dataset(hop.to_dataset):
                came[hop.to_dataset] = (*came[here], hop)
                waiting.append(hop.to_dataset)
    return came.get(target, ())


def reachable_dimensions(layer: Layer, start: str, visible: Visible) -> tuple[str, ...]:
    """Return the visible dimensions a fact can be grouped by without a choice."""
    return tuple(
        name
        for name, dimension in layer.dimensions.items()
        if visible.dimension(dimension)
        and start in layer.to_one_sources[dimension.dataset]
        and isinstance(find_path(layer, start, dimension, visible), tuple)
    )
