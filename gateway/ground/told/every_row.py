"""What is said of every row or of none ("all regions grew", "no store missed its target"), asked of each."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from gateway.ground.compared.counted import DENIED, DOWN, TURNED, UP
from gateway.ground.compared.moves import FALL, RISE
from gateway.ground.lexing.lexicon import CHANGE_LABEL, PLAN_LABEL, words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, between
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding

WORDS, ONLY_SAID = words("all every each both no none neither not"), frozenset(("only",))
# How the words of plans that were met or missed begin.
PLANS = ("budget", "plan", "target", "goal", "quota", "forecast", "allowance", "over", "under")
EVERY = re.compile(
    r"(?<!not\s)(?<!almost\s)(?<!nearly\s)(?<!virtually\s)(?<!practically\s)\b"
    r"(?:(?P<none>no|none\sof|neither(?:\sof)?|not\s(?:one|a\ssingle)(?:\sof)?)|(?:all|each|both)(?:\sof)?|every)"
    r"\s(?:the\s|our\s|its\s|these\s)?(?:single\s)?"
    r"(?:(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s)?(?P<noun>[a-z]+)\b",
    re.IGNORECASE,
)
ONLY = re.compile(
    r"\b(?:is|was|are|were|be(?:came|ing)|remain(?:s|ed))\sthe\sonly\s(?P<noun>[a-z]+)\s(?:to|that|which|where|whose)\b",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"\b(?:except|excluding|apart|besides|others?|but\s(?:one|for)|bar|save\sfor|combined|together)\b",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"[,;:!?()]|\.(?:\s|\Z)|\b(?:and|but|while|whereas|although|though|which|that)\b", re.IGNORECASE
)
_PLAN = r"(?:\s(?:its|their|the|own))*\s(?:budgets?|plans?|targets?|goals?|quotas?|forecasts?|allowances?)\b"
OVER = re.compile(
    rf"\b(?:over(?:spent|ran|shot)\b|(?:exceed(?:ed|s)|beat|broke|overran|overshot|surpass(?:ed|es)"
    rf"|over|above|ahead\sof){_PLAN})",
    re.IGNORECASE,
)
UNDER = re.compile(
    rf"\b(?:under(?:spent|shot)\b|(?:missed|undershot|fell\sshort\sof|below|under|short\sof|behind){_PLAN})",
    re.IGNORECASE,
)
WITHIN = re.compile(rf"\b(?:within|kept\sto|stuck\sto){_PLAN}", re.IGNORECASE)
MET = re.compile(rf"\b(?:met|hit|reached|achieved|made|meets?|hits){_PLAN}", re.IGNORECASE)
PLANNED = (OVER, UNDER, WITHIN, MET)
VARIANCE = re.compile(
    r"varianc|\b(?:vs|against|versus)\b.*\b(?:plan|budget|target)|over.?spend", re.IGNORECASE
)
OF_ONE = re.compile(r"\b(?:per|average|avg|mean|median|price|fee|rate)\b", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d\d")
DIGITS = re.compile(r"\d+")
Test = Callable[[Decimal, Decimal], bool]
NOUGHT = Decimal(0)


class _Asked(NamedTuple):
    """What each row is asked: by how much it moved or missed, in which column that stands, and the test."""

    column: int
    moves: Mapping[int, Decimal]
    test: Test


class EveryRow:
    """Reads what one text says of every row or of none, over one sheet."""

    def __init__(self, visible: Visible, spoken: Spoken, sheet: Sheet) -> None:
        """Stand on a text and a sheet."""
        self.visible = visible
        self.text = visible.text
        self.sheet = sheet
        whole = not sheet.table.truncated
        self._all, self._only = whole and spoken.says(WORDS), whole and spoken.says(ONLY_SAID)
        self._planned = whole and spoken.opens(PLANS)

    def check(self, sentences: Sequence[Sentence]) -> Iterator[SpanFinding]:
        """Yield what is said of every row, or of none, and a row denies."""
        for sentence in sentences if self._all or self._only or self._planned else ():
            span = self.text, sentence.start, sentence.end
            for said in EVERY.finditer(*span) if self._all else ():
                limited = EXCEPT.search(self.text, sentence.start, sentence.end)
                if said["noun"].lower() in self._nouns and not limited:
                    yield from self._denied(said, sentence)
            for said in (found for plan in PLANNED for found in plan.finditer(*span) if self._planned):
                yield from self._of_one(said, sentence)
            for said in ONLY.finditer(*span) if self._only else ():
                if said["noun"].lower() in self._nouns:
                    yield from self._not_only(said, sentence)

    @cached_property
    def _nouns(self) -> frozenset[str]:
        """Return what rows are called, one of them and several."""
        stems = {word for key in self.sheet.keys for word in self.sheet.label_words[key]}
        return frozenset(said for s in stems for said in (s, f"{s}s", f"{s}es", f"{s[:-1]}ies"))

    def _denied(self, said: re.Match[str], sentence: Sentence) -> Iterator[SpanFinding]:
        """Yield the first row that does not do what all are said to do, or that does what none does."""
        end = ENDS.search(self.text, said.end(), sentence.end)
        until = end.start() if end else sentence.end
        clause = self.text[said.end() : until]
        if DENIED.search(clause) or any(m.full for m in between(sentence.rows, said.start(), until)):
            return
        asked = self._asked(clause, between(sentence.columns, said.end(), until))
        none = said["none"] is not None
        rows = [r for r, v in asked.moves.items() if asked.test(v, NOUGHT) == none] if asked else []
        if asked and rows:
            value = str(self.sheet.number(rows[0], asked.column))
            cell, span = (rows[0], asked.column), (said.start(), until)
            yield contradicted(self.visible, self.sheet, span, cell, value, "Say of how many it is so.")

    def _of_one(self, said: re.Match[str], sentence: Sentence) -> Iterator[SpanFinding]:
        """Yield what one row is said to have made of its plan, and did not ("Legal overspent")."""
        starts = [p.end() for p in ENDS.finditer(self.text, sentence.start, said.start())]
        start = starts[-1] if starts else sentence.start
        named = [m.rows for m in between(sentence.rows, start, said.start()) if m.full]
        rows = frozenset.intersection(*named) if named else frozenset[int]()
        if len(rows) != 1 or DENIED.search(self.text, start, said.start()):
            return
        asked = self._asked(said.group(), ())
        row = next(iter(rows))
        if asked and row in asked.moves and not asked.test(asked.moves[row], NOUGHT):
            value = str(self.sheet.number(row, asked.column))
            cell = (row, asked.column)
            yield contradicted(self.visible, self.sheet, said.span(), cell, value, "Say which it was.")

    def _not_only(self, said: re.Match[str], sentence: Sentence) -> Iterator[SpanFinding]:
        """Yield the row that is said to be the only one to do what it does not do, or what others do too."""
        named = [m.rows for m in between(sentence.rows, sentence.start, said.start()) if m.full]
        rows = frozenset.intersection(*named) if named else frozenset[int]()
        end = ENDS.search(self.text, said.end(), sentence.end)
        until = end.start() if end else sentence.end
        clause = self.text[said.end() : until]
        columns = between(sentence.columns, said.end(), until)
        asked = self._asked(clause, columns) if len(rows) == 1 and not DENIED.search(clause) else None
        if asked is None:
            return
        wrong = [r for r, v in asked.moves.items() if asked.test(v, NOUGHT) != (r in rows)]
        if wrong:
            cell = (wrong[0], asked.column)
            value = str(self.sheet.number(*cell))
            span = said.start(), until
            yield contradicted(self.visible, self.sheet, span, cell, value, "Say of which it is so.")

    def _asked(self, clause: str, columns: Sequence[Mention]) -> _Asked | None:
        """Return what a clause asks of each row; None where it asks nothing that columns answer."""
        for said, test in (
            (OVER, operator.gt),
            (UNDER, operator.lt),
            (WITHIN, operator.le),
            (MET, operator.ge),
        ):
            if said.search(clause):
                return self._of_plan(test)
        up, down = (any(p.search(clause) for p in pair) for pair in ((RISE, UP), (FALL, DOWN)))
        if up == down:
            return None
        return self._of_change(operator.gt if up else operator.lt, columns)

    def _of_plan(self, test: Test) -> _Asked | None:
        """Return by how much each row was over its plan: the one plan and the one figure beside it."""
        plans = [c for c in self.sheet.numeric if PLAN_LABEL.search(self.sheet.label(c))]
        plans = [c for c in plans if not VARIANCE.search(self.sheet.label(c))]
        if len(plans) != 1:
            return None
        like = [
            c
            for c in self.sheet.numeric
            if c != plans[0]
            and self.sheet.measured[c] == self.sheet.measured[plans[0]]
            and not CHANGE_LABEL.search(self.sheet.label(c))
            and not OF_ONE.search(self.sheet.label(c))
        ]
        return _Asked(like[0], self._gaps(like[0], plans[0]), test) if len(like) == 1 else None

    def _of_change(self, test: Test, named: Sequence[Mention]) -> _Asked | None:
        """Return by how much each row moved: the one column of changes, else the two periods there are."""
        labels = {c: self.sheet.label(c) for c in self.sheet.numeric}
        changes = [c for c, said in labels.items() if CHANGE_LABEL.search(said) and not VARIANCE.search(said)]
        told = {c for m in named for c in m.columns}
        changes = [c for c in changes if c in told] or changes if len(changes) > 1 else changes
        if len(changes) == 1 and not TURNED.search(labels[changes[0]]):
            return _Asked(changes[0], self._moves(changes[0]), test)
        dated: dict[str, list[int]] = {}
        for column, label in labels.items():
            if YEAR.search(label):
                dated.setdefault(DIGITS.sub("", label), []).append(column)
        pairs = list(dated.values())
        if changes or len(pairs) != 1 or len(pairs[0]) != 2:
            return None
        old, new = sorted(pairs[0], key=lambda c: _period(labels[c]))
        return _Asked(new, self._gaps(new, old), test)

    def _moves(self, column: int) -> Mapping[int, Decimal]:
        """Return the figures of a column, without the rows of totals."""
        return {r: v for r, v in self.sheet.column_values(column) if r not in self.sheet.totals}

    def _gaps(self, column: int, base: int) -> Mapping[int, Decimal]:
        """Return by how much each row has more in one column than in another."""
        bases = self._moves(base)
        pairs = {row: (value, bases[row]) for row, value in self._moves(column).items() if row in bases}
        # what was spent may be written below zero: more of it is over its plan
        return {r: b - v if max(v, b) < 0 else v - b for r, (v, b) in pairs.items()}


def _period(label: str) -> tuple[str, Sequence[str]]:
    """Return the year of a label, and its other numbers, to put periods in order."""
    year = YEAR.search(label)
    return (year.group() if year else ""), DIGITS.findall(YEAR.sub("", label))
