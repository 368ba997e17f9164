"""The answer check: a draft, the table it speaks of and the question that ran give one verdict with its reasons."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from gateway.ground.asked import GroundRules, Scope
from gateway.ground.bind import Binder, Binding
from gateway.ground.claims import Claims, judge_claims
from gateway.ground.clauses import Sentence, cut, header_columns
from gateway.ground.derive import Derived, derive
from gateway.ground.explain import Explainer
from gateway.ground.lexer import Known, tokenize
from gateway.ground.names import Mention, Names
from gateway.ground.rows import check_rows
from gateway.ground.scope import check_scope
from gateway.ground.sheet import Sheet, is_key
from gateway.ground.slots import Filled, Printed, fill
from gateway.ground.text import Visible, see
from gateway.ground.tokens import Tokens
from metric_layer.periods import Period, PeriodParser
from traces.records import Cell, Citation, Derivation, Grounding, SpanCode, SpanFinding, Table

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
TIMES = frozenset(("seconds", "minutes", "hours", "days", "weeks", "months", "years", "milliseconds"))


def ground(
    draft: str, table: Table, scope: Scope, declared: Sequence[Derivation], rules: GroundRules
) -> Grounding:
    """Return whether a draft may leave: every number bound to a cell, period and filters those that ran.

    Never raises for any draft. Offsets of findings and citations are offsets in `text` of the result, which is the
    draft with its slots printed and its HTML comments taken out.
    """
    if not holds_figures(table):
        return Grounding(verdict="fixed_message", text=no_rows_text(scope))
    large = _too_large(draft, table, declared, rules)
    if large:
        return Grounding(verdict="block", text=draft, findings=(large,))
    return _Check(draft, table, scope, declared, rules).run()


def holds_figures(table: Table) -> bool:
    """Tell whether a result has anything to say: not zero rows, not one row whose figures are all NULL."""
    if not table.rows:
        return False
    if len(table.rows) > 1:
        return True
    figures = [value for column, value in zip(table.columns, table.rows[0], strict=True) if not is_key(column)]
    return not figures or any(value is not None for value in figures)


def no_rows_text(scope: Scope) -> str:
    """Return the fixed text for a result without figures."""
    parts = []
    if scope.start and scope.end:
        parts.append(f"from {scope.start.isoformat()} up to, not including, {scope.end.isoformat()}")
    parts += [f"{name} {op} {', '.join(values)}".strip() for name, op, values in scope.filters]
    about = f" for {', '.join(scope.metrics)}" if scope.metrics else ""
    return f"No rows matched{about}" + (f" ({'; '.join(parts)})." if parts else ".")


class _Check:
    """One draft over one table."""

    def __init__(
        self, draft: str, table: Table, scope: Scope, declared: Sequence[Derivation], rules: GroundRules
    ) -> None:
        self.scope = scope
        self.rules = rules
        self.sheet = Sheet(table)
        self.parser = PeriodParser(scope.calendar, scope.today)
        self.names = Names(self.sheet, self.parser)
        self.derived, self.refused = derive(declared, self.sheet, self.names)
        self.printed: Printed = fill(
            COMMENT.sub("", draft), self.sheet, {derived.id: derived for derived in self.derived}, scope.calendar
        )
        self.visible: Visible = see(self.printed.text)
        self.explainer = Explainer(self.sheet, self.visible)

    def run(self) -> Grounding:
        """Run the steps in their fixed order and put the verdict together."""
        periods = self.parser.find(self.visible.text, self.names.counted)
        mentions = self.names.find(self.visible.text, periods)
        tokens = self._tokens(periods, mentions)
        if len(tokens.quantities) > self.rules.numbers:
            finding = self._finding("too_large", 0, 1, f"more than {self.rules.numbers} numbers in one draft", "Send a shorter draft.")
            return Grounding(verdict="block", text=self.printed.text, findings=(finding,))
        sentences = cut(self.visible.text, tokens.quantities, mentions)
        bindings = self._bind(sentences, mentions)
        claims = judge_claims(self.visible, self.sheet, sentences, bindings)
        findings = [
            *self._lexical(tokens),
            *self.printed.findings,
            *(self.explainer.explain(b) for b in bindings if not b.grounded),
            *check_scope(self.visible, self.scope, self.names, periods, mentions),
            *check_rows(self.visible, self.names, periods, sentences, bindings),
            *claims.findings,
        ]
        verdict = _verdict(findings, claims)
        if verdict == "block":
            findings += self._declarations()
        findings.sort(key=lambda finding: (finding.start, finding.end, finding.code))
        return Grounding(
            verdict=verdict,
            text=self.printed.text,
            citations=tuple(sorted(self._citations(bindings), key=lambda citation: citation.start)),
            findings=tuple(findings),
            flags=claims.flags,
            settled=claims.settled,
        )

    def _tokens(self, periods: Sequence[Period], mentions: Sequence[Mention]) -> Tokens:
        text = self.visible.text
        named = [(m.start, m.end) for m in mentions if m.full or any(c.isdigit() for c in text[m.start : m.end])]
        known = Known(
            names=tuple([*self._slot_spans(), *named, *self._subject_spans()]),
            periods=tuple((period.start, period.end) for period in periods),
            heads=self.names.heads,
            nouns=self.names.nouns,
            time_units=frozenset(m.unit for m in self.sheet.measured if m.unit in TIMES),
            locale=self.scope.locale,
        )
        return tokenize(text, known)

    def _subject_spans(self) -> Iterator[tuple[int, int]]:
        """Yield names with digits ("U-185", "110 metres") that the question itself uses."""
        subject = self.scope.subject[:500]
        codes = re.findall(r"(?<!\w)(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]+(?!\w)", subject)
        pairs = re.findall(r"(?<!\w)(?=([^\W\d_]+\s\d{1,4}(?![\w.,])|\d{1,4}\s[^\W\d_]+))", subject)
        values = [value for _, _, values in self.scope.filters for value in values if any(c.isdigit() for c in value)]
        for words in dict.fromkeys([*codes, *pairs, *(value for value in values if not value.isdigit())]):
            for found in re.finditer(rf"(?<![\w-]){re.escape(words)}(?!\w)", self.visible.text, re.IGNORECASE):
                yield found.span()

    def _slot_spans(self) -> Iterator[tuple[int, int]]:
        """Yield where slots were printed, in visible offsets; code printed them, so nothing reads them again."""
        starts = {place: at for at, place in reversed(tuple(enumerate(self.visible.starts)))}
        for slot in self.printed.filled:
            first = starts.get(slot.start)
            if first is not None and slot.end > slot.start:
                last = first
                while last < len(self.visible.starts) and self.visible.starts[last] < slot.end:
                    last += 1
                yield first, last

    def _bind(self, sentences: Sequence[Sentence], mentions: Sequence[Mention]) -> tuple[Binding, ...]:
        text = self.visible.text
        headers = header_columns(text, [m for m in mentions if not m.names_rows]) if "|" in text else {}
        columns = frozenset(column for column, _ in self.names.column_windows)
        binder = Binder(self.sheet, text, self.derived, headers, columns, self.rules.chance)
        bindings: list[Binding] = []
        previous: Sentence | None = None
        for sentence in sentences:
            bindings += binder.bind(sentence, previous)
            previous = sentence
        return tuple(bindings)

    def _lexical(self, tokens: Tokens) -> Iterator[SpanFinding]:
        """Yield what the lexer could not read, hidden characters and names with digits that nothing explains."""
        for start, end in self.visible.controls:
            yield SpanFinding(
                code="control_characters", start=start, end=end, text=self.visible.raw[start:end],
                message="a control character can hide or turn round what a reader sees", next_step="Leave it out.",
            )  # fmt: skip
        for start, end in tokens.leftovers:
            yield self._finding("residual", start, end, "this number can be read in more than one way", "Write it in plain digits.")
        for mark in tokens.marks:
            if mark.kind == "unknown_label":
                yield self._finding(
                    "unknown_label", mark.start, mark.end, f"{mark.text} is not a name the result holds",
                    "Use the names of the result.",
                )  # fmt: skip

        for start, end in self.names.strange_numbers(self.visible.text):
            yield self._finding("unknown_label", start, end, "the result holds no row of this number", "Use the names of the result.")

    def _declarations(self) -> Iterator[SpanFinding]:
        for refused in self.refused:
            yield SpanFinding(
                code=refused.code, start=0, end=0, text=refused.id, message=f"derivation {refused.id}: {refused.reason}",
                next_step="Mend or drop the declaration.",
            )  # fmt: skip

    def _citations(self, bindings: Sequence[Binding]) -> Iterator[Citation]:
        for binding in bindings:
            if binding.grounded:
                start, end = self.visible.span(binding.quantity.start, binding.quantity.end)
                yield self._citation(start, end, binding.cell, binding.derived, binding.implicit, binding.value)
        for slot in self.printed.filled:
            if slot.derived or (slot.cell and slot.cell[1] not in self.sheet.keys):
                yield self._slot_citation(slot)

    def _slot_citation(self, slot: Filled) -> Citation:
        value = slot.derived.value if slot.derived else self.sheet.number(*slot.cell) if slot.cell else None
        return self._citation(slot.start, slot.end, slot.cell, slot.derived, "", value)

    def _citation(
        self, start: int, end: int, cell: tuple[int, int] | None, derived: Derived | None, implicit: str, value: Decimal | None
    ) -> Citation:
        column = self.sheet.columns[cell[1]] if cell else None
        return Citation(
            start=start, end=end, text=self.printed.text[start:end], value="" if value is None else str(value),
            kind=_kind(cell, implicit),
            cell=Cell(row=cell[0], column=column.name) if cell and column else None,
            row_key=self.sheet.row_key(cell[0]) if cell else (),
            expression=derived.expression if derived else implicit,
            metric=column.definition or column.name if column else "",
        )  # fmt: skip

    def _finding(self, code: SpanCode, start: int, end: int, message: str, step: str) -> SpanFinding:
        first, last = self.visible.span(start, end) if end <= len(self.visible.text) and end > start else (0, 0)
        return SpanFinding(
            code=code, start=first, end=last, text=self.printed.text[first:last], message=message, next_step=step
        )


def _kind(cell: tuple[int, int] | None, implicit: str) -> Literal["cell", "derivation", "row_count", "parameter"]:
    if cell:
        return "cell"
    if implicit.startswith("parameter"):
        return "parameter"
    return "row_count" if implicit.startswith("count") else "derivation"


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
    for size, limit, what in sizes:
        if size > limit:
            return SpanFinding(
                code="too_large", start=0, end=0, text="", message=f"{size} {what}; at most {limit} are checked",
                next_step="Send a smaller one.",
            )  # fmt: skip
    return None

