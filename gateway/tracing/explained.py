"""How an answer came about, in words that somebody reads who knows neither SQL nor this program."""

from metric_layer.record import Record


class NumberTold(Record):
    """A number of an answer and where it is from; `said` is empty where its reader may not see it.

    `draft` says that it stood in a draft of the calling agent, which passed.
    """

    said: str
    source: str
    metric: str = ""
    version: int | None = None
    draft: bool = False


class WhyReport(Record):
    """The story of one question. Each list holds sentences; one that is empty has nothing to tell.

    `followed` is the number that was asked for; `numbers` are then only those that are it. `left_off` numbers
    more are cited. `drafted` says that `answer` is the draft of the agent that passed. `missing` says what is
    erased, sealed or withheld from this reader.
    """

    trace_id: str
    outcome: str
    who: str
    asked: str
    readings: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    cost: str = ""
    decided: tuple[str, ...] = ()
    answer: str = ""
    drafted: bool = False
    numbers: tuple[NumberTold, ...] = ()
    left_off: int = 0
    followed: str = ""
    record: str = ""
    missing: tuple[str, ...] = ()
