"""The literals of accepted SQL that become parameters; with the values they stood for it reads the same."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from gateway.playbooks.definition import Analysis, Parameter
from gateway.playbooks.parameters import Asking, bind
from gateway.playbooks.rules import Rules
from gateway.playbooks.statements import PARTS, takes_one, values_of
from metric_layer.issues import Issue
from metric_layer.sql.parameters import (
    Missing,
    NotBindable,
    Value,
    bound,
    parametrised,
    same_statement,
)

SHORT = 200


def with_parameters(analysis: Analysis, sql: str, asking: Asking, key: bytes) -> str | tuple[Issue, ...]:
    """Return a statement with the parameters of an analysis in the place of its example's values.

    Everything that stands in the way is returned at once. Codes: those of parameters in a file, and
    list_in_sql, same_value, parameter_misplaced, parameter_taken, parameter_not_there, not_bindable.
    """
    unsound = tuple(_placed(where, issue) for where, issue in Rules(analysis, asking, key).of_parameters())
    lists = tuple(_list(each) for each in analysis.parameters if not takes_one(each))
    if unsound or lists:
        return (*unsound, *lists)
    given = bind(analysis, analysis.example, asking)
    if not isinstance(given, Mapping):
        return given
    values = values_of(analysis.parameters, given)
    alike = tuple(_alike(values))
    return alike or _put_in(analysis.parameters, sql, values, asking)


def _put_in(
    parameters: Iterable[Parameter], sql: str, values: Mapping[str, Value], asking: Asking
) -> str | tuple[Issue, ...]:
    try:
        found = parametrised(sql, asking.dialect, values)
        text, taken = found if isinstance(found[0], str) else ("", ())
        if text and not same_statement(bound(text, asking.dialect, values), sql, asking.dialect):
            return (unbindable(text),)
    except NotBindable as fault:
        return (unbindable(str(fault)),)
    misplaced = tuple(_missing(each) for each in found if isinstance(each, Missing))
    absent = () if misplaced else tuple(_absent(parameters, {str(name) for name in taken}, values))
    return (*misplaced, *absent) or text


def _placed(where: tuple[str | int, ...], issue: Issue) -> Issue:
    return issue.model_copy(update={"path": "/" + "/".join(map(str, where))})


def _list(parameter: Parameter) -> Issue:
    return Issue(
        code="list_in_sql",
        message=f"{parameter.name} takes several values; a statement that was accepted takes one.",
        path=f"/parameters/{parameter.name}",
        seen=parameter.name,
        next_step="Leave `several` out, or save the question as a plan.",
    )


def _alike(values: Mapping[str, Value]) -> Iterator[Issue]:
    """Yield the parameters whose values nobody could tell apart in the statement."""
    seen: dict[tuple[bool, Value], str] = {}
    for name, value in values.items():
        other = seen.setdefault((isinstance(value, str), value), name)
        if other.partition(".")[0] != name.partition(".")[0]:
            yield Issue(
                code="same_value",
                message=f"In the example ${other} and ${name} are both {value!r}.",
                path="/example",
                seen=str(value),
                next_step="Have a statement accepted in which each has a value of its own.",
            )


def _missing(found: Missing) -> Issue:
    if found.why == "taken":
        return Issue(
            code="parameter_taken",
            message=f"The statement holds the text {found.seen!r}, which would be a parameter.",
            path=f"/parameters/{found.name.partition('.')[0]}",
            seen=found.seen[:SHORT],
            next_step="Have the statement accepted without that text, or take it in without parameters.",
        )
    return Issue(
        code="parameter_misplaced",
        message=f"${found.name} would stand where a parameter may not.",
        path=f"/parameters/{found.name.partition('.')[0]}",
        seen=found.seen[:SHORT],
        next_step="A value stands beside a comparison, in a list or as LIMIT; leave others as they are.",
    )


def _absent(
    parameters: Iterable[Parameter], taken: AbstractSet[str], values: Mapping[str, Value]
) -> Iterator[Issue]:
    for parameter in parameters:
        own = [parameter.name, *(f"{parameter.name}.{part}" for part in PARTS)]
        if not taken & set(own):
            shown = " or ".join(repr(values[name]) for name in own if name in values)
            yield Issue(
                code="parameter_not_there",
                message=f"The accepted statement holds no {shown} for ${parameter.name} to stand for.",
                path=f"/parameters/{parameter.name}",
                seen=shown,
                next_step="Write under `example` the values of the statement, as `review show` prints it.",
            )


def unbindable(seen: str) -> Issue:
    """Say that a statement cannot be written with values and stay what it is; nothing runs."""
    return Issue(
        code="not_bindable",
        message="The statement would not read the same with its parameters in it.",
        path="/parameters",
        seen=seen[:SHORT],
        next_step="Leave the parameters out, or save the question as a plan.",
    )
