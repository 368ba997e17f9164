"""A saved analysis: parameters, steps that are plans or accepted SQL, wording, and a call that works."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from metric_layer.record import Record
from traces.records import Derivation

MOST_STEPS = 8
MOST_PARAMETERS = 20
MOST_WORDS = 4_000
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Text = Annotated[str, Field(min_length=1, max_length=500)]
Value = Annotated[str, Field(min_length=1, max_length=200)]


class StringParameter(Record):
    """One of the values that are listed."""

    type: Literal["string"]
    name: Identifier
    description: str = ""
    values: Annotated[tuple[Value, ...], Field(min_length=1, max_length=1000)]
    default: Value | None = None


class ValueParameter(Record):
    """A value of a dimension, by value, label or synonym; with `values` one of those only.

    With `several`, a list of them.
    """

    type: Literal["dimension_value"]
    name: Identifier
    description: str = ""
    dimension: Value
    values: tuple[Value, ...] = ()
    several: bool = False
    default: Value | tuple[Value, ...] | None = None


class PeriodParameter(Record):
    """A period in words ("last quarter"), read like one in a question; with `words` one of those only."""

    type: Literal["period"]
    name: Identifier
    description: str = ""
    words: tuple[Value, ...] = ()
    default: Value | None = None


class DateParameter(Record):
    """A day as YYYY-MM-DD, within bounds that are inclusive."""

    type: Literal["date"]
    name: Identifier
    description: str = ""
    minimum: date | None = None
    maximum: date | None = None
    default: date | None = None


class IntegerParameter(Record):
    """A whole number within bounds that are inclusive."""

    type: Literal["integer"]
    name: Identifier
    description: str = ""
    minimum: int
    maximum: int
    default: int | None = None


Parameter = Annotated[
    StringParameter | ValueParameter | PeriodParameter | DateParameter | IntegerParameter,
    Field(discriminator="type"),
]


class Wanted(Record):
    """The parameters that an accepted statement is to take, and the call that it answers as it stands."""

    parameters: Annotated[tuple[Parameter, ...], Field(max_length=MOST_PARAMETERS)] = ()
    example: Mapping[str, Any] = {}


class Acceptance(Record):
    """Who accepted the SQL of a step, under which hold.

    `sha256` is that of the SQL and of its parameters, `seal` binds it to the project's key: SQL that was
    changed, whose parameters may be something else, or that nobody accepted, is not loaded.
    """

    hold: Text
    by: Text
    at: Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    seal: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Step(Record):
    """One query: a plan, or SQL that a reviewer accepted.

    A text of the plan that is `$name` stands for that parameter, `$name.from` and `$name.to` for the days of
    a period, `$$` for a dollar sign. SQL takes them as texts, '$name', and '$name.after' for the day behind a
    period. `wording` is the sentence of its result: `{{c:ROW.COLUMN}}` prints a
    cell, `{{d:ID}}` a figure of `declare`, `{{p:NAME}}` a parameter.
    """

    id: Identifier
    plan: Mapping[str, Any] | None = None
    sql: str = ""
    accepted: Acceptance | None = None
    wording: Annotated[str, Field(max_length=MOST_WORDS)] = ""
    declare: Annotated[tuple[Derivation, ...], Field(max_length=20)] = ()


class Analysis(Record):
    """A question that its owner saved, for others to ask with their own parameters and their own access."""

    name: Identifier
    version: Annotated[int, Field(ge=1)]
    owner: Text
    description: Text
    parameters: Annotated[tuple[Parameter, ...], Field(max_length=MOST_PARAMETERS)] = ()
    steps: Annotated[tuple[Step, ...], Field(min_length=1, max_length=MOST_STEPS)]
    example: Mapping[str, Any] = {}
