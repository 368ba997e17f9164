"""The answer check: a draft, its table and the question that ran give one verdict with reasons."""

import re
from collections.abc import Iterator, Sequence
from decimal import localcontext
from typing import Literal

from gateway.ground.binding.bind import Binder
from gateway.ground.binding.explain import Explainer
from gateway.ground.cite import cite
from gateway.ground.claiming.claims import Claims, judge_claims
from gateway.ground.claiming.margins import margins_told
from gateway.ground.derived.derive import Derived, Refused, derive
from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.stale import stale_columns
from gateway.ground.pointing.whole import Whole
from gateway.ground.scoping.held_days import HeldDays
from gateway.ground.scoping.loose_digits import LooseDigits
from gateway.ground.scoping.other_measures import OtherMeasures
from gateway.ground.scoping.scope import check_scope
from gateway.ground.scoping.windows import check_windows, is_ran
from gateway.ground.sentence.clauses import header_columns
from gateway.ground.sentence.headings import led_by
from gateway.ground.sentence.read import Draft, read
from gateway.ground.table.asked import GroundRules, Scope
from gateway.ground.table.number_texts import numbers_read
from gateway.ground.table.sheet import Sheet, is_key
from gateway.ground.table.turned import turned, turned_back
from gateway.ground.told.absent import absences, check_absent, excused
from gateway.ground.told.accounts import check_accounts
from gateway.ground.told.before_and_after import BeforeAndAfter
from gateway.ground.told.dated_deeds import check_dated_deeds
from gateway.ground.told.days_told import check_days, check_spans
from gateway.ground.told.estimates import check_estimates
from gateway.ground.told.every_row import EveryRow
from gateway.ground.told.first_times import FirstTimes
from gateway.ground.told.none_said import check_none
from gateway.ground.told.rows import check_rows
from gateway.ground.told.who_won import WhoWon
from gateway.ground.turns.in_words import of_properties
from metric_layer.periods import PeriodParser
from policies.mask import MASK
from traces.grounding import Grounding, SpanCode, SpanFinding
from traces.records import Derivation, Table

PRECISION = 60
OF_DATA = frozenset(("data", "figure", "figures", "value", "values"))
WITHOUT_DATA = re.compile(
    r"\b(?:no|not any|without(?: any)?|lacks?|missing)\s+(?:data|figures?|values?)\b", re.IGNORECASE
)


def ground(
    draft: str, table: Table, scope: Scope, declared: Sequence[Derivation], rules: GroundRules
) -> Grounding:
    """Return whether a draft may leave: every number bound to a cell, period and filters those that ran.

    Never raises for any draft. Offsets of findings and citations are offsets in `text` of the result, which
    is the draft with its slots printed and its HTML comments taken out.
    """
    if not holds_figures(table):
        return Grounding(verdict="fixed_message", text=no_figures_text(table, scope))
    large = _too_large(draft, table, declared, rules)
    if large:
        return Grounding(verdict="block", text=draft, findings=(large,))
    typed = not declared and "{{" not in draft
    by_thing = turned(table) if typed else None
    with localcontext() as context:
        context.prec = PRECISION
        if by_thing is not None:
            return turned_back(_check(draft, by_thing, scope, declared, rules, by_thing=True), table)
        return _check(draft, numbers_read(table) if typed else table, scope, declared, rules)


def holds_figures(table: Table) -> bool:
    """Tell whether a result has anything to say: not zero rows, not one row of nothing but NULL figures.

    A row with a key stands for rows that matched, or for a period that was asked for: that is something.
    """
    if len(table.rows) != 1 or any(map(is_key, table.columns)):
        return bool(table.rows)
    return any(value is not None for value in table.rows[0])


def no_figures_text(table: Table, scope: Scope) -> str:
    """Return the fixed text for a result without figures: no row matched only where that is known.

    A NULL figure may rest on rows without a value, and rows may be gone that a cut or a metric filter took.
    """
    parts = []
    if scope.start and scope.end:
        parts.append(f"from {scope.start.isoformat()} up to, not including, {scope.end.isoformat()}")
    asked = (*scope.filters, *scope.having)
    parts += [f"{name} {op} {', '.join(values)}".strip() for name, op, values in asked]
    about = f" for {scope.metrics[0]}" if scope.metrics else ""
    if table.rows or table.truncated:
        found = f"No figure{about}"
    elif scope.having:
        found = f"No row{about} meets the metric filter"
    else:
        found = f"No rows matched{about}"
    return found + (f" ({'; '.join(parts)})." if parts else ".")


