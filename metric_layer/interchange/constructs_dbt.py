"""What becomes of each thing that a dbt semantic manifest can say."""

from collections.abc import Mapping

from metric_layer.interchange.construct import AS_COLUMN, Construct, Kept

DBT: Mapping[str, Construct] = {
    "dbt_natural_entity": Construct(
        "dbt", "natural entities", "error", "A key that holds for a time only is not joined on"
    ),
    "dbt_validity": Construct(
        "dbt",
        "validity windows of a dimension",
        "error",
        "Rows that replace each other over time have no place here",
    ),
    "dbt_expression_entity": Construct(
        "dbt", "an entity computed by SQL", "error", "A join compares columns; this is none", AS_COLUMN
    ),
    "dbt_expression_dimension": Construct(
        "dbt", "a dimension computed by SQL", "error", "A dimension is a column; this is none", AS_COLUMN
    ),
    "dbt_partition_join": Construct(
        "dbt", "a join of two partitioned models", "error", "The relationship is left out"
    ),
    "dbt_empty_model": Construct(
        "dbt",
        "a semantic model without any column",
        "degraded",
        "The model is left out: nothing in it can be asked",
    ),
    "dbt_unknown_aggregation": Construct(
        "dbt", "an aggregation dbt does not document", "error", "Left out: its aggregation is not known"
    ),
    "dbt_unknown_type": Construct(
        "dbt", "a metric type dbt does not document", "error", "Left out: its type is not known"
    ),
    "dbt_unknown_measure": Construct(
        "dbt", "a measure that is not declared", "error", "Left out: it names no measure of the file"
    ),
    "dbt_unknown_metric": Construct(
        "dbt", "a metric that is not declared", "error", "Left out: it names no metric of the file"
    ),
    "dbt_unknown_model": Construct(
        "dbt", "a semantic model that is not declared", "error", "Left out: it names no model of the file"
    ),
    "dbt_unresolved": Construct(
        "dbt",
        "an entity path that leads nowhere or two ways",
        "error",
        "Left out: a path in it has no one end",
    ),
    "dbt_percentile": Construct(
        "dbt",
        "continuous percentiles other than the median",
        "error",
        "Left out: its percentile has no counterpart",
    ),
    "dbt_approximate_percentile": Construct(
        "dbt", "approximate percentiles", "degraded", "It is computed exactly, where the engine can"
    ),
    "dbt_window_choice": Construct(
        "dbt", "a window choice other than min and max", "error", "Left out: it picks no moment that is known"
    ),
    "dbt_custom_granularity": Construct(
        "dbt",
        "granularities of your own",
        "error",
        "Left out: its granularity is your own",
        "Use a calendar table.",
    ),
    "dbt_window": Construct(
        "dbt",
        "windows and offsets below a day",
        "error",
        "Left out: its length of time is no whole number of days",
    ),
    "dbt_offset_to_grain": Construct(
        "dbt", "offset_to_grain", "error", "Left out: the value at the start of a period has no counterpart"
    ),
    "dbt_fill_value": Construct(
        "dbt", "fill_nulls_with a number other than 0", "error", "Left out: only 0 stands in for nothing here"
    ),
    "dbt_time_spine": Construct(
        "dbt",
        "join_to_timespine",
        "degraded",
        "Periods without rows are added by the question, not by the metric",
        "Ask with time.fill.",
    ),
    "dbt_period_agg": Construct(
        "dbt",
        "a cumulative metric whose periods show their first or average day",
        "degraded",
        "It may be asked at its own granularity only: coarser periods would show their last day here",
    ),
    "dbt_conversion": Construct(
        "dbt",
        "conversion metrics",
        "degraded",
        "Each base event that is followed counts once; dbt counts each conversion with the base before it",
    ),
    "dbt_conversion_filter": Construct(
        "dbt", "a filter around a conversion metric", "error", "Left out: filter the base event instead"
    ),
    "dbt_constant_property": Construct(
        "dbt",
        "constant properties of different names",
        "error",
        "Left out: both events need one shared dimension",
    ),
    "dbt_unused_measure": Construct(
        "dbt", "a measure that no metric uses", "info", "It is not imported: nobody can ask it in dbt either"
    ),
    "dbt_private": Construct(
        "dbt", "is_private", "degraded", "It is visible here", "Leave it out of the metrics of each role."
    ),
    "dbt_default_grain": Construct(
        "dbt", "the default time_granularity of a metric", "degraded", "A question names its grain here"
    ),
    "dbt_saved_query": Construct(
        "dbt", "saved queries and exports", "degraded", "It is not imported", "Write it as a plan."
    ),
}

KEPT: tuple[Kept, ...] = (
    Kept("dbt", "semantic models, with description and relation", "datasets"),
    Kept("dbt", "entities: primary, unique and foreign", "keys, and relationships along equal entities"),
    Kept("dbt", "several entities between two models", "relationships with roles, dimensions with `via`"),
    Kept("dbt", "categorical and time dimensions that are columns", "dimensions"),
    Kept("dbt", "the granularity of a metric's time", "its time field and the grains it allows"),
    Kept("dbt", "measures, and simple metrics of the newer layout", "aggregates"),
    Kept("dbt", "sum_boolean", "a sum over CASE, empty where the condition is empty"),
    Kept("dbt", "discrete percentiles, and the continuous median", "`percentile`, `median`"),
    Kept(
        "dbt", "non_additive_dimension with window groupings", "`snapshot`: first or last, per each grouping"
    ),
    Kept("dbt", "filters of comparisons, lists, ranges and truths, joined by AND", "`filters`"),
    Kept("dbt", "`<>` and NOT IN, which leave empty values out", "`ne` or `not_in` with `not_null`"),
    Kept("dbt", "fill_nulls_with: 0", "`null_as_zero`"),
    Kept(
        "dbt",
        "ratio and derived metrics, with aliases and filters of their inputs",
        "`ratio`, `derived`, `filtered`",
    ),
    Kept("dbt", "offset_window", "`period_over_period`"),
    Kept("dbt", "cumulative metrics: window, grain_to_date, all time", "`cumulative`"),
    Kept("dbt", "conversion metrics: entity, window, calculation, constant properties", "`conversion`"),
    Kept("dbt", "config.meta.owner", "`owner`"),
)
