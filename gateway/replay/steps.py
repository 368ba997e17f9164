"""The pure steps of a recorded question, taken again: plan, SQL, checks, the budget on its estimate, print.

Nothing is asked of a database and of no model: the recorded estimate, day, free SQL and numbers are used.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Literal, get_args

from gateway.ground.derived.show import show_value
from gateway.releases.in_force import metrics_of, recorded_pin
from gateway.replay.artefacts import Artefacts
from gateway.stages.plan_facts import HIDDEN_METRIC
from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.naming import out_of_force_names
from metric_layer.resolve import resolve
from metric_layer.resolved import OutputColumn, ResolvedPlan
from metric_layer.sql import Reading
from policies.entitlement import Entitlement, view_read
from policies.facts import CostFacts, PlanFacts, SqlFacts
from policies.policy import Policy
from policies.register import COST_CHECKS, PLAN_CHECKS, SQL_CHECKS, judge
from policies.release import AskedAs, Match
from policies.small_groups import count_groups
from traces.records import Caller, Citation, Close, Decision, Open, ReleasePin, Stage

PureStep = Literal["plan_checks", "sql", "sql_checks", "cost_checks", "access", "outputs", "answer"]
ORDER: tuple[PureStep, ...] = get_args(PureStep)
SAID = {"label", "description", "synonyms", "version"}
"""What an output is called: no number moves with it."""
OF_THE_DATABASE = frozenset(
    ("key_attestation", "model_plan", "nearby_question", "second_opinion", "stale_attestation")
)
"""Checks of what only the database, an earlier count, or whoever planned the question can say."""
NOBODY = "recorded"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A question as its trace has it. `role` is whose rights it is taken with; `text` is free SQL, or ""."""

    opened: Open
    closed: Close
    role: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """What taking the steps gave: its meaning, its reading, every decision, and each step's outcome."""

    resolved: ResolvedPlan | None = None
    reading: Reading | None = None
    decisions: tuple[Decision, ...] = ()
    denied: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()

    def outcomes(self) -> Mapping[PureStep, object]:
        """Return what each step came to, to be compared; a step that was not reached came to nothing."""
        return {
            "plan_checks": refusals(self.decisions, "plan"),
            "sql": self.reading.sql if self.reading else "",
            "sql_checks": refusals(self.decisions, "sql"),
            "cost_checks": refusals(self.decisions, "cost"),
            "access": self.access,
            "outputs": _meanings(self.resolved.outputs) if self.resolved and self.reading else (),
            "answer": self.printed,
        }


def take(asked: Recorded, artefacts: Artefacts) -> Steps:
    """Take the pure steps with a set of definitions and policy, up to the one that denies the question."""
    role = artefacts.entitlement(asked.role, asked.opened.at)
    found, resolved = _resolved(asked, artefacts, role)
    facts = _plan_facts(asked, artefacts, role, found, resolved)
    steps = Steps(resolved=resolved, decisions=judge(PLAN_CHECKS, facts))
    policy = artefacts.governed.policy
    if role is None or (denied := denying(steps.decisions, policy)):
        return replace(steps, denied=denying(steps.decisions, policy))
    reading = _reading(asked, artefacts, role, resolved)
    sql_facts = SqlFacts(asked.opened.origin, policy, role.catalogue, reading, resolved)
    judged = judge(SQL_CHECKS, sql_facts)
    denied = denying(judged, policy)
    steps = replace(steps, reading=reading, decisions=(*steps.decisions, *judged), denied=denied)
    if denied:
        return steps
    judged = _priced(asked, policy, role, resolved)
    return replace(
        steps,
        decisions=(*steps.decisions, *judged),
        denied=denying(judged, policy),
        access=tuple(_access(role, artefacts, reading)),
        printed=tuple(_printed(asked.closed.answer, resolved.outputs)) if resolved else (),
    )