def _check(
    draft: str,
    table: Table,
    scope: Scope,
    declared: Sequence[Derivation],
    rules: GroundRules,
    *,
    by_thing: bool = False,
) -> Grounding:
    """Run the steps in their fixed order and put the verdict together."""
    sheet = Sheet(table)
    parser = PeriodParser(scope.calendar, scope.today, counts_by=scope.counts_by)
    names = Names(sheet, parser, scope.subject, scope.end, scope.metrics)
    derived, refused = derive(declared, sheet, names)
    seen = read(draft, names, parser, scope, derived)
    if len(seen.tokens.quantities) > rules.numbers:
        finding = _large(f"more than {rules.numbers} numbers in one draft")
        return Grounding(verdict="block", text=seen.printed.text, findings=(finding,))
    bindings = _bind(seen, names, derived, scope, rules)
    if by_thing:
        bindings = of_properties(seen.visible.text, sheet, seen.sentences, bindings)
    explainer = Explainer(sheet, seen.visible)
    absent = absences(seen.spoken, sheet, seen.sentences)
    missing = excused(sheet, absent)
    claims = judge_claims(seen.visible, seen.spoken, sheet, seen.sentences, bindings)
    findings = [
        *_lexical(seen, names),
        *_hidden(seen, table),
        *seen.printed.findings,
        *(explainer.explain(b) for b in bindings if not b.grounded and b.quantity.start not in missing),
        *check_absent(seen.visible, sheet, absent),
        *check_accounts(seen.visible, sheet, bindings),
        *check_estimates(seen.visible, sheet, bindings),
        *check_windows(seen.visible, scope, names, seen.periods, seen.mentions),
        *check_scope(
            seen.visible,
            scope,
            names,
            seen.periods,
            seen.mentions,
            _bases(sheet, bindings),
            margins_told(seen.visible.text, sheet, bindings),
        ),
        *_told(seen, names, scope, bindings),
        *claims.findings,
    ]
    verdict = _verdict(findings, claims)
    if verdict == "block":
        findings += map(_refusal, refused)
    findings.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return Grounding(
        verdict=verdict,
        text=seen.printed.text,
        citations=cite(seen, sheet, bindings),
        findings=tuple(findings),
        flags=claims.flags,
        settled=claims.settled,
    )


