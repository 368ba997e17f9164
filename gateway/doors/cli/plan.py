"""Puts a plan from a file to the house, and takes the arguments of a draft apart."""

from collections.abc import Mapping, Sequence

from gateway.asking import Door
from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.cli.input import choices_of, read_json_file
from gateway.doors.face import Face
from gateway.doors.json_input import BadInput
from gateway.doors.shapes import AskReport
from gateway.reply import DraftReply, Reply
from metric_layer.issues import Issue
from traces.records import Caller

DOOR = Door("cli")


def asked(face: Face, caller: Caller, raw: object, *, dry_run: bool) -> Reply:
    """Return the answer to a plan or a question with what stands beside it."""
    found = split_ask({**raw, "dry_run": True} if dry_run and isinstance(raw, Mapping) else raw)
    if not isinstance(found, AskBody):
        return Reply(outcome="invalid_plan", issues=found)
    return found.asked(face, caller, DOOR)


def body_of(plan: str, question: str, choices: Sequence[str], **beside: str) -> object:
    """Return what a file holds, or a question in words, and what stands beside it where that is not empty.

    `choices` are TERM=READING; they go before those of the file. Raises BadInput where it is not one of the
    two, or a choice is none.
    """
    if bool(plan) == bool(question):
        raise BadInput(
            Issue(
                code="plan_or_question",
                message="Ask a plan or a question, one of them.",
                next_step="Write `cellbound ask PLAN.json` or `cellbound ask --question TEXT`.",
            )
        )
    raw = {"question": question} if question else read_json_file(plan)
    given: dict[str, object] = {name: value for name, value in beside.items() if value}
    chosen = choices_of(choices)
    if not isinstance(raw, Mapping):
        return raw
    if chosen:
        kept = raw.get("choices")
        given["choices"] = {**kept, **chosen} if isinstance(kept, Mapping) else chosen
    return {**raw, **given}


def together(reply: Reply, checked: DraftReply | None) -> Reply:
    """Return a reply as one object with what was said of the draft, if there was one."""
    if checked is None:
        return reply
    return AskReport(**{name: getattr(reply, name) for name in Reply.model_fields}, draft=checked)


def split_draft(given: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return `TRACE... DRAFT` as trace ids and a file. Raises BadInput without a trace."""
    *trace_ids, draft = given
    if not trace_ids:
        raise BadInput(
            Issue(
                code="no_trace",
                message="A draft is checked against at least one trace.",
                next_step="Write `cellbound check-answer TRACE DRAFT.txt`.",
            )
        )
    return trace_ids, draft
