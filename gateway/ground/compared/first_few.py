"""Lists of the first few ("The three largest groups are Ames, Bell and Cole"): how many, and who they are."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.compared.verdict import SOME
from gateway.ground.lexing.lexicon import HIGHS, LOWS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

LED = re.compile(r"\b(?:the|its|his|her|their|whose)\s\Z", re.IGNORECASE)
# Between the superlative and the first name: what they are.
LISTED = re.compile(
    r"(?:\s(?!and\b|but\b)[^\W\d_][\w-]*){0,6}?"
    r"(?:\s(?:are|were|is|was|being|include[ds]?)\s|:\s|,\s|\s[\u2013\u2014-]\s|\s\()(?:the\s)?",
    re.IGNORECASE,
)
JOINED = re.compile(
    r"(?:\s\([^()]{1,60}\)|,?\s(?:with|at|on|by)\s(?:[^,;()]|(?<=\d),(?=\d)){1,40}?)?(?:,|,?\s(?:and|then|&))\s(?:the\s)?",
    re.IGNORECASE,
)
# "By plan", "in terms of staff": the figures that rank them; "in Asia" may be a place.
RANKED_BY = re.compile(
    r"\b(?:by|for|in\sterms\sof|measured\sby|based\son|with\sthe)\s"
    r"(?P<what>[^,;:.()]{1,60}?)(?=\s(?:are|were|is|was|being|include[ds]?|the|in)\b|[,;:.()]|\Z)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_][\w-]*")
NO_MEASURE = frozenset(
    ("the", "of", "by", "their", "its", "our", "total", "number", "count", "overall", "highest", "lowest",
     "largest", "smallest", "most", "least", "far", "and")
)  # fmt: skip
# "The two most profitable channels": these rank by a word of their own.
OPEN = frozenset(("most", "least", "fewest", "highest", "lowest", "best", "worst", "strongest", "weakest"))
QUALIFIED = re.compile(
    r"\s(?P<word>[a-z][\w-]*)\s(?!are\b|were\b|is\b|was\b|in\b|by\b|for\b|of\b|at\b|on\b|with\b)[a-z]",
    re.IGNORECASE,
)
# "Ended in the bottom 3": of who is named before.
END = re.compile(
    r"\b(?:in|into|among|amongst|inside|within|as|up|formed|were|was|are|is|be)\s(?:the|our|their|its)\s(?P<end>top|bottom)\s\Z",
    re.IGNORECASE,
)
ROOT = 5
HUNDRED = Decimal(100)
REACH = 40
Span = tuple[int, int]


def top_list(text: str, quantity: Quantity, sentence: Sentence) -> tuple[Sequence[Mention], bool]:
    """Return the names of a list that a number and a superlative lead, and whether the most are meant."""
    said, high = _ranking(text, quantity, sentence)
    until = max(said[1], quantity.end)
    names = (
        list({m.start: m for m in sentence.rows if m.full and m.start >= until}.values()) if said[1] else []
    )
    if not names or LISTED.fullmatch(text, until, names[0].start) is None:
        return (), high
    count = 1
    for first, second in pairwise(names):
        if first.column != second.column or JOINED.fullmatch(text, first.end, second.start) is None:
            break
        count += 1
    return names[:count], high


def _ranking(text: str, quantity: Quantity, sentence: Sentence) -> tuple[Span, bool]:
    """Return the superlative beside a number ("the three largest", "the top three"), (0, 0) for none."""
    lead = text[max(sentence.start, quantity.start - REACH) : quantity.start]
    if quantity.measure == "plain" and not quantity.hedge:
        for words in (HIGHS, LOWS):
            said = words.match(text, quantity.end + 1) if LED.search(lead) else None
            led = next((w for w in words.finditer(lead) if w.end() == len(lead) - 1), None)
            if said:
                return said.span(), words is HIGHS
            if led and LED.search(lead, 0, led.start()):
                start = quantity.start - len(lead)
                return (start + led.start(), start + led.end()), words is HIGHS
    return (0, 0), True


def counts_names(text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a number says how many names the list of the first few has, one row each.

    What ranks them must be clear: one column, or several that agree.
    """
    if not 1 < quantity.readings[0].value <= len(sentence.rows):
        return False
    names, _ = top_list(text, quantity, sentence)
    rows = {m.rows for m in names}
    if not len(rows) == len(names) > 1 or quantity.readings[0].value != len(names):
        return False
    if SOME.search(text, sentence.start, sentence.end):
        return False
    told = any(names[0].end <= other.start for other in sentence.quantities)
    columns = ranking_columns(text, sheet, quantity, sentence)
    return bool(columns) or (told and columns is not None)


