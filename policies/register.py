"""The checks in their order, one tuple per stage, and the one loop that records every verdict."""

import time
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar

from policies.checks.answer import check_answer_claims, check_answer_numbers, check_answer_scope
from policies.checks.budget import check_budget, check_day_budget, check_full_scan, check_join_growth
from policies.checks.conformity import check_conformity
from policies.checks.date_filter import check_date_filter
from policies.checks.differencing import check_differencing
from policies.checks.fan_out import check_fan_out
from policies.checks.functions import (
    check_file_access,
    check_function_allowlist,
    check_resource_bomb,
    check_session_state,
)
from policies.checks.joins import check_cross_join, check_join_key
from policies.checks.keys import check_key_attestation, check_row_conservation, check_stale_attestation
from policies.checks.limit import check_row_limit
from policies.checks.names import (
    check_select_star,
    check_system_catalog,
    check_table_allowlist,
    check_unknown_column,
)
from policies.checks.personal import check_pii_column, check_pii_star, check_pii_whole_row
from policies.checks.plan import check_definition_status, check_entitlement, check_plan, check_release
from policies.checks.second_opinion import check_second_opinion
from policies.checks.statement import (
    check_data_modifying_cte,
    check_explain_smuggle,
    check_parse_differential,
    check_row_lock,
    check_select_into,
    check_single_statement,
    check_statement_type,
    check_syntax,
    check_time_travel,
)
from policies.facts import (
    AnswerFacts,
    Check,
    CostFacts,
    DifferenceFacts,
    Finding,
    GuardFacts,
    PlanFacts,
    SqlFacts,
)
from traces.records import Decision, Stage, Verdict

SEVERITY: dict[Verdict, int] = {"skipped": 0, "allow": 1, "soft": 2, "hold": 3, "hard": 4}

PLAN_CHECKS: tuple[Check[PlanFacts], ...] = (
    Check("plan", "plan", check_plan),
    Check("entitlement", "plan", check_entitlement),
    Check("release", "plan", check_release),
    Check("key_attestation", "plan", check_key_attestation),
    Check("stale_attestation", "plan", check_stale_attestation),
    Check("definition_status", "plan", check_definition_status),
)

SQL_CHECKS: tuple[Check[SqlFacts], ...] = (
    Check("syntax", "sql", check_syntax),
    Check("parse_differential", "sql", check_parse_differential),
    Check("single_statement", "sql", check_single_statement),
    Check("statement_type", "sql", check_statement_type),
    Check("explain_smuggle", "sql", check_explain_smuggle),
    Check("data_modifying_cte", "sql", check_data_modifying_cte),
    Check("select_into", "sql", check_select_into),
    Check("row_lock", "sql", check_row_lock),
    Check("time_travel", "sql", check_time_travel),
    Check("table_allowlist", "sql", check_table_allowlist),
    Check("system_catalog", "sql", check_system_catalog),
    Check("unknown_column", "sql", check_unknown_column),
    Check("function_allowlist", "sql", check_function_allowlist),
    Check("session_state", "sql", check_session_state),
    Check("file_access", "sql", check_file_access),
    Check("resource_bomb", "sql", check_resource_bomb),
    Check("pii_column", "sql", check_pii_column),
    Check("pii_star", "sql", check_pii_star),
    Check("pii_whole_row", "sql", check_pii_whole_row),
    Check("row_limit", "sql", check_row_limit),
    Check("select_star", "sql", check_select_star),
    Check("join_key", "sql", check_join_key),
    Check("cross_join", "sql", check_cross_join),
    Check("fan_out", "sql", check_fan_out),
    Check("date_filter", "sql", check_date_filter),
    Check("conformity", "sql", check_conformity),
)

COST_CHECKS: tuple[Check[CostFacts], ...] = (
    Check("second_opinion", "cost", check_second_opinion),
    Check("budget", "cost", check_budget),
    Check("day_budget", "cost", check_day_budget),
    Check("full_scan", "cost", check_full_scan),
    Check("join_growth", "cost", check_join_growth),
)

GUARD_CHECKS: tuple[Check[GuardFacts], ...] = (Check("row_conservation", "rows", check_row_conservation),)

DIFFERENCE_CHECKS: tuple[Check[DifferenceFacts], ...] = (Check("differencing", "rows", check_differencing),)

ANSWER_CHECKS: tuple[Check[AnswerFacts], ...] = (
    Check("numbers", "answer", check_answer_numbers),
    Check("scope", "answer", check_answer_scope),
    Check("claims", "answer", check_answer_claims),
)


def check_ids() -> tuple[str, ...]:
    """Return the ids of all checks, stage by stage."""
    stages = (PLAN_CHECKS, SQL_CHECKS, COST_CHECKS, GUARD_CHECKS, DIFFERENCE_CHECKS, ANSWER_CHECKS)
    return tuple(check.id for stage in stages for check in stage)


F = TypeVar("F")


def judge(checks: Sequence[Check[F]], facts: F, input_hash: str = "") -> tuple[Decision, ...]:
    """Run every check of a stage and return one decision per finding; a check that found nothing allows."""
    decisions: list[Decision] = []
    for check in checks:
        started = time.perf_counter_ns()
        findings = tuple(check.run(facts))
        spent = (time.perf_counter_ns() - started) // 1000
        if not findings:
            decisions.append(_stamped(_nothing(check.id, check.stage), spent, input_hash))
            continue
        said = (_said(check.id, check.stage, finding) for finding in findings)
        decisions.extend(_stamped(each, spent, input_hash) for each in said)
    return tuple(decisions)


def worst(decisions: Sequence[Decision]) -> Verdict:
    """Return the severest verdict of a stage."""
    return max((d.verdict for d in decisions), key=SEVERITY.__getitem__, default="allow")


@lru_cache(maxsize=256)
def _nothing(check: str, stage: Stage) -> Decision:
    return _said(check, stage, Finding("allow", "nothing found"))


def _stamped(said: Decision, spent: int, input_hash: str) -> Decision:
    return said.model_copy(update={"duration_us": spent, "input": input_hash})


@lru_cache(maxsize=1024)
def _said(check: str, stage: Stage, finding: Finding) -> Decision:
    """Return a finding as a decision; most checks say the same of every question."""
    said = "\x1f".join((check, finding.verdict, finding.seen, finding.reason))
    return Decision(
        stage=stage,
        check=check,
        verdict=finding.verdict,
        reason=finding.reason,
        seen=finding.seen,
        threshold=finding.threshold,
        place=finding.place,
        span=finding.span,
        candidates=finding.candidates,
        next_step=finding.next_step,
        retry=finding.retry,
        amount=finding.amount,
        duration_us=0,
        input="",
        output=sha256(said.encode()).hexdigest()[:16],
    )
