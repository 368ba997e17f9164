"""The steps of a plan run in order: each a question of its own through the whole pipeline, results by id."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.agent.combine import combined
from gateway.agent.endings import at_limit, ended, missing_issue, without_model
from gateway.agent.meter import Exhausted
from gateway.agent.planner import revised
from gateway.agent.replies import StepReply
from gateway.agent.resume import Resumed
from gateway.agent.steps import filled, probe
from gateway.agent.task import Task
from gateway.agent.together import Checked
from gateway.models.verb import Left, ModelFault
from gateway.narrower import answer_or_narrower, narrower_issue
from gateway.reply import TOLD, Reply
from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from traces.records import Ask, Decision, ShorterWindow, Table

OTHER = "The accept it came with is of another question, and counts for nothing here."


@dataclass(slots=True)
class Run:
    """A plan under way. `done` are the steps that were asked, `results` their tables by step id."""

    task: Task
    resumed: Resumed | None = None
    done: list[tuple[StepReply, Reply]] = field(default_factory=list)
    results: dict[str, Table] = field(default_factory=dict)
    steps: list[StepReply] = field(default_factory=list)

    def through(self, checked: Checked) -> Reply:
        """Run every step of a checked plan, and what its results make of the rest; return the one reply."""
        waiting, undecided = self._begin(checked), True
        at = "revise"
        try:
            while waiting:
                step = waiting.pop(0)
                at = f"step {len(self.done) + 1}"
                plan = filled(step, self.results)
                if isinstance(plan, Issue):
                    waiting, undecided = self._again(plan), True
                    continue
                reply = self._asked(plan, self.task.findings(self.steps) if undecided else ())
                self.done.append((step, reply))
                if reply.outcome not in TOLD:
                    return self._stopped(reply)
                undecided = False
                self._keep(step, reply)
                if step.decides:
                    at = "revise"
                    waiting, undecided = self._again(None), True
        except Exhausted as fault:
            return at_limit(self.task, fault, at, self._told())
        except ModelFault as fault:
            return without_model(self.task, fault, at, self._told())
        except Left:
            return ended(self.task, "left", at, (), done=self._told())
        except _NotThere as fault:
            return ended(self.task, "abstained", at, (missing_issue(fault.names),), done=self._told())
        return combined(self.done)

    def _begin(self, checked: Checked) -> list[StepReply]:
        """Return the steps to run; of a plan with a step that is refused, that step alone."""
        self.steps = list(checked.reply.steps)
        if checked.refused is None:
            return list(self.steps)
        return [
            checked.refused.model_copy(update={"plan": probe(checked.refused), "uses": (), "decides": False})
        ]

    def _asked(self, plan: MetricPlan, findings: Sequence[Decision]) -> Reply:
        """Ask the plan of a step, again where the database was only busy. Raises Exhausted and Left."""
        task, waited = self.task, 0
        resumed = self.resumed
        comes_back = resumed is not None and resumed.plan == plan
        ask = Ask(
            plan=plan,
            dry_run=task.options.dry_run,
            approval_id=task.options.approval_id if comes_back else "",
            accept_narrower=self._narrower(plan),
            step_of=self.done[0][1].trace_id if self.done else "",
        )
        if resumed is not None and resumed.plan_accepted:
            findings = ()
        entry = task.entry(findings, self._note())
        task.meter.step()
        while True:
            with task.in_time() as leaver:
                reply = answer_or_narrower(
                    task.house, task.recorder, task.caller, ask, cancellation=leaver, entry=entry
                )
            if not _is_busy(reply):
                return reply
            task.meter.retry()
            task.dialogue.wait(waited, reply.retry_after)
            waited += 1

    def _note(self) -> str:
        said = f"A model planned this: {self.task.dialogue.model.pinned}."
        other = self.task.options.approval_id and self.resumed is None
        return f"{said} {OTHER}" if other else said

    def _narrower(self, plan: MetricPlan) -> ShorterWindow | None:
        """Return the shorter window that the asker accepts, where it is a part of this step's."""
        accepted = self.task.options.accept_narrower
        return accepted if accepted and narrower_issue(plan, accepted) is None else None

    def _keep(self, step: StepReply, reply: Reply) -> None:
        """Keep the result under the step's id: whole, as its asker may see it."""
        size = reply.actual.bytes if reply.actual else None
        self.task.meter.read(size or (reply.estimate.bytes if reply.estimate else None) or 0)
        kept = self.task.stores.results.get(reply.trace_id, self.task.subject)
        self.results[step.id] = kept.table if kept else Table(columns=reply.columns, rows=())

    def _again(self, problem: Issue | None) -> list[StepReply]:
        """Have the rest of the plan written anew, and check it as a whole. Raises what planning raises."""
        checked = revised(self.task, self.steps, self.done, self.results, problem)
        if checked.reply.missing and not checked.reply.steps:
            raise _NotThere(checked.reply.missing)
        if problem is not None and not checked.reply.steps:
            raise _NotThere((problem.seen,))
        return self._begin(checked)

    def _stopped(self, reply: Reply) -> Reply:
        """Return what stopped the question, with the steps before it."""
        return combined(self.done) if len(self.done) > 1 else reply

    def _told(self) -> tuple[Reply, ...]:
        return tuple(reply for _, reply in self.done if reply.outcome in TOLD)


class _NotThere(Exception):
    """A revised plan says that the question cannot be answered. Never leaves this file."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("not there")
        self.names = tuple(names)


def _is_busy(reply: Reply) -> bool:
    """Say whether the database could not be used, and trying again may help."""
    return reply.outcome == "failed" and any(i.stage == "engine" and i.retry for i in reply.issues)
