"""A question in words: read over the layer, answered as a plan, asked back, or told what is missing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from pydantic import ValidationError

from gateway.agent.task import Stores, Task, task_of
from gateway.agent.workflow import answer_with_model, is_readable, worded
from gateway.asking import AskOptions, Door, Entry, Worded
from gateway.cancellation import Cancellation
from gateway.chosen import definition_of, team_of, unused
from gateway.house import House
from gateway.intake import IntakeAsk, IntakePlan, Problem, reading_notes, take
from gateway.intake.outcome import Intake, IntakeAbstain
from gateway.narrower import answer_or_narrower, narrower_issue
from gateway.pipeline import answer
from gateway.record.journal import Journal
from gateway.record.recorder import Recorder
from gateway.reply import TOLD, Reply, ReplyIssue, issue_of
from gateway.stores.conversations import Conversations
from gateway.team_choice import Choice
from metric_layer.issues import Issue, Option
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from traces.errors import Unsealable
from traces.records import Ask, Caller, Outcome
from traces.seal import named, unseal

MOST_CHARACTERS = 2_000
NOT_USED = "A choice of yours was not used: the question has no such term, or the term no such reading."
UNREAD = "Intake reads the words of the layer only; other words would need a model, and none is set up."
KEPT_FOR_TEAMS = frozenset(("ambiguous_metric", "ambiguous_value"))
"""What may be settled once for a team: words of the layer, never a date or a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of the words, and the readings that settled them: the team's and the asker's own."""

    found: Intake
    kept: tuple[Choice, ...]
    own: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions of one caller, under one house. The text decides which plan is asked, and nothing else.

    Where the settings name a model, it is asked what intake cannot read; `stores` is what it needs.
    """

    house: House
    recorder: Recorder
    conversations: Conversations
    caller: Caller
    stores: Stores | None = None

    def ask(
        self, question: str, options: AskOptions, *, door: Door, cancellation: Cancellation | None
    ) -> Reply:
        """Answer a question, or say what became of it. What is no question at all leaves no trace."""
        wrong = question_issue(question)
        if wrong is not None:
            return Reply(outcome="invalid_plan", issues=(wrong,))
        if self.house.entitlements.of(self.caller) is None:  # refused like a plan would be
            nothing = Ask(dry_run=options.dry_run)
            return answer(
                self.house,
                self.recorder,
                self.caller,
                nothing,
                entry=Entry(door, options.conversation, words=Worded(question)),
            )
        previous, follows = self._previous(options.conversation)
        entry = partial(Entry, door, options.conversation, follows)
        read = self._read(question, previous, options.choices)
        if not isinstance(read.found, IntakePlan):
            told = self._issues(question, previous, read, read.found.problems)
            task = self._task(question, options, door, cancellation) if is_readable(read.found) else None
            if task is None:
                own = {term: option.removeprefix("by ") for term, option in options.choices.items()}
                idle = unused(partial(self._take, question, previous), own, read.kept)
                words = Worded(question, (NOT_USED,) if idle else (), read.kept)
                return self._stop(read.found, told, entry(words=words))
            return answer_with_model(replace(task, previous=previous, follows=follows), told)
        plan = read.found.plan
        narrower = options.accept_narrower
        if narrower is not None and (issue := narrower_issue(plan, narrower)) is not None:
            return Reply(outcome="invalid_plan", plan=plan, issues=(issue_of(issue, "input"),))
        ask = Ask(
            plan=plan,
            dry_run=options.dry_run,
            approval_id=options.approval_id,
            accept_narrower=narrower,
        )
        notes = (*reading_notes(read.found, self.house.prepared()), *_told(read.own, options.choices))
        words = Worded(question, notes, read.kept)
        reply = answer_or_narrower(
            self.house, self.recorder, self.caller, ask, cancellation=cancellation, entry=entry(words=words)
        )
        if reply.outcome in TOLD:
            self._keep_choices(question, previous, read)
        if self.house.governed.policy.agent.draft == "always":
            task = self._task(question, options, door, cancellation)
            return worded(task, reply) if task is not None else reply
        return reply

    def _task(
        self, question: str, options: AskOptions, door: Door, cancellation: Cancellation | None
    ) -> Task | None:
        """Return the question as the agent takes it, or None where there is no model to ask."""
        if self.stores is None:
            return None
        asked = (question, options, door)
        leaver = cancellation or Cancellation()
        return task_of(self.house, self.recorder, self.stores, self.caller, asked, leaver)

    def _previous(self, conversation: str) -> tuple[MetricPlan | None, str]:
        """Return the plan that this caller was last answered in a conversation, as far as it still exists.

        Beside it stands the trace of that answer.
        """
        subject = self.house.subject(self.caller)
        called = conversation and named(self.house.keys, subject, conversation)
        sealed = called and self.conversations.recall(subject, called)
        if not sealed:
            return None, ""
        try:
            trace_id, _, text = unseal(self.house.keys, subject, sealed).rpartition("\n")
            plan = MetricPlan.model_validate_json(text)
        except (ValidationError, Unsealable):  # written by another version, or erased
            return None, ""
        layer = self.house.layer
        exists = layer.metrics.keys() >= set(plan.metrics) and layer.dimensions.keys() >= set(plan.dimensions)
        return (plan, trace_id) if exists else (None, "")

    def _read(self, question: str, previous: MetricPlan | None, choices: Mapping[str, str]) -> Reading:
        """Read the words; a term they leave open takes the reading the team chose, where it is offered."""
        team = team_of(self.caller, self.house.subject(self.caller))
        kept = {term.casefold(): choice for term, choice in self.recorder.chosen(team).items()}
        own = {term: option.removeprefix("by ") for term, option in choices.items()}
        used: dict[str, Choice] = {}
        while True:
            terms = {**{term: choice.option for term, choice in used.items()}, **own}
            found = self._take(question, previous, terms)
            fresh = () if isinstance(found, IntakePlan) else self._offered(found.problems, kept, used)
            if not fresh:
                break
            used.update(fresh)
        settled = found.used_terms if isinstance(found, IntakePlan) else ()
        return Reading(found, tuple(used.values()), tuple(pair for pair in settled if pair[0] in own))

    def _take(self, question: str, previous: MetricPlan | None, terms: Mapping[str, str]) -> Intake:
        house = self.house
        return take(
            question,
            house.prepared(),
            visible=house.visible_for(self.caller),
            today=house.now().date(),
            previous=previous,
            terms=terms,
        )

    def _offered(
        self, problems: tuple[Problem, ...], kept: Mapping[str, Choice], used: Mapping[str, Choice]
    ) -> tuple[tuple[str, Choice], ...]:
        """Return the kept readings among what is offered whose definition is the one that was chosen."""
        layer = self.house.layer
        found = []
        for problem in problems:
            choice = kept.get(problem.term.casefold())
            if choice is None or choice.term in used or not _offers(problem, choice.option):
                continue
            if choice.definition == definition_of(layer, choice.option)[0]:
                found.append((choice.term, choice))
        return tuple(found)

    def _keep_choices(self, question: str, previous: MetricPlan | None, read: Reading) -> None:
        """Keep the asker's readings for their team, where the words would be open without them."""
        subject = self.house.subject(self.caller)
        terms = {**{choice.term: choice.option for choice in read.kept}, **dict(read.own)}
        for term, option in read.own:
            without = self._take(question, previous, {t: o for t, o in terms.items() if t != term})
            problems = () if isinstance(without, IntakePlan) else without.problems
            if any(p.term.casefold() == term.casefold() and _offers(p, option) for p in problems):
                definition, version = definition_of(self.house.layer, option)
                team = team_of(self.caller, subject)
                now = self.house.now()
                self.recorder.choose(Choice(team, term.casefold(), option, definition, version, subject, now))

    def _issues(
        self, question: str, previous: MetricPlan | None, read: Reading, problems: tuple[Problem, ...]
    ) -> tuple[ReplyIssue, ...]:
        """Return the problems as they are told; readings to choose from only where a choice settles them."""
        terms = {**{choice.term: choice.option for choice in read.kept}, **dict(read.own)}
        found = []
        for problem in problems:
            options = problem.options if problem.action == "ask" else ()
            tried = (
                self._take(question, previous, {**terms, problem.term: option.removeprefix("by ")})
                for option in options
            )
            settled = bool(options) and not any(_stands(problem, each) for each in tried)
            found.append(_issue(problem, self.house.layer, settled=settled))
        return tuple(found)

    def _stop(self, found: IntakeAsk | IntakeAbstain, told: tuple[ReplyIssue, ...], entry: Entry) -> Reply:
        """Record that there is no plan, without the words, and tell the asker why, with them."""
        outcome: Outcome = "needs_clarification" if isinstance(found, IntakeAsk) else "abstained"
        journal = Journal(self.house, self.recorder, self.caller, Ask(), origin="plan", entry=entry)
        journal.issues.extend(_without_words(problem) for problem in found.problems)
        if self.house.model is None and is_readable(found):
            journal.notes.append(UNREAD)
        receipt = journal.close(outcome)
        return Reply(
            outcome=outcome,
            trace_id=journal.trace_id,
            receipt=receipt,
            notes=tuple(journal.notes),
            issues=told,
        )


