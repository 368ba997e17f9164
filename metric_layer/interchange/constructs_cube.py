"""What becomes of each thing that Cube's YAML can say."""

from collections.abc import Mapping

from metric_layer.interchange.construct import AS_COLUMN, AS_VIEW, Construct, Kept

CUBE: Mapping[str, Construct] = {
    "cube_extends": Construct(
        "Cube", "extends", "error", "Left out: what it inherits is not read", "Write it out."
    ),
    "cube_query": Construct(
        "Cube", "a cube on a query or a template", "error", "The cube is left out", AS_VIEW
    ),
    "cube_empty": Construct("Cube", "a cube without any column", "degraded", "The cube is left out"),
    "cube_data_source": Construct("Cube", "data_source", "degraded", "A project here has one database"),
    "cube_segment": Construct(
        "Cube", "segments", "degraded", "It is not imported", "Write it as a filtered metric."
    ),
    "cube_pre_aggregations": Construct(
        "Cube", "pre_aggregations", "info", "They change no number and are not kept"
    ),
    "cube_access_policy": Construct(
        "Cube",
        "access_policy",
        "error",
        "Nobody is kept from these rows and members by the import",
        "Say in policies/ who may see what before you certify.",
    ),
    "cube_granularities": Construct("Cube", "granularities of your own", "degraded", "They are not kept"),
    "cube_dimension": Construct(
        "Cube",
        "geo, switch, sub_query and case dimensions",
        "error",
        "A dimension is a column; this is none",
        AS_COLUMN,
    ),
    "cube_computed_dimension": Construct(
        "Cube", "a dimension computed by SQL", "error", "A dimension is a column; this is none", AS_COLUMN
    ),
    "cube_not_public": Construct(
        "Cube", "a dimension with public: false", "info", "It is a column, but no dimension"
    ),
    "cube_private": Construct(
        "Cube",
        "a cube or a measure with public: false",
        "degraded",
        "It is visible here",
        "Leave it out of the metrics of each role.",
    ),
    "cube_join": Construct(
        "Cube", "a join that is not made of equal columns", "error", "The relationship is left out"
    ),
    "cube_measure_type": Construct(
        "Cube", "measures of type string, time, boolean and rank", "error", "Left out: a metric is a number"
    ),
    "cube_multi_stage": Construct(
        "Cube",
        "multi-stage measures but for one shift back in time",
        "error",
        "Left out: it has no counterpart",
    ),
    "cube_calculated_filter": Construct(
        "Cube",
        "filters and windows on calculated measures",
        "error",
        "Left out: restrict the measures it is made of",
    ),
    "cube_other_cube": Construct(
        "Cube",
        "SQL of a measure over another cube's columns",
        "error",
        "Left out: an aggregate reads one dataset",
    ),
    "cube_window": Construct(
        "Cube",
        "windows that lead, start early or are below a day",
        "error",
        "Left out: its window has no counterpart",
    ),
    "cube_shift_field": Construct(
        "Cube", "the time dimension of a shift", "degraded", "The question's own time field is shifted"
    ),
    "cube_format": Construct(
        "Cube", "formats other than percent, currency and number", "degraded", "It is not kept"
    ),
    "cube_view": Construct(
        "Cube",
        "views",
        "info",
        "Its members are asked directly; other names became synonyms, paths became dimensions",
    ),
    "cube_view_path": Construct(
        "Cube", "a path of a view that the joins do not have", "degraded", "Its other names are not kept"
    ),
}

KEPT: tuple[Kept, ...] = (
    Kept("Cube", "cubes on a table, with title and description", "datasets"),
    Kept("Cube", "joins of equal columns, in either direction", "relationships"),
    Kept("Cube", "dimensions that are columns, primary keys", "columns, keys, dimensions"),
    Kept("Cube", "hierarchies", "`hierarchies`"),
    Kept("Cube", "count, sum, avg, min, max, count_distinct, count_distinct_approx", "aggregates"),
    Kept(
        "Cube",
        "filters of a measure",
        "`filters`; over own columns that are no dimension, CASE in the expression",
    ),
    Kept("Cube", "number: arithmetic over measures, or over aggregates", "`ratio` or `derived`"),
    Kept("Cube", "rolling_window: trailing, unbounded, to_date; running_total", "`cumulative`"),
    Kept("Cube", "multi-stage with one time_shift back", "`period_over_period`"),
    Kept("Cube", "other names of a view's members", "`synonyms`; over a path, a dimension with `via`"),
)
