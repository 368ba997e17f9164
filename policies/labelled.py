"""A team's own labelled SQL held against its policy: what each text got beside what it should get."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.validate import Problem, plain, pointer_text, read_value
from metric_layer.vocabulary import near
from policies.entitlement import Entitlement, Entitlements
from policies.facts import SqlFacts
from policies.policy import Policy
from policies.register import SQL_CHECKS, judge, worst
from traces.records import Decision

Label = Literal["allow", "soft", "hard"]
SHAPE = '{"id": "...", "sql": "...", "role": "...", "verdict": "allow|soft|hard", "checks": ["..."]}'
REFUSING = ("soft", "hold", "hard")
CHECK_IDS = tuple(check.id for check in SQL_CHECKS)


class LabelledCase(Record):
    """One text with the verdict it should get in a role. `checks` have to be among those that say so."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    sql: str
    role: str
    verdict: Label
    checks: tuple[str, ...] = ()


class CaseResult(Record):
    """What a case got. `findings` are the words of the checks that did not allow it."""

    id: str
    role: str
    passed: bool
    wanted: Label
    verdict: Label
    wanted_checks: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


class LabelReport(Record):
    """How the cases of a file came out."""

    cases: int
    failed: int
    results: tuple[CaseResult, ...]

    @property
    def ok(self) -> bool:
        """Say whether every case got what it should get."""
        return self.failed == 0


def read_cases(text: str, place: str, policy: Policy) -> tuple[LabelledCase, ...] | tuple[Issue, ...]:
    """Return the cases of a file of JSON lines, or everything that is wrong with it, line by line."""
    cases: list[LabelledCase] = []
    issues: list[Issue] = []
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        at = f"{place}:{number}"
        found = _case(line, at)
        if isinstance(found, LabelledCase):
            issues.extend(_against(found, at, policy, seen))
            seen.add(found.id)
            cases.append(found)
        else:
            issues.extend(found)
    if not cases and not issues:
        issues.append(
            Issue(
                code="no_cases", message=f"{place} holds no case.", place=place, next_step=f"Write {SHAPE}."
            )
        )
    return tuple(issues) or tuple(cases)


def judge_cases(
    cases: Sequence[LabelledCase], entitlements: Entitlements, policy: Policy, now: datetime
) -> LabelReport:
    """Judge every case by every SQL check, as free SQL of its role. Nothing is sent to a database."""
    roles = {role.role_name: role for role in entitlements}
    results = tuple(_judged(case, roles[case.role], policy, now) for case in cases)
    return LabelReport(
        cases=len(results), failed=sum(not result.passed for result in results), results=results
    )


def _case(line: str, at: str) -> LabelledCase | tuple[Issue, ...]:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as fault:
        column = f":{fault.colno}" if isinstance(fault, json.JSONDecodeError) else ""
        message = "The line is no JSON object."
        return (Issue(code="bad_json", message=message, place=f"{at}{column}", next_step=f"Write {SHAPE}."),)
    read = read_value(plain(raw), partial(LabelledCase.model_validate, strict=True), LabelledCase)
    return read if isinstance(read, LabelledCase) else tuple(_bad_field(problem, at) for problem in read)


def _bad_field(problem: Problem, at: str) -> Issue:
    return Issue(
        code=problem.code,
        message=problem.message,
        path=pointer_text(problem.pointer),
        place=at,
        seen=problem.seen,
        candidates=problem.candidates,
        next_step=problem.next_step or f"Write {SHAPE}.",
    )


def _against(case: LabelledCase, at: str, policy: Policy, seen: set[str]) -> Iterator[Issue]:
    """Yield names that the policy and the checks do not know, and an id that was there before."""
    if case.role not in policy.roles:
        yield _unknown("role", case.role, tuple(policy.roles), at)
    for check in case.checks:
        if check not in CHECK_IDS:
            yield _unknown("check", check, CHECK_IDS, at)
    if case.id in seen:
        message = f"The id {case.id!r} stands in the file twice."
        yield Issue(
            code="repeated_id", message=message, place=at, seen=case.id, next_step="Give each case its own."
        )


def _unknown(kind: str, seen: str, known: Sequence[str], at: str) -> Issue:
    return Issue(
        code=f"unknown_{kind}",
        message=f"There is no {kind} {seen!r}.",
        place=at,
        seen=seen,
        candidates=near(seen, known),
        next_step=f"Name one of: {', '.join(known)}.",
    )


def _judged(case: LabelledCase, role: Entitlement, policy: Policy, now: datetime) -> CaseResult:
    reading = role.reader.read(case.sql, now)
    facts = SqlFacts("free", policy, role.catalogue, reading, None)
    decisions = judge(SQL_CHECKS, facts)
    refusing = [decision for decision in decisions if decision.verdict in REFUSING]
    verdict = _label(decisions)
    checks = tuple(dict.fromkeys(decision.check for decision in refusing))
    return CaseResult(
        id=case.id,
        role=case.role,
        passed=verdict == case.verdict and set(case.checks) <= set(checks),
        wanted=case.verdict,
        verdict=verdict,
        wanted_checks=case.checks,
        checks=checks,
        findings=tuple(f"{decision.check}: {decision.reason}" for decision in refusing),
    )


def _label(decisions: Sequence[Decision]) -> Label:
    found = worst(decisions)
    if found == "hard":
        return "hard"
    return "soft" if found in REFUSING else "allow"
