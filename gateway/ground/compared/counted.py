"""Counts of rows that meet a condition ("four of the seven stores grew"): whether the words deny it."""

import operator
import re
from bisect import bisect_left

from gateway.ground.compared.bare import clause_of
from gateway.ground.compared.moves import FALL, RISE
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.lexicon import CHANGE_LABEL, one_of
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.conditions import Parameter
from gateway.ground.table.sheet import Sheet

UP = one_of(
    "grow", "grows", "rise", "rises", "increase", "increases", "gain", "gains", "positive", "ahead", "higher"
)
DOWN = one_of(
    "shrink", "shrinks", "shrinking", "fall", "falls", "decline", "declines", "drop", "drops", "decrease",
    "decreases", "lost", "lose", "loses", "losing", "negative", "lower", "backwards", "in the red",
)  # fmt: skip
# A change of what is better small is told with its own words.
TURNED = re.compile(r"reduc|decreas|declin|drop|loss|churn|shrink|saving", re.IGNORECASE)
DENIED = one_of("not", "no", "never", "without", "neither", "failed", "n't")

REACH, MOST = 200, 8


def denies_count(text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a clause counts by other words than a count's condition: what fell, or another group."""
    near = sentence._replace(
        start=max(sentence.start, quantity.start - REACH), end=min(sentence.end, quantity.end + REACH)
    )
    start, end = clause_of(text, near, quantity.start, quantity.end)
    first = bisect_left(sentence.rows, start, key=lambda mention: mention.start)
    for mention in sentence.rows[first : first + MOST]:
        held = {sheet.table.rows[row][mention.column] for row in derived.rows}
        inside = mention.full and mention.end <= end
        if inside and len(held) == 1 < len(derived.rows) and not mention.rows & derived.rows:
            return True
    said = text[start:end]
    up, down = (any(p.search(said) for p in pair) for pair in ((RISE, UP), (FALL, DOWN)))
    if up == down or DENIED.search(said):
        return False
    return any(_way(sheet, parameter) == (-1 if up else 1) for parameter in derived.parameters)


def _way(sheet: Sheet, parameter: Parameter) -> int:
    """Return the direction that a condition on a column of changes asks for; 0 for none."""
    label = sheet.label(parameter.column)
    signed = CHANGE_LABEL.search(label) or min(sheet.figures(parameter.column), default=0) < 0
    if parameter.value or not signed or TURNED.search(label):
        return 0
    if parameter.test in (operator.gt, operator.ge):
        return 1
    return -1 if parameter.test in (operator.lt, operator.le) else 0
