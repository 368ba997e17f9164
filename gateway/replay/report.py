"""What a replay found, as its reader may see it: the verdict, its causes, old and new numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.replay.causes import in_words
from gateway.replay.data import DataFinding
from gateway.reply import NumberChange, ReplayCause, ReplayReport
from traces.diff import diff
from traces.records import Caller, Close, Trace

RanAs = Literal["", "asker", "auditor"]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who has a question replayed, and what they may: see values of others, have SQL run with their access.

    `own` questions are theirs; `withheld` says that their access changed since they asked.
    """

    caller: Caller
    unseals: bool = False
    impersonates: bool = False
    own: bool = False
    withheld: bool = False

    @property
    def sees_values(self) -> bool:
        """Say whether cited values and column totals are shown."""
        return self.own or self.unseals


@dataclass(frozen=True, slots=True)
class Rerun:
    """What the database said: the question under today's set, what became of its data, with whose access."""

    again: Trace | None = None
    data: DataFinding | None = None
    ran_as: RanAs = ""


def report(
    trace: Trace, causes: Sequence[ReplayCause], rerun: Rerun, first_step: str, reader: Reader
) -> ReplayReport:
    """Return the report of a replay: one word per cause, and values only where the reader may see them."""
    data = rerun.data
    words = [cause.pin for cause in causes]
    said = [in_words(cause) for cause in causes]
    if data is not None and data.became in ("late", "restated", "unknown"):
        words.append(f"data({data.became})")
        said.append(f"data: {data.words}")
    elif data is not None and data.became == "cannot tell":
        said.append(f"data: cannot tell: {data.words}")
        words = words or ["cannot tell"]
    found = diff(trace.model_copy(update={"attempts": ()}), rerun.again) if rerun.again else None
    told = reader.sees_values and not (reader.own and rerun.again and rerun.again.untold)
    numbers = found.numbers if found and told else ()
    return ReplayReport(
        trace_id=trace.trace_id,
        verdict=" + ".join(dict.fromkeys(words)) or "same",
        detail="; ".join(said) or _same_words(data),
        causes=tuple(causes),
        data=data.became if data else "",
        ran_as=rerun.ran_as,
        changed_pins=tuple(tuple(change) for change in found.changed_pins) if found else (),
        first_step=first_step,
        numbers=tuple(
            _number(each.name, each.old, each.new, reader)
            for each in numbers
            if each.new or not reader.withheld
        ),
        totals=tuple(_totals(trace.closed, rerun.again, reader)) if told else (),
    )


def _same_words(data: DataFinding | None) -> str:
    rows = "its rows are the same" if data else "it has no rows to compare"
    return f"every step and decision is the same; {rows}"


def _number(name: str, old: str, new: str, reader: Reader) -> NumberChange:
    return NumberChange(name=name, old="(withheld)" if reader.withheld else old, new=new)


def _totals(old: Close | None, again: Trace | None, reader: Reader) -> Iterable[NumberChange]:
    """Yield the totals of columns that are others now."""
    new = again.closed if again else None
    if not (reader.sees_values and old and new and old.shape and new.shape):
        return
    before = {column.name: column.total for column in old.shape.columns}
    for column in new.shape.columns:
        was = before.get(column.name, "")
        if (was or column.total) and was != column.total:
            yield _number(column.name, was, column.total, reader)