def question_issue(question: str) -> ReplyIssue | None:
    """Return why a text is no question, or None."""
    if not question.strip():
        return ReplyIssue(
            code="empty_question",
            message="The question is empty.",
            stage="input",
            path="/question",
            next_step="Ask for a figure of a period: net revenue by region last quarter.",
        )
    if len(question) > MOST_CHARACTERS:
        return ReplyIssue(
            code="question_too_long",
            message=f"The question is longer than {MOST_CHARACTERS:,} characters.",
            stage="input",
            path="/question",
            seen=f"{len(question):,} characters",
            threshold=str(MOST_CHARACTERS),
            next_step="Ask one thing at a time, in a sentence.",
        )
    return None


def _told(own: tuple[tuple[str, str], ...], chosen: Mapping[str, str]) -> Iterator[str]:
    """Yield a note for each reading of the asker's own; their word is in the sealed question only."""
    for _, option in own:
        yield f"A word of the question was read as {option}, as you chose."
    if chosen.keys() - dict(own).keys():
        yield NOT_USED


def _offers(problem: Problem, option: str) -> bool:
    """Tell whether a question back offers a reading that may be kept."""
    offered = {each.removeprefix("by ") for each in problem.options}
    return problem.reason in KEPT_FOR_TEAMS and option in offered


