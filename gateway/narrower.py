"""One more attempt after a timeout, over a shorter window that the asker accepted in advance."""

from gateway.asking import Entry
from gateway.cancellation import Cancellation
from gateway.house import House
from gateway.pipeline import answer
from gateway.record.recorder import Recorder
from gateway.reply import Reply
from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from traces.records import Ask, Caller, ShorterWindow


def answer_or_narrower(
    house: House,
    recorder: Recorder,
    caller: Caller,
    ask: Ask,
    *,
    cancellation: Cancellation | None = None,
    entry: Entry,
) -> Reply:
    """Answer a question; after a timeout answer its narrower form, once. Each attempt has its own trace.

    The second is a question like any other: it is checked, priced and held by itself.
    """
    first = answer(house, recorder, caller, ask, cancellation=cancellation, entry=entry)
    accepted, plan = ask.accept_narrower, ask.plan
    if first.outcome != "partial" or accepted is None or plan is None or plan.time is None:
        return first
    window = plan.time.model_copy(update={"from_": accepted.from_, "to": accepted.to})
    narrower = Ask(
        plan=plan.model_copy(update={"time": window}), choices=ask.choices, narrower_of=first.trace_id
    )
    return answer(house, recorder, caller, narrower, cancellation=cancellation, entry=entry)


def narrower_issue(plan: MetricPlan, accepted: ShorterWindow) -> Issue | None:
    """Return why a window cannot stand for the plan's, or None where it is a part of it."""
    window = plan.time
    seen = f"{accepted.from_} to {accepted.to}"
    if window is None:
        message, step = "The plan has no window that could be narrowed.", "Give the plan a `time`."
    elif accepted.from_ > accepted.to:
        message, step = "The narrower window ends before it begins.", "Turn its dates around."
    elif accepted.from_ < window.from_ or accepted.to > window.to:
        message = "The narrower window is not inside the plan's."
        step = f"Choose dates from {window.from_} to {window.to}."
    elif (accepted.from_, accepted.to) == (window.from_, window.to):
        message, step = "The narrower window is the plan's own.", "Choose fewer days, or leave it out."
    else:
        return None
    return Issue(code="not_narrower", message=message, path="/accept_narrower", seen=seen, next_step=step)
