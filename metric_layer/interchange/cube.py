"""Cube's YAML data model -> definitions."""

from collections.abc import Sequence

from metric_layer.interchange.column_types import ColumnTypes
from metric_layer.interchange.composite import Composites
from metric_layer.interchange.cube_graph import CubeGraph
from metric_layer.interchange.cube_measures import CubeMeasures
from metric_layer.interchange.cube_models import Cube, read_cube
from metric_layer.interchange.cube_views import add_paths, read_views, synonyms_by_member
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.losses import Losses
from metric_layer.interchange.names import Names
from metric_layer.interchange.reading import ForeignUnreadable, top_of
from metric_layer.issues import Issue
from metric_layer.source import Source


def read_cube_model(sources: Sequence[Source], losses: Losses) -> Gathered:
    """Read files of cubes and views as one data model. Raises ForeignUnreadable."""
    tops = [top_of(source, losses, "Cube") for source in sources]
    if not any(top.holds("cubes") or top.holds("views") for top in tops):
        raise ForeignUnreadable(
            Issue(
                code="wrong_document",
                message="There are neither cubes nor views.",
                place=tops[0].place(),
                next_step="Name a YAML file of Cube's data model, or its folder.",
            )
        )
    gathered, names, types = Gathered(losses), Names(), ColumnTypes()
    cubes: dict[str, Cube] = {}
    for part in (part for top in tops for part in top.named("cubes")):
        name = part.text("name")
        if name in cubes:
            part.refuse("repeated", name)
            continue
        found = read_cube(part, names.give("datasets", name))
        if found is not None:
            cubes[name] = found
    shown = read_views([part for top in tops for part in top.named("views")], cubes)
    synonyms = synonyms_by_member(shown)
    graph = CubeGraph(list(cubes.values()), gathered, names, types)
    measures = CubeMeasures(graph, Composites(gathered, names), synonyms)
    graph.build(synonyms)
    measures.build()
    add_paths(shown, graph)
    types.settle(losses)
    graph.add_datasets()
    return gathered
