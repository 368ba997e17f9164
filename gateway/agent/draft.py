"""The model words an answer: slots first, every draft is checked, else code's own words stay."""

from collections.abc import Mapping, Sequence

from gateway.agent.dialogue import Rejected
from gateway.agent.meter import Exhausted
from gateway.agent.planner import result_fields
from gateway.agent.replies import TextReply, read_shape, schema_of
from gateway.agent.task import Task
from gateway.drafts.answer import Draft, check_draft
from gateway.models.verb import Left, ModelFault
from gateway.reply import DraftReply, Reply
from metric_layer.issues import Issue

KEPT = "The model's text did not pass the answer check; code worded the answer."
UNASKED = "The model could not be asked for a text; code worded the answer."


def drafted(task: Task, reply: Reply, sources: Sequence[Reply]) -> Reply:
    """Return the reply in the model's words, where they pass; every draft is recorded at the traces it cites.

    One attempt at each trace is left for its asker.
    """
    try:
        told = _passed(task, sources)
    except Exhausted:
        told = None
    except (ModelFault, Left):
        return reply.model_copy(update={"notes": (*reply.notes, UNASKED)})
    if told is None:
        return reply.model_copy(update={"notes": (*reply.notes, KEPT)})
    note = f"A model worded this: {task.dialogue.model.pinned}. Every number has its cell."
    return reply.model_copy(
        update={"answer": told.text, "citations": told.citations, "notes": (*reply.notes, note)}
    )


def _passed(task: Task, sources: Sequence[Reply]) -> DraftReply | None:
    """Return the first draft that passes, or None. Raises Exhausted, ModelFault and Left."""
    ids = [source.trace_id for source in sources]
    fields = {
        "question": task.question,
        "slots": len(ids) == 1,
        "results": [result_fields(source) for source in sources],
    }
    wrong: tuple[str, Rejected] | None = None
    while True:
        text = task.dialogue.ask("draft", fields, schema_of(TextReply), _read, wrong)
        checked = _checked(task, text, ids)
        if checked.outcome == "passed":
            return checked
        if checked.outcome != "blocked" or checked.attempts_left <= 1:
            return None
        task.meter.retry()
        wrong = text, Rejected(tuple(_issues(checked)))


def _read(found: Mapping[str, object]) -> str | Rejected:
    text = read_shape(found, TextReply)
    return text.text if isinstance(text, TextReply) else Rejected(text, unreadable=True)


def _checked(task: Task, text: str, ids: Sequence[str]) -> DraftReply:
    return check_draft(
        task.house,
        task.stores.traces,
        task.stores.results,
        task.stores.state,
        task.recorder,
        task.caller,
        Draft(text=text, trace_ids=ids, calls=task.dialogue.work.take()),
    )


def _issues(checked: DraftReply) -> list[Issue]:
    return [
        Issue(
            code=found.code, message=found.message, path="/text", seen=found.text, next_step=found.next_step
        )
        for found in checked.findings
    ]
