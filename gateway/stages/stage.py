"""A stage of a question: its checks are judged together, its engine calls are watched, and it may end all."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from gateway.cancellation import Cancellation
from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout
from gateway.record.journal import Journal
from metric_layer.issues import Issue
from policies.facts import Check
from policies.register import judge
from traces.records import Decision, Outcome

F = TypeVar("F")


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
    decisions = judge(checks, facts, digest)
    journal.decisions.extend(decisions)
    if any(d.verdict == "hard" for d in decisions):
        raise Stopped(_refusal(journal, decisions))
    judgeable = journal.house.governed.policy.judgeable
    soft = [d for d in decisions if d.verdict == "soft"]
    if any(d.check not in judgeable for d in soft):
        raise Stopped("denied")
    if not journal.ask.dry_run:
        journal.waiting.extend((*(d for d in decisions if d.verdict == "hold"), *soft))


def _refusal(journal: Journal, decisions: Sequence[Decision]) -> Outcome:
    checks = {d.check for d in decisions if d.verdict == "hard"}
    if checks == {"plan"}:
        return "needs_clarification" if all(issue.options for issue in journal.issues) else "invalid_plan"
    if checks == {"release"}:
        return "not_released"
    if any(d.stage == "answer" for d in decisions):
        return "abstained"
    return "denied"


def call_engine(journal: Journal, leaver: Cancellation, call: Callable[[], F]) -> F:
    """Call the engine so that a caller who leaves stops it, and name what went wrong when it fails."""
    if leaver.cancelled:
        raise Stopped("left", journal.step)
    try:
        with leaver.stopping(lambda: journal.house.engine.cancel(journal.trace_id)):
            return call()
    except EngineCancelled as fault:
        raise Stopped("left", journal.step) from fault
    except EngineTimeout as fault:
        journal.faults.append(fault)
        raise Stopped("partial", journal.step) from fault
    except EngineError as fault:
        journal.faults.append(fault)
        raise Stopped("failed", journal.step) from fault
