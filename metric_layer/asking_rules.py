"""Rules that asking rules must satisfy over their layer: names exist, patterns and periods can be read."""

import re
from collections.abc import Iterator, Set
from datetime import date

from metric_layer.asked_periods import QuestionPeriods
from metric_layer.asking import AskingRules
from metric_layer.draft import Draft
from metric_layer.fault import Fault, fault
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.validate import Pointer, pointer_text
from metric_layer.vocabulary import near

Wrong = tuple[Pointer, Issue]
"""A part of the rules, and what is wrong with it."""
ANY_DAY = date(2026, 6, 17)


def check_one_asking(draft: Draft) -> Iterator[Fault]:
    """A project says once how its questions are read."""
    for _, site in draft.askings[1:]:
        message = f"A second section on asking; the first stands at {draft.askings[0][1].place()}."
        yield fault("asking", site, (), "duplicate_asking", message, "Keep one section.")


def check_askings(draft: Draft, layer: Layer, unsound: Set[str]) -> Iterator[Issue]:
    """Every name, pattern and period of the rules can be read; `unsound` metrics have faults of their own."""
    for rules, site in draft.askings[:1]:
        for inside, issue in _wrong(rules, layer):
            if issue.seen not in unsound:
                yield issue.model_copy(update={"place": site.place(*inside)})


def check_asking(rules: AskingRules, layer: Layer) -> tuple[Issue, ...]:
    """Return all that is wrong with asking rules; `path` points into them."""
    return tuple(
        issue.model_copy(update={"path": pointer_text(inside)}) for inside, issue in _wrong(rules, layer)
    )


def _wrong(rules: AskingRules, layer: Layer) -> Iterator[Wrong]:
    yield from _ambiguous(rules, layer)
    yield from _patterns(rules, layer)
    yield from _periods(rules)
    yield from _default(rules, layer)


def _ambiguous(rules: AskingRules, layer: Layer) -> Iterator[Wrong]:
    known = (*layer.metrics, *layer.dimensions)
    for term, options in rules.ambiguous.items():
        for place, name in enumerate(options):
            if name.partition(":")[0] not in known:
                issue = Issue(
                    code="unknown_name",
                    message=f"The ambiguous word {term!r} names {name!r}, which is not in this layer.",
                    seen=name,
                    candidates=near(name, known),
                    next_step="Name metrics, dimensions or dimension:value of this layer.",
                )
                yield ("ambiguous", term, place), issue


def _patterns(rules: AskingRules, layer: Layer) -> Iterator[Wrong]:
    for name, text in rules.patterns.items():
        if name not in layer.dimensions:
            issue = Issue(
                code="unknown_dimension",
                message=f"A pattern is given for {name!r}, which is no dimension.",
                seen=name,
                candidates=near(name, layer.dimensions),
                next_step="Name a dimension of this layer.",
            )
            yield ("patterns", name), issue
        try:
            re.compile(text)
        except re.error as unreadable:
            issue = Issue(
                code="bad_pattern",
                message=f"The pattern of {name} cannot be read: {unreadable}.",
                seen=text,
                next_step="Write a regular expression that a whole value matches.",
            )
            yield ("patterns", name), issue


def _periods(rules: AskingRules) -> Iterator[Wrong]:
    """Every span runs forwards."""
    spans: list[tuple[Pointer, date, date]] = [
        (("named_periods", index, "occurrences", place), each.from_, each.to)
        for index, named in enumerate(rules.named_periods)
        for place, each in enumerate(named.occurrences)
    ]
    if rules.data_from is not None and rules.data_to is not None:
        spans.append((("data_to",), rules.data_from, rules.data_to))
    for inside, first, last in spans:
        if first > last:
            issue = Issue(
                code="window_reversed",
                message=f"The period is reversed: {first} is after {last}.",
                seen=f"{first} to {last}",
                next_step="Swap the two dates.",
            )
            yield inside, issue


def _default(rules: AskingRules, layer: Layer) -> Iterator[Wrong]:
    free = rules.model_copy(update={"data_from": None, "data_to": None})
    found = QuestionPeriods(layer.calendar, ANY_DAY, free).find(rules.default_window)
    if rules.default_window and (len(found) != 1 or found[0].window is None or found[0].fault):
        issue = Issue(
            code="unknown_period",
            message=f"The default window {rules.default_window!r} names no period.",
            seen=rules.default_window,
            next_step="Say one as a question would: last month, last 12 months.",
        )
        yield ("default_window",), issue
