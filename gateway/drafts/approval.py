"""Claims of a draft that its cells do not settle: a reviewer or a judge decides them, for that very text."""

import json
from collections.abc import Sequence
from hashlib import sha256

from gateway.holds.approvals import Approvals
from gateway.holds.records import base_of, keyed
from gateway.house import House
from gateway.record.journal import new_id
from gateway.record.recorder import Recorder
from gateway.releases.in_force import stage_of
from gateway.stages.settlement import PURPOSE, Matter, Settlement, house_parts, settle
from policies.judge import Case
from traces.records import Caller, Decision, Derivation, ReleasePin, Trace


def draft_matter(
    house: House,
    recorder: Recorder,
    caller: Caller,
    cited: Sequence[Trace],
    sent: tuple[str, Sequence[Derivation]],
    approval_id: str,
) -> Matter:
    """Return a draft as something to decide: its text, what it cites and declares, its asker, the house."""
    text, declared = sent
    role, plan = house.entitlements.of(caller), cited[0].opened.ask.plan
    parts = {
        "draft": sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "declared": json.dumps([each.model_dump(mode="json") for each in declared], sort_keys=True),
        "traces": " ".join(trace.trace_id for trace in cited),
        "asker": house.subject(caller),
        "role": role.role_name if role else "",
        **house_parts(house, role),
    }
    case = Case(
        role=parts["role"],
        metrics=tuple(plan.metrics) if plan else (),
        plan=plan.model_dump_json(by_alias=True, exclude_none=True) if plan else "",
        draft=text,
    )
    return Matter(
        kind="draft",
        trace_id=cited[0].trace_id,
        run=new_id(house.now()),
        caller=caller,
        role=parts["role"],
        parts=parts,
        case=case,
        approval_id=approval_id,
        people_only=any(released_now(house, recorder, each).stage == "reviewed" for each in cited),
    )


def released_now(house: House, recorder: Recorder, trace: Trace) -> ReleasePin:
    """Return how far the class of a recorded question is released now."""
    was = trace.closed.release if trace.closed else None
    name = was.question_class if was else "free" if trace.opened.origin == "free" else "governed"
    return stage_of(house.governed.policy, house.keys, recorder.decided, name)


def comes_back(house: House, approvals: Approvals, matter: Matter) -> bool:
    """Say whether a draft is one that was accepted: sending it again uses up no attempt."""
    held = approvals.find(matter.approval_id) if matter.approval_id else None
    if held is None or held.status != "accepted" or held.hold.asker != house.subject(matter.caller):
        return False
    return held.hold.base == base_of(keyed(house.keys.commitment(PURPOSE), matter.parts))


def settle_claims(
    house: House, approvals: Approvals, matter: Matter, decisions: Sequence[Decision]
) -> Settlement:
    """Settle the findings of a draft that hold it."""
    return settle(house, approvals, matter, (each for each in decisions if each.verdict == "hold"))
