"""What stands beside a question: choices, approval, conversation; and the words of one that came in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, StrictBool

from gateway.state import Choice
from metric_layer.record import Record
from traces.records import ShorterWindow

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
    dry_run: Annotated[StrictBool, Field(description="Check and price only; nothing runs.")] = False


NO_OPTIONS = AskOptions()
EVALUATION = "eval"
"""The client of questions that an evaluation asked: they are nobody's work."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A question in words, and how its plan was read from it. The text is kept sealed only.

    `kept` are the readings that the asker's team had chosen before, as they were used.
    """

    text: str
    notes: tuple[str, ...] = ()
    kept: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """How a question came in: the door or client, the conversation it goes on, and its words if any."""

    client: str = ""
    conversation: str = ""
    words: Worded | None = None
