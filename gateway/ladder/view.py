"""What the ladder tells: the classes with their stage, the evidence of one, and what a comparison found."""

from datetime import datetime
from typing import Literal

from metric_layer.record import Record
from traces.records import Outcome
from traces.release_records import EvidenceFigure, Stage


class ClassLine(Record):
    """A class with the stage in force. `start` is what the policy says, `most` how far it may be raised.

    `decided` numbers the decision behind it, 0 without one; `fault` says why a decision does not count.
    """

    name: str
    match: Literal["governed", "free"]
    stage: Stage
    start: Stage
    most: Stage
    decided: int = 0
    at: datetime | None = None
    fault: str = ""


class ReleaseList(Record):
    """Every class that the policy names, in the order in which they are looked through."""

    classes: tuple[ClassLine, ...]


class DecisionLine(Record):
    """A past decision, with what it was taken on. `by` is a pseudonym, `rule` what moved it by itself."""

    number: int
    at: datetime
    was: Stage
    stage: Stage
    by: str = ""
    rule: str = ""
    reason: str = ""
    genuine: bool = True
    evidence: tuple[EvidenceFigure, ...] = ()


class ClassView(Record):
    """One class with its evidence since `since`, and every decision about it, the newest first.

    `up` and `down` are the stages that it may be moved to; `moves` says whether the reader may move it.
    """

    line: ClassLine
    since: datetime | None = None
    questions: int = 0
    evidence: tuple[EvidenceFigure, ...] = ()
    run: str = ""
    up: tuple[Stage, ...] = ()
    down: tuple[Stage, ...] = ()
    moves: bool = False
    decisions: tuple[DecisionLine, ...] = ()


class Sweep(Record):
    """What looking at every class gave: those that went down by a rule, decisions taken back from the log."""

    looked_at: tuple[str, ...]
    demoted: tuple[ClassLine, ...] = ()
    recovered: int = 0


class ComparedAnswer(Record):
    """An analyst's answer beside the recorded one. `ours` and `theirs` are figures, or sizes of results.

    A recorded figure is told only to who may unseal. `came_to` is what the question came to, over the rows
    that the analyst sees; `demoted` the stage that a rule took the class down to.
    """

    trace_id: str
    question_class: str
    means: Literal["number", "file", "sql"]
    agreed: bool
    told: bool
    came_to: Outcome
    ours: str
    theirs: str
    demoted: Stage | Literal[""] = ""
