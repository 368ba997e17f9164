"""Free SQL by a model: one statement over a narrow schema, through every check, always held for review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.agent.dialogue import Rejected
from gateway.agent.endings import at_limit, fault_issue, missing_issue
from gateway.agent.meter import Exhausted, limit_issues
from gateway.agent.narrow import schema_slice
from gateway.agent.replies import SqlReply, read_shape, schema_of
from gateway.agent.task import Task
from gateway.models.verb import Left, ModelFault
from gateway.pipeline import answer
from gateway.reply import Reply
from gateway.stages.stage import Stopped
from metric_layer.issues import Issue
from metric_layer.sql import Catalogue
from policies.facts import SqlFacts
from policies.policy import Policy
from policies.register import SQL_CHECKS, judge
from traces.records import Ask, Decision

STEP = "sql"
FREE: Final = "free"


class _Missing(Exception):
    """The model says that no statement answers the question. Never leaves this file."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("missing")
        self.names = tuple(names)


def is_allowed(policy: Policy) -> bool:
    """Say whether the policy names a class of free SQL, released however far."""
    return any(policy.match_of(name) == FREE for name in policy.class_names())


def ask_free(task: Task, sql: str = "") -> Reply:
    """Ask in SQL: a model writes it, or `sql` is what it wrote before the question was held."""
    ask = Ask(dry_run=task.options.dry_run, approval_id=task.options.approval_id)
    writer = (lambda _catalogue: sql) if sql else Writer(task).write
    entry = task.entry((task.sql_finding(),), f"A model wrote its SQL: {task.dialogue.model.pinned}.")
    try:
        with task.in_time() as leaver:
            return answer(
                task.house,
                task.recorder,
                task.caller,
                ask,
                planner=writer,
                cancellation=leaver,
                entry=entry,
            )
    except Exhausted as fault:
        return at_limit(task, fault, STEP)


@dataclass(slots=True)
class Writer:
    """Has a statement written and mended until only a person can decide it. `soft` is the last such text."""

    task: Task
    soft: str = ""

    def write(self, _catalogue: Catalogue) -> str:
        """Return a statement for the pipeline to judge. Raises Stopped where there is none.

        What a hard check refuses for good goes on as it is: the pipeline denies it, on record.
        """
        task = self.task
        schema = schema_slice(task.house, task.role, task.caller, task.question, task.rules)
        fields = {
            "question": task.question,
            "today": str(task.house.now().date()),
            "periods": task.periods.told(),
            **schema.fields,
        }
        try:
            return task.dialogue.ask("sql", fields, schema_of(SqlReply), self._read)
        except Exhausted as fault:
            if self.soft:
                return self.soft
            raise Stopped("partial", STEP, limit_issues(fault)) from fault
        except ModelFault as fault:
            raise Stopped("partial", STEP, (fault_issue(fault),)) from fault
        except Left as fault:
            raise Stopped("left", STEP) from fault
        except _Missing as fault:
            raise Stopped("abstained", STEP, (missing_issue(fault.names),)) from fault

    def _read(self, found: Mapping[str, object]) -> str | Rejected:
        reply = read_shape(found, SqlReply)
        if not isinstance(reply, SqlReply):
            return Rejected(reply, unreadable=True)
        if not reply.sql.strip():
            raise _Missing(reply.missing)
        decisions = self._judged(reply.sql)
        wrong = [d for d in decisions if d.verdict in ("soft", "hard")]
        if any(d.verdict == "hard" and not d.retry for d in wrong) or not wrong:
            return reply.sql
        judgeable = self.task.house.governed.policy.judgeable
        if all(d.verdict == "soft" and d.check in judgeable for d in wrong):
            self.soft = reply.sql
        return Rejected(tuple(_issue(d) for d in wrong))

    def _judged(self, sql: str) -> Sequence[Decision]:
        """Judge a text as the pipeline will; nothing is sent to the database."""
        task = self.task
        reading = task.role.reader.read(sql, task.house.now())
        facts = SqlFacts(FREE, task.house.governed.policy, task.role.catalogue, reading, None)
        return judge(SQL_CHECKS, facts)


def _issue(decision: Decision) -> Issue:
    return Issue(
        code=decision.check,
        message=decision.reason,
        path="/sql",
        seen=decision.seen,
        candidates=decision.candidates,
        next_step=decision.next_step,
    )
