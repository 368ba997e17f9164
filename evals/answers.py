"""The answer family: the owner's number, the right definition, the right question back or abstention."""

from typing import Literal

from evals.cases import Case, Expectation, OwnersNumber
from evals.scores import CaseScores
from evals.subject import Action, Given
from metric_layer.record import Record

Fault = Literal["wrong_answer_released", "blocked_wrongly", ""]


class AnswerScore(Record):
    """What was right to do, what was done, and whether the answer was the right one. None is undefined.

    `right_value` compares with the owner's number, `right_definition` with the case's metric and version.
    `stale` says that the owner's number is about other data and was not compared. `fault` is set where a
    wrong answer passed every check, or a check stopped a question that has an answer; `checks` names those.
    What was never asked has no right or wrong action.
    """

    expected: Expectation
    given: Action
    right_action: bool | None
    right_value: bool | None = None
    right_definition: bool | None = None
    stale: bool = False
    fault: Fault = ""
    checks: tuple[str, ...] = ()


def score_answer(case: Case, given: Given, scores: CaseScores | None, data: str = "") -> AnswerScore:
    """Judge what the subject did. `data` names the data that both queries saw."""
    answered = case.expect == given.action == "answer"
    action: Action = "answer" if _accepted(case, given) else given.action
    stale = answered and case.number is not None and case.number.data not in ("", data)
    value = _value(case.number, given) if answered and case.number is not None and not stale else None
    definition = _definition(case, given) if answered else None
    return AnswerScore(
        expected=case.expect,
        given=action,
        right_action=None if action == "not_asked" else case.expect == action,
        right_value=value,
        right_definition=definition,
        stale=stale,
        fault=_fault(case, given, action, wrong=False in (value, definition, _perfect(scores))),
        checks=given.checks,
    )


def _value(number: OwnersNumber, given: Given) -> bool:
    """An answer that states no number does not state the owner's."""
    return given.number is not None and abs(given.number - number.value) <= number.tolerance


def _definition(case: Case, given: Given) -> bool | None:
    if not case.metric or given.used is None:
        return None
    return any(name == case.metric and case.version in (None, version) for name, version in given.used)


def _perfect(scores: CaseScores | None) -> bool | None:
    """Say whether the released table was the gold one; undefined where either side could not be told."""
    if scores is None or scores.output.exact is None:
        return None
    return scores.output.exact


def _accepted(case: Case, given: Given) -> bool:
    """Say whether the question waits only for what a reviewer let pass when it was asked before."""
    stopped = set(given.checks)
    return case.expect == "answer" and given.held and bool(stopped) and stopped <= set(case.accepted)


def _fault(case: Case, given: Given, action: Action, *, wrong: bool) -> Fault:
    if given.action == "answer" and (wrong or case.expect != "answer"):
        return "wrong_answer_released"
    return "blocked_wrongly" if action == "refuse" and case.expect == "answer" else ""
