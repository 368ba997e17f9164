"""Splits a question as it comes through a door into the plan and what stands beside it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, StrictBool, ValidationError

from gateway.reply import ReplyIssue
from metric_layer.record import Record


class Beside(Record):
    """What may stand beside a plan in a question."""

    choices: Annotated[
        Mapping[str, str], Field(description="Readings chosen for ambiguous terms: {term: option name}.")
    ] = {}
    approval_id: Annotated[str, Field(description="Id of the hold that was accepted.", max_length=200)] = ""
    dry_run: Annotated[StrictBool, Field(description="Check and price only; nothing runs.")] = False


class AskBody(Record):
    """A question taken apart. `plan` is as the caller wrote it; the pipeline reads it."""

    plan: Any
    beside: Beside


def split_ask(raw: object) -> AskBody | tuple[ReplyIssue, ...]:
    """Return the plan and its surroundings, or what is wrong with the surroundings.

    The plan stands under `plan`, or its own keys stand flat.
    """
    if not isinstance(raw, Mapping):
        return AskBody(plan=raw, beside=Beside())
    around = {key: value for key, value in raw.items() if key in Beside.model_fields}
    rest = {key: value for key, value in raw.items() if key not in Beside.model_fields}
    try:
        beside = Beside.model_validate(around)
    except ValidationError as fault:
        return argument_issues(pydantic_errors(fault))
    if "plan" not in rest:
        return AskBody(plan=rest, beside=beside)
    plan = rest.pop("plan")
    if rest:
        return tuple(_astray(key) for key in rest)
    return AskBody(plan=plan, beside=beside)


def pydantic_errors(fault: ValidationError) -> Sequence[Mapping[str, Any]]:
    """Return the errors of a validation without the values that were sent."""
    return fault.errors(include_url=False, include_input=False, include_context=False)


def argument_issues(errors: Sequence[Mapping[str, Any]]) -> tuple[ReplyIssue, ...]:
    """Return validation errors as issues: code, JSON pointer and message, never the value that was sent."""
    return tuple(
        ReplyIssue(
            code=str(error["type"]),
            message=f"{error['msg']}.",
            stage="input",
            path="/" + "/".join(str(part) for part in error["loc"]),
            next_step="Correct this argument and send the request again.",
        )
        for error in errors
    )


def _astray(key: object) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_key",
        message=f"{key!r} cannot stand beside `plan`.",
        stage="input",
        path=f"/{key}",
        next_step=f"Beside `plan` there may be: {', '.join(Beside.model_fields)}.",
    )
