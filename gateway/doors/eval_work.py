"""From work to evaluation: a trace becomes a case, and traces tell how often each check fires."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from evals.cases import Case, CasesInvalid, Expectation, load_folder, twins_among
from evals.firing import Firing
from evals.firing import firing as counted
from evals.pairs import write_cases
from evals.stef.against import AgainstFamilies, against_families
from evals.stef.batch import StefReport, score_traces
from evals.stef.rulebook import Rulebook, load_rulebook
from gateway.doors.cli_open import opened
from gateway.doors.eval_run import cases_at, lines_of
from gateway.doors.faults import unknown_trace
from gateway.doors.json_input import BadInput
from gateway.doors.private_file import write_private
from gateway.doors.project import definitions_of
from gateway.engines.open import dialect_of
from gateway.errors import HouseError
from gateway.recorded import recorded
from gateway.reply import Refusal
from metric_layer.issues import Issue
from metric_layer.record import Record
from traces.records import Trace

STOPPED: dict[str, Expectation] = {"needs_clarification": "ask", "abstained": "abstain", "denied": "abstain"}
"""Outcomes that a case takes for right: the owner reviews them before they count."""


class NewCase(Record):
    """A case that was written, and the cases that ask the same gold."""

    file: str
    case: Case
    twins: tuple[str, ...]


def case_of(
    trace_id: str, question: str, name: str, tags: Sequence[str], *, user: str, project: Path | None
) -> NewCase | Refusal:
    """Write a trace of the caller's own, or of anyone's for who may audit, as a case of the project."""
    with opened(project) as house:
        gateway, caller = house.gateway, house.callers.for_cli(user)
        trace = gateway.traces.read(trace_id) if gateway.get_trace(caller, trace_id) else None
        if trace is None:
            return unknown_trace(trace_id)
        folder = house.settings.at(house.settings.paths.cases)
        dialect = gateway.house.engine.dialect
    case = _case(trace, question, name or trace_id, tags)
    file = folder / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', case.id)}.yml"
    try:
        known = load_folder(folder)
    except CasesInvalid as fault:
        raise HouseError(fault.issues) from fault
    if file.exists() or case.id in {other.id for other in known}:
        message, step = f"There is a case {case.id!r} already.", "Name another one with --id."
        raise BadInput(Issue(code="duplicate_case", message=message, seen=case.id, next_step=step))
    folder.mkdir(parents=True, exist_ok=True)
    write_private(file, write_cases([case]).encode())
    twins = next((ids for ids in twins_among((*known, case), dialect) if case.id in ids), ())
    return NewCase(file=str(file), case=case, twins=tuple(other for other in twins if other != case.id))


def firing_of(since: date | None, sample: int, *, user: str, project: Path | None) -> Firing | Refusal:
    """Return the firing rates of the project's traces, for who may audit."""
    with opened(project) as house:
        gateway, caller = house.gateway, house.callers.for_cli(user)
        found = recorded(gateway.house, gateway.traces, caller, since)
        return found if isinstance(found, Refusal) else counted(found, sample=sample)


def stef_of(
    since: date | None, rulebook: Path | None, *, user: str, project: Path | None
) -> StefReport | Refusal:
    """Return the reference-free scores of the project's traces, for who may audit."""
    rules = _rules(rulebook)
    with opened(project) as house:
        gateway, caller = house.gateway, house.callers.for_cli(user)
        found = recorded(gateway.house, gateway.traces, caller, since)
        return found if isinstance(found, Refusal) else score_traces(found, gateway.house.layer, rules)


def stef_against(
    results: Path, rulebook: Path | None, cases: Path | None, *, project: Path | None
) -> AgainstFamilies:
    """Return how STEF compares with the families on the answers of a run."""
    rules = _rules(rulebook)
    found = definitions_of(project)
    dialect, _ = dialect_of(found.settings.engine.url)
    known = cases_at(cases or found.settings.at(found.settings.paths.cases))
    return against_families(lines_of(results), known, found.layer, dialect, rules)


def _rules(rulebook: Path | None) -> Rulebook:
    rules = load_rulebook(rulebook) if rulebook else Rulebook()
    if isinstance(rules, list):
        raise HouseError(rules)
    return rules


def _case(trace: Trace, question: str, name: str, tags: Sequence[str]) -> Case:
    plan, closed = trace.opened.ask.plan, trace.closed
    if closed is None or plan is None:
        message = (
            "The question has not ended." if closed is None else "The question was asked without a plan."
        )
        step = "Take the trace of a plan that was answered or stopped."
        raise BadInput(Issue(code="no_case", message=message, seen=trace.trace_id, next_step=step))
    accepted = any(judgement.verdict == "accept" for judgement in trace.judgements)
    expect = "answer" if accepted else STOPPED.get(closed.outcome, "answer")
    used = {each.name: each.version for each in closed.pins.used} if closed.pins else {}
    metric = plan.metrics[0] if len(plan.metrics) == 1 else ""
    return Case(
        id=name,
        question=question,
        expect=expect,
        gold_plan=plan if expect == "answer" else None,
        metric=metric,
        version=used.get(metric) if expect == "answer" else None,
        tags=tuple(tags),
        trace=trace.trace_id,
    )
