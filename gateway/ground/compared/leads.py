"""Who is said to lead by a difference of two rows: the larger figure, and of times the smaller one."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.compared.extremes import COSTS, LOW_WINS, is_praised
from gateway.ground.compared.verdict import Verdict
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import TIME_UNITS
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

_ABOUT = r"(?:just\s|only\s|about\s|some\s|a\smere\s|a\sfull\s|as\smuch\sas\s)?"
LED_BY = re.compile(
    rf"\b(?P<ahead>led|leads|leading|won|wins|winning|lead(?:\sof|\swas))\s(?:by\s)?{_ABOUT}\Z", re.IGNORECASE
)
# "Rowing beat Chess by 12 points", "Chess lagged behind Rowing by 12".
PAIRED = re.compile(
    r"\b(?:(?P<ahead>beat(?:s|ing)?|outperform\w*|outs(?:old|ell\w*|hone|hines?)|outpac\w+|out-?earn\w*"
    r"|outstripp?\w*|surpass\w*|topp?(?:ed|s|ing)|exceed\w*|edged|eclips\w+|overt(?:ook|ak\w+)|outranks?"
    r"|(?:ahead|clear|in\sfront)\sof)"
    r"|(?P<behind>trail\w*|lag\w*|underperform\w*|behind|adrift\sof|short\sof))\s"
    rf"(?P<object>[^,;:.()\d]{{1,60}}?)\sby\s{_ABOUT}\W?\Z",
    re.IGNORECASE,
)
# "80 basis points worse than Baseline".
JUDGED = re.compile(
    r"\s(?:[a-z]+\s){0,2}?(?:(?P<ahead>better|stronger)|(?P<behind>worse|weaker))\s(?:off\s)?than\s", re.IGNORECASE
)
# Of what one has rather less.
UNWANTED = re.compile(
    rf"{COSTS.pattern}|churn|attrition|return(?:s|ed)?\b|complain|error|fault|defect|wait|delay|\blate\b|crash|waste"
    r"|injur|accident|bounce|unsubscri|cancel|absen|downtime|outage|dropout|drop-out|default|\bnpl\b|non-perform"
    r"|reject|fail|leave?r|overdue|backlog|scrap|shrinkage|reopen|escalat|no-?show|death|mortality|readmission"
    r"|response|handling|\bcac\b|\bcpl\b|\bcpa\b|\bcpc\b|payback|damage|breach|vacan|turnover\srate|incident"
    r"|emission|\bco2\b|length\sof\sstay|abandon|unseen|missed",
    re.IGNORECASE,
)
CHANGES = frozenset(("difference", "pp_change", "pct_change"))
TIMES = frozenset(("min", "h", "s", "day"))
REACH = 100


def lead_sign(text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence) -> int:
    """Return the sign that a declared difference must have where its subject leads by it; 0 where open."""
    if derived.op not in CHANGES or derived.lead is None or len(derived.rows) != 2 or len(derived.columns) != 1:
        return 0
    said = _said(text, quantity, sentence)
    if said is None:
        return 0
    subjects = [m for m in sentence.rows if m.end <= said.start()]
    rows = subjects[-1].rows & derived.rows if subjects else frozenset()
    if len(rows) != 1 or not _is_against(derived, said, sentence, rows):
        return 0
    own = 1 if (derived.lead[0] in rows) == (said["ahead"] is not None) else -1
    return own * _wanted(sheet, next(iter(derived.columns)), judged=said.re is JUDGED)


def led_by(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield that one row is ahead of another by a declared difference, which its sign has borne out."""
    for binding in bindings:
        derived = binding.derived
        if derived is not None and lead_sign(text, sheet, derived, binding.quantity, sentence):
            yield Verdict(True, derived.expression, "ahead")


def _said(text: str, quantity: Quantity, sentence: Sentence) -> re.Match[str] | None:
    """Return the words around a number that set one row ahead of another by it."""
    since = max(sentence.start, quantity.start - REACH)
    led = LED_BY.search(text, max(since, quantity.start - 40), quantity.start)
    if led is not None:
        return led
    paired = PAIRED.search(text, since, quantity.start) if text[:quantity.start].endswith("by ") else None
    return paired or JUDGED.match(text, quantity.end, sentence.end)


def _is_against(derived: Derived, said: re.Match[str], sentence: Sentence, rows: frozenset[int]) -> bool:
    """Tell whether what a row is set against is the other row of a pair; "led by 12" names no other."""
    if said.re is LED_BY:
        return True
    first, last = said.span("object") if said.re is PAIRED else (said.end(), said.end() + 1)
    others = [m.rows & derived.rows for m in sentence.rows if first <= m.start < max(last, first + 5)]
    return bool(others) and others[0] == derived.rows - rows


def _wanted(sheet: Sheet, column: int, *, judged: bool) -> int:
    """Return 1 where the larger figure of a column is ahead, -1 where the smaller one is, 0 where open."""
    measured, sizes = sheet.measured[column], sheet.sizes.get(column, frozenset())
    if measured.carrier == "clock" or measured.unit in TIME_UNITS.values() or sizes & TIMES:
        return -1
    if is_praised(sheet, column):
        return 1
    label = sheet.label(column)
    if UNWANTED.search(label):
        return -1 if judged else 0
    return 0 if LOW_WINS.search(label) else 1
