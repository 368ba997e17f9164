"""What stands beside a question: choices, approval, conversation; and the words of one that came in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field, StrictBool

from gateway.team_choice import Choice
from metric_layer.record import Record
from traces.records import AnalysisPin, Decision, Derivation, ModelCall, ShorterWindow

MOST_ID = 200


class AskOptions(Record):
    """What may stand beside a plan or a question."""

    choices: Annotated[
        Mapping[str, str], Field(description="Readings chosen for ambiguous terms: {term: option name}.")
    ] = {}
    approval_id: Annotated[
        str, Field(description="Id of the hold that was accepted.", max_length=MOST_ID)
    ] = ""
    accept_narrower: Annotated[
        ShorterWindow | None,
        Field(description="A part {from, to} of the window to answer where all of it takes too long."),
    ] = None
    conversation: Annotated[
        str, Field(description="Your id of the conversation that follow-ups go on.", max_length=MOST_ID)
    ] = ""
    words: Annotated[
        str, Field(description="The asker's own words that you planned from; kept sealed.", max_length=2000)
    ] = ""
    dry_run: Annotated[StrictBool, Field(description="Check and price only; nothing runs.")] = False


NO_OPTIONS = AskOptions()


@dataclass(frozen=True, slots=True)
class Door:
    """How a caller came in: the door, with the version of its protocol where it has one.

    `program` is what the caller's program says it is, `key` that under which they would send the same again.
    """

    name: str = ""
    program: str = ""
    key: str = ""


NO_DOOR = Door()
MOST_PROGRAM = 200


def door_of(name: str, program: str, key: str = "") -> Door:
    """Return a door through which a program came whose name is cut to one line that can be seen."""
    seen = "".join(each for each in " ".join(program.split()) if each.isprintable())
    return Door(name, seen.strip()[:MOST_PROGRAM], key)


EVALUATION = Door("eval")
"""The door of questions that an evaluation asked: they are nobody's work."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A question in words, and how its plan was read from it. The text is kept sealed only.

    `kept` are the readings that the asker's team had chosen before, as they were used.
    """

    text: str
    notes: tuple[str, ...] = ()
    kept: tuple[Choice, ...] = ()


@dataclass(slots=True)
class ModelWork:
    """What a model did for a question so far: calls are added until its trace is closed.

    `plan` is all that it planned, as a judge gets to see it.
    """

    model: str
    prompt: str
    plan: str = ""
    calls: list[ModelCall] = field(default_factory=list)

    def take(self) -> tuple[ModelCall, ...]:
        """Return the calls that stand in no record yet; they are in one from here on."""
        taken = tuple(self.calls)
        self.calls.clear()
        return taken


@dataclass(frozen=True, slots=True)
class SavedStep:
    """The step of a saved analysis that a question is: its pin, its sentence, the figures it declares.

    `sql` is a reviewer-accepted text, where the step is not a plan. A step that `waits` is only held where it
    has to be: one before it waits for a decision, so nothing runs.
    """

    pin: AnalysisPin
    wording: str = ""
    declare: tuple[Derivation, ...] = ()
    sql: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """How a question came in: by which door, the conversation it goes on, and its words if any.

    `follows` is the trace that was answered last in that conversation, as far as it was looked up. `findings`
    are those of who read the words: one that holds is decided with those of the checks.
    `work` is what a model did for it, `saved` the step of a saved analysis that it is.
    """

    door: Door = NO_DOOR
    conversation: str = ""
    follows: str = ""
    words: Worded | None = None
    findings: tuple[Decision, ...] = ()
    work: ModelWork | None = None
    saved: SavedStep | None = None
