"""Whether a plan may answer another question than was asked: one near it that the layer covers."""

import hmac
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

from gateway.asking import AskOptions, Door, Entry, Worded
from gateway.house import House
from gateway.intake import IntakePlan, take
from metric_layer.plan import MetricPlan
from traces.records import Caller, Decision

CHECK = "nearby_question"
STRANGE: Mapping[str, str] = {
    "unknown_metric": "metric",
    "unknown_dimension": "dimension",
    "unknown_value": "value",
}
"""What intake says of words that nothing in the layer stands for, by what they seem to be."""
PURPOSE = "agent"
SHOWN_DIGITS = 16


def planned_entry(house: House, caller: Caller, plan: MetricPlan, options: AskOptions, door: Door) -> Entry:
    """Return how a plan came in, with the words of whoever asked where its planner sent them along.

    Where the policy has it so (`agent: {nearby: hold}`), the words are read as a question would be.
    """
    if not options.words.strip():
        return Entry(door, options.conversation)
    found: tuple[Decision, ...] = ()
    if house.governed.policy.agent.nearby == "hold" and house.entitlements.of(caller) is not None:
        finding = _held_against(house, caller, plan, options.words)
        found = (finding,) if finding is not None else ()
    return Entry(door, options.conversation, words=Worded(options.words), findings=found)


def strange_words(house: House, question: str, reasons: Iterable[str]) -> Decision | None:
    """Return that a question has words which no plan can be about, by why intake stopped; None without any.

    The words themselves stay sealed: told are their number, what they seem to be, and the question's keyed
    hash.
    """
    strange = Counter(STRANGE[each] for each in reasons if each in STRANGE)
    if not strange:
        return None
    seen = ", ".join(f"{count} unknown {kind}{'s'[: count > 1]}" for kind, count in strange.items())
    reason = "words of the question stand for nothing in the layer, so the plan may answer a nearby one"
    return planner_finding(house, CHECK, reason, seen, question, "question")


def planner_finding(
    house: House, check: str, reason: str, seen: str, bound: str = "", to: str = ""
) -> Decision:
    """Return what has to be decided of a plan or a text that somebody made of a question.

    It is bound to a keyed hash of a text, `to` saying of what.
    """
    key = house.keys.commitment(PURPOSE)
    mac = hmac.digest(key, bound.encode(), sha256).hex()[:SHOWN_DIGITS] if bound else ""
    return Decision(
        stage="plan",
        check=check,
        verdict="hold",
        reason=reason,
        seen=seen,
        threshold=f"{to} {mac}" if mac else "",
        next_step="Let a reviewer or the decision model say whether it answers the question.",
        output=sha256(f"{reason}\x1f{seen}\x1f{mac}".encode()).hexdigest()[:SHOWN_DIGITS],
    )


def _held_against(house: House, caller: Caller, plan: MetricPlan, words: str) -> Decision | None:
    """Return that words and plan have no metric in common, or that words stand for nothing."""
    read = take(words, house.prepared(), visible=house.visible_for(caller), today=house.now().date())
    if not isinstance(read, IntakePlan):
        return strange_words(house, words, (problem.reason for problem in read.problems))
    named = set(read.plan.metrics)
    if named & set(plan.metrics):
        return None
    reason = "the words name other metrics than the plan, so it may answer a nearby question"
    return planner_finding(
        house, CHECK, reason, f"the words name {', '.join(sorted(named))}", words, "question"
    )