def _told(seen: Draft, names: Names, scope: Scope, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
    """Yield what a draft tells of its rows, its days and its contests that the cells deny or do not hold."""
    yield from check_none(seen.visible, names.sheet, seen.sentences, bindings)
    yield from check_rows(seen.visible, seen.spoken, names, seen.periods, seen.sentences, bindings)
    yield from check_days(seen.visible, scope, names, seen.periods, seen.sentences, bindings)
    yield from check_spans(seen.visible, names, seen.periods, seen.sentences)
    yield from check_dated_deeds(seen.visible, names, seen.sentences)
    yield from HeldDays(seen, names, scope).check(bindings)
    yield from LooseDigits(seen, names, scope).check(bindings)
    yield from OtherMeasures(seen, names, scope).check(bindings)
    yield from BeforeAndAfter(seen.visible, seen.spoken, names).check(seen.sentences, bindings)
    yield from EveryRow(seen.visible, seen.spoken, names.sheet).check(seen.sentences)
    yield from WhoWon(seen.visible, seen.spoken, names).check(seen.sentences, bindings)
    yield from FirstTimes(seen.visible, seen.spoken, names).check(seen.sentences)


def _bind(
    seen: Draft, names: Names, derived: Sequence[Derived], scope: Scope, rules: GroundRules
) -> tuple[Binding, ...]:
    text = seen.visible.text
    headers = header_columns(text, [m for m in seen.mentions if not m.names_rows]) if "|" in text else {}
    ran = [(p.start, p.end) for p in seen.periods if p.readings and is_ran(text, scope, p)]
    whole = Whole(names, seen.spoken, ran, known=scope.known, stale=stale_columns(seen, names, scope))
    binder = Binder(names, seen.spoken, derived, headers, rules.chance, whole)
    bindings: list[Binding] = []
    for sentence, before in led_by(text, seen.sentences):
        bindings += binder.bind(sentence, before)
    return tuple(bindings)


def _bases(sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[str]:
    """Yield the words of the columns that cited ratios rest on: "per visit" is said of one of them."""
    for binding in bindings:
        if binding.derived is not None and binding.derived.op == "ratio":
            yield from (word for c in binding.derived.columns for word in split_words(sheet.label(c)))


def _lexical(seen: Draft, names: Names) -> Iterator[SpanFinding]:
    """Yield what the lexer could not read, hidden characters and names with digits that nothing explains."""
    for start, end in seen.visible.controls:
        yield SpanFinding(
            code="control_characters",
            start=start,
            end=end,
            text=seen.visible.raw[start:end],
            message="a control character can hide or turn round what a reader sees",
            next_step="Leave it out.",
        )
    for start, end in seen.tokens.leftovers:
        yield _leftover(seen, start, end)
    step = "Use the names of the result."
    for mark in seen.tokens.marks:
        if mark.kind == "unknown_label":
            reason = f"{mark.text} is not a name the result holds"
            yield _finding(seen, "unknown_label", mark.start, mark.end, reason, step)
    for start, end in _as_shares(seen, names):
        reason = "a name, a date or a time is no percentage"
        yield _finding(seen, "unit", start, end, reason, "Leave out the sign.")
    for start, end in names.codes.strange(seen.visible.text):
        yield _finding(seen, "unknown_label", start, end, "the result holds no row of this number", step)
    for start, end in names.steps.strange(seen.visible.text):
        yield _finding(seen, "unknown_label", start, end, "the result holds no column of this number", step)


def _as_shares(seen: Draft, names: Names) -> Iterator[tuple[int, int]]:
    """Yield names, dates and clock readings with digits that a percent sign follows ("Store 25%")."""
    text = seen.visible.text
    spans = [(q.start, q.end) for q in seen.tokens.quantities if q.measure == "clock"]
    spans += [(m.start, m.end) for m in seen.tokens.marks if m.kind in ("label", "temporal")]
    for start, end in spans:
        if text[end : end + 1] not in ("%", "\u2030") or not text[end - 1].isdigit():
            continue
        said = text[start : end + 1]
        if not any(
            said in value for row in names.sheet.table.rows for value in row if isinstance(value, str)
        ):
            yield start, end + 1


def _hidden(seen: Draft, table: Table) -> Iterator[SpanFinding]:
    """Yield where a draft says "no data" in its own words while the result holds a hidden figure."""
    if OF_DATA.isdisjoint(seen.spoken.vocabulary):
        return
    if not any(value == MASK for row in table.rows for value in row):
        return
    printed = {slot.start for slot in seen.printed.filled}
    for said in WITHOUT_DATA.finditer(seen.visible.text):
        if seen.visible.span(*said.span())[0] not in printed:
            reason = "a figure of this result is hidden: that is not to have no data"
            step = "Say that the figure is hidden, or print the cell with a slot."
            yield _finding(seen, "null_as_value", *said.span(), reason, step)


def _leftover(seen: Draft, start: int, end: int) -> SpanFinding:
    first, _ = seen.visible.span(start, end)
    if any(slot.start == first for slot in seen.printed.filled):
        reason = "a printed figure takes no sign, scale, unit or digit from the text around it"
        return _finding(seen, "residual", start, end, reason, "Leave only words and spaces beside the slot.")
    reason = "this amount cannot be read in one way only"
    return _finding(seen, "residual", start, end, reason, "Write it in plain digits.")


def _finding(seen: Draft, code: SpanCode, start: int, end: int, message: str, step: str) -> SpanFinding:
    first, last = seen.visible.span(start, end)
    text = seen.printed.text[first:last]
    return SpanFinding(code=code, start=first, end=last, text=text, message=message, next_step=step)


def _refusal(refused: Refused) -> SpanFinding:
    return SpanFinding(
        code=refused.code,
        start=0,
        end=0,
        text=refused.id,
        message=f"derivation {refused.id}: {refused.reason}",
        next_step="Mend or drop the declaration.",
    )


def _verdict(findings: Sequence[SpanFinding], claims: Claims) -> Literal["block", "hold", "pass"]:
    if any(finding.code != "claim" or finding.expected for finding in findings):
        return "block"
    return "hold" if claims.open else "pass"


def _too_large(
    draft: str, table: Table, declared: Sequence[Derivation], rules: GroundRules
) -> SpanFinding | None:
    """Return the limit that a draft, its table or its declarations exceed."""
    sizes = (
        (len(draft), rules.characters, "characters in a draft"),
        (len(table.columns), rules.columns, "columns in a result to check against"),
        (len(table.columns) * len(table.rows), rules.cells, "cells in a result to check against"),
        (len(declared), rules.declarations, "declared derivations"),
    )
    return next(
        (
            _large(f"{size} {what}; at most {limit} are checked")
            for size, limit, what in sizes
            if size > limit
        ),
        None,
    )


def _large(message: str) -> SpanFinding:
    return SpanFinding(
        code="too_large", start=0, end=0, text="", message=message, next_step="Send a smaller one."
    )
