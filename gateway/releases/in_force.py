"""The stage in force of a question's class: what the policy names, moved by signed decisions."""

from collections.abc import Callable
from dataclasses import replace

from gateway.releases.signing import is_genuine
from metric_layer.plan import MetricPlan
from policies.policy import Policy
from policies.release import STAGES, AskedAs, in_force
from traces.keys import KeyStore
from traces.release_records import ReleasePin, StageDecided

Newest = Callable[[str], StageDecided | None]


def metrics_of(plan: MetricPlan | None) -> tuple[str, ...]:
    """Return the metrics that a plan asks for; it filters by no other. None without a plan."""
    return plan.metrics if plan is not None else ()


def pin_of(policy: Policy, keys: KeyStore, newest: Newest, asked: AskedAs) -> ReleasePin:
    """Return the class of a question, which is the most cautious of its metrics' classes, and its stage."""
    pins = [stage_of(policy, keys, newest, name) for name in policy.classes_of(asked)]
    return min(pins, key=lambda pin: STAGES.index(pin.stage))


def recorded_pin(policy: Policy, asked: AskedAs, was: ReleasePin | None) -> ReleasePin:
    """Return the class of a recorded question under a policy, with the stage that a decision had given it.

    The record does not say which teams its asker was in: those of its class are taken.
    """
    teams = policy.teams_of(was.question_class) if was else ()
    name = policy.class_of(replace(asked, teams=(*asked.teams, *teams)))
    if was and was.decided and was.question_class == name:
        return was
    return ReleasePin(question_class=name, stage=policy.stage_of(name))


def stages_of(policy: Policy, keys: KeyStore, newest: Newest) -> str:
    """Return the stage in force of every class of a policy, as one text that changes with any of them."""
    return " ".join(f"{name}={stage_of(policy, keys, newest, name).stage}" for name in policy.class_names())


def stage_of(policy: Policy, keys: KeyStore, newest: Newest, name: str) -> ReleasePin:
    """Return the stage of a class. A decision that nobody of this project signed shuts it: it runs dry."""
    start, decision = policy.stage_of(name), newest(name)
    if decision is None:
        return ReleasePin(question_class=name, stage=start)
    if decision.question_class != name or not is_genuine(decision, keys):
        return ReleasePin(question_class=name, stage="dry_run", decided=decision.number)
    stage = in_force(start, policy.most_of(name), (decision.stage, decision.start))
    return ReleasePin(question_class=name, stage=stage, decided=decision.number)
