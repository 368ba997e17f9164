"""What a trace keeps of how far its question was released, and the decisions about it, by whose order.

A decision is signed: the state of a project, where the newest one of each class is kept, can be written by
more people than the log can.
"""

from datetime import datetime
from typing import Literal

from metric_layer.record import Record
from traces.log_records import FORMAT

Stage = Literal["dry_run", "shadow", "reviewed", "autonomous"]


class ReleasePin(Record):
    """The class of a question, the stage in force for it, and the number of the decision behind it, or 0."""

    question_class: str
    stage: Stage
    decided: int = 0


class EvidenceFigure(Record):
    """A figure that a decision was taken on, with how many it is over; None over none, never zero."""

    name: str
    value: float | None = None
    n: int


class StageDecided(Record):
    """A class of question was moved on the ladder, by an owner or by a rule of the policy (`rule`).

    `number` counts the decisions of a class, `start` is what the policy (`policy`, its hash) said when it was
    taken. `signature` is over the record without it, by the signing key `key_id`.
    """

    kind: Literal["stage_decided"] = "stage_decided"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    question_class: str
    number: int
    was: Stage
    stage: Stage
    start: Stage
    policy: str
    rule: str = ""
    evidence: tuple[EvidenceFigure, ...] = ()
    key_id: str = ""
    signature: str = ""


class AnswerCompared(Record):
    """An analyst held their own answer against a recorded one. `of` is the trace.

    `told` says that its asker had been given the answer, so that a disagreement is a correction. Their answer
    stands nowhere in clear.
    """

    kind: Literal["answer_compared"] = "answer_compared"
    v: int = FORMAT
    at: datetime
    by: str
    of: str
    question_class: str
    stage: Stage
    means: Literal["number", "file", "sql"]
    agreed: bool
    told: bool
