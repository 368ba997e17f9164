"""A question in words to a plan, a question back or an abstention; no model is asked."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from gateway.intake.build import Build
from gateway.intake.follow import follows
from gateway.intake.outcome import (
    ComparedWindow,
    Intake,
    IntakeAbstain,
    IntakeAsk,
    IntakePlan,
    Problem,
)
from gateway.intake.pieces import Laid, Layout
from gateway.intake.prepared import Prepared
from gateway.intake.reader import read
from gateway.intake.repeated import says_again
from gateway.intake.strangers import judge_strangers, with_near
from gateway.intake.windows import Times, When, chosen_day
from gateway.intake.wording import told
from metric_layer.asked_periods import Phrase
from metric_layer.plan import Compare, MetricPlan
from metric_layer.visible import Visible

# What counts first when several things stand in the way.
RANK = {
    "unsupported": 0,
    "ambiguous_metric": 1,
    "unknown_metric": 1,
    "unknown_dimension": 2,
    "ambiguous_value": 3,
    "unknown_value": 3,
    "missing_metric": 4,
    "missing_dimension": 5,
    "ambiguous_date": 6,
    "invalid_date": 6,
    "vague_time": 6,
    "missing_time": 7,
    "future_window": 8,
    "out_of_data_range": 8,
    "incompatible_dimension": 9,
}
WRITES = re.compile(
    r"\b(?:(?:drop|truncate|alter|create)\s(?:or\sreplace\s)?(?:table|view|schema|database|index)|delete\sfrom"
    r"|insert\sinto|merge\sinto|update\s\w+\sset|truncate|(?:grant|revoke)\s\w+\s(?:on|to|from))\b",
    re.IGNORECASE,
)
"""SQL that changes something, in the place of a question."""
SPACES = re.compile(r"\s+")
QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})


def take(
    question: str,
    words: Prepared,
    *,
    visible: Visible,
    today: date,
    previous: MetricPlan | None = None,
    terms: Mapping[str, str] | None = None,
) -> Intake:
    """Read a question over a prepared layer for a caller who may see `visible`.

    `previous` is the plan that a follow-up builds on. `terms` maps a team's own words, and the terms of
    earlier questions back, to codes: a metric, a dimension, `dimension:value`, or one of the dates offered.
    """
    text = SPACES.sub(" ", question.translate(QUOTES)).strip()
    settled = terms or {}
    times = Times(words.layer.calendar, words.rules, today)
    dated = times.find(text)
    periods = [_answered(phrase, settled) for phrase in dated]
    if WRITES.search(text):
        return _stopped([Problem(action="abstain", reason="unsupported", term="a change of the data")])
    laid = Layout(words, visible, settled).lay(text, periods)
    walk = read(laid, words)
    said = walk.said
    base = previous if follows(said, previous) else None
    said.strangers = [each for each in said.strangers if not says_again(walk, each)]
    judge_strangers(said, walk.items, words, visible, follows=base is not None)
    when = times.settle(said, base)
    if base is not None and base.compare is not None and not said.compared:
        if base.compare.kind == "custom" and when.fresh:
            said.ask("ambiguous_date", "comparison")  # its days were named for another window
        when = replace(when, compare=_kept(base.compare, when, times))
    plan = Build(said, words, when, base, visible).plan()
    if plan is None or said.problems:
        return _stopped([with_near(each, words, visible) for each in said.problems])
    return IntakePlan(
        plan=plan,
        explained=tuple(said.explained),
        compared=when.compare,
        used_terms=_used(laid, dated, settled),
        follows=base is not None,
    )


def _answered(phrase: Phrase, terms: Mapping[str, str]) -> Phrase:
    """Return an ambiguous date as it was settled before, if one of its options was chosen."""
    code = next((code for term, code in terms.items() if term.casefold() == phrase.text.casefold()), "")
    return chosen_day(phrase, code) if code and code in phrase.options else phrase


def _used(laid: Laid, dated: Sequence[Phrase], terms: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    offered = {(phrase.text.casefold(), code) for phrase in dated for code in phrase.options}
    settled = [(term, code) for term, code in terms.items() if (term.casefold(), code) in offered]
    return tuple(dict.fromkeys((*laid.used_terms, *settled)))


def _kept(compare: Compare, when: When, times: Times) -> ComparedWindow | None:
    """Return the comparison of the plan before, moved along with a new window."""
    if when.main is None:
        return None
    if compare.kind == "custom":
        given = {"relation": "custom", "from": compare.from_, "to": compare.to}
        return ComparedWindow.model_validate(given)
    return times.again(compare, when.main)


def _stopped(problems: list[Problem]) -> IntakeAsk | IntakeAbstain:
    ordered = sorted(dict.fromkeys(problems), key=lambda problem: RANK[problem.reason])
    every = tuple(told(problem) for problem in ordered)
    first = every[0]
    alike = [problem for problem in every if problem.reason == first.reason]
    if first.action == "ask":
        return IntakeAsk.model_validate(
            {
                "reason": first.reason,
                "term": first.term,
                "options": first.options,
                "message": first.message,
                "next_step": first.next_step,
                "problems": every,
            }
        )
    return IntakeAbstain.model_validate(
        {
            "reason": first.reason,
            "missing": tuple(problem.term for problem in alike),
            "near": tuple(dict.fromkeys(name for problem in alike for name in problem.near)),
            "message": first.message,
            "next_step": first.next_step,
            "problems": every,
        }
    )