def _without_words(problem: Problem) -> Issue:
    """Return a problem as a trace may hold it: what it was, never the words that the asker used."""
    return Issue(
        code=problem.reason,
        message="A part of the question stood in the way of a plan; its words are sealed.",
        next_step="See the reply.",
    )


def _stands(problem: Problem, found: Intake) -> bool:
    """Tell whether a term is as open as it was."""
    problems = () if isinstance(found, IntakePlan) else found.problems
    return any((each.reason, each.term) == (problem.reason, problem.term) for each in problems)


def _issue(problem: Problem, layer: Layer, *, settled: bool) -> ReplyIssue:
    """Return a problem as it is told; `settled` says that its term can be answered with a choice."""
    asks = problem.action == "ask"
    options = problem.options if settled else ()
    more = " Or send one of them under `choices`, by the term." if settled else ""
    return ReplyIssue(
        code=problem.reason,
        message=problem.message,
        stage="input",
        path="/question",
        seen="" if problem.reason.startswith("missing_") else problem.term,
        candidates=problem.near,
        next_step=f"{problem.next_step}{more}",
        term=problem.term if asks else "",
        options=tuple(Option(name=name, description=_described(name, layer)) for name in options),
    )


def _described(option: str, layer: Layer) -> str:
    """Return the definition of a reading in one line."""
    name, _, value = option.removeprefix("by ").partition(":")
    if name in layer.metrics:
        return layer.metrics[name].description
    dimension = layer.dimensions.get(name)
    if dimension is None:
        return ""
    if not value:
        return dimension.description or dimension.label
    labels = (each.label for each in dimension.values if each.value == value)
    return f"{dimension.label or name}: {next(labels, '') or value}"
