"""Parameters of a step that is accepted SQL: which it holds, and the statement that a call runs."""

from collections.abc import Iterable, Mapping

from gateway.playbooks.definition import Analysis, Parameter, PeriodParameter, Step, ValueParameter
from gateway.playbooks.parameters import Given
from metric_layer.plan import Dialect
from metric_layer.sql.parameters import Value, bound, parameters_in

PARTS = ("from", "to", "after")
"""What a statement takes of a period: its first day, its last, and the day after that."""


def names_in_sql(step: Step, analysis: Analysis, dialect: Dialect) -> tuple[tuple[str, str], ...]:
    """Return the parameters that the SQL of a step holds, each with its part or nothing, in order.

    In an analysis without parameters a text that looks like one is a text. Raises NotBindable.
    """
    if not step.sql or not analysis.parameters:
        return ()
    parted = (name.partition(".") for name in parameters_in(step.sql, dialect))
    return tuple((name, part) for name, _, part in parted)


def used_in_sql(step: Step, analysis: Analysis, dialect: Dialect) -> tuple[Parameter, ...]:
    """Return the parameters that a statement rests on, in the order of the file: what is accepted with it."""
    used = {name for name, _ in names_in_sql(step, analysis, dialect)}
    return tuple(parameter for parameter in analysis.parameters if parameter.name in used)


def statement(step: Step, analysis: Analysis, given: Mapping[str, Given], dialect: Dialect) -> str:
    """Return the SQL that a call runs, its values as literals of the tree. Raises NotBindable."""
    if not step.sql or not analysis.parameters:
        return step.sql
    return bound(step.sql, dialect, values_of(analysis.parameters, given))


def values_of(parameters: Iterable[Parameter], given: Mapping[str, Given]) -> dict[str, Value]:
    """Return what may stand in a statement, by what is written for it; a list of values cannot."""
    found: dict[str, Value] = {}
    for parameter in parameters:
        each = given[parameter.name]
        if isinstance(parameter, PeriodParameter):
            found.update({f"{parameter.name}.{part}": each.parts[part] for part in PARTS})
        elif not isinstance(each.value, tuple):
            found[parameter.name] = each.value
    return found


def takes_one(parameter: Parameter) -> bool:
    """Say whether a parameter is one value, as SQL takes it."""
    return not (isinstance(parameter, ValueParameter) and parameter.several)
