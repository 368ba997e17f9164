"""A stage of a question: its checks are judged together, its engine calls are watched, and it may end all."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from gateway.cancellation import Cancellation
from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout, Limits
from gateway.house import limits_of
from gateway.kept_plans import Costed
from gateway.record.journal import Journal
from gateway.stages.spending import NO_LINES
from metric_layer.issues import Issue
from policies.facts import Check, CostFacts, SqlFacts
from policies.register import COST_CHECKS, SQL_CHECKS, judge
from traces.records import DataReference, Decision, Outcome, Verdict

F = TypeVar("F")
PASSED: frozenset[Verdict] = frozenset(("allow", "skipped"))


class Stopped(Exception):
    """A stage ended the question. Caught by the pipeline, and by nobody else."""

    def __init__(self, outcome: Outcome, failed_step: str = "", issues: Sequence[Issue] = ()) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.failed_step = failed_step
        self.issues = tuple(issues)


def judge_stage(journal: Journal, checks: Sequence[Check[F]], facts: F, digest: str = "") -> None:
    """Run all checks of a stage, keep every decision, and end the question where one of them denies.

    What only holds it waits: it is settled with the findings of the other stages, before anything runs.
    """
    take_verdicts(journal, judge(checks, facts, digest))


def judge_sql(journal: Journal, facts: SqlFacts, digest: str) -> None:
    """Judge the SQL checks like any stage; what they found of a plan once is on the record of each question.

    That is safe because they look at the text, the plan, the catalogue and the policy alone, none of which
    changes within a house, on one day. Their time is told for the question that they ran for.
    """
    plan = facts.resolved
    if plan is None:
        judge_stage(journal, SQL_CHECKS, facts, digest)
        return
    key = (facts.origin, journal.entitlement and journal.entitlement.role_name, journal.today, plan, digest)
    kept = journal.house.kept.verdicts
    known = kept.found(key)
    if known is None:
        known = judge(SQL_CHECKS, facts, digest)
        kept.put(key, _timeless(known))
    take_verdicts(journal, known)


def judge_cost(journal: Journal, facts: CostFacts, digest: str) -> None:
    """Judge the cost checks like any stage; on one estimate they say the same of each question.

    That is so where no day has lines: they look at the estimate, the policy, the role and its class alone.
    """
    role, kept = journal.entitlement, journal.house.kept.costs
    if facts.budget.day != NO_LINES:
        judge_stage(journal, COST_CHECKS, facts, digest)
        return
    key = (journal.caller.user, role and role.role_name, facts.release_class, facts.opinion, digest)
    known = kept.found(key)
    if known is not None and known.facts.estimate is facts.estimate and known.facts.policy is facts.policy:
        take_verdicts(journal, known.verdicts)
        return
    found = judge(COST_CHECKS, facts, digest)
    kept.put(key, Costed(facts, _timeless(found)))
    take_verdicts(journal, found)


def _timeless(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return decisions as they are kept: their time is told for the question that they were found for."""
    return tuple(each.model_copy(update={"duration_us": 0}) for each in decisions)


def take_verdicts(journal: Journal, decisions: Sequence[Decision]) -> None:
    """Keep the decisions of a stage, and end the question where one of them denies."""
    journal.decisions.extend(decisions)
    against = [d for d in decisions if d.verdict not in PASSED]
    if not against:
        return
    if any(d.verdict == "hard" for d in against):
        raise Stopped(_refusal(journal, against))
    judgeable = journal.house.governed.policy.judgeable
    soft = [d for d in against if d.verdict == "soft"]
    if any(d.check not in judgeable for d in soft):
        raise Stopped("denied")
    if not journal.ask.dry_run:
        journal.waiting.extend((*(d for d in against if d.verdict == "hold"), *soft))


def _refusal(journal: Journal, decisions: Sequence[Decision]) -> Outcome:
    checks = {d.check for d in decisions if d.verdict == "hard"}
    if checks == {"plan"}:
        return "needs_clarification" if all(issue.options for issue in journal.issues) else "invalid_plan"
    if checks == {"release"}:
        return "not_released"
    if any(d.stage == "answer" for d in decisions):
        return "abstained"
    return "denied"


def call_engine(journal: Journal, leaver: Cancellation, call: Callable[[Limits], F]) -> F:
    """Call the engine so that a caller who leaves stops it, and name what went wrong when it fails.

    All calls of a question share its time: each gets the limits with what those before it have left.
    """
    if leaver.cancelled:
        raise _cancelled(journal, leaver)
    role, began = journal.entitlement, time.monotonic()
    caps = limits_of(role.caps if role else journal.house.governed.policy.caps)
    try:
        with leaver.stopping(lambda: journal.house.engine.cancel(journal.trace_id)):
            return call(caps.leaving(caps.seconds - journal.engine_seconds))
    except EngineCancelled as fault:
        raise _cancelled(journal, leaver) from fault
    except EngineTimeout as fault:
        journal.faults.append(fault)
        raise Stopped("partial", journal.step) from fault
    except EngineError as fault:
        journal.faults.append(fault)
        raise Stopped("failed", journal.step) from fault
    finally:
        journal.engine_seconds += time.monotonic() - began


def pin_data(journal: Journal, leaver: Cancellation) -> DataReference:
    """Return what the data is now, within the question's time."""
    engine, name = journal.house.engine, journal.trace_id
    return call_engine(journal, leaver, lambda limits: engine.pin(limits.seconds, name))


def _cancelled(journal: Journal, leaver: Cancellation) -> Stopped:
    """Return how a question ends that was cancelled: its caller left, or a limit of the house was reached."""
    return Stopped("partial" if leaver.because else "left", journal.step, leaver.because)
