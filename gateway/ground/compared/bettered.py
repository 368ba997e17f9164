"""What got better or worse between two times, both figures told ("improved, with 4.2 m and then 4.3 m")."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.compared.extremes import LOW_WINS, is_praised
from gateway.ground.compared.ranks import RANK_LABEL
from gateway.ground.compared.verdict import Verdict
from gateway.ground.compared.wanted import COSTS, UNWANTED
from gateway.ground.lexing.units import TIME_UNITS
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

_GOT = r"(?:g[eo]t(?:s|ting)?|bec[ao]me|grew|w[ae]s|were)\s(?:[a-z]+ly\s|much\s|a\s(?:little|bit)\s)?"
BETTERED = re.compile(
    rf"\b(?:(?P<better>improv(?:ed|es|ing)|bettered|{_GOT}(?:better|stronger|quicker|faster))"
    rf"|(?P<worse>worsen(?:ed|s|ing)|deteriorat(?:ed|es|ing)|regress(?:ed|es|ing)|{_GOT}(?:worse|weaker|slower))"
    r"|(?P<less>declin(?:ed|es|ing)|fell\soff|dropped\soff|slipped|slumped))\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<![\w.,/-])(?:1\d|20)\d\d(?![\w%/]|[.,]\d|-\d)")
NOT = re.compile(
    r"\b(?:not|never|neither|nor|but|before|after|again|then|despite|though|although|still|yet|even|however)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
# What is less where it is better: a time, a place, what nobody wants.
TIMED = re.compile(r"\b(?:times?|laps?|seconds|minutes|strokes|par)\b", re.IGNORECASE)
NO_TIME = re.compile(r"\b(?:rate|share|on[\s-]time|ratio|number|count|no\.?)|%", re.IGNORECASE)
RANKING = re.compile(
    r"\b(?:rank(?:ing|ed)?s?|positions?|places?|pos|standing|seed(?:ing)?|finish|peak|chart)\b", re.IGNORECASE
)
LOST = re.compile(
    r"\b(?:l|ga|era|gaa|lost|defeats|conceded|against|allowed|penalt(?:y|ies)|fouls|turnovers|interceptions|deficit"
    r"|unemployment|poverty|inflation|crime|handicap)\b",
    re.IGNORECASE,
)


def bettered(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether the later of the two figures of a sentence is the better one, as its only word says."""
    said = list(BETTERED.finditer(text, sentence.start, sentence.end))
    cells = [b.cell for b in bindings if b.cell is not None]
    if len(said) != 1 or len(cells) != 2 or cells[0][1] != cells[1][1] or NOT.search(text, *_span(sentence)):
        return
    column = cells[0][1]
    times = {year: row for row, _ in cells if (year := _year_of(sheet, row))}
    told = {year.group() for year in YEAR.finditer(text, *_span(sentence))}
    if len(times) != 2 or not told or not told <= times.keys():
        return
    earlier, later = (sheet.figure(times[year], column) for year in sorted(times))
    low = _is_low(sheet, column)
    named = any(column in m.columns for m in sentence.columns)
    names_it = named or any(word.search(text, *_span(sentence)) for word in (TIMED, RANKING))
    if earlier is None or later is None or earlier == later or (low and said[0]["less"] and names_it):
        return
    if not low and LOW_WINS.search(sheet.label(column)) and not is_praised(sheet, column):
        return
    better = (later < earlier) == low
    yield Verdict(better == (said[0]["better"] is not None), f"from {earlier} to {later}", said[0].group())


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.start, sentence.end


def _year_of(sheet: Sheet, row: int) -> str:
    """Return the one year of a row that no other row is of; empty for none."""
    years = [year for year, rows in sheet.years.items() if rows == {row}]
    named = [year for year in years if any(as_text(cell).strip() == year for cell in sheet.table.rows[row])]
    return named[0] if len(named) == 1 else ""


def _is_low(sheet: Sheet, column: int) -> bool:
    """Tell whether less is better of what a column holds."""
    label, measured = sheet.label(column), sheet.measured[column]
    if RANK_LABEL.fullmatch(label) or RANKING.search(label) or LOST.search(label):
        return True
    timed = measured.carrier == "clock" or measured.unit in TIME_UNITS.values()
    if timed or (TIMED.search(label) and not NO_TIME.search(label)):
        return True
    unwanted = UNWANTED.search(label) or COSTS.search(label)
    return unwanted is not None and not is_praised(sheet, column)
