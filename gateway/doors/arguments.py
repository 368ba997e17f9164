"""What is wrong with the arguments of a request, in our own codes: which one, and what it has to be."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from gateway.reply import ReplyIssue

KINDS = (
    ("float", "a number"),
    ("int", "a whole number"),
    ("finite", "a finite number"),
    ("bool", "true or false"),
    ("string_type", "a text"),
    ("dict", "an object"),
    ("mapping", "an object"),
    ("model", "an object"),
    ("list", "a list"),
    ("tuple", "a list"),
    ("date", "a date (YYYY-MM-DD)"),
)
"""What an argument has to be, by how the name of pydantic's error begins."""
BOUNDS = (
    ("ge", "at least {}"),
    ("gt", "more than {}"),
    ("le", "at most {}"),
    ("lt", "less than {}"),
    ("min_length", "at least {} long"),
    ("max_length", "at most {} long"),
    ("expected", "one of {}"),
)
"""What an argument has to be, by the bound that it broke."""
PLACES = ("query", "path", "header", "body")


def pydantic_errors(fault: ValidationError) -> Sequence[Mapping[str, Any]]:
    """Return the errors of a validation without the values that were sent."""
    return fault.errors(include_url=False, include_input=False)


def argument_issues(errors: Sequence[Mapping[str, Any]]) -> tuple[ReplyIssue, ...]:
    """Return validation errors as issues: code, JSON pointer and message, never the value that was sent."""
    return tuple(_issue(str(error["type"]), error["loc"], error) for error in errors)


def _issue(kind: str, place: Sequence[int | str], error: Mapping[str, Any]) -> ReplyIssue:
    path = "/" + "/".join(map(str, place))
    name = ".".join(map(str, place[1:] if place and place[0] in PLACES else place)) or "the body"
    if kind == "missing":
        return ReplyIssue(
            code="missing_argument",
            message=f"`{name}` is missing.",
            stage="input",
            path=path,
            next_step="Add this argument and send the request again.",
        )
    if kind == "extra_forbidden":
        return ReplyIssue(
            code="unknown_argument",
            message=f"`{name}` is no argument here.",
            stage="input",
            path=path,
            next_step="Leave it out, or correct its name, and send the request again.",
        )
    return ReplyIssue(
        code="wrong_argument",
        message=f"`{name}` must be {wanted(kind, error)}.",
        stage="input",
        path=path,
        next_step="Correct this argument and send the request again.",
    )


def wanted(kind: str, error: Mapping[str, Any]) -> str:
    """Return what a value has to be, from how pydantic's error is named and which bound it broke."""
    context = error.get("ctx", {})
    bound = next((text.format(context[name]) for name, text in BOUNDS if name in context), "")
    return bound or next((words for begins, words in KINDS if kind.startswith(begins)), "something else")
