"""Splits a question as it comes through a door into its plan or its words and what stands beside them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import ValidationError

from gateway.asking import NO_OPTIONS, AskOptions, Door
from gateway.cancellation import Cancellation
from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.face import Face
from gateway.reply import Reply, ReplyIssue, issue_of
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from metric_layer.vocabulary import near
from traces.records import Caller

WHOLE = ("question", "plan")
"""The keys under which what is asked stands whole."""
BESIDE = tuple(AskOptions.model_fields)
KNOWN = (*WHOLE, *(field.alias or name for name, field in MetricPlan.model_fields.items()))


class AskBody(Record):
    """A question taken apart: its words, or a plan as the caller wrote it; the pipeline reads it."""

    plan: Any = None
    question: str | None = None
    options: AskOptions = AskOptions()

    def choosing(self, choices: Mapping[str, str]) -> "AskBody":
        """Return the question with readings chosen beside those that were sent."""
        if not choices:
            return self
        chosen = {**self.options.choices, **choices}
        return self.model_copy(update={"options": self.options.model_copy(update={"choices": chosen})})

    def asked(self, face: Face, caller: Caller, door: Door, leaver: Cancellation | None = None) -> Reply:
        """Put the question to the house; `leaver` stops it."""
        verb = partial(face.ask, caller, self.plan)
        if self.question is not None:
            verb = partial(face.ask_question, caller, self.question)
        return verb(self.options, door=door, cancellation=leaver)


def split_ask(raw: object) -> AskBody | tuple[ReplyIssue, ...]:
    """Return the plan or the words and their surroundings, or what is wrong with the surroundings.

    The plan stands under `plan`, the words under `question`; a plan's own keys may stand flat.
    """
    if not isinstance(raw, Mapping):
        return AskBody(plan=raw)
    around = {key: value for key, value in raw.items() if key in BESIDE}
    rest = {key: value for key, value in raw.items() if key not in BESIDE}
    try:
        options = AskOptions.model_validate(around) if around else NO_OPTIONS
    except ValidationError as fault:
        form = parse_plan(rest.get("plan", rest)) if "question" not in rest else ()
        wrong = tuple(issue_of(issue, "input") for issue in form) if isinstance(form, tuple) else ()
        return (*argument_issues(pydantic_errors(fault)), *wrong)
    named = next((key for key in WHOLE if key in rest), None)
    if named is None:
        return _misspelt(rest) or AskBody(plan=rest, options=options)
    given = rest.pop(named)
    if rest:
        return tuple(_astray(key, named) for key in rest)
    if named == "plan":
        return AskBody(plan=given, options=options)
    if not isinstance(given, str):
        return (_NO_WORDS,)
    if "words" in around:
        return (_astray("words", named),)
    return AskBody(question=given, options=options)


def _misspelt(rest: Mapping[str, object]) -> tuple[ReplyIssue, ...]:
    """Return the keys that were to name the words or the plan; nothing where none is nearest to either."""
    strange = (key for key in map(str, rest) if key not in KNOWN)
    close = ((key, near(key, KNOWN)[:1]) for key in strange)
    return tuple(_meant(key, found[0]) for key, found in close if found and found[0] in WHOLE)


def _meant(key: str, close: str) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_key",
        message="This is no key of a request.",
        stage="input",
        path=f"/{key[:100]}",
        seen=key[:100],
        candidates=(close,),
        next_step=f"Did you mean {close}?",
    )


def _astray(key: object, named: str) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_key",
        message=f"{key!r} cannot stand beside `{named}`.",
        stage="input",
        path=f"/{key}",
        seen=str(key)[:100],
        candidates=near(str(key), (*BESIDE, named)),
        next_step=f"Beside `{named}` there may be: {', '.join(BESIDE)}.",
    )


_NO_WORDS = ReplyIssue(
    code="wrong_argument",
    message="The question must be a text.",
    stage="input",
    path="/question",
    next_step="Write the question as a JSON string, or a plan under `plan`.",
)
