"""Takes a call of a saved analysis apart: its parameters, and what stands beside them."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gateway.analyses.call import AnalysisCall
from gateway.asking import AskOptions, Door
from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.schemas import inlined
from gateway.reply import ReplyIssue
from metric_layer.vocabulary import near

BESIDE = ("choices", "approval_id", "conversation", "dry_run")
KEYS = ("parameters", *BESIDE)


def call_of(name: str, raw: object, door: Door) -> AnalysisCall | tuple[ReplyIssue, ...]:
    """Return the call that a body `{parameters, choices, approval_id, ...}` makes, or what is wrong."""
    if not isinstance(raw, Mapping):
        return (_wrong("not_an_object", "The body is not a JSON object.", "", 'Send {"parameters": {...}}.'),)
    parameters = raw.get("parameters", {})
    issues = [_unknown(str(key)) for key in raw if key not in KEYS]
    if not isinstance(parameters, Mapping):
        step = "Send each parameter under its name."
        issues.append(_wrong("not_an_object", "`parameters` is not a JSON object.", "/parameters", step))
    try:
        options = AskOptions.model_validate({key: raw[key] for key in BESIDE if key in raw})
    except ValidationError as fault:
        return (*issues, *argument_issues(pydantic_errors(fault)))
    if issues or not isinstance(parameters, Mapping):
        return tuple(issues)
    return AnalysisCall(name, {str(key): value for key, value in parameters.items()}, options, door)


def body_schema() -> dict[str, Any]:
    """Return the schema of the body."""
    beside = inlined(AskOptions.model_json_schema())["properties"]
    parameters = {"type": "object", "description": "Values by parameter name."}
    return {
        "type": "object",
        "properties": {"parameters": parameters, **{key: beside[key] for key in BESIDE}},
        "additionalProperties": False,
    }


def _unknown(key: str) -> ReplyIssue:
    step = f"There may be: {', '.join(KEYS)}. Parameters of the analysis stand under `parameters`."
    found = _wrong("unknown_key", f"{key!r} is not a key of a call.", f"/{key}", step)
    return found.model_copy(update={"seen": key, "candidates": near(key, KEYS)})


def _wrong(code: str, message: str, path: str, step: str) -> ReplyIssue:
    return ReplyIssue(code=code, message=message, stage="input", path=path, next_step=step)
