"""A recorded question through the same pipeline again, and the one word that says why it differs."""

from collections.abc import Callable, Iterable, Mapping

from gateway.asking import Entry
from gateway.house import House
from gateway.pipeline import answer
from gateway.recorder import MemoryRecorder
from gateway.reply import NumberChange, ReplayReport
from traces.diff import Change, Difference, diff
from traces.records import Caller, Close, Pins, Trace

Cause = tuple[str, str]

# Which pins can move the outcome of a step when everything before it came out the same.
FEEDS: Mapping[str, tuple[str, ...]] = {
    "plan_checks": ("definition", "calendar", "entitlement", "policy"),
    "sql": ("definition", "calendar", "parser", "gateway", "allowlist", "thresholds"),
    "sql_checks": ("allowlist", "thresholds", "policy", "parser", "gateway"),
    "estimate": ("data", "engine", "entitlement"),
    "cost_checks": ("thresholds", "policy"),
    "rows": ("data", "entitlement", "engine"),
    "rows_checks": ("data", "entitlement", "engine"),
    "answer": ("definition", "gateway", "policy"),
}


def replay(trace: Trace, house: House, caller: Caller, *, own: bool, withheld: bool) -> ReplayReport:
    """Ask again under `house` as `caller` and compare. Nothing is recorded, and no model is called.

    `withheld` is for an asker whose access has changed: they are told the new numbers only.
    """
    closed = trace.closed
    if closed is None or closed.pins is None:
        return _cannot_tell(trace, "the question never ended")
    if trace.opened.origin != "plan" or trace.opened.ask.plan is None:
        return _cannot_tell(trace, "free SQL is replayed by its planner, and none was recorded")
    if any(d.check == "key_attestation" and d.verdict == "hard" for d in closed.decisions):
        return _cannot_tell(trace, "a key was found broken then: attest it again, and ask")
    recorder = MemoryRecorder(
        was_accepted=any(j.verdict == "accept" for j in trace.judgements),
        was_guarded=bool(closed.query and closed.query.guard),
        day=closed.day,
    )
    approval = "replay" if trace.holds else ""
    ask = trace.opened.ask.model_copy(update={"approval_id": approval, "choices": trace.choices})
    answer(house, recorder, caller, ask, entry=Entry("replay"))
    again = recorder.trace()
    new = again.closed
    if new is None or new.pins is None:
        return _cannot_tell(trace, "the replay did not end")
    found = diff(trace.model_copy(update={"attempts": ()}), again)
    verdict, detail = _verdict(closed, new, found, own=own)
    return ReplayReport(
        trace_id=trace.trace_id,
        verdict=verdict,
        detail=detail,
        changed_pins=tuple(tuple(change) for change in found.changed_pins),
        first_step=found.first_step or "",
        numbers=tuple(_number(n, withheld=withheld) for n in found.numbers if n.new or not withheld),
    )


def _number(moved: Change, *, withheld: bool) -> NumberChange:
    return NumberChange(name=moved.name, old="(withheld)" if withheld else moved.old, new=moved.new)


def _verdict(old: Close, new: Close, found: Difference, *, own: bool) -> Cause:
    if found.first_step is None:
        return "same", "every step, decision and number is the same"
    assert old.pins is not None and new.pins is not None
    causes = tuple(_causes(old.pins, new.pins))
    causes = tuple(c for c in causes if c[0] in FEEDS.get(found.first_step, ())) or causes
    if not own and any(name == "entitlement" for name, _ in causes):
        return "cannot tell", "other entitlement: the replay ran as another user than the asker"
    if not causes:
        if old.pins.data.kind == "none":
            return "data", "the engine cannot say what the data was; the rows differ"
        return "nondeterministic", f"nothing that was pinned changed, yet the step {found.first_step} differs"
    return " + ".join(dict.fromkeys(name for name, _ in causes)), "; ".join(text for _, text in causes)


def _causes(old: Pins, new: Pins) -> Iterable[Cause]:
    """Yield each pin that changed as (cause, in words), in the order in which the steps read them."""
    yield from _definitions(old, new)
    named: tuple[tuple[str, Callable[[Pins], str]], ...] = (
        ("calendar", lambda p: p.calendar),
        ("thresholds", lambda p: p.thresholds),
        ("allowlist", lambda p: p.allowlist),
        ("entitlement", lambda p: p.entitlement),
        ("parser", lambda p: p.parser),
        ("engine", lambda p: f"{p.engine} {p.engine_version} {p.mode}".strip()),
        ("data", lambda p: p.data.value),
        ("gateway", lambda p: p.gateway),
    )
    moved = [(name, pin) for name, pin in named if pin(old) != pin(new)]
    for name, pin in moved:
        yield name, f"{name}: {_short(pin(old))} -> {_short(pin(new))}"
    explained = {name for name, _ in moved} & {"thresholds", "allowlist", "entitlement"}
    if old.policy != new.policy and not explained:
        yield "policy", f"policy: {_short(old.policy)} -> {_short(new.policy)}"


def _definitions(old: Pins, new: Pins) -> Iterable[Cause]:
    before = {(used.kind, used.name): used for used in old.used}
    after = {(used.kind, used.name): used for used in new.used}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        name = key[1]
        if was is None or now is None:
            yield "definition", f"definition: {name} {'is used now' if was is None else 'is used no more'}"
        elif was.version != now.version:
            yield "definition", f"definition: {name} v{was.version} -> v{now.version}"
        elif was.digest != now.digest:
            yield "definition", f"definition: {name} v{was.version} changed without a new version"


def _short(pin: str) -> str:
    return pin[:12] if len(pin) > 24 else pin


def _cannot_tell(trace: Trace, why: str) -> ReplayReport:
    return ReplayReport(trace_id=trace.trace_id, verdict="cannot tell", detail=why)
