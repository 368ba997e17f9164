"""The one way out for a result: a reply gets its rows here, as many as policy shows and its room allows."""

from gateway.json_cells import json_rows
from gateway.reply import Reply
from metric_layer.resolved import ResolvedPlan
from policies.policy import ReadingRules
from policies.reading import Shown, show
from traces.records import Table

CUT = "policy"
SLACK = 32


def with_result(reply: Reply, table: Table, plan: ResolvedPlan | None, rules: ReadingRules) -> Reply:
    """Return the reply with what may be read of its result, at most `rules.characters` long as JSON.

    Rows give way first; then the sentence with its citations, the descriptions of the columns, the SQL. What
    is left always goes, however long: names, plan and summary.
    """
    shown = show(table, plan, rules)
    filled = _filled(reply, shown)
    if _length(filled) <= rules.characters:
        return filled
    for lighter in (_without_sentence, _without_descriptions, _without_sql):
        if _length(_filled(reply, shown.within(0))) <= rules.characters:
            break
        reply = lighter(reply)
    room = rules.characters - _length(_filled(reply, shown.within(0))) - SLACK
    return _filled(reply, shown.within(room))


def _filled(reply: Reply, shown: Shown) -> Reply:
    table = shown.table
    rows = f"{len(shown.numbers)} of {len(table.rows)} rows"
    notes = (f"{rows} are shown; the summary is of all.",) if shown.cut else ()
    return reply.model_copy(
        update={
            "rows": json_rows(shown.rows),
            "row_count": len(table.rows),
            "truncated": table.truncated or shown.cut,
            "limit_source": table.limit_source or (CUT if shown.cut else ""),
            "row_numbers": shown.numbers if shown.cut and shown.sampled else (),
            "summary": shown.summary,
            "notes": (*reply.notes, *notes),
        }
    )


def _without_sentence(reply: Reply) -> Reply:
    if not reply.answer:
        return reply
    note = "The result is too wide to be put into words; the rows and the summary stand for it."
    return reply.model_copy(update={"answer": "", "citations": (), "notes": (*reply.notes, note)})


def _without_descriptions(reply: Reply) -> Reply:
    brief = tuple(column.model_copy(update={"description": "", "synonyms": ()}) for column in reply.columns)
    return reply.model_copy(update={"columns": brief})


def _without_sql(reply: Reply) -> Reply:
    note = "The SQL stands in the trace."
    return reply.model_copy(update={"sql": "", "notes": (*reply.notes, note)})


def _length(reply: Reply) -> int:
    return len(reply.as_json)
