"""What becomes of each thing that an Apache Ossie document can say."""

from collections.abc import Mapping

from metric_layer.interchange.construct import AS_COLUMN, AS_VIEW, Construct, Kept

OSSIE: Mapping[str, Construct] = {
    "ossie_query": Construct("Ossie", "a dataset on a query", "error", "The dataset is left out", AS_VIEW),
    "ossie_no_fields": Construct("Ossie", "a dataset without fields", "error", "The dataset is left out"),
    "ossie_datatype": Construct(
        "Ossie", "Time and Opaque fields", "error", "A column of this type has no place here"
    ),
    "ossie_computed_dimension": Construct(
        "Ossie", "a dimension computed by SQL", "error", "A dimension is a column; this is none", AS_COLUMN
    ),
    "ossie_computed_field": Construct(
        "Ossie",
        "a field computed from computed fields",
        "error",
        "Left out, for what its SQL says",
        AS_COLUMN,
    ),
    "ossie_time_part": Construct(
        "Ossie",
        "is_time on a field that is no date",
        "degraded",
        "It is grouped by as it is; it is no time field",
    ),
    "ossie_dialect": Construct(
        "Ossie",
        "an expression in MDX, DAX, MAQL, Tableau, Sigma or ThoughtSpot only",
        "error",
        "No SQL is given for it",
    ),
    "ossie_other_sql": Construct(
        "Ossie", "an expression without ANSI SQL", "degraded", "The SQL of one database was read"
    ),
    "ossie_other_dialects": Construct(
        "Ossie", "more than one dialect of an expression", "info", "The other dialects are not kept"
    ),
    "ossie_ai_context": Construct(
        "Ossie", "AI context but for synonyms", "degraded", "There is no place for this text"
    ),
    "ossie_synonyms": Construct(
        "Ossie",
        "synonyms of models, datasets, relationships and plain fields",
        "degraded",
        "There is no place for these",
    ),
    "ossie_extension": Construct("Ossie", "extensions of other vendors", "degraded", "It is not read"),
    "ossie_count_dataset": Construct(
        "Ossie",
        "COUNT(*) where there are several datasets",
        "error",
        "Left out: it does not say which rows",
        "",
    ),
    "ossie_unknown_column": Construct(
        "Ossie",
        "a column of no dataset, or of several",
        "error",
        "Left out: a column in it has no one dataset",
    ),
    "ossie_several_datasets": Construct(
        "Ossie",
        "an aggregate over columns of several datasets",
        "error",
        "Left out: an aggregate reads one dataset",
    ),
    "ossie_bad_extension": Construct(
        "Ossie", "our own extension, damaged or of a newer version", "error", "The extension cannot be read"
    ),
    "ossie_no_extension": Construct(
        "Ossie", "an addition by hand to what was exported here", "error", "Left out: it lacks the extension"
    ),
    "ossie_unknown_requirement": Construct(
        "Ossie",
        "a requirement that this version does not know",
        "error",
        "Left out: it needs a newer version",
    ),
    "ossie_edited": Construct(
        "Ossie",
        "a change by hand beside our own extension",
        "error",
        "Left out: the document and its extension say two things",
        "Change the definitions and export again.",
    ),
    "ossie_policies": Construct(
        "Ossie",
        "policies of the project that exported",
        "degraded",
        "They are not imported: they are data of another project",
        "Say in policies/ who may see what.",
    ),
}

KEPT: tuple[Kept, ...] = (
    Kept(
        "Ossie",
        "documents wrapped (0.1.x and early 0.2.0.dev0) and flat (0.2.0.dev0)",
        "one set of definitions",
    ),
    Kept("Ossie", "datasets on a table, primary and unique keys", "datasets"),
    Kept(
        "Ossie",
        "fields that are columns, with their datatype",
        "columns; dimensions where they are marked so",
    ),
    Kept("Ossie", "fields computed by SQL", "their SQL, inside the metrics that use them"),
    Kept("Ossie", "relationships", "relationships"),
    Kept("Ossie", "a metric that is one aggregate over one dataset", "an aggregate"),
    Kept("Ossie", "arithmetic over aggregates", "`ratio` or `derived` over one metric per aggregate"),
    Kept("Ossie", "COALESCE(aggregate, 0)", "`null_as_zero`"),
    Kept("Ossie", "synonyms of metrics and dimensions", "`synonyms`"),
    Kept("Ossie", "a document exported here", "every definition exactly as it was"),
)