def ranking_columns(
    text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence, told: Sequence[int] = ()
) -> Sequence[int] | None:
    """Return the columns that rank a list; none where several would do, None where other words rank it.

    They are those its words name, with that of the figures `told` behind the names; else all that agree.
    """
    names, high = top_list(text, quantity, sentence)
    said = [m for m in sentence.columns if not names[0].start <= m.start < names[-1].end]
    qualifier = _qualifier(text, quantity, sentence)
    called = _called(sheet, qualifier) if qualifier else frozenset()
    if _is_ranked_by_other(text, sentence, names, said) or (qualifier and not called):
        return None
    measures = sheet.figured - sheet.running
    named = [columns for found in (called, *(m.columns for m in said)) if (columns := found & measures)]
    if named or told:
        shared = frozenset.intersection(*named) if named else frozenset()
        return sorted((shared or frozenset().union(*named)) | set(told))
    rows = frozenset().union(*(m.rows for m in names))
    ranked = {are_first(sheet, rows, column, high=high) for column in measures}
    return sorted(measures) if len(ranked) == 1 else ()


def _is_ranked_by_other(
    text: str, sentence: Sentence, names: Sequence[Mention], said: Sequence[Mention]
) -> bool:
    """Tell whether words that no column is called by say what ranks a list ("by growth")."""
    for by in RANKED_BY.finditer(text, sentence.start, sentence.end):
        if names[0].start <= by.start() < names[-1].end:
            continue
        places = [
            by.start("what") + word.start()
            for word in WORD.finditer(by["what"])
            if word.group().lower() not in NO_MEASURE
        ]
        open_to = [at for at in places if not any(m.start <= at < m.end for m in sentence.rows)]
        columns = [frozenset(c for m in said if m.start <= at < m.end for c in m.columns) for at in open_to]
        if columns and not frozenset.intersection(*columns):
            return True
    return False


def _qualifier(text: str, quantity: Quantity, sentence: Sentence) -> str:
    """Return the word behind "most" or "highest" that says of what ("most profitable"), "" for none."""
    (start, end), _ = _ranking(text, quantity, sentence)
    behind = QUALIFIED.match(text, max(end, quantity.end)) if text[start:end].lower() in OPEN else None
    return behind["word"].lower() if behind is not None else ""


def _called(sheet: Sheet, word: str) -> frozenset[int]:
    """Return the columns whose label has a word of the same root ("populous": Population)."""
    labels = ((column, WORD.findall(sheet.label(column).lower())) for column in range(len(sheet.columns)))
    return frozenset(c for c, said in labels if any(w[:ROOT] == word[:ROOT] for w in said if len(w) >= ROOT))


def are_first(sheet: Sheet, rows: frozenset[int], column: int, *, high: bool) -> bool:
    """Tell whether rows have the greatest (or the least) figures of a column, totals left out."""
    kept = (row for row in range(sheet.height) if row in rows or row not in sheet.totals)
    figures = [(row, figure) for row in kept if (figure := sheet.figure(row, column)) is not None]
    whole = sheet.measured[column].carrier == "percent"
    own = [f for row, f in figures if row in rows]
    others = [f for row, f in figures if row not in rows and not (whole and f == HUNDRED)]
    if len(own) < len(rows) or not others:
        return False
    return min(own) >= max(others) if high else max(own) <= min(others)


def leads_list(text: str, start: int, sentence: Sentence) -> bool:
    """Tell whether a superlative that starts at a place ranks a list of the first few."""
    return any(
        len(top_list(text, q, sentence)[0]) > 1
        for q in sentence.quantities
        if _ranking(text, q, sentence)[0][0] == start
    )
