"""What a question in words becomes: a plan, a question back, or an abstention that names what is missing."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.plan import MetricPlan
from metric_layer.record import Record

AskReason = Literal[
    "ambiguous_metric",
    "ambiguous_value",
    "ambiguous_date",
    "invalid_date",
    "vague_time",
    "missing_time",
    "missing_metric",
    "missing_dimension",
    "unknown_value",
]
AbstainReason = Literal[
    "unknown_metric",
    "unknown_dimension",
    "unknown_value",
    "incompatible_dimension",
    "unsupported",
    "future_window",
    "out_of_data_range",
]
Reason = AskReason | AbstainReason
ExplainedAs = Literal["metric", "dimension", "value", "period", "grain", "order", "comparison", "term"]


class Explained(Record):
    """What one stretch of the question was read as; `start` and `end` are characters of the question."""

    text: str
    start: int
    end: int
    kind: ExplainedAs
    name: str


class Problem(Record):
    """One thing in the way of a plan. `options` are readings to choose from, `near` names that are close."""

    action: Literal["ask", "abstain"]
    reason: Reason
    term: str
    options: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    message: str = ""
    next_step: str = ""


class ComparedWindow(Record):
    """The second window of a comparison, both days inclusive, and how it stands to the first."""

    relation: Literal["previous_period", "previous_year", "custom"]
    from_: Annotated[date, Field(alias="from")]
    to: date


class IntakePlan(Record):
    """A plan in which every content word of the question is explained.

    `compared` is the window that the plan's comparison was read as. `used_terms` are the team's words and
    earlier answers that settled something, each with its code. `follows` tells that it changes another plan.
    """

    action: Literal["plan"] = "plan"
    plan: MetricPlan
    explained: tuple[Explained, ...]
    compared: ComparedWindow | None = None
    used_terms: tuple[tuple[str, str], ...] = ()
    follows: bool = False


class IntakeAsk(Record):
    """A question back. `problems` holds all that stands in the way, the one asked first."""

    action: Literal["ask"] = "ask"
    reason: AskReason
    term: str
    options: tuple[str, ...] = ()
    message: str
    next_step: str
    problems: tuple[Problem, ...]


class IntakeAbstain(Record):
    """No plan can be made. `missing` names what is not there; `near` names what the asker may have meant."""

    action: Literal["abstain"] = "abstain"
    reason: AbstainReason
    missing: tuple[str, ...]
    near: tuple[str, ...] = ()
    message: str
    next_step: str
    problems: tuple[Problem, ...]


Intake = IntakePlan | IntakeAsk | IntakeAbstain