def denying(decisions: Iterable[Decision], policy: Policy) -> tuple[str, ...]:
    """Return the checks that deny a question."""
    denied = (
        d.check
        for d in decisions
        if d.verdict == "hard" or (d.verdict == "soft" and d.check not in policy.judgeable)
    )
    return tuple(dict.fromkeys(denied))


def refusals(decisions: Iterable[Decision], stage: Stage) -> tuple[tuple[str, str], ...]:
    """Return what the checks of a stage did not let pass; what only the database can say is left out."""
    kept = (d for d in decisions if d.stage == stage and d.check not in OF_THE_DATABASE)
    return tuple(
        (d.check, "shadow" if _untold(d) else d.verdict)
        for d in kept
        if d.verdict not in ("allow", "skipped") or _untold(d)
    )


def _untold(decision: Decision) -> bool:
    """Say whether a decision lets a question run whose answer is told to nobody."""
    return decision.check == "release" and decision.seen == "shadow" and decision.verdict == "allow"


def unlike_recorded(asked: Recorded, steps: Steps, *, strictly: bool) -> tuple[PureStep, ...]:
    """Return the recorded steps that came to something else when they were taken with the pinned artefacts.

    `strictly` holds every check's whole finding against the recorded one, also where both allow.
    """
    closed, again = asked.closed, steps.outcomes()
    by_stage: tuple[tuple[PureStep, Stage], ...] = (
        ("plan_checks", "plan"),
        ("sql_checks", "sql"),
        ("cost_checks", "cost"),
    )
    found: set[PureStep] = {
        step for step, stage in by_stage if again[step] != refusals(closed.decisions, stage)
    }
    if strictly:
        found |= {step for step, stage in by_stage if _contradict(closed, steps, stage)}
    if steps.reading and again["sql"] != (closed.query.sql if closed.query else ""):
        found.add("sql")
    columns = {output.name for output in steps.resolved.outputs} if steps.resolved else set()
    cited = tuple(each.text for each in closed.answer if each.cell and each.cell.column in columns)
    if steps.printed != cited:
        found.add("answer")
    return tuple(step for step in ORDER if step in found)


def _contradict(closed: Close, steps: Steps, stage: Stage) -> bool:
    """Say whether a check that was made then and now found something else."""
    then, now = _findings(closed.decisions, stage), _findings(steps.decisions, stage)
    return any(then[check] != now[check] for check in then.keys() & now.keys())


def _findings(decisions: Iterable[Decision], stage: Stage) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for decision in decisions:
        if decision.stage == stage and decision.check not in OF_THE_DATABASE:
            found.setdefault(decision.check, []).append(decision.output)
    return found


def parted(one: Steps, other: Steps) -> tuple[PureStep, ...]:
    """Return the steps that came to something else, in their order."""
    before, after = one.outcomes(), other.outcomes()
    return tuple(step for step in ORDER if before[step] != after[step])


def _resolved(
    asked: Recorded, artefacts: Artefacts, role: Entitlement | None
) -> tuple[tuple[Issue, ...], ResolvedPlan | None]:
    plan = asked.opened.ask.plan
    if plan is None or role is None:
        return (), None
    found = resolve(
        plan,
        artefacts.layer,
        visible=role.visible,
        choices={**asked.closed.readings, **asked.opened.ask.choices},
        today=asked.opened.at.date(),
        dialect=artefacts.dialect,
        allow=artefacts.governed.policy.askable,
    )
    if not isinstance(found, ResolvedPlan):
        return found, None
    counted = count_groups(found, artefacts.layer, role, artefacts.governed.policy.reading.min_group)
    return ((), counted) if isinstance(counted, ResolvedPlan) else (counted, None)


