"""Everything that the workflow needs for one question of one caller."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from gateway.agent.dialogue import Dialogue
from gateway.agent.meter import Exhausted, Meter, limit_issues
from gateway.agent.narrow import Periods, periods_of
from gateway.agent.prompting import Prompts, shipped
from gateway.agent.replies import StepReply
from gateway.agent.steps import in_words
from gateway.asking import AskOptions, Door, Entry, ModelWork, Worded
from gateway.cancellation import Cancellation
from gateway.house import House
from gateway.models.verb import Model
from gateway.nearby import planner_finding, strange_words
from gateway.record.recorder import Recorder
from gateway.reply import ReplyIssue
from gateway.state import StateStore
from gateway.stores.results import ResultStore
from metric_layer.plan import MetricPlan
from policies.agent_policy import AgentRules
from policies.entitlement import Entitlement
from traces.records import Caller, Decision
from traces.seal import seal
from traces.store.base import TraceStore

CHECK = "model_plan"


@dataclass(frozen=True, slots=True)
class Stores:
    """Where traces, results and counts are kept."""

    traces: TraceStore
    results: ResultStore
    state: StateStore


@dataclass(frozen=True, slots=True)
class Task:
    """A question in words that a model is asked about.

    `previous` is the plan a follow-up goes on from and `follows` its trace, `unread` what intake said of the
    words.
    """

    house: House
    recorder: Recorder
    stores: Stores
    caller: Caller
    role: Entitlement
    question: str
    options: AskOptions
    door: Door
    dialogue: Dialogue
    periods: Periods
    previous: MetricPlan | None = None
    follows: str = ""
    unread: tuple[ReplyIssue, ...] = ()
    leaver: Cancellation = field(default_factory=Cancellation)

    @property
    def rules(self) -> AgentRules:
        """Return the limits of the policy."""
        return self.house.governed.policy.agent

    @property
    def meter(self) -> Meter:
        """Return what was taken so far."""
        return self.dialogue.meter

    @property
    def subject(self) -> str:
        """Return the pseudonym of the asker."""
        return self.house.subject(self.caller)

    @contextmanager
    def in_time(self) -> Iterator[Cancellation]:
        """Give what stops a query where its asker leaves or the question's time is over. Raises Exhausted."""
        most = self.rules.seconds
        over = limit_issues(Exhausted("seconds", most, most))
        with self.leaver.within(self.meter.seconds_left(), over) as leaver:
            yield leaver

    def entry(self, findings: Sequence[Decision] = (), note: str = "") -> Entry:
        """Return how the question came in, with what the model did since the last record."""
        return Entry(
            door=self.door,
            conversation=self.options.conversation,
            follows=self.follows,
            words=Worded(self.question, (note,) if note else ()),
            findings=tuple(findings),
            work=self.dialogue.work,
        )

    def findings(self, steps: Sequence[StepReply]) -> tuple[Decision, ...]:
        """Return all that has to be decided of a plan that a model wrote."""
        near = self.nearby() if self.rules.nearby == "hold" else None
        return (self.finding(steps), near) if near is not None else (self.finding(steps),)

    def nearby(self) -> Decision | None:
        """Return that the question has words which its plan cannot be about, or None where it has none."""
        return strange_words(self.house, self.question, (each.code for each in self.unread))

    def finding(self, steps: Sequence[StepReply]) -> Decision:
        """Return what has to be decided of a plan that a model wrote: does it answer the question?

        What it is bound to is a keyed hash of all its steps; told are the names of the layer only.
        """
        text = json.dumps([step.model_dump(mode="json", by_alias=True) for step in steps], sort_keys=True)
        self.dialogue.work.plan = text
        return planner_finding(self.house, CHECK, "a model wrote this plan", in_words(steps), text, "plan")

    def sql_finding(self) -> Decision:
        """Return what has to be decided of a statement that a model wrote."""
        return planner_finding(self.house, CHECK, "a model wrote this statement", "free SQL")


def task_of(
    house: House,
    recorder: Recorder,
    stores: Stores,
    caller: Caller,
    asked: tuple[str, AskOptions, Door],
    leaver: Cancellation,
    prompts: Prompts | None = None,
) -> Task | None:
    """Return the task of a question (`asked`: words, options, door), or None without a model or a role."""
    model, role = house.model, house.entitlements.of(caller)
    if model is None or role is None:
        return None
    question, options, door = asked
    dialogue = dialogue_of(house, model, house.subject(caller), leaver, prompts or shipped())
    return Task(
        house=house,
        recorder=recorder,
        stores=stores,
        caller=caller,
        role=role,
        question=question,
        options=options,
        door=door,
        dialogue=dialogue,
        periods=periods_of(house, question),
        leaver=leaver,
    )


def dialogue_of(house: House, model: Model, subject: str, leaver: Cancellation, prompts: Prompts) -> Dialogue:
    """Return a dialogue under the limits of the house's policy, whose replies are sealed for a subject."""
    return Dialogue(
        model=model,
        prompts=prompts,
        meter=Meter(house.governed.policy.agent),
        work=ModelWork(model.pinned, prompts.digest),
        seal=lambda text: seal(house.keys, subject, text),
        leaver=leaver,
    )
