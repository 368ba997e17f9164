"""dbt's `semantic_manifest.json` -> definitions."""

from metric_layer.interchange.column_types import ColumnTypes
from metric_layer.interchange.dbt_graph import DbtGraph
from metric_layer.interchange.dbt_metrics import DbtMetrics
from metric_layer.interchange.dbt_models import read_model
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.losses import Losses
from metric_layer.interchange.names import Names
from metric_layer.interchange.reading import ForeignUnreadable, Part, top_of
from metric_layer.issues import Issue
from metric_layer.source import Source


def read_dbt(source: Source, losses: Losses) -> Gathered:
    """Read a semantic manifest in the layout with measures or in the newer one. Raises ForeignUnreadable."""
    top = top_of(source, losses, "dbt")
    if not top.holds("semantic_models"):
        raise ForeignUnreadable(
            Issue(
                code="wrong_document",
                message="The file has no semantic_models.",
                place=top.place(),
                next_step="Name dbt's target/semantic_manifest.json.",
            )
        )
    gathered, names, types = Gathered(losses), Names(), ColumnTypes()
    top.skip("metadata")
    graph = DbtGraph([read_model(part) for part in top.named("semantic_models")], gathered, names, types)
    metrics = DbtMetrics(graph, gathered, names, top.named("metrics"))
    graph.build()
    metrics.build()
    types.settle(losses)
    graph.add_datasets()
    for query in top.parts("saved_queries"):
        query.refuse("dbt_saved_query", query.text("name"))
    _project(top.part("project_configuration"))
    return gathered


def _project(part: Part | None) -> None:
    if part is None:
        return
    part.skip("dsi_package_version", "time_spine_table_configurations", "metadata")
    for spine in part.parts("time_spines"):
        spine.skip("node_relation", "primary_column")
        for grain in spine.parts("custom_granularities"):
            grain.refuse("dbt_custom_granularity", grain.text("name"))
