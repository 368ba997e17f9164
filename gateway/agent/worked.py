"""Questions on record that a model took part in, for who may audit."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from evals.by_model import Worked
from evals.firing import FIRED
from gateway.house import House
from gateway.record.recorded import Ended, recorded
from gateway.reply import Refusal
from traces.records import AnswerAttempt, Caller, ModelCall
from traces.store.base import TraceStore


def worked_on(
    house: House, traces: TraceStore, caller: Caller, since: date | None = None
) -> Iterator[Worked] | Refusal:
    """Return the questions of the caller's tenant that a model took part in, evaluations left out."""
    ended = recorded(house, traces, caller, since)
    if isinstance(ended, Refusal):
        return ended
    return _worked(traces, list(ended))


def _worked(traces: TraceStore, ended: list[Ended]) -> Iterator[Worked]:
    drafts: dict[str, list[ModelCall]] = defaultdict(list)
    for record in traces.records():
        if isinstance(record, AnswerAttempt):
            drafts[record.trace_id].extend(_judged(record))
    for opened, closed in ended:
        calls = (*(call for call in closed.calls if call.attempt), *drafts[opened.trace_id])
        if calls:
            fired = tuple(d.check for d in closed.decisions if d.verdict in FIRED)
            yield Worked(calls[0].model, calls, closed.outcome, fired)


def _judged(attempt: AnswerAttempt) -> Iterator[ModelCall]:
    """Yield the calls behind a draft; the text that was sent counts as rejected where it did not pass."""
    against = tuple(dict.fromkeys(d.reason for d in attempt.decisions if d.verdict in FIRED))
    for call in attempt.calls:
        wrong = call.outcome == "used" and not attempt.passed
        yield call.model_copy(update={"outcome": "rejected", "checks": against}) if wrong else call