def _plan_facts(
    asked: Recorded,
    artefacts: Artefacts,
    role: Entitlement | None,
    issues: tuple[Issue, ...],
    resolved: ResolvedPlan | None,
) -> PlanFacts:
    opened, policy = asked.opened, artefacts.governed.policy
    pin = _release(asked, policy, resolved)
    return PlanFacts(
        caller=Caller(user=NOBODY, roles=(asked.role,) if asked.role else (), tenant=opened.tenant),
        role_name=role.role_name if role else "",
        role=role.role if role else None,
        policy=policy,
        plan=opened.ask.plan,
        issues=issues,
        release_class=pin.question_class,
        stage=pin.stage,
        dry_run=opened.ask.dry_run,
        unsettled=_unsettled(opened, artefacts, role, resolved) if role and resolved else (),
    )


def _unsettled(
    opened: Open, artefacts: Artefacts, role: Entitlement, resolved: ResolvedPlan
) -> tuple[str, ...]:
    """Return the metrics of a plan that were not in force when it was asked; hidden ones unnamed."""
    used = (artefacts.layer.metrics[each.name] for each in resolved.used if each.kind == "metric")
    names = out_of_force_names(used, opened.at.date(), artefacts.governed.policy.definitions)
    shown = (name if role.visible.metric(name) else HIDDEN_METRIC for name in names)
    return tuple(dict.fromkeys(shown))


def _reading(
    asked: Recorded, artefacts: Artefacts, role: Entitlement, resolved: ResolvedPlan | None
) -> Reading:
    """Compile the plan, or take the free SQL as it was recorded, and read the text that would run."""
    at = asked.opened.at
    if resolved is None:
        return role.reader.read(asked.text, at)

    def read() -> Reading:
        statement = compile_plan(resolved, artefacts.layer, artefacts.dialect, role.caps.rows + 1)
        return role.reader.read(statement, at)

    return artefacts.readings.of((role.role_name, resolved, at.date()), read)


def _priced(
    asked: Recorded, policy: Policy, role: Entitlement, resolved: ResolvedPlan | None
) -> tuple[Decision, ...]:
    """Hold the recorded estimate against the budget; of a question that was never priced nothing is said."""
    estimate = asked.closed.estimate_alone or asked.closed.estimate
    if estimate is None:
        return ()
    release_class = _release(asked, policy, resolved).question_class
    facts = CostFacts(role.role, policy, role.catalogue, estimate, release_class, asked.closed.day)
    return judge(COST_CHECKS, facts)


def _access(role: Entitlement, artefacts: Artefacts, reading: Reading) -> Iterable[str]:
    """Yield, for each table of the query, the rows and values that the role reads of the columns it uses."""
    read: dict[str, set[str]] = {table.name: set() for table in reading.tables}
    for column in reading.columns:
        read.setdefault(column.table, set()).add(column.column)
    for view in role.views:
        if view.name in read:
            yield view_read(role, artefacts.layer, view, read[view.name], artefacts.dialect)


def _meanings(outputs: Sequence[OutputColumn]) -> tuple[object, ...]:
    return tuple(repr(output.model_dump(exclude=SAID)) for output in outputs)


def _printed(citations: Iterable[Citation], outputs: Sequence[OutputColumn]) -> Iterable[str]:
    """Yield each figure of the recorded answer as it would be printed from its recorded value."""
    columns = {output.name: output for output in outputs if output.kind == "metric"}
    for citation in citations:
        column = columns.get(citation.cell.column) if citation.cell else None
        if column is not None:
            yield print_again(column, citation)


def print_again(column: OutputColumn, citation: Citation) -> str:
    """Return a cited value in its column's format; as it was printed where it is no number."""
    try:
        return show_value(column, Decimal(citation.value))
    except InvalidOperation:
        return citation.text


def _release(asked: Recorded, policy: Policy, resolved: ResolvedPlan | None) -> ReleasePin:
    """Return the class of a recorded question under a policy, and its stage."""
    plan = resolved.plan if resolved else asked.opened.ask.plan
    match: Match = "free" if asked.opened.origin == "free" else "governed"
    as_asked = AskedAs(match=match, metrics=metrics_of(plan), role=asked.role)
    return recorded_pin(policy, as_asked, asked.closed.release)
