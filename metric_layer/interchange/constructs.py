"""The table of constructs of every format; code and page read the same rows."""

from collections.abc import Mapping

from metric_layer.interchange import constructs_cube, constructs_dbt, constructs_ossie
from metric_layer.interchange.construct import STATE_TYPE, Construct, Kept
from metric_layer.interchange.constructs_cube import CUBE
from metric_layer.interchange.constructs_dbt import DBT
from metric_layer.interchange.constructs_ossie import OSSIE

CONSTRUCTS: Mapping[str, Construct] = {
    "key_not_kept": Construct("any", "any other key", "degraded", "There is no place for this key"),
    "wrong_type": Construct(
        "any", "a value of another type than its key has", "error", "This value is not read"
    ),
    "does_not_fit": Construct(
        "any",
        "a value beyond the limits of a definition",
        "error",
        "The definition does not fit and is left out",
    ),
    "breaks_rule": Construct(
        "any", "a definition that breaks a rule of the layer", "error", "The definition is left out"
    ),
    "rests_on_draft": Construct(
        "any",
        "a metric to certify that is made of a draft",
        "degraded",
        "It stays a draft, because a part of it is one",
        "Give the part an owner.",
    ),
    "repeated": Construct("any", "a name used twice in one list", "error", "The second one is left out"),
    "name_taken": Construct(
        "any",
        "a name that the project has already",
        "error",
        "Left out: the project has a definition of this name",
        "Rename one of the two.",
    ),
    "sql_not_read": Construct(
        "any",
        "SQL beyond columns, literals, comparisons and aggregates",
        "error",
        "Left out, for what its SQL says",
    ),
    "rests_on_refused": Construct(
        "any", "a metric made of one that is left out", "error", "Left out, because a part of it is"
    ),
    "renamed": Construct(
        "any", "a name that is taken, or no name here", "info", "It has another name here, given under seen"
    ),
    "type_assumed": Construct(
        "any", "a column whose type the file does not state", "degraded", "Its type is assumed", STATE_TYPE
    ),
    "no_description": Construct(
        "any", "a metric without a description", "degraded", "A sentence was put in", "Say what it measures."
    ),
    "no_owner": Construct(
        "any", "a metric without an owner", "degraded", "It has no owner and stays a draft", "Give --owner."
    ),
    "not_certified": Construct(
        "any",
        "a certified metric",
        "info",
        "The file calls it certified; here it is a draft",
        "Read it, then import with --certify.",
    ),
    "no_time_field": Construct(
        "Ossie, Cube",
        "a metric's own clock, which these formats do not have",
        "info",
        "It has no time field of its own",
        "Name one, or name time.field in each question.",
    ),
    "meta_not_kept": Construct(
        "dbt, Cube", "meta, but for the owner", "degraded", "There is no place for this"
    ),
    **DBT,
    **OSSIE,
    **CUBE,
}
"""One row per code of a report's line."""

KEPT: tuple[Kept, ...] = (*constructs_dbt.KEPT, *constructs_ossie.KEPT, *constructs_cube.KEPT)
"""What is kept."""


def tables() -> str:
    """Return both tables as Markdown."""
    kept = (f"| {row.format} | {row.what} | {row.becomes} |" for row in KEPT)
    lost = (
        f"| {row.format} | {row.what} | {row.level} | `{code}` | {row.outcome}. {row.step}".rstrip() + " |"
        for code, row in CONSTRUCTS.items()
    )
    lines = (
        "## What is kept\n",
        "| from | construct | becomes |",
        "| --- | --- | --- |",
        *kept,
        "\n## What is not kept as it was\n",
        "| from | construct | line | code | what happens |",
        "| --- | --- | --- | --- | --- |",
        *lost,
    )
    return "\n".join(lines) + "\n"
